import { expect, test } from 'vitest';
import { address, put, submitStep } from '../support/checkout-steps.ts';
import { outline } from '../support/outline.ts';
import { at, openSmallShop } from '../support/small-shop.ts';
import { order, paymentProposal, shippingProposal } from '../support/specification.ts';

test('an order passes through the five steps of the checkout', async () => {
  const { call } = openSmallShop();
  const { body: cart } = await call('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' });
  await call(`POST /api/orders/${cart.id}/items/`, { variant: 1, unitPrice: 1990, quantity: 2 });

  const addressing = await submitStep(call, cart.id, 'addressing');
  expect(addressing.status).toBe(200);
  expect(outline(addressing.body)).toBe(order({ until: 'addressing', checkout: true }));
  expect(addressing.body).toMatchObject({
    state: 'cart',
    checkout_state: 'addressing',
    total: 3980,
  });
  expect(addressing.body.channel._links.self.href).toBe('/api/channels/1');

  const shipping = await submitStep(call, cart.id, 'shipping');
  expect(shipping.status).toBe(200);
  expect(outline(shipping.body)).toBe(order({ until: 'shipping', checkout: true }));
  expect(shipping.body).toMatchObject({
    state: 'cart',
    checkout_state: 'shipping',
    shipments: [{ state: 'checkout', method: { id: 1 } }],
    adjustments: [{ label: 'shipping', amount: 500 }],
    total: 4480,
  });

  const payment = await submitStep(call, cart.id, 'payment');
  expect(payment.status).toBe(200);
  expect(outline(payment.body)).toBe(order({ until: 'payment', checkout: true }));
  expect(payment.body).toMatchObject({
    state: 'cart',
    checkout_state: 'payment',
    payments: [{ state: 'new', amount: 4480, currency: 'EUR', method: { id: 1 } }],
  });

  const confirmed = await submitStep(call, cart.id, 'confirm');
  expect(confirmed.status).toBe(200);
  expect(outline(confirmed.body)).toBe(order({ until: 'confirm', checkout: true }));
  expect(confirmed.body).toMatchObject({
    number: '000000003',
    completed_at: '2026-03-02T09:00:00+0000',
    state: 'pending',
    checkout_state: 'finalize',
    items: [{ inventory_units: [{ inventory_state: 'onhold' }, { inventory_state: 'onhold' }] }],
    shipments: [{ state: 'onhold' }],
    payments: [{ state: 'new' }],
  });

  const paid = await submitStep(call, cart.id, 'purchase');
  expect(paid.status).toBe(200);
  expect(outline(paid.body)).toBe(order({ until: 'confirm', checkout: true }));
  expect(paid.body).toMatchObject({
    state: 'confirmed',
    checkout_state: 'completed',
    items: [{ inventory_units: [{ inventory_state: 'sold' }, { inventory_state: 'sold' }] }],
    shipments: [{ state: 'ready' }],
    payments: [{ state: 'completed' }],
  });
  const { channel, ...read } = (await call(`GET /api/orders/${cart.id}`)).body;
  expect({ ...read, channel: paid.body.channel }).toEqual(paid.body);
  expect(Object.keys(channel)).not.toContain('_links');
});

test('before addressing, GET responds with 405 and names the first step', async () => {
  const { call } = openSmallShop();
  for (const id of [at.cart, at.empty]) {
    const { status, headers, body } = await call(`GET /api/checkouts/${id}`);
    expect({ status, allow: headers['allow'] }).toEqual({ status: 405, allow: 'PUT, OPTIONS' });
    expect(body).toEqual({ code: 405, message: expect.stringContaining('addressing') });
  }
});

test('after addressing, GET returns each shipment with its available methods', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call(`GET /api/checkouts/${at.addressing}`);
  expect(status).toBe(200);
  expect(outline(body)).toBe(shippingProposal);
  expect(body).toMatchObject([{ methods: [{ id: 1 }, { id: 2 }] }]);
  expect(body[0].shipment).toEqual({
    state: 'checkout',
    created_at: '2026-03-02T09:00:00+0000',
    _links: { order: { href: `/api/orders/${at.addressing}` } },
  });
});

test('a shipment to a country without shipping methods has an empty list of methods', async () => {
  const { call } = openSmallShop();
  await put(call, at.cart, { shippingAddress: { ...address, country: 3 } });
  const { status, body } = await call(`GET /api/checkouts/${at.cart}`);
  expect(status).toBe(200);
  expect(body).toMatchObject([{ methods: [] }]);
});

test('after shipping, GET returns the enabled payment methods by id, and the payment to be created', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call(`GET /api/checkouts/${at.shipping}`);
  expect(status).toBe(200);
  expect(outline(body)).toBe(paymentProposal);
  expect(body.methods).toMatchObject({ 1: { id: 1, name: 'Card' }, 2: { id: 2, name: 'PayPal' } });
  expect(body.payment).toEqual({
    amount: 4480,
    currency: 'EUR',
    state: 'new',
    created_at: '2026-03-02T09:00:00+0000',
    _links: { order: { href: `/api/orders/${at.shipping}` } },
  });
});

test.each([at.payment, at.confirmed, at.paid])(
  'after payment, GET returns the full order, as the response to the last step did: order %i',
  async (id) => {
    const { call } = openSmallShop();
    const { status, body } = await call(`GET /api/checkouts/${id}`);
    expect(status).toBe(200);
    const until = id === at.payment ? 'payment' : 'confirm';
    expect(outline(body)).toBe(order({ until, checkout: true }));
    const { channel: _, ...full } = (await call(`GET /api/orders/${id}`)).body;
    expect(body).toMatchObject(full);
  },
);
