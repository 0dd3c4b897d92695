import { expect, test } from 'vitest';
import { findingsIn, headOf } from '../../src/suite/chaos-text.ts';
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
