import { addDuration } from '../../engine/lib/duration.ts';
import { advance } from './machines/transition.ts';
import { settlePayment } from './payment.ts';
import type { Shop } from './shop.ts';
import type { Settlement } from '../models/payment.ts';

interface Due {
  /** The time that the event is due. */
  readonly at: string;
  run(): void;
}

/** Runs the events that are due in order of time: settles payments, abandons carts, releases unpaid orders. */
export function runDueEvents(shop: Shop): void {
  const now = shop.clock.now();
  for (let due = nextDue(shop, now); due !== undefined; due = nextDue(shop, now)) due.run();
}

/** Returns the earliest event that is due. At the same time, settlements come first and releases last. */
function nextDue(shop: Shop, now: string): Due | undefined {
  const { db, settings } = shop;
  const { expiry, pendingLifetime } = settings;
  let due: Due | undefined;
  const settlement = db.settlements.first('at');
  if (settlement !== undefined && settlement.at <= now) {
    due = { at: settlement.at, run: () => settle(shop, settlement) };
  }
  const cart = expiry === 'ignore' ? undefined : db.orders.first('expiring');
  if (cart !== undefined && cart.expires_at < (due?.at ?? now)) {
    due = { at: cart.expires_at, run: () => advance(shop, 'order', cart.id, 'abandon') };
  }
  const unpaid = pendingLifetime === undefined ? undefined : db.orders.first('pending');
  if (pendingLifetime === undefined || unpaid === undefined) return due;
  const at = addDuration(unpaid.completed_at ?? unpaid.created_at, pendingLifetime);
  if (at >= (due?.at ?? now)) return due;
  return { at, run: () => advance(shop, 'order', unpaid.id, 'release') };
}

/** Applies a settlement, unless the payment is no longer processing. */
function settle(shop: Shop, { id, payment_id, outcome, reason }: Settlement): void {
  const { db } = shop;
  db.settlements.remove(id);
  const payment = db.payments.get(payment_id);
  if (payment?.state === 'processing') settlePayment(shop, payment, { outcome, reason });
}
