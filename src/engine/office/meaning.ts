import type { EngineShop } from '../definition/api.ts';
import type { RequestHead } from '../journal/recorded-exchange.ts';
import { truncate } from '../lib/problem.ts';
import { secondsIn } from '../lib/duration.ts';
import {
  changesOf,
  netWrites,
  movesOf,
  type Move,
  type RowWrite,
  type Transition,
} from './changes.ts';

type Machines = EngineShop['api']['machines'];

const maxMeaning = 120;

/**
 * Describes writes in a few words: `shipped order 119`, `order → pending, 2 inventory units → onhold`. What was done
 * stands first, then what an API says of its records, the states that they came to, and what was added, deleted or changed.
 *
 * @param isDue whether the clock made them: `14 carts abandoned (3 h), 3 payments void`
 * @returns undefined if they changed nothing that has a name
 */
export function meaningOf(
  shop: EngineShop,
  writes: readonly RowWrite[],
  made: readonly Transition[],
  isDue = false,
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
  const states = statesOf(movesOf(machines, writes, made), machines).filter(
    ({ table, id, sign }) => sign === '' || !known(table, id),
  );
  const moved = states.filter(({ sign }) => sign === '');
  const first = isDue ? undefined : leadOf(moved, machines);
  const parts = [
    ...(first === undefined ? [] : [`${first.to} ${singularOf(shop, first.table)} ${first.id}`]),
    ...new Set(told),
    ...(isDue ? dueTexts(shop, moved) : []),
    ...grouped(
      shop,
      // What came to the same state with the first one goes without saying.
      states.filter(({ sign, to }) => sign === '+' || (!isDue && to !== first?.to)),
    ),
    ...grouped(shop, rest.map(changeOf)),
  ];
  // A field that an API has no words for is named if there is nothing else.
  const all =
    parts.length > 0
      ? parts
      : grouped(
          shop,
          texts.flatMap(([write]) => fieldsOf(write)),
        );
  return all.length === 0 ? undefined : truncate(all.join(', '), maxMeaning);
}

/** The change of one record, as text. Changes that differ in the id alone become one phrase. */
interface Phrase {
  readonly table: string;
  readonly id: number;
  readonly sign: '+' | '−' | '';
  /** The text after the record: ` → pending`. */
  readonly result: string;
}

/** The last state of a record. */
interface StatePhrase extends Phrase, Omit<Move, 'id'> {}

/** The last state of each record, after the name of its table. A new record in its first state is only new. */
function statesOf(moves: readonly Move[], machines: Machines): StatePhrase[] {
  const last = new Map<string, StatePhrase>();
  for (const move of moves) {
    const { machine, id, from, to } = move;
    const table = machines.find(({ name }) => name === machine)?.table ?? machine;
    const isNew = from === undefined;
    last.set(`${machine} ${id}`, {
      ...move,
      table,
      sign: isNew ? '+' : '',
      result: isNew ? '' : ` → ${to}`,
    });
  }
  return [...last.values()];
}

/** Returns the move that a sentence begins with: the only one of the first machine, if its state says what was done. */
function leadOf(moved: readonly StatePhrase[], machines: Machines): StatePhrase | undefined {
  for (const { name } of machines) {
    const [one, another] = moved.filter(({ machine }) => machine === name);
    if (one === undefined || another !== undefined) continue;
    if (/ed$|^sold$/.test(one.to) && one.to !== 'failed') return one;
  }
  return undefined;
}

/** `14 carts abandoned (3 h)`, `payment 97 void`: what the clock did. */
function dueTexts(shop: EngineShop, moved: readonly StatePhrase[]): string[] {
  const words = shop.api.explain?.parts();
  const named = moved.map((move) => {
    const [noun = singularOf(shop, move.table), after] = words?.dueWords(shop, move) ?? [];
    const why = after === undefined ? '' : ` (${timeText(1000 * secondsIn(after))})`;
    return { noun, id: move.id, result: `${move.to}${why}` };
  });
  const groups = Map.groupBy(named, ({ noun, result }) => `${noun} ${result}`);
  return Array.from(groups.values(), (group) => {
    const { noun, id, result } = group[0]!;
    return group.length > 1 ? `${group.length} ${noun}s ${result}` : `${noun} ${id} ${result}`;
  });
}

function singularOf({ api }: EngineShop, table: string): string {
  return Object.values(api.tables).find(({ name }) => name === table)?.singular ?? table;
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

function fieldsOf(write: RowWrite): Phrase[] {
  const phrase = changeOf(write);
  return phrase.result === ': ' ? [] : [phrase];
}

function valueText(value: unknown): string {
  if (value === undefined) return 'unset';
  return truncate(typeof value === 'string' ? value : JSON.stringify(value), 24);
}

/** `+ order 119`, `2 inventory units → sold`, `order → pending`, `user 1: email …`, `3 variants`. */
function grouped(shop: EngineShop, all: readonly Phrase[]): string[] {
  const groups = Map.groupBy(all, ({ table, sign, result }) =>
    [sign, table, isState(result) ? result : ''].join(' '),
  );
  return Array.from(groups.values(), (group) => {
    const { table, id, sign, result } = group[0]!;
    const lead = sign === '' ? '' : `${sign} `;
    if (group.length > 1)
      return `${lead}${group.length} ${table.replaceAll('_', ' ')}${isState(result) ? result : ''}`;
    return `${lead}${singularOf(shop, table)}${isState(result) ? '' : ` ${id}`}${result}`;
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

/** Names the way of a clock from one date-time to another: `+1 day 2 h`, `−30 min`; undefined if it did not move. */
export function clockMove(from: string, to: string): string | undefined {
  const [start, end] = [from, to].map((at) => Date.parse(at.replace('+0000', 'Z')));
  const time = timeText(Math.abs((end ?? 0) - (start ?? 0)));
  return time === '' ? undefined : `${(end ?? 0) < (start ?? 0) ? '−' : '+'}${time}`;
}

/** `1 day 2 h` */
function timeText(milliseconds: number): string {
  let left = milliseconds;
  const parts = units.flatMap(([name, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count === 0 ? [] : [`${count} ${name}${name === 'day' && count > 1 ? 's' : ''}`];
  });
  return parts.join(' ');
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
