import { runInThisContext } from 'node:vm';
import { expect, test } from 'vitest';
import { WatchedRun } from '../../src/suite/watched-run.ts';

const body = '{"total":1}';

/** Returns where a field is read, if code of a file reads it in the test of another one. */
function lineOf(filename: string, file = 'page.test.ts'): unknown {
  const { bodies } = new WatchedRun(undefined, globalThis, { file });
  bodies.inPlaceOf(body, '/orders/1', { subject: 'GET /orders/:id 200' });
  const read = runInThisContext('\n(order) => order.total', { filename }) as (
    order: unknown,
  ) => number;
  expect(read(bodies.observe(body, JSON.parse(body)))).toBe(1);
  return bodies.subjects[0]?.fields[0]?.at;
}

test('a field has the line of source that reads it', () => {
  expect(lineOf('/shop/src/page.ts')).toEqual({ file: '/shop/src/page.ts', line: 2 });
  expect(lineOf('file:///shop/src/page.ts')).toEqual({ file: '/shop/src/page.ts', line: 2 });
});

test('what a test reads itself has no line, whatever the name of its file is', () => {
  expect(lineOf('/shop/src/page.spec.ts')).toBeUndefined();
  expect(lineOf('/shop/src/page.cases.ts', 'src/page.cases.ts')).toBeUndefined();
});

test('a page in a browser has no lines, because its stack has those of what a server made of the sources', () => {
  expect(lineOf('http://localhost:5173/src/page.ts?v=1')).toBeUndefined();
});
