import { addDuration } from '../lib/duration.ts';
import { advance } from './machines/transition.ts';
import { settlePayment } from './payment.ts';
import type { Shop } from './shop.ts';
import type { Settlement } from '../models/payment.ts';

interface Due {
  /** The time that the event is due. */
  readonly at: string;
  run(): void;
}

/**
 * Runs the events that are due: carts expire, payments are settled, unpaid orders are released, in the order of time.
 * Cheap if nothing is due.
 */
export function runDueEvents(shop: Shop): void {
  const now = shop.clock.now();
  for (let due = nextDue(shop, now); due !== undefined; due = nextDue(shop, now)) due.run();
}

function nextDue(shop: Shop, now: string): Due | undefined {
  return earlier(earlier(settlementDue(shop, now), expiryDue(shop, now)), releaseDue(shop, now));
}

/** Returns the earlier event; of two at the same time the first. */
function earlier(one: Due | undefined, other: Due | undefined): Due | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.at < one.at ? other : one;
}

function settlementDue(shop: Shop, now: string): Due | undefined {
  const settlement = shop.db.settlements.first('at');
  if (settlement === undefined || settlement.at > now) return undefined;
  return { at: settlement.at, run: () => settle(shop, settlement) };
}

function expiryDue(shop: Shop, now: string): Due | undefined {
  if (shop.settings.expiry === 'ignore') return undefined;
  const order = shop.db.orders.first('expiring');
  if (order === undefined || order.expires_at >= now) return undefined;
  return { at: order.expires_at, run: () => advance(shop, 'order', order.id, 'abandon') };
}

function releaseDue(shop: Shop, now: string): Due | undefined {
  const { pendingLifetime } = shop.settings;
  const order = pendingLifetime === undefined ? undefined : shop.db.orders.first('pending');
  if (pendingLifetime === undefined || order === undefined) return undefined;
  const at = addDuration(order.completed_at ?? order.created_at, pendingLifetime);
  if (at >= now) return undefined;
  return { at, run: () => advance(shop, 'order', order.id, 'release') };
}

/** A payment that has changed in the meantime stays unchanged. */
function settle(shop: Shop, { id, payment_id, outcome, reason }: Settlement): void {
  const { db } = shop;
  db.settlements.remove(id);
  const payment = db.payments.get(payment_id);
  if (payment?.state === 'processing') settlePayment(shop, payment, { outcome, reason });
}
