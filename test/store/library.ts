import * as z from 'zod';
import { TableCollection } from '../../src/engine/store/msw-data/table-collection.ts';
import { defineTable, Table } from '../../src/engine/store/table.ts';
import { Transaction } from '../../src/engine/store/transaction.ts';

/** The records of the tests: books of a library. */
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
    author: (row) => [row.author],
    shelved: (row) => (row.shelf === undefined ? undefined : [row.shelf.room, row.shelf.place]),
    recent: (row) => [row.updated_at, row.created_at],
    withIsbn: (row) => (row.author === 2 ? undefined : [row.isbn]),
    withoutIsbn: (row) => (row.isbn === undefined ? [row.author] : undefined),
  },
});

/** The same definition with soft deletes. */
export const keptBooks = defineTable({ ...books, softDelete: true });

/** Returns a new table with a clock that can be set. */
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

/** Returns the same with a collection in place of the table. */
export function openCollection(definition: typeof books = books) {
  const library = openLibrary(definition);
  return { ...library, table: new TableCollection(library.table) };
}

/** Returns the required values of a book, and those of the test. */
export function book<Values extends object>(values: Values) {
  return { title: 'Momo', author: 1, copies: 1, tags: [], ...values };
}

/** Returns a book that a table can store as it is. */
export function finishedBook<Values extends object>(values: Values & { readonly id: number }) {
  const at = '2026-03-01T08:00:00+0000';
  return Object.freeze({
    ...book(values),
    tags: Object.freeze([]),
    created_at: at,
    updated_at: at,
  });
}

/** Returns a library with one book for each letter: book 1 is `a`, and so on. */
export function lettered(letters: string) {
  const library = openLibrary();
  library.table.load(letters.split('').map((title) => book({ title })));
  return library;
}

export function letteredCollection(letters: string) {
  const library = lettered(letters);
  return { ...library, table: new TableCollection(library.table) };
}

/** Returns the titles of books as one word. */
export function titles(rows: ReadonlyArray<{ title: string }>): string {
  return rows.map(({ title }) => title).join('');
}

export function ids(rows: ReadonlyArray<{ id: number }>): number[] {
  return rows.map(({ id }) => id);
}

/** Returns an updater that sets values of a draft. */
export function set(values: object): { data: (draft: object) => void } {
  return { data: (draft) => void Object.assign(draft, values) };
}
