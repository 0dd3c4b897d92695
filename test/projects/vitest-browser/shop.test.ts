import { test } from 'backlot/vitest';
import { expect } from 'vitest';

// The first of the page: nothing else has been loaded.
test('a test in a page has a back office with given and the matcher', async ({ office }) => {
  const { id } = office.given.anOrder({ awaits: 'payment' });
  const response = await fetch(`/api/checkouts/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ paymentMethod: 1 }),
  });
  expect((await response.json()).checkout_state).toBe('payment');
  expect(office).toHaveReceived('PUT /api/checkouts/:order_id', { times: 1, step: 'payment' });
  expect(() => expect(office).toHaveReceived('DELETE /api/orders/:order_id')).toThrow(
    'Expected DELETE /api/orders/:order_id once or more, but found none.',
  );
});

test('the next test in the page has another back office', async ({ office }) => {
  expect(office.journal.entries()).toEqual([]);
  const { total } = await (await fetch('https://shop.test/api/products/')).json();
  expect(total).toBe(office.db.products.count());
});

test('a test without a back office sends its requests to the network', async () => {
  expect((await fetch('/api/orders/')).headers.get('content-type')).toBeNull();
});

test.describe('with options', () => {
  test.override({ officeOptions: { scenario: 'empty' } });

  test('the scenario is another', async ({ office }) => {
    expect((await (await fetch('/api/orders/')).json()).total).toBe(0);
    expect(office.listening()).toBe(true);
  });
});
