import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineTable, Table } from '../../src/engine/store/table.ts';
import { Problem } from '../../src/engine/lib/problem.ts';
import { book, finishedBook, ids, keptBooks, openLibrary } from './library.ts';

test('new rows without ids and stamps get ascending ids and the current time', () => {
  const { table, clock } = openLibrary();
  expect(table.add(book({})).id).toBe(1);
  clock.time = '2026-03-02T10:00:00+0000';
  expect(table.add(book({ created_at: '2025-01-01T00:00:00+0000' }))).toEqual({
    id: 2,
    title: 'Momo',
    author: 1,
    copies: 1,
    tags: [],
    created_at: '2025-01-01T00:00:00+0000',
    updated_at: '2026-03-02T10:00:00+0000',
  });
  expect(table.add(book({ id: 7 })).id).toBe(7);
  expect(table.add(book({ id: 5 })).id).toBe(5);
  expect(table.add(book({})).id).toBe(8);
});

test('a table whose schema has no stamps adds none', () => {
  const schema = z.object({ id: z.int(), name: z.string() });
  const visitors = new Table(
    defineTable({ name: 'visitors', singular: 'visitor', schema }),
    openLibrary(),
  );
  expect(visitors.add({ name: 'Ada' })).toEqual({ id: 1, name: 'Ada' });
  expect(visitors.change(1, { name: 'Bea' })).toEqual({ id: 1, name: 'Bea' });
});

test('ids of removed rows are not reused', () => {
  const { table } = openLibrary();
  table.add(book({}));
  table.remove(table.add(book({})).id);
  expect(table.add(book({})).id).toBe(3);
  table.clear();
  expect(table.add(book({})).id).toBe(4);
});

test('an id that is in use or invalid is rejected', () => {
  const { table } = openLibrary(keptBooks);
  table.add(book({ id: 3 }));
  expect(() => table.add(book({ id: 3 }))).toThrow(new Problem('conflict', 'books: id 3 is taken'));
  table.remove(3);
  expect(() => table.add(book({ id: 3 }))).toThrow('books: id 3 is taken');
  expect(() => table.load([book({ id: 3 })])).toThrow('books: id 3 is taken');
  for (const id of [0, -1, 1.5, Number.NaN]) {
    expect(() => table.add(book({ id }))).toThrow(`books: id ${id} must be a positive integer`);
  }
});

test('rows are deeply frozen, and the values they were added from are not', () => {
  const { table } = openLibrary();
  const shelf = { room: 'east', place: 4 };
  const row = table.add(book({ shelf, tags: ['new'] }));
  for (const part of [row, row.shelf, row.tags]) expect(Object.isFrozen(part)).toBe(true);
  expect(Object.isFrozen(shelf)).toBe(false);
  shelf.room = 'west';
  expect(table.get(row.id)?.shelf?.room).toBe('east');
});

test('a change creates a stamped row that shares unchanged values with the previous one', () => {
  const { table, clock } = openLibrary();
  const before = table.add(book({ shelf: { room: 'east', place: 4 }, isbn: '1' }));
  clock.time = '2026-03-02T10:00:00+0000';
  const after = table.change(1, { title: 'Jim Knopf', isbn: undefined });
  expect(before).toMatchObject({
    title: 'Momo',
    isbn: '1',
    updated_at: '2026-03-02T09:00:00+0000',
  });
  expect(after).toMatchObject({ title: 'Jim Knopf', updated_at: '2026-03-02T10:00:00+0000' });
  expect(Object.keys(after)).not.toContain('isbn');
  expect(after.shelf).toBe(before.shelf);
  expect(table.get(1)).toBe(after);
  expect(Object.isFrozen(after)).toBe(true);
  const stamped = table.change(1, { updated_at: '2027-01-01T00:00:00+0000' });
  expect(stamped.updated_at).toBe('2027-01-01T00:00:00+0000');
});

test('the change or removal of an unknown id throws', () => {
  const { table } = openLibrary();
  expect(() => table.change(9, { title: 'x' })).toThrow(
    new Problem('missing', 'There is no book 9.'),
  );
  expect(() => table.remove(9)).toThrow('There is no book 9');
});

test('the id of a row cannot be changed', () => {
  const { table } = openLibrary();
  table.add(book({}));
  const changes = { id: 2, title: 'x' };
  expect(() => table.change(1, changes)).toThrow('books: id 1 cannot become 2');
});

test('only one live row has a unique key', () => {
  const { table } = openLibrary(keptBooks);
  table.add(book({ isbn: 'a' }));
  table.add(book({ isbn: 'b' }));
  table.add(book({}));
  const taken = new Problem('conflict', 'books: isbn "a" is taken by book 1');
  expect(() => table.add(book({ isbn: 'a' }))).toThrow(taken);
  expect(() => table.change(2, { isbn: 'a' })).toThrow(taken);
  expect(table.change(1, { isbn: 'a', title: 'x' }).title).toBe('x');
  table.remove(1);
  expect(table.findUnique('isbn', 'a')).toBeUndefined();
  table.change(2, { isbn: 'a' });
  expect(table.findUnique('isbn', 'a')?.id).toBe(2);
  expect(table.findUnique('isbn', 'b')).toBeUndefined();
});

test('an index has the rows that match its condition and have all of its fields', () => {
  const { table } = openLibrary();
  table.load([
    book({ author: 1, isbn: 'b' }),
    book({ author: 2, isbn: 'c' }),
    book({ author: 3, isbn: 'a' }),
    book({ author: 1 }),
  ]);
  expect(ids(table.by('withIsbn'))).toEqual([3, 1]);
  expect(ids(table.by('withoutIsbn'))).toEqual([4]);
  table.change(2, { author: 1 });
  table.change(3, { isbn: undefined });
  table.change(4, { title: 'x' });
  expect(ids(table.by('withIsbn'))).toEqual([1, 2]);
  expect(ids(table.by('withoutIsbn', 3))).toEqual([3]);
  expect(ids(table.by('withoutIsbn'))).toEqual([4, 3]);
});

test('a rejected write changes nothing', () => {
  const { table } = openLibrary();
  table.add(book({ isbn: 'a' }));
  const before = { rows: table.all(), nextId: table.state.nextId };
  expect(() => table.add(book({ isbn: 'a', author: 5 }))).toThrow(Problem);
  expect(() => table.load([book({}), book({ title: '' })])).toThrow(Problem);
  expect(() => table.load([book({}), book({ isbn: 'a' })])).toThrow(Problem);
  expect({ rows: table.all(), nextId: table.state.nextId }).toEqual(before);
  expect(table.by('author', 5)).toEqual([]);
  expect(table.countBy('author')).toBe(1);
});

test('addAll stores rows in the order of their ids and is atomic', () => {
  const { table } = openLibrary();
  const finished = ['c', 'a', 'b'].map((isbn, at) => finishedBook({ id: 7 - at, isbn }));
  table.addAll(finished);

  expect(table.all()).toEqual(finished.toReversed());
  expect(table.findUnique('isbn', 'a')).toEqual(finished[1]);
  expect(table.by('author', 1).map(({ isbn }) => isbn)).toEqual(['b', 'a', 'c']);
  expect(table.add(book({})).id).toBe(8);

  const before = { rows: table.all(), nextId: table.state.nextId };
  const taken = [finishedBook({ id: 9, isbn: 'd' }), finishedBook({ id: 10, isbn: 'a' })];
  expect(() => table.addAll(taken)).toThrow('books: isbn "a" is taken by book 6');
  const twice = Array.from('efghie', (isbn, at) => finishedBook({ id: 20 + at, isbn }));
  expect(() => table.addAll(twice)).toThrow('books: isbn "e" is taken by book 20');
  expect(() => table.addAll([finished[0]!])).toThrow('books: id 7 is taken');
  expect({ rows: table.all(), nextId: table.state.nextId }).toEqual(before);
});

test('soft-deleted rows are returned only by getWithDeleted', () => {
  const { table } = openLibrary(keptBooks);
  table.add(book({ isbn: 'a' }));
  const row = table.remove(1);
  expect(table.get(1)).toBeUndefined();
  expect(table.getWithDeleted(1)).toBe(row);
  expect(table.count()).toBe(0);
  expect(table.all()).toEqual([]);
  expect(table.by('author', 1)).toEqual([]);
  const other = openLibrary();
  other.table.add(book({}));
  other.table.remove(1);
  expect(other.table.getWithDeleted(1)).toBeUndefined();
});

test('a page has rows by id or by an index, ascending or descending, from any offset', () => {
  const { table } = openLibrary();
  for (let place = 1; place <= 9; place++) {
    table.add(
      book({ author: place % 2, shelf: { room: place > 6 ? 'east' : 'west', place: 10 - place } }),
    );
  }
  expect(ids(table.page(0, 3))).toEqual([1, 2, 3]);
  expect(ids(table.page(7, 5))).toEqual([8, 9]);
  expect(ids(table.page(9, 5))).toEqual([]);
  expect(ids(table.page(0, 2, { descending: true }))).toEqual([9, 8]);
  expect(ids(table.page(7, 5, { descending: true }))).toEqual([2, 1]);
  expect(ids(table.page(12, 5, { descending: true }))).toEqual([]);
  expect(ids(table.page(0, 4, { by: 'shelved' }))).toEqual([9, 8, 7, 6]);
  expect(ids(table.page(1, 2, { by: 'shelved', prefix: ['west'] }))).toEqual([5, 4]);
  expect(ids(table.page(4, 9, { by: 'shelved', prefix: ['west'] }))).toEqual([2, 1]);
  expect(ids(table.page(1, 2, { by: 'shelved', prefix: ['east'], descending: true }))).toEqual([
    8, 9,
  ]);
  expect(ids(table.page(0, Infinity, { by: 'author', prefix: [0] }))).toEqual([2, 4, 6, 8]);
  expect(ids(table.by('shelved', 'east', 2))).toEqual([8]);
  expect(ids(table.by('shelved', 'south'))).toEqual([]);
  expect(table.countBy('shelved', 'west')).toBe(6);
  expect(table.countBy('shelved')).toBe(9);
  expect(table.first('shelved', 'west')?.id).toBe(6);
  expect(table.first('shelved', 'south')).toBeUndefined();
});

test('a change removes a row from an index or adds it', () => {
  const { table } = openLibrary();
  table.add(book({}));
  expect(table.countBy('shelved')).toBe(0);
  table.change(1, { shelf: { room: 'east', place: 1 } });
  expect(table.first('shelved', 'east')?.id).toBe(1);
  table.change(1, { shelf: { room: 'west', place: 1 } });
  expect(table.countBy('shelved', 'east')).toBe(0);
  table.change(1, { shelf: undefined });
  expect(table.countBy('shelved')).toBe(0);
});
