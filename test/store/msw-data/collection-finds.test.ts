import { Query } from '@msw/data';
import { expect, test } from 'vitest';
import { book, ids, letteredCollection, openCollection, set, titles } from '../library.ts';

test('finds accept a query function, a query or nothing', () => {
  const { table } = letteredCollection('abcb');
  expect(table.findFirst()?.id).toBe(1);
  expect(table.findFirst((q) => q.where({ title: 'b' }))?.id).toBe(2);
  expect(table.findFirst((q) => q.where({ id: 3 }))?.title).toBe('c');
  expect(table.findFirst((q) => q.where({ id: 3, title: 'b' }))).toBeUndefined();
  expect(table.findFirst((q) => q.where({ title: 'z' }))).toBeUndefined();
  const query = new Query<{ title: string }>((row) => row.title > 'a');
  expect(titles(table.findMany(query))).toBe('bcb');
  const either = table.findMany((q) => q.where({ id: 1 }).or({ title: 'c' }));
  expect(titles(either)).toBe('ac');
  expect(titles(table.findMany((q) => q.where({ title: 'b' }).and({ id: 4 })))).toBe('b');
  expect(titles(table.findMany((q) => q.and(q.where({ title: 'b' }), (row) => row.id > 2)))).toBe(
    'b',
  );
});

test('strict finds throw the errors of the library', async () => {
  const { table } = openCollection();
  const query = new Query<object>(() => false);
  const strict = { strict: true } as const;
  const update = { ...strict, data: () => undefined };
  const none = /Failed to execute "\w+" on collection/;
  expect(() => table.findFirst(query, strict)).toThrow(none);
  expect(() => table.findFirst(undefined, strict)).toThrow(/the collection is empty/);
  expect(() => table.findMany(query, strict)).toThrow(none);
  expect(() => table.delete(query, strict)).toThrow(none);
  expect(() => table.deleteMany(query, strict)).toThrow(none);
  await expect(table.update(query, update)).rejects.toThrow(none);
  await expect(table.updateMany(query, update)).rejects.toThrow(none);
  expect(await table.updateMany(query, { data: () => undefined })).toEqual([]);
  expect(table.deleteMany(query)).toEqual([]);
});

test('orderBy sorts before take limits', () => {
  const { table } = letteredCollection('cabed');
  expect(titles(table.findMany(undefined, { orderBy: { title: 'asc' }, take: 3 }))).toBe('abc');
  expect(titles(table.findMany(undefined, { orderBy: { title: 'desc' }, skip: 1, take: 2 }))).toBe(
    'dc',
  );
  expect(titles(table.findMany(undefined, { orderBy: { title: 'asc' }, take: -2 }))).toBe('ed');
  const cursor = table.get(3)!;
  expect(
    titles(
      table.findMany(undefined, {
        orderBy: { title: 'asc' },
        cursor: table.findFirst((q) => q.where({ id: cursor.id }))!,
        take: 2,
      }),
    ),
  ).toBe('bc');
});

test('orderBy sorts by several and nested criteria, then by id', () => {
  const { table } = openCollection();
  const places: [string, number][] = [
    ['east', 2],
    ['west', 1],
    ['east', 1],
    ['west', 1],
  ];
  for (const [room, place] of places) table.add(book({ shelf: { room, place } }));
  table.add(book({}));
  const find = (options: Parameters<typeof table.findMany>[1]) =>
    ids(table.findMany(undefined, options));
  expect(find({ orderBy: { shelf: { room: 'asc', place: 'asc' } } })).toEqual([5, 3, 1, 2, 4]);
  expect(find({ orderBy: [{ shelf: { place: 'desc' } }, { id: 'desc' }] })).toEqual([
    1, 4, 3, 2, 5,
  ]);
  expect(find({ orderBy: { title: 'asc' } })).toEqual([1, 2, 3, 4, 5]);
});

test('take, skip and cursor behave as in the library', () => {
  const { table } = letteredCollection('abcdefgh');
  const find = (options: Parameters<typeof table.findMany>[1]) =>
    titles(table.findMany((q) => q.where({ title: (title) => title !== 'd' }), options));
  const cursor = table.findFirst((q) => q.where({ id: 4 }))!;
  expect(find({ take: 3 })).toBe('abc');
  expect(find({ skip: 2, take: 3 })).toBe('cef');
  expect(find({ skip: 5 })).toBe('gh');
  expect(find({ skip: 7, take: 3 })).toBe('');
  expect(find({ take: 0 })).toBe('');
  expect(find({ take: -3 })).toBe('hgf');
  expect(find({ skip: 2, take: -3 })).toBe('fec');
  expect(find({ cursor, take: 2 })).toBe('ef');
  expect(find({ cursor, skip: 1, take: -2 })).toBe('ba');
  expect(() => find({ skip: -1 })).toThrow(/expected the "skip" pagination option/);
  table.delete(cursor);
  expect(find({ cursor })).toBe('');
});

test('a found record is frozen and does not change', async () => {
  const { table } = letteredCollection('a');
  const found = table.findFirst(undefined, { strict: true });
  const all = table.all();
  await table.update(found, set({ title: 'b' }));
  table.add(book({}));
  expect(found.title).toBe('a');
  expect(Object.isFrozen(found)).toBe(true);
  expect(titles(all)).toBe('a');
});
