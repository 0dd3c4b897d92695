import { byTuple, type Bound } from './key-order.ts';
import { createPairs, fitsPair, sortPairs, type NumberPairs } from './number-pairs.ts';
import type { Entries } from './ordered-map.ts';
import { indexKey, leadingValue } from './row-index.ts';
import type { Row } from './row.ts';
import type { FieldIndex, SortedIndex } from './table-definition.ts';

/**
 * Sorts rows, which come by ascending ids, in the order of an index. Their keys are made when they are read, because counts
 * and pages need none.
 */
export function entriesOf<R extends Row>(
  rows: readonly R[],
  index: SortedIndex<R>,
): Entries<Bound, number> {
  const pairs = typeof index === 'function' ? undefined : pairsOf(rows, index);
  if (pairs === undefined) return entriesByKey(rows, index);
  const count = pairs.length / 2;
  return {
    size: count,
    valueAt: (at) => rows[pairs[2 * at]!]!.id,
    all: () => (count * 8 < rows.length ? readEach : readInTurn)(rows, index, pairs),
  };
}

type Read = ReturnType<Entries<Bound, number>['all']>;

/** Returns the keys and the ids of sorted rows. */
function readEach<R extends Row>(
  rows: readonly R[],
  index: SortedIndex<R>,
  pairs: NumberPairs,
): Read {
  const sorted = Array.from({ length: pairs.length / 2 }, (_, at) => rows[pairs[2 * at]!]!);
  return { keys: sorted.map((row) => indexKey(index, row)!), values: sorted.map(({ id }) => id) };
}

/** Returns the same for many rows. Reads them in the order in which they lie in memory, which takes less time. */
function readInTurn<R extends Row>(
  rows: readonly R[],
  index: SortedIndex<R>,
  pairs: NumberPairs,
): Read {
  const ranks = new Int32Array(rows.length).fill(-1);
  const keys: Bound[] = [];
  const values: number[] = [];
  for (let at = 0; 2 * at < pairs.length; at++) {
    ranks[pairs[2 * at]!] = at;
    keys.push(unread);
    values.push(0);
  }
  for (let place = 0; place < ranks.length; place++) {
    const rank = ranks[place]!;
    if (rank < 0) continue;
    const row = rows[place]!;
    keys[rank] = indexKey(index, row)!;
    values[rank] = row.id;
  }
  return { keys, values };
}

const unread: Bound = [];

function entriesByKey<R extends Row>(
  rows: readonly R[],
  index: SortedIndex<R>,
): Entries<Bound, number> {
  const found: { readonly key: Bound; readonly id: number }[] = [];
  for (const row of rows) {
    const key = indexKey(index, row);
    if (key !== undefined) found.push({ key, id: row.id });
  }
  const sorted = found.toSorted((a, b) => byTuple.compare(a.key, b.key));
  return {
    size: sorted.length,
    valueAt: (at) => sorted[at]!.id,
    all: () => ({ keys: sorted.map(({ key }) => key), values: sorted.map(({ id }) => id) }),
  };
}

/**
 * Returns the positions of the rows that are in an index of integers or times, sorted, each with the first part of its key
 * as a number.
 *
 * @returns undefined for other values, or if they are too far apart
 */
function pairsOf<R extends Row>(rows: readonly R[], index: FieldIndex<R>): NumberPairs | undefined {
  const pairs = createPairs(rows.length);
  let count = 0;
  let kind: string | undefined;
  let base = 0;
  for (let place = 0; place < rows.length; place++) {
    const value = leadingValue(index, rows[place]!);
    if (value === undefined) continue;
    const number = typeof value === 'number' ? value : timeNumber(value);
    if (kind === undefined) [kind, base] = [typeof value, number];
    if (typeof value !== kind || !fitsPair(number - base)) return undefined;
    pairs[2 * count] = place;
    pairs[2 * count + 1] = number - base;
    count += 1;
  }
  const sorted = sortPairs(count === rows.length ? pairs : pairs.slice(0, 2 * count));
  if (index.by.length > 1) sortTies(sorted, (place) => indexKey(index, rows[place]!)!);
  return sorted;
}

/** Sorts the positions of rows whose keys begin with the same value by their whole keys. */
function sortTies(pairs: NumberPairs, keyOf: (place: number) => Bound): void {
  for (let end = 2; end < pairs.length; end += 2) {
    if (pairs[end + 1] !== pairs[end - 1]) continue;
    const start = end - 2;
    let isSorted = true;
    let last = keyOf(pairs[start]!);
    for (; end < pairs.length && pairs[end + 1] === pairs[start + 1]; end += 2) {
      const key = keyOf(pairs[end]!);
      isSorted &&= byTuple.compare(last, key) < 0;
      last = key;
    }
    if (!isSorted) sortRun(pairs.subarray(start, end), keyOf);
  }
}

function sortRun(pairs: NumberPairs, keyOf: (place: number) => Bound): void {
  const run = Array.from({ length: pairs.length / 2 }, (_, at) => pairs[2 * at]!)
    .map((place) => ({ place, key: keyOf(place) }))
    .toSorted((a, b) => byTuple.compare(a.key, b.key));
  for (const [at, { place }] of run.entries()) pairs[2 * at] = place;
}

const timeForm = '2026-03-02T09:00:00+0000';

/** For each character of a time, the number that the field before it is lower than, as months are lower than 13; 0 for digits. */
const limits = [0, 0, 0, 0, 10_000, 0, 0, 13, 0, 0, 32, 0, 0, 24, 0, 0, 60, 0, 0, 60, 0, 0, 0, 0];

/**
 * Returns the seconds of a time in a calendar whose months have 32 days, so that the numbers sort as the texts do; NaN for
 * other texts. One loop: it runs before engines have compiled it.
 */
function timeNumber(text: string): number {
  if (text.length !== timeForm.length) return Number.NaN;
  let number = 0;
  let field = 0;
  for (let at = 0; at < timeForm.length; at++) {
    const code = text.charCodeAt(at);
    const limit = limits[at]!;
    if (limit === 0) {
      if (code < zero || code > zero + 9) return Number.NaN;
      field = 10 * field + code - zero;
    } else {
      if (code !== timeForm.charCodeAt(at) || field >= limit) return Number.NaN;
      number = number * limit + field;
      field = 0;
    }
  }
  const zone = field;
  return zone === 0 ? number : Number.NaN;
}

/** The character code of `0`. */
const zero = 48;
