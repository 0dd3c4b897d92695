import { setTimeout as later } from 'node:timers/promises';
import { expect, test } from 'vitest';
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

/** The library waits for what a listener to `create` promises, but its types have no word for that. */
function slowly(work: () => void): never {
  return later(1).then(work) as never;
}

test('create hooks receive a record before it is stored and can change it', async () => {
  const { table } = openCollection();
  const received: unknown[] = [];
  table.hooks.on('create', ({ data: { record, initialValues } }) => {
    received.push(record, initialValues, table.count());
    return slowly(() => {
      record.title += '!';
    });
  });
  const values = { title: 'a', author: 1 };
  const made = await table.create(values);
  expect(received).toEqual([made, values, 0]);
  expect(received[0]).toBe(made);
  expect(table.get(1)).toMatchObject({ id: 1, title: 'a!' });
  expect(Object.isFrozen(made)).toBe(true);
});

test('concurrent creates with slow hooks get different ids', async () => {
  const { table } = openCollection();
  table.hooks.on('create', () => slowly(() => undefined));
  const made = await Promise.all(
    [1, 2, 3].map(async (author) => table.create({ title: 'a', author })),
  );
  expect(ids(made)).toEqual([1, 2, 3]);
});

test('add, change, remove and load call the hooks', () => {
  const { table } = openCollection();
  const received: unknown[] = [];
  table.hooks.on('create', ({ data }) => void received.push(['create', data.record.id]));
  table.hooks.on(
    'update',
    ({ data }) => void received.push(['update', data.path, data.prevValue, data.nextValue]),
  );
  table.hooks.on('delete', ({ data }) => void received.push(['delete', data.deletedRecord.id]));
  table.add(book({}));
  table.load([book({ title: 'b' })]);
  table.change(1, { title: 'c', tags: [], copies: 1, isbn: 'x' });
  table.remove(2);
  table.add(book({}));
  expect(() => table.add(book({ isbn: 'x' }))).toThrow('taken');
  expect(() => table.change(3, { isbn: 'x' })).toThrow('taken');
  expect(received).toEqual([
    ['create', 1],
    ['create', 2],
    ['update', ['title'], 'Momo', 'c'],
    ['update', ['isbn'], undefined, 'x'],
    ['delete', 2],
    ['create', 3],
  ]);
});

test('update hooks receive each changed path, and the next record is the stored object', async () => {
  const { table, clock } = openCollection();
  const before = table.add(book({ shelf: { room: 'east', place: 1 }, tags: ['a'] }));
  clock.time = '2026-03-02T10:00:00+0000';
  const received: unknown[] = [];
  let next: unknown;
  table.hooks.on('update', ({ data: { path, prevValue, nextValue, prevRecord, nextRecord } }) => {
    received.push([path, prevValue, nextValue]);
    expect(prevRecord).toBe(before);
    next = nextRecord;
  });
  await table.update((q) => q.where({ id: 1 }), {
    data(draft) {
      draft.shelf!.place = 2;
      draft.tags.push('b');
    },
  });
  expect(received).toContainEqual([['shelf', 'place'], 1, 2]);
  expect(received).toContainEqual([['tags', 1], undefined, 'b']);
  expect(received).toContainEqual([['updated_at'], '2026-03-02T09:00:00+0000', clock.time]);
  expect(received).toHaveLength(3);
  expect(table.get(1)).toBe(next);
});

test('a change that an update hook prevents is not stored', async () => {
  const { table } = openCollection();
  table.add(book({ shelf: { room: 'east', place: 1 }, tags: ['a', 'b'] }));
  table.hooks.on('update', (event) => {
    if (['shelf.room', 'tags.length', 'isbn', 'author'].includes(event.data.path.join('.')))
      event.preventDefault();
  });
  const next = await table.update((q) => q.where({ id: 1 }), {
    data(draft) {
      draft.shelf!.place = 2;
      draft.shelf!.room = 'west';
      draft.tags.pop();
      draft.isbn = 'x';
    },
  });
  expect(next).toMatchObject({ shelf: { room: 'east', place: 2 }, tags: ['a', 'b'] });
  expect(next).not.toHaveProperty('isbn');
  expect(table.get(1)).toBe(next);
  expect(table.change(1, { author: 2, title: 'x' })).toMatchObject({ author: 1, title: 'x' });
  expect(table.by('author', 1)).toHaveLength(1);
});

test('a record that an update hook has changed must match the schema', async () => {
  const schema = z
    .object({ id: z.int(), from: z.int(), to: z.int() })
    .refine(({ from, to }) => from <= to, 'from is after to');
  const spans = new TableCollection(
    new Table(defineTable({ name: 'spans', singular: 'span', schema }), openLibrary()),
  );
  spans.add({ from: 1, to: 2 });
  spans.hooks.on('update', (event) => {
    if (event.data.path[0] === 'to') event.preventDefault();
  });
  await expect(spans.update((q) => q.where({ id: 1 }), set({ from: 5, to: 6 }))).rejects.toThrow(
    'from is after to',
  );
  expect(spans.get(1)).toEqual({ id: 1, from: 1, to: 2 });
});

test('delete hooks receive each row, the last one first, and can keep it', () => {
  const { table } = letteredCollection('abcd');
  const received: string[] = [];
  table.hooks.on('delete', (event) => {
    received.push(event.data.deletedRecord.title);
    if (event.data.deletedRecord.title === 'c') event.preventDefault();
  });
  table.deleteMany((q) => q.where({ title: (title) => title > 'a' }));
  expect(received.join('')).toBe('dcb');
  expect(titles(table.all())).toBe('ac');
  expect(table.remove(3).title).toBe('c');
  expect(table.count()).toBe(2);
});

test('clear calls the delete hook for every row', () => {
  const { table } = letteredCollection('abcdefg');
  const received: string[] = [];
  table.hooks.on('delete', (event) => void received.push(event.data.deletedRecord.title));
  table.clear();
  expect(received.join('')).toBe('abcdefg');
  expect(table.all()).toEqual([]);
});

test('an error in a listener rolls back the write', () => {
  const { table } = letteredCollection('abc');
  table.hooks.on('delete', ({ data }) => {
    if (data.deletedRecord.title === 'a') throw new Error('not this one');
  });
  expect(() => table.deleteMany((q) => q.where({ author: 1 }))).toThrow('not this one');
  expect(titles(table.all())).toBe('abc');
});
