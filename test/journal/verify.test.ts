import { expect, test } from 'vitest';
import { Problem } from '../../src/index.ts';
import type { Expected } from '../../src/engine/journal/verify.ts';
import { put } from '../support/checkout-steps.ts';
import { openOffice, type Office } from '../support/office.ts';

async function visited(journalSize = 500): Promise<Office> {
  const office = openOffice({ settings: { journalSize } });
  await put(office.call, 2, { paymentMethod: 2 });
  await put(office.call, 3, { paymentMethod: 1 });
  await office.call('GET /api/orders/1');
  await office.call('GET /api/orders/2');
  return office;
}

test.each([
  ['GET /api/orders/:id', undefined],
  ['GET /api/orders/:id', { times: 2 }],
  ['GET /api/orders/:id', { atLeast: 2 }],
  ['GET /api/orders/:id', { atLeast: 1, atMost: 2 }],
  ['DELETE /api/orders/:id', { times: 0 }],
  ['DELETE /api/orders/:id', { atMost: 3 }],
  [{ request: 'PUT /api/checkouts/2', body: { paymentMethod: '2' }, status: 400 }, { times: 1 }],
])('verify passes for the requests that were made: %j %j', async (filter, expected) => {
  const { journal } = await visited();
  expect(() => journal.verify(filter, expected)).not.toThrow();
});

test('a failed verification lists the most similar requests with their differences', async () => {
  const { journal } = await visited();
  const filter = { request: 'PUT /api/checkouts/2', body: { paymentMethod: 1 } };
  expect(() => journal.verify(filter)).toThrow(
    new Problem(
      'refused',
      `Expected PUT /api/checkouts/2 with body {"paymentMethod":1} once or more, but found none.
The most similar requests:
  ~ #1 PUT /api/checkouts/2 → 400 (payment): Order 2 is in state shipped, its checkout in state completed: it awaits no further step.
      body paymentMethod - 1
                         + 2
  ~ #2 PUT /api/checkouts/3 → 400 (payment): Order 3 is in state shipped, its checkout in state completed: it awaits no further step.
      path - "/api/checkouts/2"
           + "/api/checkouts/3"
  ~ #4 GET /api/orders/2 → 200
      method - "PUT"
             + "GET"
      path - "/api/checkouts/2"
           + "/api/orders/2"
      body paymentMethod - 1
                         + (not sent)`,
    ),
  );
});

test('a verification that finds too many requests lists them', async () => {
  const { journal } = await visited();
  expect(() => journal.verify('GET /api/orders/:id', { times: 1 })).toThrow(
    `Expected GET /api/orders/:id once, but found 2.
  = #3 GET /api/orders/1 → 200
  = #4 GET /api/orders/2 → 200`,
  );
  expect(() => journal.verify('GET', { times: 0 })).toThrow(/^Expected GET never, but found 2/);
  expect(() => journal.verify('GET', { atLeast: 3, atMost: 4 })).toThrow(
    /3 to 4 times, but found 2/,
  );
});

test('a failed verification says that the journal is empty', () => {
  expect(() => openOffice().journal.verify('GET /api/orders/')).toThrow(/The journal is empty/);
});

test('verify fails if the journal dropped entries that might match', async () => {
  const { journal } = await visited(2);
  expect(() => journal.verify('PUT', { times: 0 })).toThrow(
    /Cannot verify PUT never: the journal dropped 2 earlier entries.*journalSize/,
  );
  expect(() => journal.verify('PUT')).toThrow(/the journal dropped 2 earlier entries/);
  expect(() => journal.verify('GET', { atLeast: 2 })).not.toThrow();
});

test.each<[Expected | { time: number }, RegExp]>([
  [{ times: 1, atLeast: 1 }, /times, or atLeast and atMost/],
  [{ atLeast: 3, atMost: 1 }, /at least 3/],
  [{ times: -1 }, />=0/],
  [{ time: 1 }, /known: times, atLeast, atMost/],
])('an invalid expectation is rejected: %j', (expected, message) => {
  const { journal } = openOffice();
  expect(() => journal.verify('GET', expected as Expected)).toThrow(message);
});
