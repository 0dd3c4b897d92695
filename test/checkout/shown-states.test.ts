import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/mounts/node.ts';

test('an order shows a payment that waits for its processing', async () => {
  const office = createBackOffice();
  const { id, payments } = office.given.anOrder({ at: 'payment' });
  for (const { id: payment } of payments) office.checkout.transition('payment', payment, 'create');
  const response = await office.fetch(`/api/orders/${id}/`);
  expect(await response.json()).toMatchObject({ payments: [{ state: 'pending' }] });
});

test('an order shows a state of a shipment that no transition leads to', async () => {
  const office = createBackOffice();
  const { id, shipments } = office.given.anOrder({ at: 'payment' });
  for (const { id: shipment } of shipments)
    office.shop.db.shipments.change(shipment, { state: 'pending' });
  const response = await office.fetch(`/api/orders/${id}/`);
  expect(await response.json()).toMatchObject({ shipments: [{ state: 'pending' }] });
});
