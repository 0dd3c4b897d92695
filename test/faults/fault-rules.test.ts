import { expect, test } from 'vitest';
import { Problem } from '../../src/index.ts';
import type { FaultRuleInput } from '../../src/faults/fault-rules.ts';
import { openOffice } from '../support/office.ts';

test.each<[unknown, string[], RegExp]>([
  [{}, ['status'], /has to do something: status, delay, connection, spoil or limit/],
  [{ stauts: 503 }, [], /known: match, first, every/],
  [{ status: 100 }, ['status'], />=200/],
  [{ status: 503, connection: 'drop' }, ['status'], /one of status, connection and limit/],
  [{ body: 'x', delay: 1 }, ['body'], /needs a status/],
  [{ status: 204, body: 1 }, ['body'], /has no body/],
  [{ status: 500, headers: { 'a b': 'c' } }, ['headers', 'a b'], /header/],
  [{ status: 500, headers: { a: 'b\r\nc' } }, ['headers', 'a'], /header/],
  [{ status: 500, headers: { Trailer: 'a' } }, ['headers', 'Trailer'], /how a body is sent/],
  [
    { status: 500, headers: { 'transfer-encoding': 'chunked' } },
    ['headers', 'transfer-encoding'],
    /how a body is sent/,
  ],
  [
    { status: 500, headers: { 'content-length': '5' } },
    ['headers', 'content-length'],
    /how a body is sent/,
  ],
  [{ delay: 5, after: true }, ['after'], /after the write/],
  [{ delay: 'soon' }, ['delay'], /expected number or object/],
  [{ delay: { from: 5, to: 1 } }, ['delay', 'to'], /5 or more/],
  [{ delay: { median: 5, p95: 1 } }, ['delay', 'p95'], /5 or more/],
  [{ limit: { requests: 1, per: 'a minute' } }, ['limit', 'per'], /such as PT1M/],
  [{ limit: { requests: 1, per: '-PT1M' } }, ['limit', 'per'], /such as PT1M/],
  [{ limit: { requests: 1, per: 'PT1M' }, first: 1 }, ['limit'], /counts by itself/],
  [{ status: 503, first: 1, every: 2 }, ['first'], /one of first, every and probability/],
  [{ status: 503, probability: 0 }, ['probability'], />0/],
  [{ status: 503, match: { path: 'orders' } }, ['match', 'path'], /expected a path such as/],
  [
    { status: 503, match: { path: '/api/*/items' } },
    ['match', 'path'],
    /\* stands alone, and last/,
  ],
  [
    { status: 503, match: { path: '/api/order/:id' } },
    ['match', 'path'],
    /closest is GET \/api\/orders\/:order_id/,
  ],
  [
    { status: 503, match: { path: '/api/orders', method: 'DELETE' } },
    ['match', 'method'],
    /expected GET, POST/,
  ],
  [
    { status: 503, match: { path: '/api/orders', step: 'purchase' } },
    ['match', 'step'],
    /PUT \/api\/checkouts\/:order_id/,
  ],
  [{ status: 503, match: { step: 'buy' } }, ['match', 'step'], /purchase/],
  [
    { status: 503, match: { path: '/api/orders', parameters: { usr: 1 } } },
    ['match', 'parameters', 'usr'],
    /expected .*user/,
  ],
  [{ status: 503, match: { session: 'a/b' } }, ['match', 'session'], /No session/],
])('a rule that makes no sense is refused, and says what would: %j', (rule, path, message) => {
  const office = openOffice();
  const thrown = caught(() => office.faults.add(rule as FaultRuleInput));
  expect(thrown).toBeInstanceOf(Problem);
  expect(thrown).toMatchObject({
    kind: 'invalid',
    fields: [{ path, message: expect.stringMatching(message) }],
  });
  expect(office.faults.list()).toEqual([]);
});

test('a scenario with a fault that makes no sense is refused, with the path of every mistake', () => {
  const faults = [
    { status: 503 },
    { delay: { from: 5, to: 1 } },
    { status: 503, match: { path: '/api/oders' } },
  ];
  const scenario = { name: 'odd', description: 'Odd', extends: 'default', faults };
  const thrown = caught(() => openOffice({ scenario }));
  expect(thrown).toMatchObject({
    kind: 'invalid',
    fields: [{ path: ['faults', '1', 'delay', 'to'] }, { path: ['faults', '2', 'match', 'path'] }],
  });
});

function caught(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
