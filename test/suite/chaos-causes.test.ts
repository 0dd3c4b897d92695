import { expect, test } from 'vitest';
import { findingsIn, headOf, reasonOf } from '../../src/suite/chaos-text.ts';
import type { CellResult } from '../../src/suite/chaos.ts';
import type { FaultName } from '../../src/suite/fault-names.ts';

/** Returns a red cell of a request. */
function red(endpoint: string, fault: FaultName, reason: string): CellResult {
  return {
    id: `${endpoint} ${fault}`,
    test: { id: '1', name: 'one', file: 'a.test.ts' },
    row: 0,
    endpoint,
    nth: 1,
    fault,
    isOutside: true,
    verdict: { tone: 'red', reason },
  };
}

const heads = (...cells: CellResult[]): string[] => findingsIn(cells).map(headOf);

const throws = (text: string) => `The caller throws SyntaxError: Unexpected token '${text}'.`;

test('what a client throws is one finding for all of its requests, whatever was received', () => {
  expect(
    heads(
      red('GET /a', 'malformed', throws('<')),
      red('POST /b', 'cut off', throws('{')),
      red('GET /c', 'malformed', throws('<')),
      red('GET /c', '503', 'The caller throws TypeError: data is undefined.'),
    ),
  ).toEqual(['GET /a and 2 more under malformed, cut off', 'GET /c under 503']);
});

test('what a page does is a finding for each request', () => {
  const reason = 'The page says nothing: it still shows “busy”.';
  expect(heads(red('GET /a', 'drop', reason), red('GET /c', 'drop', reason))).toEqual([
    'GET /a under drop',
    'GET /c under drop',
  ]);
});

test('errors of a request that nobody catches are one finding, whatever they are', () => {
  const cells = [
    red('POST /a', 'drop', 'Nobody catches TypeError: Failed to fetch.'),
    red('POST /a', 'malformed', 'Nobody catches TypeError: Cannot read properties of null.'),
    red('POST /a', '503', 'Nobody catches Error: Status 503.'),
    red('POST /b', 'drop', 'Nobody catches TypeError: Failed to fetch.'),
  ];
  expect(heads(...cells)).toEqual(['POST /a under drop, malformed, 503', 'POST /b under drop']);
  expect(findingsIn(cells).map((one) => reasonOf(one.cells))).toEqual([
    'Nobody catches TypeError: Failed to fetch, and 2 other errors.',
    'Nobody catches TypeError: Failed to fetch.',
  ]);
});

const wrong = (text: string) => `The caller returns a wrong value: expected '${text}' to be 1.`;

test('a client that takes for JSON what is none is one finding, unless a request fails otherwise, too', () => {
  expect(
    heads(
      red('GET /a', 'malformed', wrong('<b>')),
      red('GET /b', 'cut off', wrong('{')),
      red('GET /c', 'malformed', wrong('<b>')),
      red('GET /c', '503', wrong('Service Unavailable')),
    ),
  ).toEqual(['GET /a and 1 more under malformed, cut off', 'GET /c under malformed, 503']);
});

test('a later call of an endpoint fails as the first one', () => {
  const reason = 'The page is empty.';
  const again = { ...red('GET /a', 'drop', reason), nth: 2, row: 1 };
  expect(heads(red('GET /a', 'drop', reason), again)).toEqual(['GET /a under drop']);
  expect(heads(again)).toEqual(['GET /a (2) under drop']);
});
