import { expect, test } from 'vitest';
import { openOffice, type Office } from '../support/office.ts';

function unitsOnHold({ db }: Office, order: number): number {
  return db.inventoryUnits.by('order', order).filter((unit) => unit.inventory_state === 'onhold')
    .length;
}

function stockOnHold({ db }: Office): number {
  return db.stockItems.all().reduce((sum, item) => sum + item.on_hold, 0);
}

test('the stock on hold of an unpaid order is released when the order is deleted', async () => {
  const office = openOffice();
  const order = office.db.orders.all().find(({ id }) => unitsOnHold(office, id) > 0);
  const units = unitsOnHold(office, order!.id);
  const before = stockOnHold(office);
  expect((await office.call(`DELETE /api/orders/${order!.id}`)).status).toBe(204);
  expect(stockOnHold(office)).toBe(before - units);
  expect((await office.call(`GET /api/orders/${order!.id}/`)).status).toBe(404);
});

test('settling the payment of a deleted order changes no inventory unit', async () => {
  const office = openOffice({ scenario: 'slow-payments' });
  const payment = office.db.payments.all().find(({ state }) => state === 'processing')!;
  await office.call(`DELETE /api/orders/${payment.order_id}`);
  const sold = () =>
    office.db.inventoryUnits.all().filter((unit) => unit.inventory_state === 'sold').length;
  const before = sold();
  office.clock.advance('P30D');
  expect((await office.call('GET /api/orders/')).status).toBe(200);
  expect(sold()).toBe(before);
});

test('variants of a deleted product cannot be ordered, and existing orders still show them', async () => {
  const { call, db } = openOffice();
  const item = db.orderItems.get(1)!;
  const { product_id } = db.variants.get(item.variant_id)!;
  await call(`DELETE /api/products/${product_id}`);
  const cart = await call('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' });
  const asked = { variant: item.variant_id, unitPrice: 100, quantity: 1 };
  const refused = await call(`POST /api/orders/${cart.body.id}/items/`, asked);
  expect(refused.status).toBe(400);
  expect(refused.body.errors.children.variant.errors).toEqual(['This value is not valid.']);
  const old = await call(`GET /api/orders/${item.order_id}/`);
  expect(old.body.items[0].variant.object.id).toBe(product_id);
});
