import { printable } from '../lib/printable.ts';
import { truncate } from '../lib/problem.ts';
import { measures } from './contract.ts';
import type { AddedSummary, CoverageReport, Unmatched } from './report.ts';
import type { MeasureSummary } from './summarize-items.ts';

/** Colours a text, for terminals. */
export type Paint = (colour: 'green' | 'yellow' | 'red' | 'dim' | 'bold', text: string) => string;

const plain: Paint = (_, text) => text;

export interface TextOptions {
  readonly paint?: Paint | undefined;
  /** Maximum number of gaps of each measure, and of other entries of each list (default: 0, only how many there are). */
  readonly maxGaps?: number | undefined;
}

/** Returns a report as text: a line for each measure, then the gaps, and what the contract does not have. */
export function coverageText(
  report: CoverageReport,
  { paint = plain, maxGaps = 0 }: TextOptions = {},
): string {
  const { summary, operations, added, gaps, unusedIgnores } = report;
  const requests = `${report.requests} ${report.requests === 1 ? 'request' : 'requests'}`;
  const table = [...measures, 'all' as const].map((measure) => {
    const { met, total } = summary[measure];
    const figures = `${String(met).padStart(5)} of ${String(total).padStart(4)}`;
    return `  ${measure.padEnd(12)}${figures}  ${share(summary[measure], paint)}`;
  });
  const list = (title: string, entries: readonly Unmatched[]): string[] => {
    if (entries.length === 0) return [];
    if (maxGaps === 0) return [`${title}: ${entries.length}`];
    const shown = entries.slice(0, maxGaps).map(({ name, count, nearest }) => {
      const hint = nearest === undefined ? '' : paint('dim', `  nearest: ${nearest}`);
      return `  ${printable(truncate(name))}${count === 1 ? '' : ` (${count} times)`}${hint}`;
    });
    const more = entries.length - maxGaps;
    return ['', paint('bold', title), ...shown, ...(more > 0 ? [`  and ${more} more`] : [])];
  };
  const gapsOf = measures.flatMap((measure) => {
    const names = gaps.filter((gap) => gap.measure === measure).map(({ id }) => id);
    return list(`Never met: ${measure}`, gapsNamed(names));
  });
  return [
    `${paint('bold', 'Contract coverage')} of ${requests}, which met ${operations.met} of ${operations.total} operations`,
    ...table,
    ...(maxGaps === 0 && gaps.length > 0 ? ['', brief(gaps.length)] : gapsOf),
    ...list('Requests without an endpoint', report.unmatched),
    ...list('Unknown parameters', report.parameters),
    ...addedLines(added, paint),
    ...list('Endpoints that a definition adds', report.extensions),
    ...list('Never met: responses of these endpoints', gapsNamed(added.gaps)),
    ...list('Not documented', report.undocumented),
    ...(unusedIgnores.length === 0
      ? []
      : ['', paint('yellow', `${noMatch} ${unusedIgnores.join(', ')}`)]),
  ].join('\n');
}

function gapsNamed(names: readonly string[]): Unmatched[] {
  return names.map((name) => ({ name, count: 1 }));
}

const noMatch = 'The ignore list has patterns that match nothing:';

function brief(gaps: number): string {
  return `Never met: ${gaps} items. \`--gaps 5\` or \`maxGaps: 5\` lists some of each measure.`;
}

/** Lines on the coverage of the endpoints that a definition adds. */
function addedLines({ operations, responses }: AddedSummary, paint: Paint): string[] {
  if (operations.total === 0) return [];
  const { met, total } = responses;
  return [
    '',
    `${paint('bold', 'Added by a definition')}: ${operations.met} of ${operations.total} operations, ${met} of ${total} documented responses, ${share(responses, paint).trim()}`,
  ];
}

function share({ percent, ignored }: MeasureSummary, paint: Paint): string {
  const note = ignored === 0 ? '' : paint('dim', `  ${ignored} ignored`);
  return `${paint(colourOf(percent), `${percent.toFixed(2).padStart(6)} %`)}${note}`;
}

function colourOf(percent: number): 'green' | 'yellow' | 'red' {
  if (percent >= 80) return 'green';
  return percent >= 50 ? 'yellow' : 'red';
}
