import { isObject } from '../engine/lib/json-value.ts';
import { escapeControls, printable } from '../engine/lib/printable.ts';
import { counted, formatCount } from '../engine/lib/problem.ts';
import { fieldText } from './mutations.ts';
import { isNoticed, type MutantResult, type MutateReport } from './mutate.ts';
import { ofAttribute, ofControl } from './page-texts.ts';
import type { Unjudged } from './recorded-suite.ts';
import type { AssertionStyle, SuiteTest } from './suite-runner.ts';

/** Sets a text in a style, as `styleText` of Node.js does. */
export type Paint = (style: 'bold' | 'dim' | 'green' | 'red' | 'yellow', text: string) => string;

/** Whether a mutant is a finding: no test notices it, and nothing says why that may be. */
export function isFinding(result: MutantResult): boolean {
  return result.status === 'Survived' && asideOf(result) === undefined;
}

/**
 * Says why a mutant that no test notices is no finding, for its line in a summary. Without a page, what only a library reads is none,
 * nor is an item that is there twice, which changes nothing where code looks one up.
 */
export function asideOf(result: MutantResult): string | undefined {
  const { status, isShown, library, mutation } = result;
  switch (status) {
    case 'Killed':
    case 'Timeout':
      return undefined;
    case 'Survived':
      if (isShown !== undefined) return isShown ? undefined : 'Not shown by any page';
      if (library !== undefined) return `Read only by ${library}`;
      return mutation.mutator === 'item more' ? 'Without a page, an item twice' : undefined;
    case 'Ignored':
      return 'Not judged, because no test looks at the response';
    case 'NoCoverage':
      return 'Not applied, because no test received the wrong response';
    case 'RuntimeError':
      return 'Lost, because the run did not come to an end';
    case 'Pending':
      return 'Left out';
  }
}

/** Assertions on a page, as tests have them. */
interface PageAssertions {
  readonly contains: (text: string) => string;
  readonly has: (selector: string) => string;
}

const pageAssertions: Readonly<Record<AssertionStyle, PageAssertions>> = {
  document: {
    contains: (text) => `expect(document.body.textContent).toContain(${JSON.stringify(text)});`,
    has: (selector) => `expect(document.querySelector('${selector}')).not.toBeNull();`,
  },
  playwright: {
    contains: (text) =>
      `await expect(page.locator('body')).toContainText(${JSON.stringify(text)});`,
    has: (selector) => `await expect(page.locator('${selector}')).not.toHaveCount(0);`,
  },
};

/** Returns a finding in a line: `GET /api/orders/:order_id 200 total: 9900 → 9901`. */
export function findingText({ subject, text, mutation, isAllowed }: MutantResult): string {
  const isLost = mutation.mutator === 'null' || mutation.mutator === 'missing';
  const note = isLost && isAllowed === true ? ', which the document allows' : '';
  return printable(`${subject}${mutation.mutator === 'control' ? ':' : ''} ${text}${note}`);
}

/** Returns what findings have in common that one assertion would notice: the field; for a mutant of no field, its own name. */
export function fieldOf({ id, subject, mutation: { path } }: MutantResult): string {
  return path.length === 0 ? id : `${subject} ${fieldText(path)}`;
}

/** Returns the assertions that would notice findings, by the test that they belong to. */
export function assertionsText(
  findings: readonly MutantResult[],
  paint: Paint,
  style?: AssertionStyle,
): string {
  const byTest = Map.groupBy(findings, ({ by }) => by?.id);
  const groups = Array.from(byTest.values(), (all) => {
    const { by } = all[0]!;
    const byText = Map.groupBy(all, (one) => assertionFor(one, style));
    return [
      paint('bold', `'${printable(by?.name ?? '')}'`) +
        paint('dim', ` ${printable(by?.file ?? '')}`),
      ...Array.from(byText, ([text, some]) => `  ${escapeControls(text)}${countOf(some.length)}`),
    ].join('\n');
  });
  return groups.join('\n');
}

/** Returns an assertion that fails for a mutant and for little else: on the page, if it shows the value, or else on the response. */
export function assertionFor(
  { subject, mutation: { path }, value, gone, telling, isShown }: MutantResult,
  style: AssertionStyle = 'document',
): string {
  const { contains, has } = pageAssertions[style];
  const [, name, quoted] = ofAttribute.exec(telling ?? '') ?? [];
  if (name !== undefined) return has(`[${name}=${JSON.stringify(quoted)}]`);
  if (telling !== undefined) return contains(telling);
  const field = fieldText(path) || 'the whole';
  const [exact] = gone
    .filter((text) => !ofAttribute.test(text) && !ofControl.test(text))
    .toSorted((one, other) => one.length - other.length);
  if (exact !== undefined) return `assert the exact text ${JSON.stringify(exact)}`;
  if (isShown === true) return `assert how the page shows ${field} of ${subject}`;
  return `assert what becomes of ${field} of ${subject}${printedValue(value)}`;
}

/** `: 1290`; nothing of an object, or of a long text. */
function printedValue(value: unknown): string {
  if (Array.isArray(value)) return `: ${counted(value.length, 'item')}`;
  const text = isObject(value) ? undefined : JSON.stringify(value);
  return text === undefined || text.length > maxPrinted ? '' : `: ${text}`;
}

const maxPrinted = 60;

function countOf(number: number): string {
  return number === 1 ? '' : ` // notices ${number}`;
}

/**
 * Returns the table of endpoints, the score, and what was left out.
 *
 * @param columns the width of the terminal: in a narrow one, the counts of an endpoint stand below its name
 */
export function summaryText(report: MutateReport, paint: Paint, columns: number): string {
  const rows = scoresOf(report);
  const width = Math.max(...rows.map(({ subject }) => subject.length), 9);
  const isNarrow = width + 40 > columns;
  const line = (name: string, ...counts: readonly (string | number)[]): string => {
    const texts = counts.map((one) => String(one).padStart(9)).join(' ');
    return isNarrow ? `${name}\n ${texts}` : `${name.padEnd(width)} ${texts}`;
  };
  const rowOf = (name: string, { mutants, noticed, findings, score }: Counts): string =>
    line(name, mutants, noticed, findings, score);
  return [
    paint('dim', line('responses', 'mutants', 'noticed', 'survived', 'score')),
    ...rows.map((row) => rowOf(row.subject, row)),
    '',
    paint('bold', scoreText(report)),
    ...leftOutLines(report).map((text) => paint('yellow', text)),
    ...unjudgedLines(report, paint),
  ].join('\n');
}

/** The counts of the responses to an endpoint. */
export interface SubjectScore extends Counts {
  readonly subject: string;
}

/** Returns the counts of each endpoint. */
export function scoresOf({ results }: MutateReport): SubjectScore[] {
  const bySubject = Map.groupBy(results, ({ subject }) => subject);
  return Array.from(bySubject, ([subject, all]) => ({ subject, ...countsOf(all) }));
}

/** `7 noticed of 11 that a page shows: 64 %. 34 tests, 12 of 167 mutants in 150.0 s.` */
export function scoreText({ results, tests, ms }: MutateReport): string {
  const { noticed, findings, mutants, score } = countsOf(results);
  const shown = results.some(({ isShown }) => isShown !== undefined) ? ' that a page shows' : '';
  const whole = counted(results.length, 'mutant');
  const tried = mutants === results.length ? whole : `${formatCount(mutants)} of ${whole}`;
  const seconds = (ms / 1000).toFixed(1);
  return `${noticed} noticed of ${noticed + findings}${shown}: ${score}. ${counted(tests.length, 'test')}, ${tried} in ${seconds} s.`;
}

/** Returns what the score says nothing of. */
export function leftOutLines({ results }: MutateReport): string[] {
  const untried = untriedSubjects(results);
  const asides = Map.groupBy(results, asideOf);
  asides.delete(undefined);
  const lines = Array.from(
    asides,
    ([text, { length }]) => `${text}: ${counted(length, 'mutant')}.`,
  );
  if (untried.length === 0) return lines;
  const all = counted(new Set(results.map(({ subject }) => subject)).size, 'response');
  return [...lines, `Nothing was tried of ${untried.length} of ${all}: ${untried.join(', ')}.`];
}

/** Returns the responses of which no mutant was tried. */
export function untriedSubjects(results: readonly MutantResult[]): string[] {
  const bySubject = Map.groupBy(results, ({ subject }) => subject);
  return [...bySubject]
    .filter(([, all]) => all.every(({ status }) => status === 'Pending'))
    .map(([subject]) => subject);
}

/** Returns a line for each test that judges nothing, for each error outside of tests, and for what no trial changes. */
export function unjudgedLines(
  { red, flaky, failing, errors, untried = [] }: Unjudged,
  paint: Paint,
): string[] {
  return [
    ...red.map((one) => `${unjudged(one, 'fails as it is')} ${one.reason}`),
    ...flaky.map((one) => unjudged(one, 'is flaky: it came out differently twice')),
    ...failing.map((one) => unjudged(one, 'is expected to fail')),
    ...errors.map((text) => `Outside of tests: ${text}`),
    ...untried,
  ].map((text) => paint('yellow', printable(text)));
}

function unjudged({ file, name }: SuiteTest, text: string): string {
  return `${file} '${name}' ${text}, and judges nothing.`;
}

interface Counts {
  readonly mutants: number;
  readonly noticed: number;
  readonly findings: number;
  readonly score: string;
}

/** The score is the share that was noticed of what a page shows. */
function countsOf(results: readonly MutantResult[]): Counts {
  const noticed = results.filter(isNoticed).length;
  const survived = results.filter(({ status }) => status === 'Survived');
  const findings = survived.filter(isFinding).length;
  const judged = noticed + findings;
  const score = judged === 0 ? '–' : `${Math.round((noticed / judged) * 100)} %`;
  return { mutants: noticed + survived.length, noticed, findings, score };
}
