import { ctrfReport, type CtrfTest, type RunTimes } from '../lib/ctrf.ts';
import { printable } from '../lib/printable.ts';
import { truncate } from '../lib/problem.ts';
import type { AddedSummary, CoverageReport, Gap, Unmatched } from './report.ts';
import { itemKey, measures } from './keys.ts';
import type { ContractList } from './contract-list.ts';

/** Colours a text, for terminals. */
export type Paint = (colour: 'green' | 'yellow' | 'red' | 'dim' | 'bold', text: string) => string;

const plain: Paint = (_, text) => text;

export interface TextOptions {
  readonly paint?: Paint | undefined;
  /** Maximum number of gaps of each measure, and of stray requests of each kind (default: 0, only how many there are). */
  readonly maxGaps?: number | undefined;
}

/** Returns a report as text: a line for each measure, then how much was never met, or gaps with a line that closes each and unmatchedLines. */
export function coverageText(
  report: CoverageReport,
  { paint = plain, maxGaps = 0 }: TextOptions = {},
): string {
  const { summary, operations, added, unusedIgnores } = report;
  const requests = `${report.requests} ${report.requests === 1 ? 'request' : 'requests'}`;
  const table = [...measures, 'all' as const].map((measure) => {
    const { met, total, percent, ignored } = summary[measure];
    const figures = `${String(met).padStart(5)} of ${String(total).padStart(4)}`;
    const share = `${percent.toFixed(2).padStart(6)} %`;
    const note = ignored === 0 ? '' : paint('dim', `  ${ignored} ignored`);
    return `  ${measure.padEnd(12)}${figures}  ${paint(colourOf(percent), share)}${note}`;
  });
  return [
    `${paint('bold', 'Contract coverage')} of ${requests}, which met ${operations.met} of ${operations.total} operations`,
    ...table,
    ...neverMet(report.gaps, maxGaps, paint),
    ...unmatchedLines('Requests without an endpoint', report.unmatched, maxGaps, paint),
    ...unmatchedLines('Unknown parameters', report.parameters, maxGaps, paint),
    ...addedLines(added, paint),
    ...unmatchedLines('Endpoints that a definition adds', report.extensions, maxGaps, paint),
    ...unmatchedLines(
      'Never met: responses of these endpoints',
      added.gaps.map((name) => ({ name, count: 1 })),
      maxGaps,
      paint,
    ),
    ...unmatchedLines('Not documented', report.undocumented, maxGaps, paint),
    ...(unusedIgnores.length === 0
      ? []
      : ['', paint('yellow', `${noMatch} ${unusedIgnores.join(', ')}`)]),
  ].join('\n');
}

const noMatch = 'The ignore list has patterns that match nothing:';

function neverMet(gaps: readonly Gap[], maxGaps: number, paint: Paint): string[] {
  if (maxGaps === 0 && gaps.length > 0)
    return [
      '',
      `Never met: ${gaps.length} items. \`--gaps 5\` or \`maxGaps: 5\` lists some of each measure.`,
    ];
  return measures.flatMap((measure) => {
    const listed = gaps.filter((gap) => gap.measure === measure);
    if (listed.length === 0) return [];
    const shown = listed
      .slice(0, maxGaps)
      .flatMap(({ id, hint }) => [`  ${id}`, paint('dim', `    ${hint}`)]);
    const more = listed.length - maxGaps;
    return [
      '',
      paint('bold', `Never met: ${measure}`),
      ...shown,
      ...(more > 0 ? [`  and ${more} more`] : []),
    ];
  });
}

/** Lines on the coverage of the endpoints that a definition adds. */
function addedLines({ operations, responses }: AddedSummary, paint: Paint): string[] {
  if (operations.total === 0) return [];
  const { met, total, percent, ignored } = responses;
  const note = ignored === 0 ? '' : paint('dim', `, ${ignored} ignored`);
  return [
    '',
    `${paint('bold', 'Added by a definition')}: ${operations.met} of ${operations.total} operations, ${met} of ${total} documented responses (${paint(colourOf(percent), `${percent.toFixed(2)} %`)})${note}`,
  ];
}

function colourOf(percent: number): 'green' | 'yellow' | 'red' {
  if (percent >= 80) return 'green';
  return percent >= 50 ? 'yellow' : 'red';
}

const maxStrays = 10;

function unmatchedLines(
  title: string,
  list: readonly Unmatched[],
  maxGaps: number,
  paint: Paint,
): string[] {
  if (list.length === 0) return [];
  if (maxGaps === 0) return [`${title}: ${list.length}`];
  const shown = list.slice(0, maxStrays).map(({ name, count, nearest }) => {
    const hint = nearest === undefined ? '' : paint('dim', `  nearest: ${nearest}`);
    return `  ${printable(truncate(name))}${count === 1 ? '' : ` (${count} times)`}${hint}`;
  });
  const more = list.length - maxStrays;
  return ['', paint('bold', title), ...shown, ...(more > 0 ? [`  and ${more} more`] : [])];
}

/**
 * Returns a report in the Common Test Report Format (https://ctrf.io). An item that was met is a passed test, a gap a failed one, an ignored one is skipped.
 *
 * @param times start and end of the run, in milliseconds since 1970
 */
export function coverageCtrf(
  { gaps, counts }: CoverageReport,
  { items }: ContractList,
  times: RunTimes,
) {
  const hints = new Map(gaps.map((gap) => [itemKey(gap.measure, gap.id), gap.hint]));
  const tests = items.map(({ measure, id }): CtrfTest => {
    const key = itemKey(measure, id);
    const hint = hints.get(key);
    const other = Object.hasOwn(counts.items, key) ? 'passed' : 'skipped';
    return {
      name: id,
      status: hint === undefined ? other : 'failed',
      suite: ['contract coverage', measure],
      ...(hint !== undefined && { message: `Never met. ${hint}` }),
    };
  });
  return ctrfReport(tests, times);
}
