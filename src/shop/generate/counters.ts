import { nextNumbers } from '../checkout/machines/order.ts';
import type { Shop } from '../resources/endpoint.ts';
import type { OrderPricing, AddressingContext } from './pricing.ts';
import type { Catalogue } from './catalogue.ts';
import { getOrCreate } from '../../engine/lib/maps.ts';
import { upperBound } from './random.ts';
import { hasReached, isPaidByCard } from './lifecycle.ts';
import { stepTime, type Plan } from './plan.ts';
import { secondsOf, type TimestampOf } from './timestamps.ts';
import type { OrderOutcome } from './outcome.ts';

/** The effects of an order on later orders: order numbers, promotion uses, paid orders, stock on hold. */
export interface Counters {
  /** Returns the state of the shop when an order is addressed. */
  contextOf(plan: Plan): AddressingContext;
  /** Returns the order number of the plan at this position, or undefined if its order is never confirmed. */
  numberOf(position: number): string | undefined;
  /** Counts an order once its states and its prices are known. */
  count(plan: Plan, outcome: OrderOutcome, pricing: OrderPricing | undefined): void;
  /**
   * Stores promotion uses, and stock on hold. Stock on hand does not decrease, as if the shop had restocked what it
   * sold.
   */
  store(): void;
}

export function createCounters(
  shop: Shop,
  plans: readonly Plan[],
  { catalogue, timestampOf }: { readonly catalogue: Catalogue; readonly timestampOf: TimestampOf },
): Counters {
  const { db } = shop;
  const numbers = orderNumbers(shop, plans);
  const paidAt = paymentTimes(plans);
  const alreadyPaid = new Map<number, number>();
  const onHold = new Map<number, number>();
  const uses = new Map<number, PromotionUses>();
  let now = shop.clock.now();
  const shopThen = { ...shop, clock: { now: () => now } };
  let promotions = db.promotions.by('priority');
  return {
    contextOf(plan) {
      const addressed = stepTime(plan, 'addressing');
      now = timestampOf(addressed);
      const { id } = plan.customer.user;
      const before = getOrCreate(alreadyPaid, id, () => paidOrders(shop, id));
      const paidBefore = before + upperBound(paidAt.get(id) ?? [], addressed);
      return { shop: shopThen, paidBefore, promotions };
    },
    numberOf: (position) => numbers[position],
    count(plan, { units }, pricing) {
      if (pricing === undefined || !hasReached(plan, 'confirm')) return;
      for (const id of pricing.promotion_ids) {
        const promotion = getOrCreate(uses, id, () => usesOf(shop, id));
        promotion.count++;
        promotion.last = Math.max(promotion.last, stepTime(plan, 'confirm'));
        if (!promotion.isLimited) continue;
        storeUses(shop, id, promotion, timestampOf);
        promotions = db.promotions.by('priority');
      }
      if (units.state !== 'onhold') return;
      for (const { variant_id, quantity } of [...plan.items, ...pricing.gifts]) {
        const source = catalogue.sourceOf(variant_id)?.id;
        if (source !== undefined) onHold.set(source, (onHold.get(source) ?? 0) + quantity);
      }
    },
    store() {
      for (const [id, promotion] of uses) storeUses(shop, id, promotion, timestampOf);
      for (const [id, quantity] of onHold) {
        const { on_hand = 0, on_hold = 0 } = db.stockItems.get(id) ?? {};
        db.stockItems.change(id, { on_hand: on_hand + quantity, on_hold: on_hold + quantity });
      }
    },
  };
}

/** Returns the order number of each plan. Orders are numbered in the order of their confirm steps. */
function orderNumbers({ db }: Shop, plans: readonly Plan[]): readonly (string | undefined)[] {
  const confirmed = confirmedPlans(plans);
  const sequence = nextNumbers(db, confirmed.length);
  const numbers = plans.map((): string | undefined => undefined);
  for (const [at, position] of confirmed.entries()) numbers[position] = sequence[at];
  return numbers;
}

/** Returns the positions of the plans that reach the confirm step, in the order of these steps. */
function confirmedPlans(plans: readonly Plan[]): Float64Array {
  const start = plans[0]?.at ?? 0;
  const keys: number[] = [];
  for (const [position, plan] of plans.entries()) {
    // Time and position in one number: sorting a typed array is many times faster than comparing plans.
    if (hasReached(plan, 'confirm'))
      keys.push((stepTime(plan, 'confirm') - start) * plans.length + position);
  }
  return Float64Array.from(keys)
    .toSorted()
    .map((key) => key % plans.length);
}

/** Returns the times at which each customer pays, sorted. */
function paymentTimes(plans: readonly Plan[]): ReadonlyMap<number, readonly number[]> {
  const payments = new Map<number, number[]>();
  for (const plan of plans) {
    const at = isPaidByCard(plan)
      ? stepTime(plan, 'purchase')
      : plan.later.find(({ event }) => event === 'complete')?.at;
    if (at !== undefined) getOrCreate(payments, plan.customer.user.id, () => []).push(at);
  }
  for (const [user, times] of payments)
    payments.set(
      user,
      times.toSorted((a, b) => a - b),
    );
  return payments;
}

function paidOrders({ db }: Shop, user: number): number {
  return db.orders.countBy('paid', user);
}

interface PromotionUses {
  count: number;
  /** The last write to the promotion, in seconds since 1970. */
  last: number;
  /** A promotion with a limit is stored after each use, since it may no longer apply; the others at the end. */
  readonly isLimited: boolean;
}

function usesOf({ db }: Shop, id: number): PromotionUses {
  const { used = 0, updated_at, usage_limit } = db.promotions.get(id) ?? {};
  const last = updated_at === undefined ? 0 : secondsOf(updated_at);
  return { count: used, last, isLimited: usage_limit !== undefined };
}

function storeUses(
  { db }: Shop,
  id: number,
  { count, last }: PromotionUses,
  timestampOf: TimestampOf,
): void {
  db.promotions.change(id, { used: count, updated_at: timestampOf(last) });
}
