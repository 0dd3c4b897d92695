import { mapValues } from '../lib/json-value.ts';
import { Problem } from '../lib/problem.ts';
import type { EngineShop } from '../definition/api.ts';
import { definitionsByName } from '../store/database.ts';
import { movesOf, type Move } from './changes.ts';
import type { RecordPast, Recorded } from './history-api.ts';
import { madeIn, writesOf } from './history-summary.ts';
import { includes, type IdRanges } from './timeline.ts';

/**
 * Returns a record with those that belong to it, and the way of their states. The shop is as it was after the entry.
 *
 * @param all the entries of the history, oldest first
 * @param inEffect those that the state after the entry comes from
 * @throws Problem `missing` if there was no such record
 */
export function recordAt(
  shop: EngineShop,
  all: readonly Recorded[],
  inEffect: IdRanges,
  { table, id, last }: Readonly<Record<'id' | 'last', number> & { table: string }>,
): RecordPast {
  const { api, db } = shop;
  const [key, { singular }] = definitionOf(shop, table);
  const record = db[key]?.get(id);
  if (record === undefined) {
    const then = all.at(-1)?.id === last ? '' : ` ${timeOf(last)}`;
    throw new Problem('missing', `There is no ${singular} ${id}${then}.`);
  }
  const tables = mapValues({ ...api.owned[table]?.records(db, id) }, (rows) =>
    rows.toSorted((one, other) => one.id - other.id),
  );
  return { record, tables, moves: movesIn(shop, all, inEffect, { ...tables, [table]: [record] }) };
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

/** Restores and resets write states that nothing has moved to. */
function movesIn(
  { api }: EngineShop,
  all: readonly Recorded[],
  inEffect: IdRanges,
  tables: RecordPast['tables'],
): Move[] {
  const ids = mapValues(tables, (rows) => new Set(rows.map((row) => row.id)));
  return all.flatMap((recorded) => {
    if (recorded.details?.jump !== undefined || !includes(inEffect, recorded.id)) return [];
    const own = writesOf(recorded).filter(({ table, id }) => ids[table]?.has(id) === true);
    return movesOf(api.machines, own, madeIn(recorded));
  });
}
