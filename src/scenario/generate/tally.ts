import { nextNumbers } from '../../checkout/order-number.ts';
import type { Shop } from '../../resources/endpoint.ts';
import type { Bill, Past } from './bill.ts';
import type { Catalogue } from './catalogue.ts';
import { hasReached, isBought } from './life.ts';
import { stepOf, type Plan } from './plan.ts';
import type { Stamp } from './seconds.ts';
import type { Standing } from './standing.ts';

/** What one order changes for those after it: numbers, uses of promotions, orders paid for, stock on hold. */
export interface Tally {
  /** The shop as it is when an order is addressed. */
  pastOf(plan: Plan): Past;
  /** The number of the plan at this position, if its order gets one. */
  numberOf(position: number): string | undefined;
  count(plan: Plan, standing: Standing, bill: Bill | undefined): void;
  /** Writes down what is on hold. What was sold in the past has been delivered anew since. */
  store(): void;
}

export function createTally(
  shop: Shop,
  plans: readonly Plan[],
  { catalogue, stampOf }: { readonly catalogue: Catalogue; readonly stampOf: Stamp },
): Tally {
  const { db } = shop;
  const numbers = numbersOf(shop, plans);
  const paid = Map.groupBy(paymentsOf(plans), ({ user }) => user);
  const held = new Map<number, number>();
  let moment = shop.clock.now();
  const past = { ...shop, clock: { now: () => moment } };
  return {
    pastOf(plan) {
      const addressed = stepOf(plan, 1);
      moment = stampOf(addressed);
      const { id } = plan.customer.user;
      const before = paid.get(id)?.filter(({ at }) => at <= addressed) ?? [];
      return { shop: past, paidBefore: before.length + paidIn(shop, id) };
    },
    numberOf: (position) => numbers.get(position),
    count(plan, { units }, bill) {
      if (bill === undefined || !hasReached(plan, 'confirm')) return;
      for (const promotion of bill.promotion_ids) use(shop, promotion, stampOf(stepOf(plan, 4)));
      if (units.state !== 'onhold') return;
      for (const { variant_id, quantity } of [...plan.items, ...bill.gifts]) {
        const source = catalogue.sourceOf(variant_id)?.id;
        if (source !== undefined) held.set(source, (held.get(source) ?? 0) + quantity);
      }
    },
    store() {
      for (const [id, pieces] of held) {
        const { on_hand = 0, on_hold = 0 } = db.stockItems.get(id) ?? {};
        db.stockItems.change(id, { on_hand: on_hand + pieces, on_hold: on_hold + pieces });
      }
    },
  };
}

/** Numbers are given at confirm, in the order of time. */
function numbersOf({ db }: Shop, plans: readonly Plan[]): ReadonlyMap<number, string> {
  const confirmed = Array.from(plans.entries())
    .filter(([, plan]) => hasReached(plan, 'confirm'))
    .map(([position, plan]) => ({ position, at: stepOf(plan, 4) }))
    .toSorted((a, b) => a.at - b.at);
  const numbers = nextNumbers(db, confirmed.length);
  return new Map(confirmed.map(({ position }, at) => [position, numbers[at]!]));
}

/** Who pays for an order, and when. */
function paymentsOf(plans: readonly Plan[]): { readonly user: number; readonly at: number }[] {
  return plans.flatMap((plan) => {
    const at = isBought(plan)
      ? stepOf(plan, 5)
      : plan.later.find(({ event }) => event === 'complete')?.at;
    return at === undefined ? [] : [{ user: plan.customer.user.id, at }];
  });
}

function paidIn({ db }: Shop, user: number): number {
  return db.orders.by('user', user).filter((order) => order.checkout_state === 'completed').length;
}

function use({ db }: Shop, id: number, at: string): void {
  const { used = 0, updated_at = at } = db.promotions.get(id) ?? {};
  db.promotions.change(id, { used: used + 1, updated_at: at > updated_at ? at : updated_at });
}
