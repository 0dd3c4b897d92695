import { Collection } from '@msw/data';
import { defineExtension } from '@msw/data/extensions';
import { setTimeout as later } from 'node:timers/promises';
import { expect, expectTypeOf, test, vi } from 'vitest';
import * as z from 'zod';
import { TableCollection } from '../../../src/engine/store/msw-data/table-collection.ts';
import { defineTable, Table } from '../../../src/engine/store/table.ts';
import {
  book,
  ids,
  letteredCollection,
  openCollection,
  set,
  titles,
  openLibrary,
} from '../library.ts';

test('create parses records by the schema and adds ids and stamps', async () => {
  const { table } = openCollection();
  const made = await table.create({ title: 'Momo', author: 1 });
  expect(made).toMatchObject({
    id: 1,
    copies: 1,
    tags: [],
    updated_at: '2026-03-02T09:00:00+0000',
  });
  expect(table.get(1)).toBe(made);
  expect(await table.create({ title: 'x', author: 1, isbn: undefined })).not.toHaveProperty('isbn');
  const many = await table.createMany(3, (index) => ({ title: `${index}`, author: 2 }));
  expect(many.map(({ id }) => id)).toEqual([3, 4, 5]);
  expect(titles(table.all())).toBe('Momox012');
});

test('a validation failure throws with its issues and prints nothing', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { table } = letteredCollection('a');
  const issues = expect.objectContaining({
    kind: 'invalid',
    message: expect.stringContaining('books: record 2 does not match the schema: title: '),
    fields: [expect.objectContaining({ path: ['title'] })],
  });
  await expect(table.create({ title: '', author: 1 })).rejects.toEqual(issues);
  await expect(table.update((q) => q.where({ id: 1 }), set({ title: '' }))).rejects.toThrow(
    'title: ',
  );
  expect(print).not.toHaveBeenCalled();
  expect(table.get(1)?.title).toBe('a');
  expect(table.add(book({})).id).toBe(2);
  print.mockRestore();
});

const misspelt: object = { title: 'b', autor: 2 };

test.each<[write: string, (table: ReturnType<typeof openCollection>['table']) => unknown]>([
  ['create', (table) => table.create(book({ autor: 2 }))],
  ['createMany', (table) => table.createMany(2, () => book({ autor: 2 }))],
  ['add', (table) => table.add(book({ autor: 2 }))],
  ['addAll', (table) => table.addAll([book({}), book({ autor: 2 })])],
  ['load', (table) => table.load([book({}), book({ autor: 2 })])],
  ['change', (table) => table.change(1, misspelt)],
  ['update', (table) => table.update((q) => q.where({ id: 1 }), set({ autor: 2 }))],
  ['updateMany', (table) => table.updateMany((q) => q.where({ author: 1 }), set({ autor: 2 }))],
  [
    'an asynchronous update',
    (table) =>
      table.update((q) => q.where({ id: 1 }), {
        data: async (draft) => {
          await later(1);
          Object.assign(draft, { autor: 2 });
        },
      }),
  ],
])('%s rejects a field that the schema does not have', async (_, write) => {
  const { table } = letteredCollection('a');
  const [before] = table.all();
  await expect(async () => write(table)).rejects.toThrow(
    /books: (new record|record 1) does not match the schema: Unrecognized key: "autor" \(did you mean "author"\?\); known: id, title, /,
  );
  expect(table.all()).toEqual([before]);
});

test('createMany is atomic', async () => {
  const { table } = letteredCollection('a');
  const making = table.createMany(3, (index) => ({ title: 'x'.repeat(2 - index), author: 1 }));
  await expect(making).rejects.toThrow('does not match the schema');
  expect(table.count()).toBe(1);
});

test('a duplicate id is rejected', async () => {
  const { table } = letteredCollection('a');
  await expect(table.create({ id: 1, title: 'b', author: 1 })).rejects.toThrow(
    'books: id 1 is taken',
  );
  expect(titles(table.all())).toBe('a');
});

test('five concurrent increments add five', async () => {
  const { table } = letteredCollection('a');
  const update = (pause: boolean) =>
    table.update((q) => q.where({ id: 1 }), {
      data: pause
        ? async (draft) => {
            await later(1);
            draft.copies += 1;
          }
        : (draft) => {
            draft.copies += 1;
          },
    });
  await Promise.all(Array.from({ length: 5 }, () => update(false)));
  expect(table.get(1)?.copies).toBe(6);
  await Promise.all(Array.from({ length: 5 }, () => update(true)));
  expect(table.get(1)?.copies).toBe(11);
  const slow = update(true);
  table.change(1, { copies: 20 });
  expect(await slow).toMatchObject({ copies: 21 });
});

test('an update whose record is removed meanwhile returns undefined', async () => {
  const { table } = letteredCollection('a');
  const slow = table.update((q) => q.where({ id: 1 }), { data: async () => later(1) });
  table.remove(1);
  expect(await slow).toBeUndefined();
});

test('an update is parsed by the schema, is stamped and cannot change the id', async () => {
  const { table, clock } = letteredCollection('ab');
  clock.time = '2026-03-02T10:00:00+0000';
  const updated = await table.updateMany((q) => q.where({ author: 1 }), {
    data(draft) {
      draft.tags.push('old');
    },
    orderBy: { title: 'desc' },
  });
  expect(titles(updated)).toBe('ba');
  expect(table.get(1)).toEqual({
    ...book({ id: 1, title: 'a', tags: ['old'] }),
    created_at: '2026-03-02T09:00:00+0000',
    updated_at: clock.time,
  });
  expect(updated[1]).toBe(table.get(1));
  await expect(table.update((q) => q.where({ id: 1 }), set({ id: 9 }))).rejects.toThrow(
    'books: id 1 cannot become 9',
  );
});

function blankThird(draft: { id: number; title: string }): void {
  draft.title = draft.id === 3 ? '' : 'x';
}

test('updateMany is atomic', async () => {
  const { table } = letteredCollection('abc');
  await expect(
    table.updateMany((q) => q.where({ author: 1 }), { data: blankThird }),
  ).rejects.toThrow('books: record 3');
  expect(titles(table.all())).toBe('abc');
});

test('delete and deleteMany return the removed records', () => {
  const { table } = letteredCollection('abcd');
  expect(table.delete((q) => q.where({ title: 'b' }))?.id).toBe(2);
  expect(table.delete(table.findFirst(undefined, { strict: true }))?.id).toBe(1);
  const deleted = table.deleteMany((q) => q.where({ author: 1 }), { orderBy: { title: 'desc' } });
  expect(titles(deleted)).toBe('dc');
  expect(table.count()).toBe(0);
});

test('schemas can be asynchronous except in load', async () => {
  const schema = z.object({ id: z.int(), name: z.string().refine(async (name) => name !== 'Eve') });
  const guests = new TableCollection(
    new Table(defineTable({ name: 'guests', singular: 'guest', schema }), openLibrary()),
  );
  await guests.create({ name: 'Ada' });
  await expect(guests.create({ name: 'Eve' })).rejects.toThrow('guests: record 2 does not match');
  expect(await guests.update((q) => q.where({ id: 1 }), set({ name: 'Bea' }))).toEqual({
    id: 1,
    name: 'Bea',
  });
  expect(() => guests.load([{ name: 'Ada' }])).toThrow(
    'guests: an asynchronous schema cannot load records',
  );
});

test('a collection has the writes in bulk of its table', () => {
  const { table } = openCollection();
  expect(ids(table.addAll([book({}), book({})]))).toEqual([1, 2]);
  table.reserveIds(20);
  expect(table.add(book({})).id).toBe(20);
  expect([table.count(), table.rowCount]).toEqual([3, 3]);
});

test('defineRelations throws', () => {
  expect(() => openCollection().table.defineRelations()).toThrow(
    'books: relations are not supported',
  );
});

test('extensions receive the ready collection', () => {
  const seen: unknown[] = [];
  const extension = defineExtension({
    name: 'spy',
    extend: (collection) => seen.push(collection, collection.count()),
  });
  const table = new TableCollection(openLibrary().table, [extension]);
  expect(seen).toEqual([table, 0]);
});

test('the methods of the library have the types of the library', () => {
  const { table } = letteredCollection('a');
  expectTypeOf(table.findFirst()).extract<undefined>().toEqualTypeOf<undefined>();
  expectTypeOf(table.findFirst(undefined, { strict: true }))
    .extract<undefined>()
    .toBeNever();
  expectTypeOf(table.findMany()[0]!.title).toEqualTypeOf<string>();
  const misuses = () => {
    // @ts-expect-error a title is required
    void table.create({ author: 1 });
    // @ts-expect-error no such field
    table.findMany((q) => q.where({ colour: 'red' }));
  };
  expect(misuses).toBeTypeOf('function');
});

test('a table collection is a collection of @msw/data', () => {
  expect(openCollection().table).toBeInstanceOf(Collection);
});
