import { counted } from '../engine/lib/problem.ts';
import type { MutantResult, MutateReport } from './mutate.ts';
import type { Unjudged } from './recorded-suite.ts';
import type { PageAssertions, SuiteTest } from './suite-runner.ts';

/** Sets a text in a style, as `styleText` of Node.js does. */
export type Paint = (style: 'bold' | 'dim' | 'green' | 'red' | 'yellow', text: string) => string;

/** Whether a mutant is a finding: no test notices it, and the page, if there is one, looks different. */
export function isFinding({ status, isShown }: MutantResult): boolean {
  return status === 'Survived' && isShown !== false;
}

const inDocument: PageAssertions = {
  contains: (text) => `expect(document.body.textContent).toContain(${JSON.stringify(text)});`,
  has: (selector) => `expect(document.querySelector('${selector}')).not.toBeNull();`,
};

/** Returns the assertions that would notice findings, by the test that they belong to. */
export function assertionsText(
  findings: readonly MutantResult[],
  paint: Paint,
  assertions: PageAssertions = inDocument,
): string {
  const byTest = Map.groupBy(findings, ({ by }) => by?.id);
  const groups = Array.from(byTest.values(), (all) => {
    const { by } = all[0]!;
    const byText = Map.groupBy(all, ({ gone: [text] }) => text);
    return [
      paint('bold', `'${by?.name ?? ''}'`) + paint('dim', ` ${by?.file ?? ''}`),
      ...Array.from(
        byText,
        ([text, some]) => `  ${assertionFor(text, assertions)}${countOf(some.length)}`,
      ),
    ].join('\n');
  });
  return groups.join('\n');
}

/** @param text what a page shows only with the right response; undefined if that is not known */
function assertionFor(text: string | undefined, { contains, has }: PageAssertions): string {
  if (text === undefined) return 'assert the fields above: no page shows them';
  const [, name, value] = /^(value|href|src|aria-label|title|alt) (.*)$/.exec(text) ?? [];
  return name === undefined ? contains(text) : has(`[${name}=${JSON.stringify(value)}]`);
}

function countOf(number: number): string {
  return number === 1 ? '' : ` // notices ${number}`;
}

/**
 * Returns the table of endpoints, and what was left out.
 *
 * @param columns the width of the terminal: in a narrow one, the counts of an endpoint stand below its name
 */
export function summaryText(report: MutateReport, paint: Paint, columns: number): string {
  const { results, tests, ms } = report;
  const rows = Array.from(
    Map.groupBy(results, ({ subject }) => subject),
    ([subject, all]) => ({ subject, ...countsOf(all) }),
  );
  const width = Math.max(...rows.map(({ subject }) => subject.length), 9);
  const isNarrow = width + 40 > columns;
  const line = (name: string, ...counts: readonly (string | number)[]): string => {
    const texts = counts.map((one) => String(one).padStart(9)).join(' ');
    return isNarrow ? `${name}\n ${texts}` : `${name.padEnd(width)} ${texts}`;
  };
  const rowOf = (name: string, { mutants, noticed, findings, score }: Counts): string =>
    line(name, mutants, noticed, findings, score);
  const same = results.filter((one) => one.status === 'Survived' && !isFinding(one)).length;
  const left = results.filter(({ status }) => status === 'Pending').length;
  return [
    paint('dim', line('responses', 'mutants', 'noticed', 'survived', 'score')),
    ...rows.map((row) => rowOf(row.subject, row)),
    paint('bold', rowOf('all', countsOf(results))),
    '',
    `${counted(tests.length, 'test')}, ${counted(results.length - left, 'mutant')} in ${(ms / 1000).toFixed(1)} s.`,
    ...(same === 0 ? [] : [`Not shown by any page: ${counted(same, 'mutant')}.`]),
    ...(left === 0 ? [] : [paint('yellow', `Left out: ${counted(left, 'mutant')}.`)]),
    ...unjudgedLines(report, paint),
  ].join('\n');
}

/** Returns a line for each test that judges nothing. */
export function unjudgedLines({ flaky, failing }: Unjudged, paint: Paint): string[] {
  const lineOf = ({ file, name }: SuiteTest, text: string): string =>
    paint('yellow', `${file} '${name}' ${text}, and judges nothing.`);
  return [
    ...flaky.map((one) => lineOf(one, 'is flaky: it came out differently twice')),
    ...failing.map((one) => lineOf(one, 'is expected to fail')),
  ];
}

interface Counts {
  readonly mutants: number;
  readonly noticed: number;
  readonly findings: number;
  readonly score: string;
}

/** The score is the share that was noticed of what a page shows. */
function countsOf(results: readonly MutantResult[]): Counts {
  const tried = results.filter(({ status }) => status !== 'Pending');
  const noticed = tried.filter(({ status }) => status !== 'Survived').length;
  const findings = tried.filter(isFinding).length;
  const judged = noticed + findings;
  const score = judged === 0 ? '–' : `${Math.round((noticed / judged) * 100)} %`;
  return { mutants: tried.length, noticed, findings, score };
}
