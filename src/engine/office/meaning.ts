import type { EngineShop } from '../definition/api.ts';
import type { RequestHead } from '../journal/recorded-exchange.ts';
import { truncate } from '../lib/problem.ts';
import { changesOf, netWrites, movesOf, type RowWrite, type Transition } from './changes.ts';

const maxMeaning = 120;

/**
 * Describes writes in a few words: `order → pending, 2 inventory units → onhold, total 49.90 → 54.40`. What an API
 * says of its records stands first, then the states that they came to, then what was added, deleted or changed.
 *
 * @returns undefined if they changed nothing that has a name
 */
export function meaningOf(
  shop: EngineShop,
  writes: readonly RowWrite[],
  made: readonly Transition[],
): string | undefined {
  const { machines, explain } = shop.api;
  const words = explain?.parts();
  const texts = netWrites(writes).map(
    (write) => [write, words?.describeWrite(shop, write)] as const,
  );
  const told = texts.flatMap(([, text = '']) => (text === '' ? [] : [text]));
  const others = texts.flatMap(([write, text]) => (text === undefined ? [write] : []));
  const known = (table: string, id: number): boolean =>
    !others.some((one) => one.table === table && one.id === id);
  const withState = new Set(machines.map(({ table }) => table));
  const rest = others.filter(
    ({ table, before, after }) =>
      !withState.has(table) || (before !== undefined && after === undefined),
  );
  const parts = [
    ...new Set(told),
    ...grouped(
      shop,
      statesOf(movesOf(machines, writes, made), machines).filter(
        ({ table, id, sign }) => sign === '' || !known(table, id),
      ),
    ),
    ...grouped(shop, rest.map(changeOf)),
  ];
  return parts.length === 0 ? undefined : truncate(parts.join(', '), maxMeaning);
}

/** The change of one record, as text. Changes that differ in the id alone become one phrase. */
interface Phrase {
  readonly table: string;
  readonly id: number;
  readonly sign: '+' | '−' | '';
  /** The text after the record: ` → pending`. */
  readonly result: string;
}

/** The last state of each record, after the name of its table. A new record in its first state is only new. */
function statesOf(
  moves: ReturnType<typeof movesOf>,
  machines: EngineShop['api']['machines'],
): Phrase[] {
  const last = new Map<string, Phrase>();
  for (const { machine, id, from, to } of moves) {
    const table = machines.find(({ name }) => name === machine)?.table ?? machine;
    const isNew = from === undefined;
    last.set(`${machine} ${id}`, {
      table,
      id,
      sign: isNew ? '+' : '',
      result: isNew ? '' : ` → ${to}`,
    });
  }
  return [...last.values()];
}

function changeOf(write: RowWrite): Phrase {
  const { table, id, before, after } = write;
  if (before === undefined) return { table, id, sign: '+', result: '' };
  if (after === undefined) return { table, id, sign: '−', result: '' };
  const [change] = changesOf([write]);
  const fields = (change?.fields ?? []).filter(({ field }) => field !== 'updated_at');
  const shown = fields
    .slice(0, 2)
    .map((one) => `${one.field} ${valueText(one.before)} → ${valueText(one.after)}`);
  const more = fields.length - shown.length;
  const result = `: ${[...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ')}`;
  return { table, id, sign: '', result };
}

function valueText(value: unknown): string {
  if (value === undefined) return 'unset';
  return truncate(typeof value === 'string' ? value : JSON.stringify(value), 24);
}

/** `+ order 119`, `15 orders → abandoned`, `order → pending`, `user 1: email …`, `3 variants`. */
function grouped({ api }: EngineShop, all: readonly Phrase[]): string[] {
  const groups = Map.groupBy(all, ({ table, sign, result }) =>
    [sign, table, isState(result) ? result : ''].join(' '),
  );
  return Array.from(groups.values(), (group) => {
    const { table, id, sign, result } = group[0]!;
    const singular =
      Object.values(api.tables).find(({ name }) => name === table)?.singular ?? table;
    const lead = sign === '' ? '' : `${sign} `;
    if (group.length > 1)
      return `${lead}${group.length} ${table.replaceAll('_', ' ')}${isState(result) ? result : ''}`;
    return `${lead}${singular}${isState(result) ? '' : ` ${id}`}${result}`;
  });
}

function isState(result: string): boolean {
  return result.startsWith(' →');
}

const units = [
  ['day', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Names the way of a clock from one date-time to another: `+ 1 day 2 h`, `− 30 min`; undefined if it did not move. */
export function clockMove(from: string, to: string): string | undefined {
  const [start, end] = [from, to].map((at) => Date.parse(at.replace('+0000', 'Z')));
  let left = Math.abs((end ?? 0) - (start ?? 0));
  const sign = (end ?? 0) < (start ?? 0) ? '−' : '+';
  const parts = units.flatMap(([name, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count === 0 ? [] : [`${count} ${name}${name === 'day' && count > 1 ? 's' : ''}`];
  });
  return parts.length === 0 ? undefined : `${sign} ${parts.join(' ')}`;
}

/** `held by fault 2`, `+ 2 s by fault 1`: what a response waits for, and what made it. */
export function waitMeaning({
  hold,
  delay = 0,
  faults,
  script,
}: Pick<RequestHead, 'hold' | 'delay' | 'faults' | 'script'>): string | undefined {
  const time = delay < 1000 ? `+ ${delay} ms` : `+ ${delay / 1000} s`;
  const waits = [hold === undefined ? [] : 'held', delay === 0 ? [] : time].flat().join(', ');
  if (waits === '') return undefined;
  if (faults.length > 0) return `${waits} by fault ${faults.join(', ')}`;
  return script.length > 0 ? `${waits} by rule ${script.join(', ')}` : waits;
}
