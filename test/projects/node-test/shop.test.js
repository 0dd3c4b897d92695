import { createBackOffice, toHaveReceived } from 'backlot/node';
import assert from 'node:assert/strict';
import { after, assert as asserts, before, beforeEach, test } from 'node:test';

const office = createBackOffice();
const url = 'https://shop.test/api';

before(() => office.listen());
beforeEach(() => office.reset());
after(() => office.close());

for (const time of [1, 2]) {
  test(`a declined card leaves the order unpaid, time ${time}`, async () => {
    office.given.theScript({ on: 'purchase', outcome: 'declined' });
    const { id, payments } = office.given.anOrder({ at: 'completed' });
    assert.equal(payments[0].state, 'failed');
    await fetch(`${url}/orders/${id}/`);
    toHaveReceived(office, 'GET /api/orders/:order_id/', { times: 1, status: 200 });
    toHaveReceived(office, 'DELETE /api/orders/:order_id', { times: 0 });
  });
}

test('a failed assertion has the same message as in the other test runners', async () => {
  await fetch(`${url}/users/?page=2`);
  const fail = () => toHaveReceived(office, 'GET /api/users/', { query: { page: 3 } });
  const message =
    'Expected GET /api/users/ with query {"page":3} once or more, but found none.\n' +
    'The most similar requests:\n' +
    '  ~ #1 GET /api/users/?page=2 → 200\n' +
    '      query page - 3\n' +
    '                 + "2"';
  assert.throws(fail, { name: 'AssertionError', code: 'ERR_ASSERTION', message });
  const never = () => toHaveReceived(office, 'GET /api/users/', { times: 0 });
  assert.throws(never, {
    message: 'Expected GET /api/users/ never, but found 1.\n  = #1 GET /api/users/?page=2 → 200',
  });
});

asserts.register('toHaveReceived', toHaveReceived);

test('toHaveReceived can be an assertion of the test context, which a plan counts', async (t) => {
  t.plan(1);
  await fetch(`${url}/users/1`);
  t.assert.toHaveReceived(office, 'GET /api/users/:user_id', { times: 1 });
});
