import { expect, expectTypeOf, test } from 'vitest';
import { defineTable, type RowOf } from '../../src/engine/store/table.ts';
import { type Book, books, openLibrary } from './library.ts';

test('the types of a table follow from its schema: rows are readonly, ids and stamps are optional, names are checked', () => {
  const { table } = openLibrary();
  interface Expected {
    readonly id: number;
    readonly title: string;
    readonly author: number;
    readonly isbn?: string | undefined;
    readonly copies: number;
    readonly tags: readonly string[];
    readonly shelf?: { readonly room: string; readonly place: number } | undefined;
    readonly created_at: string;
    readonly updated_at: string;
  }
  expectTypeOf(table.get(1)).toEqualTypeOf<Expected | undefined>();
  expectTypeOf<RowOf<typeof Book>>().toEqualTypeOf<Expected>();
  expectTypeOf(table.add).parameter(0).toHaveProperty('title').toEqualTypeOf<string>();
  const misuses = () => {
    // @ts-expect-error an author is required
    table.add({ title: 'x', copies: 1, tags: [] });
    // @ts-expect-error a title cannot be removed
    table.change(1, { title: undefined });
    // @ts-expect-error an id cannot be changed
    table.change(1, { id: 2 });
    // @ts-expect-error no such index
    table.by('colour', 'red');
    // @ts-expect-error no such unique key
    table.findUnique('title', 'x');
    // @ts-expect-error no such index
    table.page(0, 1, { by: 'isbn' });
    // @ts-expect-error an index sorts by texts and numbers
    defineTable({ ...books, indexes: { tags: (row) => [row.tags] } });
    // @ts-expect-error no such field
    defineTable({ ...books, indexes: { one: (row) => [row.colour] } });
    // @ts-expect-error rows do not change
    table.get(1)!.title = 'x';
    // @ts-expect-error lists in rows do not change
    table.get(1)!.tags.push('x');
  };
  expect(misuses).toBeTypeOf('function');
});
