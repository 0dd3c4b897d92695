import * as z from 'zod';
import { TableCollection } from '../../src/store/msw-data/table-collection.ts';
import { defineTable, Table } from '../../src/store/table.ts';
import { Transaction } from '../../src/store/transaction.ts';

/** What the tests keep in tables: the books of a library. */
export const Book = z.object({
  id: z.int().positive(),
  title: z.string().min(1),
  author: z.int(),
  isbn: z.string().optional(),
  copies: z.int().default(1),
  tags: z.array(z.string()).default([]),
  shelf: z.object({ room: z.string(), place: z.int() }).optional(),
  created_at: z.string(),
  updated_at: z.string(),
});

export const books = defineTable({
  name: 'books',
  singular: 'book',
  schema: Book,
  unique: { isbn: (row) => row.isbn },
  indexes: {
    author: { by: ['author'] },
    shelved: (row) => (row.shelf === undefined ? undefined : [row.shelf.room, row.shelf.place]),
    recent: { by: ['updated_at', 'created_at'] },
    withIsbn: { by: ['isbn'], where: ['author', 'is not', 2] },
    withoutIsbn: { by: ['author'], where: ['isbn', 'is', undefined] },
  },
});

/** The same, but removed books stay readable. */
export const keptBooks = defineTable({ ...books, softDelete: true });

/** A table of its own, with a clock that can be set. */
export function openLibrary(definition: typeof books = books) {
  const clock = {
    time: '2026-03-02T09:00:00+0000',
    now() {
      return this.time;
    },
  };
  const transaction = new Transaction();
  return { clock, transaction, table: new Table(definition, { clock, transaction }) };
}

/** The same, with the collection in place of the table. */
export function openCollection(definition: typeof books = books) {
  const library = openLibrary(definition);
  return { ...library, table: new TableCollection(library.table) };
}

/** What a new book needs, and what a test says of it. */
export function book<Values extends object>(values: Values) {
  return { title: 'Momo', author: 1, copies: 1, tags: [], ...values };
}

/** A book that a table can take as it is. */
export function finishedBook<Values extends object>(values: Values & { readonly id: number }) {
  const at = '2026-03-01T08:00:00+0000';
  return Object.freeze({
    ...book(values),
    tags: Object.freeze([]),
    created_at: at,
    updated_at: at,
  });
}

/** A library with one book for each letter: book 1 is `a`, and so on. */
export function lettered(letters: string) {
  const library = openLibrary();
  library.table.load(letters.split('').map((title) => book({ title })));
  return library;
}

export function letteredCollection(letters: string) {
  const library = lettered(letters);
  return { ...library, table: new TableCollection(library.table) };
}

/** The titles of books, in one word. */
export function titles(rows: ReadonlyArray<{ title: string }>): string {
  return rows.map(({ title }) => title).join('');
}

export function ids(rows: ReadonlyArray<{ id: number }>): number[] {
  return rows.map(({ id }) => id);
}

/** What a test does to a draft: gives it other values. */
export function set(values: object): { data: (draft: object) => void } {
  return { data: (draft) => void Object.assign(draft, values) };
}
