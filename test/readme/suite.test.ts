import { expect } from 'vitest';
import { test } from 'backlot/vitest';

test('a declined card leaves the order unpaid', async ({ office }) => {
  const { id } = office.given.anOrder({ awaits: 'purchase' });
  const expiry = { expiryMonth: '12', expiryYear: '2030' };
  const card = { type: 'visa', cardholderName: 'Ada Novak', number: '4000000000000002' };
  const body = new URLSearchParams({ ...card, ...expiry, securityCode: '123' });
  const response = await fetch(`https://shop.test/api/checkouts/${id}`, { method: 'PUT', body });
  expect(await response.json()).toMatchObject({ payments: [{ state: 'failed' }] });
  expect(office).toHaveReceived('PUT /api/checkouts/:order_id', { times: 1, status: 200 });
});
