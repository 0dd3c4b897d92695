import type { Order } from '../models/order.ts';
import type { PaymentMethod } from '../models/payment-method.ts';
import { invalid, notValid } from './refusal.ts';
import { factsOf, applyScript } from './script.ts';
import type { Shop } from './shop.ts';
import { assertStep } from './steps.ts';

/** The methods that an order can be paid by, and the payment that one of them would make. */
export interface PaymentProposal {
  readonly methods: readonly PaymentMethod[];
  readonly payment: {
    /** Minor units. */
    readonly amount: number;
    readonly currency: string;
    readonly state: 'new';
    readonly created_at: string;
  };
}

export function proposePayment({ db, clock }: Shop, order: Order): PaymentProposal {
  const { total: amount, currency } = order;
  return {
    methods: db.paymentMethods.page(0, db.paymentMethods.count()).filter(({ enabled }) => enabled),
    payment: { amount, currency, state: 'new', created_at: clock.now() },
  };
}

/**
 * The third step: makes a new payment of the order's total, in place of one made before.
 *
 * @throws Problem `refused` for an order that awaits something else, `invalid` for a method that is unknown or not
 *   enabled, or by the script
 */
export function submitPayment(shop: Shop, order: Order, method_id: number): Order {
  const { db } = shop;
  assertStep(shop, order, 'payment');
  if (db.paymentMethods.get(method_id)?.enabled !== true)
    throw invalid(['paymentMethod'], notValid);
  applyScript(shop, 'payment', () => factsOf(shop, order));
  const { id: order_id, total: amount, currency } = order;
  const fields = { method_id, amount, currency };
  const [known, ...others] = newPayments(shop, order);
  if (known === undefined) db.payments.add({ ...fields, order_id, state: 'new' });
  else db.payments.change(known.id, fields);
  for (const { id } of others) db.payments.remove(id);
  return db.orders.change(order_id, { checkout_state: 'payment' });
}

/** A payment that is not under way follows the total of its order. */
export function followTotal(shop: Shop, order: Order): Order {
  for (const { id, amount } of newPayments(shop, order)) {
    if (amount !== order.total) shop.db.payments.change(id, { amount: order.total });
  }
  return order;
}

function newPayments({ db }: Shop, order: Order) {
  return db.payments.by('order', order.id).filter(({ state }) => state === 'new');
}
