import { addDuration } from '../../engine/lib/duration.ts';
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
  /** Undefined before addressing. */
  readonly place?: Place | undefined;
  /** The number of orders its user has paid (default: counted). */
  readonly paidBefore?: number;
}

/** The value of an order that a rule compares, by its type. */
export interface RuleActuals {
  /** Minor units. */
  readonly item_total: number;
  readonly item_count: number;
  /** The number of orders that the customer has paid. */
  readonly nth_order: number;
  /** The country of the address. */
  readonly shipping_country: number | undefined;
  /** The first item that the rule names. */
  readonly taxonomy: OrderItem | undefined;
  readonly contains_product: OrderItem | undefined;
  /** When the account was created. */
  readonly user_loyalty: string | undefined;
}

interface RuleKind<Actual> {
  actual(configuration: ReadonlyConfiguration, candidate: Candidate, shop: Shop): Actual;
  isMet(actual: Actual, configuration: ReadonlyConfiguration, shop: Shop): boolean;
}

/** Whether an order meets a rule, and the value that decided it. */
export interface RuleResult {
  readonly met: boolean;
  readonly actual: RuleActuals[RuleType];
}

/** Compares an order with a rule of a promotion. */
export function checkRule(
  shop: Shop,
  { type, configuration }: PromotionRule,
  candidate: Candidate,
): RuleResult {
  const kind: RuleKind<RuleActuals[RuleType]> = kinds[type];
  const actual = kind.actual(configuration, candidate, shop);
  return { actual, met: kind.isMet(actual, configuration, shop) };
}

const kinds: { readonly [Type in RuleType]: RuleKind<RuleActuals[Type]> } = {
  item_total: {
    actual: (_, { items_total }) => items_total,
    isMet: (total, configuration) => reaches(total, 'amount', configuration),
  },
  item_count: {
    actual: (_, { items }, { settings }) =>
      settings.itemCount === 'lines' ? items.length : pieces(items),
    isMet: (count, configuration) => reaches(count, 'count', configuration),
  },
  nth_order: {
    actual: (_, { order, paidBefore }, { db }) =>
      paidBefore ?? db.orders.countBy('paid', order.user_id),
    isMet: (paid, configuration) => paid === numberIn(configuration, 'nth') - 1,
  },
  shipping_country: {
    actual: (_, { place }) => place?.country_id,
    isMet: (country, configuration) =>
      country !== undefined && idsIn(configuration, 'country').includes(country),
  },
  taxonomy: {
    actual(configuration, { items }, { db }) {
      const wanted = new Set(idsIn(configuration, 'taxons'));
      return items.find(
        ({ variant_id }) =>
          productOf(db, variant_id)?.taxons.some((taxon) => wanted.has(taxon)) ?? false,
      );
    },
    isMet: isFound,
  },
  contains_product: {
    actual(configuration, { items }) {
      const wanted = idsIn(configuration, 'variant');
      return items.find((item) => wanted.includes(item.variant_id));
    },
    isMet: isFound,
  },
  user_loyalty: {
    actual: (_, { order }, { db }) => db.users.getWithDeleted(order.user_id)?.created_at,
    isMet: (created_at, configuration, shop) =>
      isOld(created_at, configuration, shop) !== flagIn(configuration, 'after'),
  },
};

/** With `exclude`, no item may be one that the rule names. */
function isFound(item: OrderItem | undefined, configuration: ReadonlyConfiguration): boolean {
  return (item !== undefined) !== flagIn(configuration, 'exclude');
}

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
function isOld(
  created_at: string | undefined,
  configuration: ReadonlyConfiguration,
  { clock }: Shop,
): boolean {
  const unit = units[textIn(configuration, 'unit') ?? 'days'] ?? 'D';
  const time = Math.min(maxTime, Math.max(0, Math.trunc(numberIn(configuration, 'time'))));
  return created_at !== undefined && created_at < addDuration(clock.now(), `-P${time}${unit}`);
}
