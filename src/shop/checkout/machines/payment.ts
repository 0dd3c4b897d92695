import { payments, type PaymentState, type Payment } from '../../models/payment.ts';
import type { Shop } from '../shop.ts';
import { createMachine } from './machine.ts';

/** One attempt to pay for an order. `unknown` is a payment whose provider did not respond. */
export const paymentMachine = createMachine<Payment, PaymentState, 'payment'>({
  name: 'payment',
  table: payments,
  field: 'state',
  initial: 'new',
  external: ['unknown'],
  transitions: [
    { name: 'create', from: ['new'], to: 'pending' },
    { name: 'process', from: ['new', 'pending'], to: 'processing' },
    {
      name: 'authorize',
      from: ['new', 'pending', 'processing'],
      to: 'authorized',
      effect: deleteSettlements,
    },
    {
      name: 'complete',
      from: ['new', 'pending', 'processing', 'authorized'],
      to: 'completed',
      // An order that is paid in full is confirmed.
      effect(shop, payment, { cascade }) {
        deleteSettlements(shop, payment);
        cascade('order', [{ id: payment.order_id }], 'confirm');
      },
    },
    {
      name: 'fail',
      from: ['new', 'pending', 'processing'],
      to: 'failed',
      effect: deleteSettlements,
    },
    {
      name: 'cancel',
      from: ['new', 'pending', 'processing', 'authorized'],
      to: 'cancelled',
      effect: deleteSettlements,
    },
    { name: 'void', from: ['new', 'pending'], to: 'void', effect: deleteSettlements },
    // A refund changes nothing else: the order is cancelled or returned by transitions of its own.
    { name: 'refund', from: ['completed'], to: 'refunded' },
  ],
  get: (db, id) => db.payments.get(id),
  stateOf: ({ state }) => state,
  write: (db, id, state, fields) => db.payments.change(id, { ...fields, state }),
  orderOf: ({ order_id }) => order_id,
});

/** Deletes the settlements that would change the payment later. */
function deleteSettlements({ db }: Shop, payment: Payment): void {
  for (const { id } of db.settlements.by('payment', payment.id)) db.settlements.remove(id);
}
