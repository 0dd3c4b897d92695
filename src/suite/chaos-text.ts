import { printable } from '../engine/lib/printable.ts';
import { counted, truncate } from '../engine/lib/problem.ts';
import { callText, isRead, orderText } from './calls.ts';
import type { Cell, CellResult, ChaosPlan, ChaosReport } from './chaos.ts';
import { faults } from './fault-names.ts';
import { unjudgedLines, type Paint } from './mutate-text.ts';
import { countNote } from './recorded-suite.ts';
import type { Verdict } from './trials.ts';

/** Whether a cell is a finding: the user of the page cannot know what happened. */
export function isRed({ verdict }: CellResult): boolean {
  return verdict?.tone === 'red';
}

/** Red cells with one cause. */
export interface Finding {
  /** `PUT /api/checkouts/:order_id (2)`, or `GET /users and 3 more` */
  readonly title: string;
  /** What it has in common with findings of other tests. */
  readonly cause: string;
  readonly cells: readonly CellResult[];
}

/** Returns the findings among cells, by cause, in their order. */
export function findingsIn(cells: readonly CellResult[]): Finding[] {
  const byRequest = Map.groupBy(cells.filter(isRed), causeOf);
  const byCause = Map.groupBy(byRequest, ([cause, some]) => ofClient(some) ?? cause);
  return Array.from(byCause, ([cause, groups]) => {
    const some = groups.flatMap(([, group]) => group);
    const byEndpoint = Map.groupBy(some, endpointOf);
    const [first = '', ...others] = Array.from(byEndpoint.values(), ([one]) => titleOf(one!));
    const title = others.length === 0 ? first : `${first} and ${others.length} more`;
    return { title, cause, cells: some };
  });
}

/** What stands in front of a value that another fault makes another one: a text that cannot be parsed, or that was received. */
const beforeValue = /(SyntaxError|returns a wrong value): .*/;

/** Begins the reasons of requests whose errors nobody catches, whatever they are. */
const uncaught = 'Nobody catches ';

/** Returns what red cells of a request have in common that have one cause, whatever the fault and the values in their reasons. */
function causeOf(cell: CellResult): string {
  const reason = (cell.verdict?.reason ?? '').replace(beforeValue, '$1');
  const cause = reason.startsWith(uncaught) ? uncaught : reason;
  return `${endpointOf(cell)} ${'order' in cell ? cause : cause.replaceAll(cell.fault, '#')}`;
}

/** Returns a cause in the client that requests share: what it throws, or that it takes for JSON what is none. */
function ofClient(cells: readonly CellResult[]): string | undefined {
  const reason = (cells[0]?.verdict?.reason ?? '').replace(beforeValue, '$1');
  if (reason.startsWith('The caller throws ')) return reason;
  const isOfBody = cells.every(
    (one) => 'fault' in one && (one.fault === 'malformed' || one.fault === 'cut off'),
  );
  return isOfBody && reason === 'The caller returns a wrong value' ? reason : undefined;
}

/** Returns the endpoint of a cell, of which a later call fails as the first, or its order. */
function endpointOf(cell: Cell): string {
  return 'order' in cell ? orderText(cell.order) : cell.endpoint;
}

/** Returns a finding in one line, with what the page shows, the tests that meet it, and a trace. */
export function findingText({ title, cells }: Finding, paint: Paint): string {
  const [{ verdict }] = cells as [CellResult, ...CellResult[]];
  const tests = Map.groupBy(cells, ({ test }) => `${test.name} (${test.file})`);
  const change = changeText(verdict);
  return [
    `${paint('red', '✗')} ${printable(headOf({ title, cells }))}: ${printable(reasonOf(cells))}`,
    ...(change === undefined ? [] : [paint('dim', `  ${printable(change)}`)]),
    ...Array.from(tests.keys(), (name) => paint('dim', `  ${printable(truncate(name))}`)),
    ...(verdict?.trace === undefined ? [] : [paint('dim', `  ${printable(verdict.trace)}`)]),
  ].join('\n');
}

/** `Nobody catches TypeError: Failed to fetch, and 2 other errors.` */
export function reasonOf(cells: readonly CellResult[]): string {
  const [first = '', ...others] = new Set(cells.map(({ verdict }) => verdict?.reason ?? ''));
  return others.length > 0 && first.startsWith(uncaught)
    ? `${first.replace(/\.$/, '')}, and ${counted(others.length, 'other error')}.`
    : first;
}

/** `PUT /api/checkouts/:order_id under drop, drop after` */
export function headOf({ title, cells }: Pick<Finding, 'title' | 'cells'>): string {
  const names = cells.flatMap((cell) => ('order' in cell ? [] : [cell.fault]));
  return names.length === 0 ? title : `${title} under ${[...new Set(names)].join(', ')}`;
}

/** `Before: “Pay”. After: “Loading …”.` */
export function changeText(verdict: Verdict | undefined): string | undefined {
  const { before, after } = verdict ?? {};
  if (before === undefined || after === undefined) return undefined;
  return before === after
    ? `Before and after: ${quoted(before)}.`
    : `Before: ${quoted(before)}. After: ${quoted(after)}.`;
}

function quoted(texts: string): string {
  return texts === '' ? 'nothing' : `“${texts}”`;
}

/** Returns what is said before the first trial; none if all tests show a page. */
export function planText({ tests, pageless }: ChaosPlan): string | undefined {
  if (pageless.length === 0) return undefined;
  const some =
    pageless.length === tests.length
      ? 'No test shows a page'
      : `${pageless.length} of ${counted(tests.length, 'test')} show no page`;
  return `${some}: judged is the error that the code under test throws.`;
}

export const signs = { red: '✗', yellow: '!', green: '✓', grey: '·' } as const;
const colours = { red: 'red', yellow: 'yellow', green: 'green', grey: 'dim' } as const;

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
    paint('bold', printable(ofTest[0]?.test.name ?? '')),
    ...ofTest.map(({ title, cells }) => {
      const marks = heads.map((head, at) => {
        const tone = cells.find((cell) => columnOf(cell) === names[at])?.verdict?.tone;
        const mark = tone === undefined ? ' ' : signs[tone];
        const padded = mark.padStart(Math.ceil(head.length / 2)).padEnd(head.length);
        return tone === undefined ? padded : paint(colours[tone], padded);
      });
      return `  ${printable(title).padEnd(titleWidth - 2)}${between}${marks.join(between)}`;
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

/** Returns the rows of the grid with a verdict, in the order of the suite. */
export function rowsOf({ tests, results }: ChaosReport): GridRow[] {
  const tried = results.filter(({ verdict }) => verdict !== undefined);
  const byTest = Map.groupBy(tried, ({ test }) => test.id);
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

/** The column of slow writes: many pages show no sign that they wait for one, and their users wait all the same. */
const slowWriteColumn = {
  ...faults.find(({ name }) => name === 'slow')!,
  name: 'slow write',
  text: 'as slow, for a write: without a sign that the page waits it is advice, and fails only with --fault slow',
};

/** Returns the name of the column that has a cell. */
export function columnOf(cell: Cell): string {
  if ('order' in cell) return orderColumn.name;
  return cell.fault === 'slow' && !isRead(cell) ? slowWriteColumn.name : cell.fault;
}

/** Returns the columns of the grid. */
export function columnsOf({ results }: ChaosReport): readonly { name: string; text: string }[] {
  const used = new Set(results.map(columnOf));
  return [...faults, slowWriteColumn, orderColumn].filter(({ name }) => used.has(name));
}

/** Returns how many cells there are of each kind, and what was left out. */
export function chaosSummary(report: ChaosReport, paint: Paint): string {
  const { results, tests, failingCalls, ms } = report;
  const count = (tone: Verdict['tone']): number =>
    results.filter(({ verdict }) => verdict?.tone === tone).length;
  const left = results.filter(({ verdict }) => verdict === undefined);
  const rows = new Set(left.map(({ test, row }) => `${test.id} ${row}`)).size;
  const advice = count('yellow') === 0 ? '' : `, ${count('yellow')} yellow`;
  const seconds = (ms / 1000).toFixed(1);
  return [
    `${counted(tests.length, 'test')}, ${counted(results.length - left.length, 'cell')} in ${seconds} s: ${count('red')} red${advice}, ${count('green')} green, ${count('grey')} grey.`,
    ...countNote(left.length, 'cell', `of ${counted(rows, 'row')}.`).map((text) =>
      paint('yellow', `Left out: ${text}`),
    ),
    ...(failingCalls.length === 0 ? [] : [failingText(failingCalls)]),
    ...unjudgedLines(report, paint),
  ].join('\n');
}

function failingText(calls: ChaosReport['failingCalls']): string {
  const names = [...new Set(calls.map(callText))];
  const told = truncate(printable(names.join(', ')));
  return `Without a fault, because their tests answer them with an error: ${told}.`;
}
