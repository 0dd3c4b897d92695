import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { book, books, ids, keptBooks, lettered, openLibrary, titles } from './library.ts';

test('a state is unaffected by later writes and can be restored repeatedly', () => {
  const { table } = openLibrary(keptBooks);
  table.add(book({ isbn: 'a' }));
  const { state } = table;
  for (let round = 0; round < 2; round++) {
    table.change(1, { isbn: 'b' });
    table.add(book({}));
    table.remove(1);
    table.restore(state);
    expect(table.all()).toEqual([expect.objectContaining({ id: 1, isbn: 'a' })]);
    expect(table.getWithDeleted(1)).toBe(table.get(1));
    expect(table.findUnique('isbn', 'b')).toBeUndefined();
    expect(table.count()).toBe(1);
  }
  expect(table.add(book({})).id).toBe(2);
});

test('two tables of one definition that share a state are independent', () => {
  const one = openLibrary();
  const other = openLibrary();
  one.table.add(book({}));
  other.table.restore(one.table.state);
  one.table.change(1, { title: 'one' });
  other.table.change(1, { title: 'other' });
  other.table.add(book({}));
  expect(one.table.get(1)?.title).toBe('one');
  expect(other.table.get(1)?.title).toBe('other');
  expect(one.table.count()).toBe(1);
  expect(() => openLibrary(keptBooks).table.restore(one.table.state)).toThrow(
    'books: this state is of another table',
  );
});

test('an index of loaded rows is built on first read, once for all tables that share the state', () => {
  let calls = 0;
  const counting: typeof books = {
    ...books,
    indexes: {
      author: ({ author }) => [author, calls++],
      shelved: () => undefined,
      recent: () => undefined,
      withIsbn: () => undefined,
      withoutIsbn: () => undefined,
    },
  };
  const one = openLibrary(counting).table;
  one.load(Array.from({ length: 50 }, (_, at) => book({ author: at % 3 })));
  expect(calls).toBe(0);
  const other = openLibrary(counting).table;
  other.restore(one.state);
  expect(one.countBy('author', 1)).toBe(17);
  expect(ids(other.by('author', 2)).slice(0, 3)).toEqual([3, 6, 9]);
  expect(calls).toBe(50);
});

test('a write before the first read of an index does not affect other tables that share the state', () => {
  const { table: one, transaction } = lettered('abcdef');
  const other = openLibrary().table;
  other.restore(one.state);
  const mark = transaction.mark();
  one.change(2, { author: 2 });
  one.remove(4);
  expect(titles(other.by('author', 1))).toBe('abcdef');
  expect(titles(one.by('author', 1))).toBe('acef');
  transaction.rollback(mark);
  expect(titles(one.by('author', 1))).toBe('abcdef');
  expect(one.countBy('author', 2)).toBe(0);
});

test('load stores records as the schema parses them, in any order of their ids', () => {
  const { table } = openLibrary();
  const rows = table.load([
    { id: 5, title: 'E', author: 1 },
    { id: 2, title: 'B', author: 1 },
    { title: 'F', author: 2 },
  ]);
  expect(ids(rows)).toEqual([5, 2, 6]);
  expect(table.all().map(({ id, copies }) => [id, copies])).toEqual([
    [2, 1],
    [5, 1],
    [6, 1],
  ]);
  table.load([{ id: 4, title: 'D', author: 1 }]);
  expect(ids(table.by('author', 1))).toEqual([2, 4, 5]);
  expect(table.add(book({})).id).toBe(7);
});

test('load throws with the position and all issues of an invalid record', () => {
  const { table } = openLibrary();
  const load = () =>
    table.load([
      { title: 'A', author: 1 },
      { title: '', author: 'x' },
    ]);
  expect(load).toThrow(/^books: record 2 \(id 2\) does not match the schema: title: .*; author: /);
  expect(load).toThrow(
    expect.objectContaining({
      kind: 'invalid',
      fields: [
        expect.objectContaining({ path: ['title'] }),
        expect.objectContaining({ path: ['author'] }),
      ],
    }),
  );
  const tags = Array.from({ length: 150 }, (_, at) => at);
  expect(() => table.load([{ title: 'A', author: 1, tags }])).toThrow(
    /: tags\.0: .*; tags\.99: .*; and 50 more$/,
  );
  expect(() => table.load([book({ id: 1 }), book({ id: 1 })])).toThrow('books: id 1 is taken');
  expect(() => table.load([book({ isbn: 'a' }), book({ isbn: 'a' })])).toThrow(
    'isbn "a" is taken by book 1',
  );
});

const someDigits = fc.constantFrom(
  '00',
  '01',
  '12',
  '13',
  '23',
  '24',
  '31',
  '32',
  '59',
  '60',
  '99',
);

/** Texts as times are, and others that look like them. */
const timeLike = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.nat(99).map((second) => `2026-03-01T20:50:${`${second}`.padStart(2, '0')}+0000`),
  },
  fc
    .tuple(someDigits, someDigits, someDigits, someDigits)
    .map(([month, day, hour, minute]) => `2026-${month}-${day}T${hour}:${minute}:30+0000`),
  fc.constantFrom(
    '2026-03-01T20:50:30+0100',
    '2026-03-01t20:50:30+0000',
    '9999-12-31T23:59:59+0000',
    '',
    '7',
  ),
  fc.stringMatching(/^[0-9]{19}\+0000$/),
);

test('loaded rows are in the order of an index by texts, whatever the texts', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(timeLike, timeLike), { maxLength: 40 }), (times) => {
      const { table } = openLibrary();
      const records = times.map(([updated_at, created_at]) => book({ updated_at, created_at }));
      const rows = table.load(records);
      const inOrder = rows.toSorted(
        (a, b) =>
          compare(a.updated_at, b.updated_at) || compare(a.created_at, b.created_at) || a.id - b.id,
      );
      expect(ids(table.page(0, 100, { by: 'recent' }))).toEqual(ids(inOrder));
    }),
  );
});

test('loaded rows are in the order of an index by numbers, before and after it is written to', () => {
  const author = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(2 ** 31, -(2 ** 31)));
  fc.assert(
    fc.property(fc.array(author, { maxLength: 40 }), fc.integer(), (authors, last) => {
      const { table } = openLibrary();
      table.load(authors.map((one) => book({ author: one })));
      const inOrder = (): number[] =>
        ids(table.all().toSorted((a, b) => a.author - b.author || a.id - b.id));
      const page = (): number[] => ids(table.page(0, 100, { by: 'author' }));
      expect(page()).toEqual(inOrder());
      expect(table.countBy('author')).toBe(authors.length);
      table.add(book({ author: last }));
      expect(page()).toEqual(inOrder());
      expect(ids(table.by('author'))).toEqual(inOrder());
    }),
  );
});

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

test('loaded rows are found by their parents, in whatever order and however far apart these are', () => {
  const parent = fc.oneof(fc.nat(5), fc.nat(1000), fc.constantFrom(0, 2 ** 40));
  fc.assert(
    fc.property(fc.array(parent, { maxLength: 40 }), fc.boolean(), (parents, areSorted) => {
      const authors = areSorted ? parents.toSorted((a, b) => a - b) : parents;
      const { table } = openLibrary();
      const rows = table.load(authors.map((author) => book({ author })));
      for (const author of new Set([...authors, 1, 6])) {
        const own = rows.filter((row) => row.author === author);
        expect(ids(table.by('author', author))).toEqual(ids(own));
        expect(table.countBy('author', author)).toBe(own.length);
      }
    }),
  );
});
