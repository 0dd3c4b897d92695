import { faultNames, faults } from './fault-names.ts';
import { callText, type CellResult, type ChaosReport } from './chaos.ts';
import { flakyLines, type Paint } from './mutate-text.ts';

/** Whether a cell is a finding: the user of the page cannot know what happened. */
export function isRed({ verdict }: CellResult): boolean {
  return verdict?.tone === 'red';
}

/** Returns a finding with its reason and its trace. */
export function cellText({ id, verdict }: CellResult, paint: Paint): string {
  const trace = verdict?.trace === undefined ? [] : [paint('dim', `  ${verdict.trace}`)];
  return [`${paint('red', '✗')} ${id}`, `  ${verdict?.reason ?? ''}`, ...trace].join('\n');
}

const signs = { red: '✗', green: '✓', grey: '·' } as const;
const colours = { red: 'red', green: 'green', grey: 'dim' } as const;

/** Returns the grid: a row for each call of each test, a column for each fault. */
export function gridText(report: ChaosReport, paint: Paint): string {
  const { results } = report;
  const rows = rowsOf(report);
  const columns = faultNames.filter((name) => results.some(({ fault }) => fault === name));
  const width = Math.max(...rows.map(({ call }) => call.length + 2), 20);
  const lines = Array.from(Map.groupBy(rows, ({ test }) => test.id).values(), (ofTest) => [
    paint('bold', ofTest[0]?.test.name ?? ''),
    ...ofTest.map(({ call, cells }) => {
      const marks = columns.map((name) => {
        const tone = cells.find(({ fault }) => fault === name)?.verdict?.tone;
        const mark = tone === undefined ? ' ' : signs[tone];
        const padded = mark.padStart(Math.ceil(name.length / 2)).padEnd(name.length);
        return tone === undefined ? padded : paint(colours[tone], padded);
      });
      return `  ${call.padEnd(width - 2)}  ${marks.join('  ')}`;
    }),
  ]);
  return [paint('dim', `${' '.repeat(width)}  ${columns.join('  ')}`), ...lines.flat()].join('\n');
}

/** A call of a test, and its cells. */
export interface GridRow {
  readonly test: CellResult['test'];
  /** `PUT /api/checkouts/:order_id (2)` */
  readonly call: string;
  readonly cells: readonly CellResult[];
}

/** Returns the rows of the grid, in the order of the suite. */
export function rowsOf({ tests, results }: ChaosReport): GridRow[] {
  const byTest = Map.groupBy(results, ({ test }) => test.id);
  return tests.flatMap(({ id }) => {
    const byCall = Map.groupBy(byTest.get(id) ?? [], ({ call }) => call);
    return [...byCall.entries()]
      .toSorted(([one], [other]) => one - other)
      .map(([, cells]) => ({ test: cells[0]!.test, call: callText(cells[0]!), cells }));
  });
}

/** Returns how many cells there are of each kind, and what was left out. */
export function chaosSummary({ results, tests, flaky, ms }: ChaosReport, paint: Paint): string {
  const count = (tone: 'red' | 'green' | 'grey'): number =>
    results.filter(({ verdict }) => verdict?.tone === tone).length;
  const left = results.filter(({ verdict }) => verdict === undefined).length;
  const seconds = (ms / 1000).toFixed(1);
  return [
    `${tests.length} tests, ${results.length - left} cells in ${seconds} s: ${count('red')} red, ${count('green')} green, ${count('grey')} grey.`,
    ...(left === 0 ? [] : [paint('yellow', `${left} cells were left out.`)]),
    ...flakyLines(flaky, paint),
  ].join('\n');
}

/** Returns what each fault of a report is. */
export function legendText({ results }: ChaosReport): string {
  return faults
    .filter(({ name }) => results.some(({ fault }) => fault === name))
    .map(({ name, text }) => `${name.padEnd(12)}${text}`)
    .join('\n');
}
