import { expect, test } from 'vitest';
import { Table } from '../../src/engine/store/table.ts';
import { book, keptBooks, openLibrary } from './library.ts';

/** Two tables of one database, with a book in each. */
function openTwo() {
  const { clock, transaction, table } = openLibrary();
  const two = { transaction, one: table, other: new Table(keptBooks, { clock, transaction }) };
  two.one.add(book({ title: 'a' }));
  two.other.add(book({ title: 'b', isbn: 'b' }));
  return two;
}

const contents = ({ one, other }: Pick<ReturnType<typeof openTwo>, 'one' | 'other'>) =>
  [one, other].map((table) =>
    table
      .all()
      .map(({ title }) => title)
      .join(''),
  );

test('an error in a transaction rolls back all tables', () => {
  const two = openTwo();
  const failing = () =>
    two.transaction.run(() => {
      two.one.add(book({ title: 'c' }));
      two.other.change(1, { isbn: 'x' });
      two.other.remove(1);
      throw new Error('no');
    });
  expect(failing).toThrow('no');
  expect(contents(two)).toEqual(['a', 'b']);
  expect(two.other.findUnique('isbn', 'b')?.id).toBe(1);
  expect(two.one.add(book({})).id).toBe(2);
});

test('a transaction returns the result of its work and keeps the writes', () => {
  const two = openTwo();
  expect(two.transaction.run(() => two.one.add(book({ title: 'c' })).id)).toBe(2);
  expect(contents(two)).toEqual(['ac', 'b']);
});

test('a nested transaction is rolled back alone or with the outer one', () => {
  const two = openTwo();
  const { transaction, one, other } = two;
  transaction.run(() => {
    one.add(book({ title: 'c' }));
    expect(() =>
      transaction.run(() => {
        one.add(book({ title: 'd' }));
        other.add(book({ title: 'e' }));
        throw new Error('inner');
      }),
    ).toThrow('inner');
    one.add(book({ title: 'f' }));
  });
  expect(contents(two)).toEqual(['acf', 'b']);
  expect(() =>
    transaction.run(() => {
      transaction.run(() => other.add(book({ title: 'g' })));
      throw new Error('outer');
    }),
  ).toThrow('outer');
  expect(contents(two)).toEqual(['acf', 'b']);
});

test('a mark can be rolled back to repeatedly until it is released', () => {
  const two = openTwo();
  const { transaction, one, other } = two;
  const mark = transaction.mark();
  one.add(book({ title: 'c' }));
  const later = transaction.mark();
  other.add(book({ title: 'd' }));
  transaction.rollback(mark);
  expect(contents(two)).toEqual(['a', 'b']);
  expect(() => transaction.rollback(later)).toThrow('this mark is not open');
  one.remove(1);
  transaction.rollback(mark);
  expect(contents(two)).toEqual(['a', 'b']);
  one.add(book({ title: 'e' }));
  transaction.release(mark);
  expect(contents(two)).toEqual(['ae', 'b']);
  expect(() => transaction.rollback(mark)).toThrow('this mark is not open');
  expect(() => transaction.release(mark)).toThrow('this mark is not open');
  expect(() => openTwo().transaction.rollback(transaction.mark())).toThrow('this mark is not open');
});

test('a rollback releases the ids that were reserved', () => {
  const { table, transaction } = openLibrary();
  expect(() =>
    transaction.run(() => {
      table.reserveIds(20);
      throw new Error('back');
    }),
  ).toThrow('back');
  expect(table.add(book({})).id).toBe(1);
});

test('a rollback reverts a restored state', () => {
  const two = openTwo();
  const { transaction, one } = two;
  const { state } = one;
  one.add(book({ title: 'c' }));
  const failing = () =>
    transaction.run(() => {
      one.restore(state);
      one.add(book({ title: 'd' }));
      throw new Error('no');
    });
  expect(failing).toThrow('no');
  expect(contents(two)).toEqual(['ac', 'b']);
});

test('a state read within a transaction is unaffected by its rollback', () => {
  const two = openTwo();
  const { transaction, one } = two;
  const states = [one.state];
  const failing = () =>
    transaction.run(() => {
      one.add(book({ title: 'c' }));
      states.push(one.state);
      one.change(2, { title: 'd' });
      throw new Error('no');
    });
  expect(failing).toThrow('no');
  one.change(1, { title: 'x' });
  const seen = states.map((state) => {
    one.restore(state);
    return contents(two)[0];
  });
  expect(seen).toEqual(['a', 'ac']);
});
