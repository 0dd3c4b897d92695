import type { Query } from '@msw/data';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { TableCollection } from '../../../src/engine/store/msw-data/table-collection.ts';
import { defineTable, Table } from '../../../src/engine/store/table.ts';
import { book, ids, openCollection, openLibrary } from '../library.ts';

test('where matches only values that equal the condition', () => {
  const { table } = openCollection();
  table.load([
    book({ tags: [] }),
    book({ tags: ['new', 'red'], shelf: { room: 'east', place: 1 } }),
    book({ tags: ['new', 'new'], isbn: '1' }),
  ]);
  const find = (condition: Parameters<Query<Row>['where']>[0]) =>
    ids(table.findMany((q) => q.where(condition)));
  type Row = ReturnType<typeof table.all>[number];
  expect(find({ tags: (tags) => tags.length === 0 })).toEqual([1]);
  expect(find({ tags: (tags) => tags.includes('red') })).toEqual([2]);
  expect(find({ tags: () => false })).toEqual([]);
  expect(find({ shelf: ((shelf?: { place: number }) => shelf?.place === 1) as never })).toEqual([
    2,
  ]);
  expect(find({ shelf: ((shelf?: object) => shelf === undefined) as never })).toEqual([1, 3]);
  expect(find({ shelf: { room: (room) => room.startsWith('e') } })).toEqual([2]);
  expect(find({ shelf: { room: 'west' } })).toEqual([]);
  expect(find({ shelf: undefined })).toEqual([1, 3]);
  expect(find({ isbn: undefined })).toEqual([1, 2]);
  expect(find((row) => row.tags.length === 2)).toEqual([2, 3]);
  expect(() => table.findMany((q) => q.where('x' as never))).toThrow(TypeError);
});

test('a condition on a list matches if the list is not empty and all its items match', () => {
  const schema = z.object({
    id: z.int(),
    parts: z.array(z.object({ kind: z.string() })),
    sizes: z.array(z.int()),
  });
  const things = new TableCollection(
    new Table(defineTable({ name: 'things', singular: 'thing', schema }), openLibrary()),
  );
  things.load([
    { parts: [], sizes: [] },
    { parts: [{ kind: 'a' }, { kind: 'a' }], sizes: [1, 2] },
    { parts: [{ kind: 'a' }, { kind: 'b' }], sizes: [12] },
  ]);
  const find = (matching: Parameters<typeof things.findMany>[0]) => ids(things.findMany(matching));
  expect(find((q) => q.where({ parts: { kind: 'a' } }))).toEqual([2]);
  expect(find((q) => q.where({ sizes: [1, 2] as never }))).toEqual([2]);
  expect(find((q) => q.where({ sizes: 1 as never }))).toEqual([]);
});
