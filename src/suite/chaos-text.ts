import { counted } from '../engine/lib/problem.ts';
import { callText, orderText } from './calls.ts';
import type { Cell, CellResult, ChaosReport } from './chaos.ts';
import { faults } from './fault-names.ts';
import { unjudgedLines, type Paint } from './mutate-text.ts';

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

/**
 * Returns the grid, with a row for each call of each test and a column for each fault, and what each column is.
 *
 * @param width the width of the terminal: in a narrow one, columns have numbers in the place of names
 */
export function gridText(report: ChaosReport, paint: Paint, width: number): string {
  const rows = rowsOf(report);
  const columns = columnsOf(report);
  const titleWidth = Math.max(...rows.map(({ title }) => title.length + 2), 20);
  const names = columns.map(({ name }) => name);
  const isNarrow = `${' '.repeat(titleWidth)}  ${names.join('  ')}`.length > width;
  const heads = isNarrow ? names.map((_, at) => String(at + 1)) : names;
  const between = isNarrow ? ' ' : '  ';
  const lines = Array.from(Map.groupBy(rows, ({ test }) => test.id).values(), (ofTest) => [
    paint('bold', ofTest[0]?.test.name ?? ''),
    ...ofTest.map(({ title, cells }) => {
      const marks = heads.map((head, at) => {
        const tone = cells.find((cell) => columnOf(cell) === names[at])?.verdict?.tone;
        const mark = tone === undefined ? ' ' : signs[tone];
        const padded = mark.padStart(Math.ceil(head.length / 2)).padEnd(head.length);
        return tone === undefined ? padded : paint(colours[tone], padded);
      });
      return `  ${title.padEnd(titleWidth - 2)}${between}${marks.join(between)}`;
    }),
  ]);
  const legend = columns.map(({ name, text }, at) =>
    isNarrow ? `${heads[at]} ${name}: ${text}` : `${name.padEnd(12)}${text}`,
  );
  return [
    paint('dim', `${' '.repeat(titleWidth)}${between}${heads.join(between)}`),
    ...lines.flat(),
    '',
    paint('dim', legend.join('\n')),
  ].join('\n');
}

/** A call of a test, or an order of responses, and its cells. */
export interface GridRow {
  readonly test: CellResult['test'];
  /** `PUT /api/checkouts/:order_id (2)` */
  readonly title: string;
  readonly cells: readonly CellResult[];
}

/** Returns the rows of the grid, in the order of the suite. */
export function rowsOf({ tests, results }: ChaosReport): GridRow[] {
  const byTest = Map.groupBy(results, ({ test }) => test.id);
  return tests.flatMap(({ id }) => {
    const byRow = Map.groupBy(byTest.get(id) ?? [], ({ row }) => row);
    return [...byRow.entries()]
      .toSorted(([one], [other]) => one - other)
      .map(([, cells]) => ({ test: cells[0]!.test, title: titleOf(cells[0]!), cells }));
  });
}

/** Returns the title of the row that has a cell. */
export function titleOf(cell: Cell): string {
  return 'order' in cell ? orderText(cell.order) : callText(cell);
}

/** The column of cells that have another order of responses in the place of a fault. */
const orderColumn = {
  name: 'order',
  text: 'the requests are under way at once, and their responses arrive in this order',
};

/** Returns the name of the column that has a cell. */
export function columnOf(cell: Cell): string {
  return 'order' in cell ? orderColumn.name : cell.fault;
}

/** Returns the columns of the grid. */
export function columnsOf({ results }: ChaosReport): readonly { name: string; text: string }[] {
  const used = new Set(results.map(columnOf));
  return [...faults, orderColumn].filter(({ name }) => used.has(name));
}

/** Returns how many cells there are of each kind, and what was left out. */
export function chaosSummary(report: ChaosReport, paint: Paint): string {
  const { results, tests, ms } = report;
  const count = (tone: 'red' | 'green' | 'grey'): number =>
    results.filter(({ verdict }) => verdict?.tone === tone).length;
  const left = results.filter(({ verdict }) => verdict === undefined).length;
  const seconds = (ms / 1000).toFixed(1);
  return [
    `${counted(tests.length, 'test')}, ${counted(results.length - left, 'cell')} in ${seconds} s: ${count('red')} red, ${count('green')} green, ${count('grey')} grey.`,
    ...(left === 0 ? [] : [paint('yellow', `Left out: ${counted(left, 'cell')}.`)]),
    ...unjudgedLines(report, paint),
  ].join('\n');
}
