import { digitsOf, testCard } from '../../engine/lib/card-number.ts';
import { addDuration, toDate } from '../../engine/lib/duration.ts';
import { invalid, notValid, refusedProblem } from '../../engine/lib/problem.ts';
import type { Order } from '../models/order.ts';
import type { Payment, PaymentMethod } from '../models/payment.ts';
import type { PaymentOutcome } from '../models/script-rule.ts';
import { advance } from './machines/transition.ts';
import type { Shop } from './shop.ts';
import type { Step } from './step.ts';
import { newPayments, shippingAddressOf, recalculate } from './totals.ts';

export const approvedCard = testCard;
export const declinedCard = '4000000000000002';

/** The third step: creates a payment of the order's total, replacing a new one. */
export const paymentStep: Step<number> = {
  prepare({ db }, _, method_id) {
    if (db.paymentMethods.get(method_id)?.enabled === true) return method_id;
    throw invalid(['paymentMethod'], notValid);
  },
  submit(shop, order, method_id) {
    const { db } = shop;
    const { id: order_id, total: amount, currency } = order;
    const fields = { method_id, amount, currency };
    const [present, ...others] = newPayments(shop, order);
    if (present === undefined) db.payments.add({ ...fields, order_id, state: 'new' });
    else db.payments.change(present.id, fields);
    for (const { id } of others) db.payments.remove(id);
    return db.orders.change(order_id, { checkout_state: 'payment' });
  },
  undo(shop, order) {
    for (const { id } of newPayments(shop, order)) shop.db.payments.remove(id);
  },
  defaultInput(shop, order) {
    const [method] = proposePayment(shop, order).methods;
    if (method === undefined) throw refusedProblem('This shop has no payment method.');
    return method.id;
  },
};

/** The fourth step: the cart becomes an order with a number, and its stock is put on hold. */
export const confirmStep: Step<undefined> = {
  prepare: () => undefined,
  submit(shop, order) {
    if (shop.settings.repriceAtConfirm) reprice(shop, order);
    advance(shop, 'order', order.id, 'create');
    return shop.db.orders.get(order.id) ?? order;
  },
  defaultInput: () => undefined,
};

interface Attempt {
  readonly card: Card;
  /** The payment of the previous attempt, or the new payment to attempt. */
  readonly last: Payment;
}

/**
 * The last step: pays by card. A rule of the script, or else the card number, determines the outcome. After a failed
 * attempt, a new payment is created.
 */
export const purchaseStep: Step<Card, Attempt> = {
  prepare: (shop, order, card) => ({ card, last: lastPayment(shop, order) }),
  facts: ({ card }) => ({ card: digitsOf(card.number) }),
  submit(shop, order, { card, last }, rule) {
    const { db, clock } = shop;
    const attempted = storePayment(shop, last, lastFour(card));
    const { outcome, reason } = rule?.outcome === undefined ? outcomeOfCard(card) : rule;
    settlePayment(shop, attempted, { outcome: outcome ?? 'approved', reason });
    if (rule?.settle !== undefined) {
      const { after, ...settled } = rule.settle;
      const at = addDuration(clock.now(), after);
      db.settlements.add({ ...settled, payment_id: attempted.id, at });
    }
    return db.orders.get(order.id) ?? order;
  },
  defaultInput: ({ clock }) => ({
    type: 'visa',
    cardholderName: 'Ada Novak',
    number: approvedCard,
    securityCode: '123',
    expiryMonth: 12,
    expiryYear: toDate(clock.now()).getUTCFullYear() + 2,
  }),
};

/** The enabled payment methods, and the payment that the step would create. */
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

/** Returns the choices of the payment step. */
export function proposePayment({ db, clock }: Shop, order: Order): PaymentProposal {
  const { total: amount, currency } = order;
  return {
    methods: db.paymentMethods.page(0, db.paymentMethods.count()).filter(({ enabled }) => enabled),
    payment: { amount, currency, state: 'new', created_at: clock.now() },
  };
}

/** Applies an outcome to a payment. Confirms the order if it is paid in full. */
export function settlePayment(shop: Shop, payment: Payment, { outcome, reason }: Outcome): void {
  const { db } = shop;
  const { id, state } = payment;
  const name = transitionOf[outcome];
  if (name === undefined) {
    db.payments.change(id, { state: 'unknown', reason: reason ?? 'the provider did not answer' });
    return;
  }
  if (reason !== undefined) db.payments.change(id, { reason });
  if (outcome !== 'pending' || state !== 'processing') advance(shop, 'payment', id, name);
}

/** The transition of each outcome. A payment whose provider did not respond becomes `unknown`. */
const transitionOf: Readonly<Record<PaymentOutcome, string | undefined>> = {
  approved: 'complete',
  declined: 'fail',
  pending: 'process',
  authorized: 'authorize',
  cancelled: 'cancel',
  error: undefined,
};

function reprice(shop: Shop, order: Order): void {
  const { db } = shop;
  for (const { id, immutable, variant_id, unit_price } of db.orderItems.by('order', order.id)) {
    const price = db.variants.getWithDeleted(variant_id)?.price ?? unit_price;
    if (!immutable && price !== unit_price) db.orderItems.change(id, { unit_price: price });
  }
  if (shippingAddressOf(shop, order) !== undefined) {
    recalculate(shop, order, { taxes: true, promotions: true });
  }
}

/** Returns the last payment of an order; a repeated attempt has the same method and amount. */
function lastPayment({ db }: Shop, order: Order): Payment {
  const payment = db.payments.by('order', order.id).at(-1);
  if (payment === undefined) throw refusedProblem(`Order ${order.id} has no payment left to make.`);
  return payment;
}

function storePayment({ db }: Shop, { id, ...before }: Payment, card: string): Payment {
  if (before.state === 'new') return db.payments.change(id, { card });
  const { order_id, method_id, amount, currency } = before;
  return db.payments.add({ order_id, method_id, amount, currency, state: 'new', card });
}

/** A card as input. Only its last four digits are stored. */
export interface Card {
  readonly type: string;
  readonly cardholderName: string;
  readonly number: string;
  readonly securityCode: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
}

/** The outcome of a purchase, and the reason. */
export interface Outcome {
  readonly outcome: PaymentOutcome;
  readonly reason?: string | undefined;
}

/** The outcomes of the test numbers that payment providers publish. Any other number is approved. */
export const testCards: Readonly<Record<string, Outcome>> = {
  [approvedCard]: { outcome: 'approved' },
  [declinedCard]: { outcome: 'declined', reason: 'card declined' },
  '4000000000009995': { outcome: 'declined', reason: 'insufficient funds' },
  '4000000000009987': { outcome: 'declined', reason: 'lost card' },
  '4000000000009979': { outcome: 'declined', reason: 'stolen card' },
  '4000000000000069': { outcome: 'declined', reason: 'expired card' },
  '4000000000000127': { outcome: 'declined', reason: 'incorrect security code' },
  '4000000000000119': { outcome: 'declined', reason: 'processing error' },
  '4000000000006975': { outcome: 'declined', reason: 'card used too often' },
  '4100000000000019': { outcome: 'declined', reason: 'fraudulent' },
};

export function outcomeOfCard({ number }: Pick<Card, 'number'>): Outcome {
  return testCards[digitsOf(number)] ?? { outcome: 'approved' };
}

export function lastFour({ number }: Pick<Card, 'number'>): string {
  return digitsOf(number).slice(-4);
}

/** The years in which a card can expire: this year to twenty years from now. */
export function expiryYearRange(now: string): { readonly from: number; readonly to: number } {
  const year = toDate(now).getUTCFullYear();
  return { from: year, to: year + 20 };
}
