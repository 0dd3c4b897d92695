import { nextNumbers } from '../../checkout/order-number.ts';
import type { Shop } from '../../resources/endpoint.ts';
import type { Bill, Past } from './bill.ts';
import type { Catalogue } from './catalogue.ts';
import { countUpTo } from './chance.ts';
import { getOrCreate } from './tuple-map.ts';
import { hasReached, isBought } from './life.ts';
import { stepOf, type Plan } from './plan.ts';
import { secondsOf, type Stamp } from './seconds.ts';
import type { OrderOutcome } from './standing.ts';

/** What one order changes for those after it: numbers, uses of promotions, orders paid for, stock on hold. */
export interface Counters {
  /** The shop as it is when an order is addressed. */
  pastOf(plan: Plan): Past;
  /** The number of the plan at this position, if its order gets one. */
  numberOf(position: number): string | undefined;
  count(plan: Plan, standing: OrderOutcome, bill: Bill | undefined): void;
  /** Writes down what is on hold. What was sold in the past has been delivered anew since. */
  store(): void;
}

export function createCounters(
  shop: Shop,
  plans: readonly Plan[],
  { catalogue, stampOf }: { readonly catalogue: Catalogue; readonly stampOf: Stamp },
): Counters {
  const { db } = shop;
  const numbers = numbersOf(shop, plans);
  const paid = paymentsOf(plans);
  const paidBy = new Map<number, number>();
  const held = new Map<number, number>();
  const used = new Map<number, Use>();
  let moment = shop.clock.now();
  const past = { ...shop, clock: { now: () => moment } };
  let promotions = db.promotions.by('priority');
  return {
    pastOf(plan) {
      const addressed = stepOf(plan, 1);
      moment = stampOf(addressed);
      const { id } = plan.customer.user;
      const before = getOrCreate(paidBy, id, () => paidIn(shop, id));
      const paidBefore = before + countUpTo(paid.get(id) ?? [], addressed);
      return { shop: past, paidBefore, promotions };
    },
    numberOf: (position) => numbers[position],
    count(plan, { units }, bill) {
      if (bill === undefined || !hasReached(plan, 'confirm')) return;
      for (const promotion of bill.promotion_ids) {
        const uses = getOrCreate(used, promotion, () => usesOf(shop, promotion));
        uses.count++;
        uses.last = Math.max(uses.last, stepOf(plan, 4));
        if (!uses.isLimited) continue;
        keepUses(shop, promotion, uses, stampOf);
        promotions = db.promotions.by('priority');
      }
      if (units.state !== 'onhold') return;
      for (const { variant_id, quantity } of [...plan.items, ...bill.gifts]) {
        const source = catalogue.sourceOf(variant_id)?.id;
        if (source !== undefined) held.set(source, (held.get(source) ?? 0) + quantity);
      }
    },
    store() {
      for (const [id, uses] of used) keepUses(shop, id, uses, stampOf);
      for (const [id, pieces] of held) {
        const { on_hand = 0, on_hold = 0 } = db.stockItems.get(id) ?? {};
        db.stockItems.change(id, { on_hand: on_hand + pieces, on_hold: on_hold + pieces });
      }
    },
  };
}

/** Numbers are given at confirm, in the order of time: those of the plans, by their positions. */
function numbersOf({ db }: Shop, plans: readonly Plan[]): readonly (string | undefined)[] {
  const confirmed = confirmedOf(plans);
  const given = nextNumbers(db, confirmed.length);
  const numbers = plans.map((): string | undefined => undefined);
  for (const [at, position] of confirmed.entries()) numbers[position] = given[at];
  return numbers;
}

/** The positions of plans that get to confirm, in the order in which they do. */
function confirmedOf(plans: readonly Plan[]): Float64Array {
  const start = plans[0]?.at ?? 0;
  const turns: number[] = [];
  for (const [position, plan] of plans.entries()) {
    // Numbers are sorted in a fraction of the time that a comparison of plans would take.
    if (hasReached(plan, 'confirm'))
      turns.push((stepOf(plan, 4) - start) * plans.length + position);
  }
  return Float64Array.from(turns)
    .toSorted()
    .map((turn) => turn % plans.length);
}

/** When each customer pays for orders, in the order of time. */
function paymentsOf(plans: readonly Plan[]): ReadonlyMap<number, readonly number[]> {
  const payments = new Map<number, number[]>();
  for (const plan of plans) {
    const at = isBought(plan)
      ? stepOf(plan, 5)
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

function paidIn({ db }: Shop, user: number): number {
  return db.orders.countBy('paid', user);
}

/** How often a promotion was used, and when it was last written to, in seconds. */
interface Use {
  count: number;
  last: number;
  /** Those that end by being used have to be counted at once, the others in the end. */
  readonly isLimited: boolean;
}

function usesOf({ db }: Shop, id: number): Use {
  const { used = 0, updated_at, usage_limit } = db.promotions.get(id) ?? {};
  const last = updated_at === undefined ? 0 : secondsOf(updated_at);
  return { count: used, last, isLimited: usage_limit !== undefined };
}

function keepUses({ db }: Shop, id: number, { count, last }: Use, stampOf: Stamp): void {
  db.promotions.change(id, { used: count, updated_at: stampOf(last) });
}
