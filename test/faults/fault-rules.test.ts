import { expect, test } from 'vitest';
import { Problem } from '../../src/index.ts';
import type { FaultRuleInput } from '../../src/shop/office/scenario.ts';
import { openOffice } from '../support/office.ts';

test.each<[unknown, string[], RegExp]>([
  [{}, ['status'], /requires an effect: status, delay, connection, .* or \w+\.$/],
  [{ stauts: 503 }, [], /known: match, first, every/],
  [{ status: 100 }, ['status'], />=200/],
  [
    { status: 503, connection: 'drop' },
    ['status'],
    /one of status, connection and limit can be set/,
  ],
  [{ body: 'x', delay: 1 }, ['body'], /requires a status/],
  [{ status: 204, body: 1 }, ['body'], /has no body/],
  [{ status: 500, headers: { 'a b': 'c' } }, ['headers', 'a b'], /header/],
  [{ status: 500, headers: { a: 'b\r\nc' } }, ['headers', 'a'], /header/],
  [{ status: 500, headers: { Trailer: 'a' } }, ['headers', 'Trailer'], /the server sets it/],
  [
    { status: 500, headers: { 'transfer-encoding': 'chunked' } },
    ['headers', 'transfer-encoding'],
    /the server sets it/,
  ],
  [
    { status: 500, headers: { 'content-length': '5' } },
    ['headers', 'content-length'],
    /the server sets it/,
  ],
  [{ delay: 5, after: true }, ['after'], /status, connection and corrupt can follow the write/],
  [{ delay: 'soon' }, ['delay'], /or a duration of at most 600s/],
  [{ delay: { from: 5, to: 1 } }, ['delay', 'to'], /at least 5/],
  [{ delay: { median: 5, p95: 1 } }, ['delay', 'p95'], /at least 5/],
  [{ limit: { requests: 1, per: 'a minute' } }, ['limit', 'per'], /such as PT1M/],
  [{ limit: { requests: 1, per: '-PT1M' } }, ['limit', 'per'], /such as PT1M/],
  [{ limit: { requests: 1, per: 'PT1M' }, first: 1 }, ['limit'], /cannot be combined/],
  [{ status: 503, first: 1, every: 2 }, ['first'], /one of first, every and probability/],
  [{ status: 503, probability: 0 }, ['probability'], />0/],
  [{ status: 503, match: { path: 'orders' } }, ['match', 'path'], /expected a path such as/],
  [{ status: 503, match: { path: '/api/orders?page=2' } }, ['match', 'path'], /without a query/],
  [{ status: 503, match: { path: '/api//items' } }, ['match', 'path'], /'' is not a path segment/],
  [
    { status: 503, match: { path: '/api/*/items' } },
    ['match', 'path'],
    /\* must be the whole last segment/,
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
  [{ status: 503, match: { session: 'a/b' } }, ['match', 'session'], /not a valid session name/],
])('an invalid rule is rejected with an issue at its field: %j', (rule, path, message) => {
  const office = openOffice();
  const thrown = caught(() => office.faults.add(rule as FaultRuleInput));
  expect(thrown).toBeInstanceOf(Problem);
  expect(thrown).toMatchObject({
    kind: 'invalid',
    fields: [{ path, message: expect.stringMatching(message) }],
  });
  expect(office.faults.list()).toEqual([]);
});

test('a rule with a path of more than 1000 characters is rejected', () => {
  const match = { path: `/${'x'.repeat(1000)}` };
  expect(() => openOffice().faults.add({ status: 503, match })).toThrow(
    'it has 1,001 characters, at most 1,000 are accepted',
  );
});

test('a rule with many issues is rejected with 100 of them and the number of others', () => {
  const headers = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`a ${at}`, 'b']));
  expect(() => openOffice().faults.add({ status: 500, headers, first: 1, every: 2 })).toThrow(
    /; and 1 more$/,
  );
});

test('a scenario with invalid faults is rejected with the path of every issue', () => {
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
