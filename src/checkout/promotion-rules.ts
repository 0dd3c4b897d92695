import { addDuration } from '../lib/duration.ts';
import type { Order, OrderItem } from '../models/order.ts';
import type { PromotionRule, RuleType } from '../models/promotion.ts';
import { flagIn, idsIn, numberIn, textIn, type ReadonlyConfiguration } from './calculators.ts';
import { productOf } from './order-rows.ts';
import type { Shop } from './shop.ts';
import type { Place } from './packages.ts';

/** An order without discounts and bonus items, to test rules against. */
export interface Candidate {
  readonly order: Order;
  readonly items: readonly OrderItem[];
  readonly items_total: number;
  readonly place: Place;
  /** The number of orders its user has paid (default: counted). */
  readonly paidBefore?: number;
}

type RuleCheck = (
  configuration: ReadonlyConfiguration,
  candidate: Candidate,
  shop: Shop,
) => boolean;

/** Whether an order meets a rule of a promotion. */
export function meetsRule(
  shop: Shop,
  { type, configuration }: PromotionRule,
  candidate: Candidate,
): boolean {
  return rules[type](configuration, candidate, shop);
}

const rules: Readonly<Record<RuleType, RuleCheck>> = {
  item_total: (configuration, { items_total }) => reaches(items_total, 'amount', configuration),
  item_count: (configuration, { items }, { settings }) =>
    reaches(settings.itemCount === 'lines' ? items.length : pieces(items), 'count', configuration),
  nth_order: (configuration, { order, paidBefore }, { db }) =>
    (paidBefore ?? db.orders.countBy('paid', order.user_id)) === numberIn(configuration, 'nth') - 1,
  shipping_country: (configuration, { place }) =>
    idsIn(configuration, 'country').includes(place.country_id),
  taxonomy: (configuration, { items }, { db }) => {
    const wanted = new Set(idsIn(configuration, 'taxons'));
    const isIn = ({ variant_id }: OrderItem): boolean =>
      productOf(db, variant_id)?.taxons.some((taxon) => wanted.has(taxon)) ?? false;
    return items.some(isIn) !== flagIn(configuration, 'exclude');
  },
  contains_product: (configuration, { items }) => {
    const wanted = idsIn(configuration, 'variant');
    return (
      items.some((item) => wanted.includes(item.variant_id)) !== flagIn(configuration, 'exclude')
    );
  },
  user_loyalty: (configuration, { order }, shop) =>
    isOldAccount(shop, order, configuration) !== flagIn(configuration, 'after'),
};

/** With `equal`, the limit itself is enough; otherwise the value must exceed it. */
function reaches(value: number, key: string, configuration: ReadonlyConfiguration): boolean {
  const limit = numberIn(configuration, key);
  return flagIn(configuration, 'equal') ? value >= limit : value > limit;
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
  configuration: ReadonlyConfiguration,
): boolean {
  const user = db.users.getWithDeleted(user_id);
  const unit = units[textIn(configuration, 'unit') ?? 'days'] ?? 'D';
  const time = Math.min(maxTime, Math.max(0, Math.trunc(numberIn(configuration, 'time'))));
  return user !== undefined && user.created_at < addDuration(clock.now(), `-P${time}${unit}`);
}
