import { expect, test, vi } from 'vitest';
import { OrderedMap } from '../../src/engine/store/ordered-map.ts';
import { book, openLibrary } from './library.ts';

test('add calls the write of the row through one other function', () => {
  const { table } = openLibrary();
  const frames: string[][] = [];
  const set = vi.spyOn(OrderedMap.prototype, 'set').mockImplementation(function probe(
    this: OrderedMap<unknown, unknown>,
  ) {
    frames.push(framesOf(new Error('probe')));
    return this;
  });
  try {
    table.add(book({}));
  } finally {
    set.mockRestore();
  }
  expect(frames[0]).toEqual(['RowSet.insert', 'Table.add']);
});

/** The functions of the store in a stack trace, the innermost first. */
function framesOf({ stack = '' }: Error): string[] {
  return stack
    .split('\n')
    .filter((line) => line.includes('/src/engine/store/'))
    .map((line) => /at (\S+)/.exec(line)?.[1] ?? line);
}
