import type { Payment } from '../models/payment.ts';
import type { PaymentOutcome } from '../models/script-rule.ts';
import type { Outcome } from './card.ts';
import { advance } from './machines/transition.ts';
import type { Shop } from './shop.ts';

/** What an attempt to pay does to its payment. Nobody knows what became of one whose provider did not answer. */
const transitionOf: Readonly<Record<PaymentOutcome, string | undefined>> = {
  approved: 'complete',
  declined: 'fail',
  pending: 'process',
  authorized: 'authorize',
  cancelled: 'cancel',
  error: undefined,
};

/** Brings a payment to its outcome, and the order with it if that is paid now. */
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
