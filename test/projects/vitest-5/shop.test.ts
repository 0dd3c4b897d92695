import { test, type NodeBackOffice } from 'backlot/vitest';
import { describe, expect, expectTypeOf } from 'vitest';
import bug from './bug.json' with { type: 'json' };

const url = 'https://shop.test/api';

test('a declined card leaves the order unpaid', async ({ office }) => {
  expectTypeOf(office).toEqualTypeOf<NodeBackOffice>();
  office.given.theScript({ on: 'purchase', outcome: 'declined' });
  const { id, payments } = office.given.anOrder({ at: 'completed' });
  expect(payments[0]?.state).toBe('failed');
  await fetch(`${url}/orders/${id}/`);
  expect(office).toHaveReceived('GET /api/orders/:order_id/', { times: 1, status: 200 });
  expect(office).not.toHaveReceived('DELETE /api/orders/:order_id');
});

test('a failed assertion names the closest requests', async ({ office }) => {
  await fetch(`${url}/users/?page=2`);
  expect(() => expect(office).toHaveReceived('GET /api/users/', { query: { page: 3 } })).toThrow(
    'Expected GET /api/users/ with query {"page":3} once or more, but found none.\nThe most similar requests:',
  );
});

test('the parameters of an endpoint are checked by the compiler', ({ office }) => {
  const wrong = () =>
    // @ts-expect-error -- the endpoint has no such parameter
    expect(office).toHaveReceived('PUT /api/checkouts/:order_id', { body: { paymentmethod: 1 } });
  expect(wrong).toThrow('The endpoint has no such parameter');
});

describe('concurrent tests', () => {
  test.beforeEach(async ({ office }) => {
    await fetch(`${url}/users/${office.given.aUser().id}`);
  });

  test.concurrent.for([1, 2, 3])('have separate back offices, %i', async (times, { office }) => {
    for (let time = 0; time < times; time++) await fetch(`${url}/users/?page=${times}`);
    expect(office).toHaveReceived('GET /api/users/', { times, query: { page: times } });
    expect(office).toHaveReceived('GET /api/users/:user_id', { times: 1 });
  });
});

describe('with options', () => {
  test.override({ officeOptions: { scenario: 'empty' } });

  test('the scenario is another', ({ office }) => {
    expect(office.db.orders.count()).toBe(0);
  });
});

describe('with an imported JSON file', () => {
  test.override({ officeOptions: { scenario: bug } });

  test('the file is a scenario', async ({ office }) => {
    expect(office.db.orders.count()).toBe(2);
    expect((await fetch(`${url}/zones/`)).status).toBe(503);
    office.reset(bug);
    expect(office.scenario.name).toBe('bug');
  });
});
