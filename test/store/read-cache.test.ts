import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReadCache } from '../../src/engine/store/read-cache.ts';
import { book, keptBooks, openLibrary } from './library.ts';
import { runs } from '../support/runs.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

type Library = ReturnType<typeof openLibrary>;

const someFields = ['title', 'isbn'] as const;

/** What a value is made of: one way to read a table for each. */
const readings: readonly ((table: Library['table']) => unknown)[] = [
  (table) => table.get(1),
  (table) => table.getWithDeleted(2),
  (table) => table.getFields(1, someFields)?.title,
  (table) => table.by('author', 1),
  (table) => table.by('author', 2),
  (table) => table.by('ofAuthor', 1),
  (table) => table.first('author', 1),
  (table) => table.first('author', 1, 3),
  (table) => table.first('ofAuthor', 2),
  (table) => table.countBy('author', 1),
  (table) => table.findUnique('isbn', 'a'),
  (table) => [table.get(3), table.by('author', 2), table.first('author', 1)],
];

const id = fc.integer({ min: 1, max: 4 });
const author = fc.integer({ min: 1, max: 2 });
const isbn = fc.constantFrom('a', 'b', undefined);

type Write = (table: Library['table']) => unknown;

const write: fc.Arbitrary<Write> = fc.oneof(
  fc.tuple(author, isbn).map(
    ([by, code]): Write =>
      (table) =>
        table.add(book({ author: by, isbn: code })),
  ),
  fc.tuple(id, author).map(
    ([of, by]): Write =>
      (table) =>
        table.change(of, { author: by }),
  ),
  fc.tuple(id, fc.constantFrom('x', 'y')).map(
    ([of, title]): Write =>
      (table) =>
        table.change(of, { title }),
  ),
  id.map(
    (of): Write =>
      (table) =>
        table.remove(of),
  ),
);

test('a cached value is the same as a new one, after any writes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(write, fc.constant('keep' as const), fc.constant('restore' as const)), {
        maxLength: 12,
      }),
      (deeds) => {
        const library = openLibrary(keptBooks);
        const { table } = library;
        const cache = new ReadCache<number, unknown>(library.transaction, 100_000, () => 100);
        let kept = table.state;
        for (const deed of deeds) {
          if (deed === 'keep') kept = table.state;
          else if (deed === 'restore') table.restore(kept);
          else attempt(() => deed(table));
          for (const [place, read] of readings.entries())
            expect(cache.get(place, () => read(table))).toEqual(read(table));
        }
      },
    ),
    { numRuns: runs(500) },
  );
});

test('a value stays cached while its rows, its list and its first row stay the same', () => {
  const library = openLibrary(keptBooks);
  const { table } = library;
  const cache = new ReadCache<string, object>(library.transaction, 100_000, () => 100);
  for (const by of [1, 1, 2]) table.add(book({ author: by }));
  const values = () => ({
    row: cache.get('row', () => ({ read: table.get(1) })),
    list: cache.get('list', () => ({ read: table.by('author', 1) })),
    first: cache.get('first', () => ({ read: table.first('author', 1) })),
  });
  const before = values();
  table.change(3, { title: 'of another author' });
  expect(Object.values(values())).toEqual(Object.values(before));
  for (const [name, value] of Object.entries(values()))
    expect(value, name).toBe(before[name as keyof typeof before]);
  table.add(book({ author: 1 }));
  const after = values();
  expect(after.row).toBe(before.row);
  expect(after.first).toBe(before.first);
  expect(after.list).not.toBe(before.list);
});

test('a full cache keeps what is read again, and its capacity', () => {
  const { transaction, table } = openLibrary(keptBooks);
  const cache = new ReadCache<number, number>(transaction, 10_000, () => 100);
  const isCached = (key: number): boolean => {
    let made = false;
    cache.get(key, () => {
      made = true;
      table.get(key + 2);
      return key;
    });
    return !made;
  };
  /** Makes a value again, because what was read for it has changed. */
  const replace = (key: number): void => {
    table.add(book({ id: key + 2 }));
    expect(isCached(key)).toBe(false);
  };
  const cachedBefore = (end: number): number => {
    let count = 0;
    while (count < end && isCached(end - 1 - count)) count++;
    return count;
  };
  for (let key = 0; key < 100; key++) isCached(key);
  const capacity = cachedBefore(100);
  expect(capacity).toBeGreaterThan(5);
  const hot = -1;
  isCached(hot);
  for (let key = 100; key < 1100; key++) {
    isCached(key);
    replace(key - 1);
    expect(isCached(hot), `after ${key}`).toBe(true);
  }
  expect(cachedBefore(1100)).toBe(capacity - 1);
});

test('what was replaced in a cache is garbage', { tags: 'long' }, async () => {
  const { transaction, table } = openLibrary(keptBooks);
  table.add(book({ author: 1 }));
  const cache = new ReadCache<number, object>(transaction, 10_000_000, () => 100);
  const made: WeakRef<object>[] = [];
  const make = (): object => {
    table.get(1);
    const value = {};
    made.push(new WeakRef(value));
    return value;
  };
  for (const count of [1900, 3500]) {
    while (made.length < count) {
      table.change(1, { title: `edition ${made.length}` });
      cache.get(made.length % 1000, make);
    }
    // A value stays until the end of the task in which it was referred to.
    await setTimeout(1);
    collectGarbage();
    expect(made.filter((one) => one.deref() !== undefined)).toHaveLength(1000);
  }
  expect(cache.get(499, make)).toBe(made[3499]?.deref());
});

/** A write may be rejected, for example because there is no such row. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Then nothing has changed.
  }
}
