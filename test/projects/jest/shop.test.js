import 'backlot/jest';
import { createBackOffice } from 'backlot/node';
import assert from 'node:assert/strict';
import http from 'node:http';

const office = createBackOffice();
const url = 'https://shop.test/api';

beforeAll(() => office.listen());
beforeEach(() => office.reset());
afterAll(() => office.close());

test.each([1, 2])('a declined card leaves the order unpaid, time %i', async () => {
  office.given.theScript({ on: 'purchase', outcome: 'declined' });
  const { id, payments } = office.given.anOrder({ at: 'completed' });
  expect(payments[0]?.state).toBe('failed');
  await fetch(`${url}/orders/${id}/`);
  expect(office).toHaveReceived('GET /api/orders/:order_id/', { times: 1, status: 200 });
  expect(office).not.toHaveReceived('DELETE /api/orders/:order_id');
});

test('requests of node:http are received', async () => {
  const status = await new Promise((resolve, reject) => {
    http
      .get('http://shop.test/api/users/1', (answer) => resolve(answer.resume().statusCode))
      .on('error', reject);
  });
  expect(status).toBe(200);
  expect(office).toHaveReceived('GET /api/users/1', { times: 1 });
});

test('a failed assertion has the same message as in the other test runners', async () => {
  await fetch(`${url}/users/?page=2`);
  const fail = () => expect(office).toHaveReceived('GET /api/users/', { query: { page: 3 } });
  const message =
    'Expected GET /api/users/ with query {"page":3} once or more, but found none.\n' +
    'The most similar requests:\n' +
    '  ~ #1 GET /api/users/?page=2 → 200\n' +
    '      query page - 3\n' +
    '                 + "2"';
  assert.throws(fail, { message });
  const never = () => expect(office).not.toHaveReceived('GET /api/users/');
  assert.throws(never, {
    message: 'Expected GET /api/users/ never, but found 1.\n  = #1 GET /api/users/?page=2 → 200',
  });
});

test('the parameters of an endpoint are checked by the compiler', () => {
  const wrong = () =>
    // @ts-expect-error -- the endpoint has no such parameter
    expect(office).toHaveReceived('PUT /api/checkouts/:order_id', { body: { paymentmethod: 1 } });
  expect(wrong).toThrow('The endpoint has no such parameter');
});
