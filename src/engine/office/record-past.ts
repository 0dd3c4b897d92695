import { valueAt } from '../lib/json-value.ts';

import { Problem } from '../lib/problem.ts';
import type { EngineShop } from '../definition/api.ts';
import { definitionsByName } from '../store/database.ts';
import type { Row } from '../store/row.ts';
import { movesOf, type Move, type RowWrite } from './changes.ts';
import type { RecordPast, Recorded } from './history-api.ts';
import { madeIn, writesOf } from './history-summary.ts';
import { includes, type IdRanges } from './timeline.ts';

/** A record, and the entry after which it is asked for. */
export interface RecordPlace {
  /** The name of its table: `orders`. */
  readonly table: string;
  readonly id: number;
  readonly last: number;
}

/**
 * Returns a record as it was after an entry: takes the writes of all later entries back, the newest first, without
 * changing the shop.
 *
 * @param all the entries of the history, oldest first
 * @param inEffect those that the state after the entry comes from
 * @throws Problem `missing` if there was no such record
 */
export function recordAt(
  shop: EngineShop,
  all: readonly Recorded[],
  inEffect: IdRanges,
  place: RecordPlace,
): RecordPast {
  const [key, { singular }] = definitionOf(shop, place.table);
  const tables = presentRows(shop, key, place);
  for (const recorded of all.toReversed()) {
    if (recorded.id <= place.last) break;
    for (const write of writesOf(recorded).toReversed()) takeBack(shop, tables, write, place);
  }
  const { [place.table]: records, ...others } = Object.fromEntries(
    [...tables].map(([table, rows]) => [
      table,
      [...rows.values()].toSorted((one, other) => one.id - other.id),
    ]),
  );
  const [record] = records ?? [];
  if (record === undefined) {
    const then = all.at(-1)?.id === place.last ? '' : ` ${timeOf(place.last)}`;
    throw new Problem('missing', `There is no ${singular} ${place.id}${then}.`);
  }
  return { record, tables: others, moves: [...waysOf(shop, all, inEffect, tables)] };
}

/** Names the time after an entry: `after entry #3`. */
export function timeOf(last: number): string {
  return last === 0 ? 'before the first entry' : `after entry #${last}`;
}

function definitionOf({ api }: EngineShop, table: string) {
  const found = definitionsByName(api.tables).get(table);
  if (found !== undefined) return found;
  throw new Problem('missing', `Table ${table} not found.`);
}

type Tables = ReadonlyMap<string, Map<number, Row>>;

function presentRows({ api, db }: EngineShop, key: string, { table, id }: RecordPlace): Tables {
  const record = db[key]?.get(id);
  const all: [string, readonly Row[]][] = [
    [table, record === undefined ? [] : [record]],
    ...Object.entries(api.owned[table]?.records(db, id) ?? {}),
  ];
  return new Map(all.map(([name, rows]) => [name, new Map(rows.map((row) => [row.id, row]))]));
}

function takeBack(
  { api }: EngineShop,
  tables: Tables,
  { table, id, before }: RowWrite,
  place: RecordPlace,
): void {
  const rows = tables.get(table);
  if (rows === undefined) return;
  const owner = table === place.table ? id : valueAt(before, [api.owned[place.table]?.field ?? '']);
  if (owner === place.id && before !== undefined) rows.set(id, before);
  else rows.delete(id);
}

/** Restores and resets write states that nothing has moved to. */
function* waysOf(
  { api }: EngineShop,
  all: readonly Recorded[],
  inEffect: IdRanges,
  tables: Tables,
): Generator<Move> {
  for (const recorded of all) {
    const { jump } = recorded.details ?? {};
    if (jump !== undefined || !includes(inEffect, recorded.id)) continue;
    const own = writesOf(recorded).filter(({ table, id }) => tables.get(table)?.has(id) === true);
    yield* movesOf(api.machines, own, madeIn(recorded));
  }
}
