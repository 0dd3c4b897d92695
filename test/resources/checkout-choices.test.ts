import { expect, test } from 'vitest';
import { put } from '../support/checkout-steps.ts';
import { at, openSmallShop } from '../support/small-shop.ts';

const notValid = { errors: ['This value is not valid.'] };

test.each([
  [{ shipments: { 0: { method: 99 } } }, notValid],
  [{ shipments: { 0: { method: 3 } } }, notValid],
  [{ shipments: { 0: { method: 4 } } }, notValid],
  [{ shipments: { 0: { method: 'x' } } }, notValid],
  [{ shipments: { 0: { method: '' } } }, { errors: ['Please select shipping method.'] }],
  [{ shipments: { 0: {} } }, { errors: ['Please select shipping method.'] }],
  [{ 'shipments[0][method]': '' }, { errors: ['Please select shipping method.'] }],
])('shipping by the method %j is rejected at that parameter', async (sent, errors) => {
  const { call } = openSmallShop();
  const { status, body } = await put(call, at.addressing, sent);
  expect(status).toBe(400);
  expect(body).toEqual({
    code: 400,
    message: 'Validation Failed',
    errors: { children: { shipments: { children: { 0: { children: { method: errors } } } } } },
  });
});

test.each([{ shipments: {} }, { shipments: [] }, { shipments: '' }, { shipments: null }])(
  'shipping without a method is rejected: %j',
  async (sent) => {
    const { call } = openSmallShop();
    const { status, body } = await put(call, at.addressing, sent);
    expect(status).toBe(400);
    expect(JSON.stringify(body.errors.children.shipments)).toContain(
      'Please select shipping method.',
    );
  },
);

test('an order from two stock locations requires a method for each shipment', async () => {
  const { call, db } = openSmallShop();
  db.stockLocations.change(2, { enabled: true });
  const stock = { variant_id: 1, on_hold: 0 };
  db.stockItems.add({ ...stock, stock_location_id: 1, on_hand: 1 });
  db.stockItems.add({ ...stock, stock_location_id: 2, on_hand: 9 });
  const proposal = (await call(`GET /api/checkouts/${at.addressing}`)).body;
  expect(proposal).toHaveLength(2);

  const { status, body } = await put(call, at.addressing, { shipments: { 0: { method: 1 } } });
  expect(status).toBe(400);
  expect(body.errors.children.shipments.children).toMatchObject({
    1: { children: { method: { errors: ['Please select shipping method.'] } } },
  });
  const both = await put(call, at.addressing, { shipments: [{ method: 2 }, { method: 1 }] });
  expect(both).toMatchObject({
    status: 200,
    body: {
      shipments: [{ method: { id: 2 } }, { method: { id: 1 } }],
      adjustments: [
        { label: 'shipping', description: 'Method 2', amount: 900 },
        { label: 'shipping', description: 'Method 1', amount: 400 },
      ],
      total: 5280,
    },
  });
});

test.each([5, true, 'x', [1]])('the shipment %j is rejected as not valid', async (shipment) => {
  const { call } = openSmallShop();
  const { status, body } = await put(call, at.addressing, { shipments: { 0: shipment } });
  expect(status).toBe(400);
  expect(JSON.stringify(body.errors)).toContain('"0":{"errors":["This value is not valid."]}');
});

test.each([{ 1: { method: 1 } }, { 0: { method: 1 }, 1: { method: 1 } }, { x: { method: 1 } }])(
  'a shipping method for a shipment that is not proposed is rejected: %j',
  async (shipments) => {
    const { call } = openSmallShop();
    expect(await put(call, at.addressing, { shipments })).toMatchObject({
      status: 400,
      body: { message: 'Validation Failed' },
    });
  },
);

test.each([
  [{ paymentMethod: 99 }, notValid],
  [{ paymentMethod: 3 }, notValid],
  [{ paymentMethod: 'x' }, notValid],
  [{ paymentMethod: '' }, { errors: ['This value should not be blank.'] }],
  [{ paymentMethod: null }, { errors: ['This value should not be blank.'] }],
])('payment by the method %j is rejected', async (sent, errors) => {
  const { call } = openSmallShop();
  const { status, body } = await put(call, at.shipping, sent);
  expect(status).toBe(400);
  expect(body).toEqual({
    code: 400,
    message: 'Validation Failed',
    errors: { children: { paymentMethod: errors } },
  });
});
