import { expect, test } from 'vitest';
import { submitStep } from '../support/checkout-steps.ts';
import { outline } from '../support/outline.ts';
import { at, openSmallShop } from '../support/small-shop.ts';
import { collection, payment } from '../support/specification.ts';

test('GET of a payment returns the same as its order', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('GET /api/payments/1');
  expect(status).toBe(200);
  expect(outline(body)).toBe(payment);
  expect(body).toEqual({
    id: 1,
    amount: 4480,
    currency: 'EUR',
    state: 'new',
    method: {
      id: 1,
      name: 'Card',
      created_at: '2025-01-01T08:00:00+0000',
      updated_at: '2025-01-01T09:30:00+0000',
      _links: { self: { href: '/api/payment-methods/1' } },
    },
    created_at: '2026-03-02T08:13:00+0000',
    updated_at: '2026-03-02T08:13:00+0000',
    _links: {
      order: { href: `/api/orders/${at.payment}` },
      'payment-method': { href: '/api/payment-methods/1' },
      self: { href: '/api/payments/1' },
    },
  });
  expect((await call(`GET /api/orders/${at.payment}`)).body.payments).toEqual([body]);
});

test('payments are listed by id', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('GET /api/payments/');
  expect(status).toBe(200);
  expect(outline(body)).toBe(collection(payment));
  expect(body._embedded.items.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3]);
});

test.each([
  ['channel=1', [at.payment, at.confirmed]],
  ['channel=2', [at.paid]],
  ['channel=3', []],
  ['number=000000001', [at.confirmed]],
  ['number=1', []],
  ['number=00000000', []],
  ['billingAddress=fay', [at.payment]],
  ['billingAddress=FAYBILL', [at.payment]],
  ['billingAddress=one', [at.confirmed]],
  ['billingAddress=gusbill stone', [at.confirmed]],
  ['billingAddress=bill', [at.payment, at.confirmed, at.paid]],
  ['billingAddress=galway', []],
  ['createdAtFrom=2026-03-02', [at.payment, at.confirmed, at.paid]],
  ['createdAtFrom=2026-03-03', []],
  ['createdAtTo=2026-03-01', []],
  ['createdAtTo=2026-03-02', [at.payment, at.confirmed, at.paid]],
  ['createdAtFrom=2026-03-02T08:23:01', [at.payment, at.confirmed, at.paid]],
  ['createdAtTo=2026-03-02T02:22:59+02:00', [at.payment, at.confirmed, at.paid]],
  ['channel=1&criteria[number]=000000001', [at.confirmed]],
  ['channel=2&criteria[number]=000000001', []],
  ['channel=1&criteria[billingAddress]=stone', [at.confirmed]],
  ['channel=1&criteria[createdAtTo]=2026-03-02T08:20:00', [at.payment, at.confirmed]],
  ['channel=', [at.payment, at.confirmed, at.paid]],
])('criteria[%s] selects the payments of the orders %j', async (criteria, orders) => {
  const { call } = openSmallShop();
  const { body } = await call(`GET /api/payments/?criteria[${criteria.replace('=', ']=')}`);
  expect(body.total).toBe(orders.length);
  expect(body._embedded.items.map(orderOf)).toEqual(orders);
});

test('the filter `billingAddress` searches only the billing address', async () => {
  const { call } = openSmallShop();
  await submitStep(call, at.shipping, 'payment', { paymentMethod: 2 });
  const names = ['Enzobill', 'Enzo', 'Ada'];
  const found = await Promise.all(
    names.map((name) => call(`GET /api/payments/?criteria[billingAddress]=${name}`)),
  );
  expect(found.map(({ body }) => body.total)).toEqual([1, 1, 0]);
});

test('a deleted payment is missing from reads and from its order', async () => {
  const { call } = openSmallShop();
  expect(await call('DELETE /api/payments/2')).toMatchObject({ status: 204, body: undefined });
  const message = 'Requested payment does not exist with these criteria: {"id":"2"}.';
  expect(await call('GET /api/payments/2')).toMatchObject({ status: 404, body: { message } });
  expect((await call('GET /api/payments/')).body.total).toBe(2);
  expect((await call(`GET /api/orders/${at.confirmed}`)).body.payments).toEqual([]);
});

function orderOf({ _links }: { _links: { order: { href: string } } }): number {
  return Number(_links.order.href.split('/').at(-1));
}
