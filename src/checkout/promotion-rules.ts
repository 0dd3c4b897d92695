import { addDuration } from '../lib/duration.ts';
import type { Order, OrderItem } from '../models/order.ts';
import type { PromotionRule, RuleType } from '../models/promotion.ts';
import { flagIn, idsIn, numberIn, textIn, type ReadonlyConfiguration } from './calculators.ts';
import { productOf } from './order-rows.ts';
import type { Shop } from './shop.ts';
import type { Place } from './packages.ts';

/** What rules are tested against: an order without discounts and bonus items. */
export interface Candidate {
  readonly order: Order;
  readonly items: readonly OrderItem[];
  readonly items_total: number;
  readonly place: Place;
  /** The number of orders its user has paid (default: counted). */
  readonly paidBefore?: number;
}

type RuleCheck = (set: ReadonlyConfiguration, candidate: Candidate, shop: Shop) => boolean;

/** Whether an order meets a rule of a promotion. */
export function holds(
  shop: Shop,
  { type, configuration }: PromotionRule,
  candidate: Candidate,
): boolean {
  return rules[type](configuration, candidate, shop);
}

const rules: Readonly<Record<RuleType, RuleCheck>> = {
  item_total: (set, { items_total }) => reaches(items_total, 'amount', set),
  item_count: (set, { items }, { settings }) =>
    reaches(settings.itemCount === 'lines' ? items.length : pieces(items), 'count', set),
  nth_order: (set, { order, paidBefore }, { db }) =>
    (paidBefore ?? db.orders.countBy('paid', order.user_id)) === numberIn(set, 'nth') - 1,
  shipping_country: (set, { place }) => idsIn(set, 'country').includes(place.country_id),
  taxonomy: (set, { items }, { db }) => {
    const wanted = new Set(idsIn(set, 'taxons'));
    const isIn = ({ variant_id }: OrderItem): boolean =>
      productOf(db, variant_id)?.taxons.some((taxon) => wanted.has(taxon)) ?? false;
    return items.some(isIn) !== flagIn(set, 'exclude');
  },
  contains_product: (set, { items }) => {
    const wanted = idsIn(set, 'variant');
    return items.some((item) => wanted.includes(item.variant_id)) !== flagIn(set, 'exclude');
  },
  user_loyalty: (set, { order }, shop) => isOldAccount(shop, order, set) !== flagIn(set, 'after'),
};

/** With `equal`, the limit itself is enough; otherwise the value must exceed it. */
function reaches(value: number, key: string, set: ReadonlyConfiguration): boolean {
  const limit = numberIn(set, key);
  return flagIn(set, 'equal') ? value >= limit : value > limit;
}

function pieces(items: readonly OrderItem[]): number {
  return items.reduce((sum, { quantity }) => sum + quantity, 0);
}

const units: Readonly<Record<string, string>> = { days: 'D', weeks: 'W', months: 'M', years: 'Y' };

/** Longer than the supported range of years. */
const maxTime = 100_000;

/** An unknown unit is read as days. */
function isOldAccount(
  { db, clock }: Shop,
  { user_id }: Order,
  set: ReadonlyConfiguration,
): boolean {
  const user = db.users.getWithDeleted(user_id);
  const unit = units[textIn(set, 'unit') ?? 'days'] ?? 'D';
  const time = Math.min(maxTime, Math.max(0, Math.trunc(numberIn(set, 'time'))));
  return user !== undefined && user.created_at < addDuration(clock.now(), `-P${time}${unit}`);
}
