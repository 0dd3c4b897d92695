import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  AFTER,
  byTuple,
  byNumber,
  byText,
  type Bound,
  type KeyOrder,
} from '../../src/engine/store/key-order.ts';
import { OrderedMap } from '../../src/engine/store/ordered-map.ts';
import { runs } from '../support/runs.ts';

/** An action on a map: sets or deletes `count` keys from `from` on, `step` apart; or forks it, switches forks, freezes it. */
interface Action {
  kind: 'set' | 'delete' | 'fork' | 'switch' | 'freeze';
  from: number;
  count: number;
  step: number;
}

const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom('set', 'set', 'delete', 'fork', 'switch', 'freeze'),
  from: fc.nat(2000),
  count: fc.oneof(
    fc.constant(1),
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 500, max: 1500 }),
  ),
  step: fc.constantFrom(1, -1, 3, 7),
});

const actions = fc.array(action, { minLength: 1, maxLength: 14, size: 'max' });

/** A map, the token that it is written under, and the expected entries: number → value. */
interface Branch<K> {
  map: OrderedMap<K, string>;
  edit: object;
  model: Map<number, string>;
}

interface Keys<K> {
  order: KeyOrder<K>;
  keyOf(n: number): K;
  compare(a: number, b: number): number;
}

const numbers: Keys<number> = { order: byNumber, keyOf: (n) => n, compare: (a, b) => a - b };

const texts: Keys<string> = {
  order: byText,
  keyOf: (n) => `k${n}`,
  compare: (a, b) => (`k${a}` < `k${b}` ? -1 : Number(a !== b)),
};

const tuples: Keys<Bound> = {
  order: byTuple,
  keyOf: (n) => [n % 7, `t${n % 3}`, n],
  compare: (a, b) => (a % 7) - (b % 7) || (a % 3) - (b % 3) || a - b,
};

function perform<K>(
  branches: Branch<K>[],
  { kind, from, count, step }: Action,
  keys: Keys<K>,
): void {
  const branch = branches.at(-1)!;
  if (kind === 'switch') branches.unshift(branches.pop()!);
  if (kind === 'freeze' || kind === 'fork') branch.edit = {};
  if (kind === 'fork') branches.push({ map: branch.map, edit: {}, model: new Map(branch.model) });
  if (kind !== 'set' && kind !== 'delete') return;
  for (let at = 0; at < count; at++) {
    const n = Math.abs(from + at * step);
    if (kind === 'delete') {
      branch.map = branch.map.delete(keys.keyOf(n), branch.edit);
      branch.model.delete(n);
    } else {
      const value = `${n} by ${branches.length}, ${at}`;
      branch.map = branch.map.set(keys.keyOf(n), value, branch.edit);
      branch.model.set(n, value);
    }
  }
}

function expectEqual<K>({ map, model }: Branch<K>, keys: Keys<K>): void {
  const sorted = [...model.keys()].toSorted((a, b) => keys.compare(a, b));
  const values = sorted.map((n) => model.get(n)!);
  expect(map.size).toBe(values.length);
  expect(map.slice()).toEqual(values);
  expect([...map.values()]).toEqual(values);
  expect([...map.valuesBack()]).toEqual(values.toReversed());
  for (const [position, n] of sorted.entries()) {
    const key = keys.keyOf(n);
    if (map.get(key) !== values[position]) expect(map.get(key)).toBe(values[position]);
    if (map.rank(key) !== position) expect(map.rank(key)).toBe(position);
    if (map.at(position) !== values[position]) expect(map.at(position)).toBe(values[position]);
  }
}

function expectEqualParts<K>(
  { map, model }: Branch<K>,
  keys: Keys<K>,
  n: number,
  length: number,
): void {
  const sorted = [...model.keys()].toSorted((a, b) => keys.compare(a, b));
  const values = sorted.map((one) => model.get(one)!);
  expect(map.slice(n, n + length)).toEqual(values.slice(n, n + length));
  expect([...map.values(n)]).toEqual(values.slice(n));
  expect([...map.valuesBack(n)]).toEqual(values.slice(0, n + 1).toReversed());
  expect(map.at(values.length)).toBeUndefined();
  expect(map.at(-1)).toBeUndefined();
  expect(map.has(keys.keyOf(n))).toBe(model.has(n));
  expect(map.get(keys.keyOf(n))).toBe(model.get(n));
  expect(map.rank(keys.keyOf(n))).toBe(sorted.filter((one) => keys.compare(one, n) < 0).length);
}

function expectEntriesOfModel<K>(keys: Keys<K>): void {
  fc.assert(
    fc.property(actions, fc.nat(2500), fc.nat(100), (list, n, length) => {
      const branches: Branch<K>[] = [
        { map: new OrderedMap(keys.order), edit: {}, model: new Map() },
      ];
      for (const one of list) perform(branches, one, keys);
      for (const branch of branches) {
        expectEqual(branch, keys);
        expectEqualParts(branch, keys, n, length);
      }
    }),
    { numRuns: runs(60) },
  );
}

test('a map with numeric keys has the entries of a Map, and its forks are independent', () => {
  expectEntriesOfModel(numbers);
});

test('a map with text keys has the entries of a Map, and its forks are independent', () => {
  expectEntriesOfModel(texts);
});

test('a map with tuple keys has the entries of a Map, and its forks are independent', () => {
  expectEntriesOfModel(tuples);
});

test('a write under a new token changes no earlier map', () => {
  const all: Branch<number>[] = [];
  let map = new OrderedMap<number, string>(byNumber);
  const model = new Map<number, string>();
  for (let at = 0; at < 300; at++) {
    const n = (at * 37) % 101;
    const isDelete = at % 3 === 2;
    map = isDelete ? map.delete((n * 5) % 101, {}) : map.set(n, `${at}`, {});
    if (isDelete) model.delete((n * 5) % 101);
    else model.set(n, `${at}`);
    all.push({ map, edit: {}, model: new Map(model) });
  }
  for (const branch of all) expectEqual(branch, numbers);
});

function scattered(n: number): Omit<Action, 'kind'> {
  return { from: (n * 7919) % 30_011, count: 1, step: 1 };
}

test(
  'a map of many levels keeps its entries while it grows, shrinks and forks',
  { tags: 'long' },
  () => {
    const branch: Branch<number> = { map: new OrderedMap(byNumber), edit: {}, model: new Map() };
    const branches = [branch];
    for (let n = 1; n <= 30_000; n++) perform([branch], { kind: 'set', ...scattered(n) }, numbers);
    for (let n = 1; n <= 29_000; n++) {
      if (n % 7000 === 0) {
        perform(branches, { kind: 'fork', ...scattered(n) }, numbers);
        perform(branches, { kind: 'switch', ...scattered(n) }, numbers);
      }
      perform([branch], { kind: n % 5 === 0 ? 'set' : 'delete', ...scattered(n) }, numbers);
    }
    for (const one of branches) expectEqual(one, numbers);
  },
);

test('a write that changes nothing returns the same map', () => {
  const map = new OrderedMap<number, string>(byNumber).set(1, 'one', {}).set(2, 'two', {});
  expect(map.set(2, 'two', {})).toBe(map);
  expect(map.delete(3, {})).toBe(map);
});

test('a prefix sorts before all keys that begin with it, and the prefix with AFTER sorts after them', () => {
  const keys = fc.uniqueArray(
    fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('a', 'b', '')), {
      maxLength: 3,
    }),
    { selector: (key) => JSON.stringify(key), maxLength: 60 },
  );
  fc.assert(
    fc.property(keys, keys, (stored, prefixes) => {
      const edit = {};
      let map = new OrderedMap<Bound, Bound>(byTuple);
      for (const key of stored) map = map.set(key, key, edit);
      for (const prefix of prefixes) {
        const found = map.slice(map.rank(prefix), map.rank([...prefix, AFTER]));
        const expected = stored.filter((key) => prefix.every((part, at) => key[at] === part));
        expect(new Set(found)).toEqual(new Set(expected));
        expect(found).toHaveLength(expected.length);
      }
    }),
  );
});

test('takeWhile returns the values between two keys, from one leaf or several, also after deletions', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(2000), { maxLength: 400 }),
      fc.nat(2000),
      fc.nat(2000),
      fc.infiniteStream(fc.boolean()),
      (stored, one, other, deleted) => {
        const edit = {};
        let map = new OrderedMap<number, number>(byNumber);
        for (const key of stored) map = map.set(key, key, edit);
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const left = stored.filter((key) => {
          const { value: isDeleted } = deleted.next();
          if (isDeleted) map = map.delete(key, edit);
          return !isDeleted;
        });
        const expected = left.filter((key) => key >= from && key < to).toSorted((a, b) => a - b);
        expect(map.takeWhile(from, (key) => key < to)).toEqual(expected);
      },
    ),
  );
});
