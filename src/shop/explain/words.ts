import {
  discountBases,
  conditionContext,
  conditions,
  type ConditionContext,
  type TakenAction,
} from '../checkout/promotions.ts';
import {
  flagIn,
  idsIn,
  numberIn,
  textIn,
  type ReadonlyConfiguration,
  type Term,
} from '../checkout/calculators.ts';
import { couponIssue } from '../checkout/cart.ts';
import { productOf } from '../checkout/order-rows.ts';
import { checkRule, type Candidate, type RuleActuals } from '../checkout/promotion-rules.ts';
import type { Shop } from '../checkout/shop.ts';
import type { RecordRef } from '../../engine/definition/explanation.ts';
import type { OrderFact } from '../office/explanation.ts';
import { addDuration } from '../../engine/lib/duration.ts';
import { formatAlternatives } from '../../engine/lib/names.ts';
import type { Fraction } from '../../engine/lib/numbers.ts';
import type { OrderItem } from '../models/order.ts';
import type { Promotion, RuleType } from '../models/promotion.ts';

/** `16390` → `163.90` */
export function money(minor: number): string {
  return (minor / 100).toFixed(2);
}

/** Returns the name of a variant's product, even if it has been deleted. */
export function variantName({ db }: Shop, id: number): string {
  return productOf(db, id)?.name ?? `variant ${id}`;
}

/** `3 × 2.00`, `5.00 + 2 × 1.00`, `1.5 × 4.00 / 0.5` */
export function termsInWords(terms: readonly Term[]): string {
  return terms
    .map(([price, times, per]) => {
      const units = times === undefined ? '' : `${valueOf(times)} × `;
      return `${units}${money(price)}${per === undefined || per === 1 ? '' : ` / ${per}`}`;
    })
    .join(' + ');
}

function valueOf({ top, bottom }: Fraction): number {
  return Number(top) / Number(bottom);
}

/** `15 % of items 163.90` */
export function discountInWords({ action, basket }: TakenAction): string {
  if (action.type === 'add_product') return '';
  const base = discountBases[action.type];
  if (base === undefined) return 'fixed';
  const percent = Number((numberIn(action.configuration, 'percentage') * 100).toPrecision(15));
  return `${percent} % of ${base === 'items_total' ? 'items' : 'shipping'} ${money(basket[base])}`;
}

/** Returns a fact for each condition that a promotion has: its fields, then its rules. */
export function promotionFacts(
  shop: Shop,
  promotion: Promotion,
  candidate: Candidate,
): OrderFact[] {
  const context = conditionContext(shop, candidate);
  return [
    ...conditions
      .filter(({ field }) => promotion[field] !== undefined && promotion[field] !== false)
      .map(({ field, isMet }) => {
        const met = isMet(promotion, context);
        return {
          ...conditionWords[field](promotion, shop, candidate, context),
          met,
          ...(!met && remedies[field]?.(promotion, shop, candidate)),
        };
      }),
    ...promotion.rules.map((rule) => {
      const { actual, met } = checkRule(shop, rule, candidate);
      const words: RuleWords<typeof actual> = ruleWords[rule.type];
      return { ...words.describe(rule.configuration, actual, shop), met };
    }),
  ];
}

type Words = Pick<OrderFact, 'wanted' | 'actual' | 'record'>;

type ConditionField = (typeof conditions)[number]['field'];

const conditionWords: Readonly<
  Record<
    ConditionField,
    (promotion: Promotion, shop: Shop, candidate: Candidate, context: ConditionContext) => Words
  >
> = {
  coupon_based({ id }, { db }, { order }) {
    const own = order.coupon_ids
      .map((coupon) => db.coupons.getWithDeleted(coupon))
      .find((coupon) => coupon?.promotion_id === id);
    const codes = db.coupons.by('promotion', id).map(({ code }) => code);
    return {
      wanted: codes.length === 0 ? 'a coupon' : `the coupon ${listed(codes)}`,
      actual: own?.code ?? 'none',
      ...(own !== undefined && { record: { table: 'coupons', id: own.id } }),
    };
  },
  starts_at: ({ starts_at = '' }, _, __, { now }) => ({
    wanted: `after ${dateTime(starts_at)}`,
    actual: dateTime(now),
  }),
  ends_at: ({ ends_at = '' }, _, __, { now }) => ({
    wanted: `before ${dateTime(ends_at)}`,
    actual: dateTime(now),
  }),
  usage_limit: ({ usage_limit, used }) => ({
    wanted: `used less than ${usage_limit} times`,
    actual: `${used} times`,
  }),
};

/** The condition in words. */
const remedies: Partial<
  Record<
    ConditionField,
    (promotion: Promotion, shop: Shop, candidate: Candidate) => Pick<OrderFact, 'at' | 'coupon'>
  >
> = {
  coupon_based({ id }, { db, clock }, { order }) {
    if (order.state !== 'cart') return {};
    const usable = db.coupons
      .by('promotion', id)
      .find((coupon) => couponIssue(coupon, coupon.code, clock.now()) === undefined);
    return usable === undefined ? {} : { coupon: usable.code };
  },
  starts_at: ({ starts_at = '' }) => ({ at: addDuration(starts_at, 'PT1S') }),
  ends_at: ({ ends_at = '' }) => ({ at: addDuration(ends_at, '-PT1S') }),
};

interface RuleWords<Actual> {
  describe(configuration: ReadonlyConfiguration, actual: Actual, shop: Shop): Words;
}

const ruleWords: { readonly [Type in RuleType]: RuleWords<RuleActuals[Type]> } = {
  item_total: {
    describe(configuration, total) {
      const amount = money(numberIn(configuration, 'amount'));
      const reach = flagIn(configuration, 'equal') ? `of ${amount} or more` : `over ${amount}`;
      return { wanted: `items ${reach}`, actual: money(total) };
    },
  },
  item_count: {
    describe(configuration, found, { settings }) {
      const count = numberIn(configuration, 'count');
      const what = settings.itemCount === 'lines' ? 'items' : 'pieces';
      const wanted = flagIn(configuration, 'equal')
        ? `${count} or more ${what}`
        : `more than ${count} ${what}`;
      return { wanted, actual: String(found) };
    },
  },
  nth_order: {
    describe: (configuration, paid) => ({
      wanted: `order ${numberIn(configuration, 'nth')} of the customer`,
      actual: `order ${paid + 1}`,
    }),
  },
  shipping_country: {
    describe(configuration, country, { db }) {
      const name = (id: number): string => db.countries.get(id)?.name ?? `country ${id}`;
      const wanted = `delivery to ${listed(idsIn(configuration, 'country').map(name))}`;
      if (country === undefined) return { wanted, actual: 'no address' };
      return { wanted, actual: name(country), record: { table: 'countries', id: country } };
    },
  },
  taxonomy: {
    describe(configuration, item, shop) {
      const names = idsIn(configuration, 'taxons').map(
        (id) => shop.db.taxons.get(id)?.name ?? `taxon ${id}`,
      );
      return foundItem(configuration, `items of ${listed(names)}`, item, shop);
    },
  },
  contains_product: {
    describe(configuration, item, shop) {
      const names = idsIn(configuration, 'variant').map((id) => variantName(shop, id));
      return foundItem(configuration, listed(names), item, shop);
    },
  },
  user_loyalty: {
    describe(configuration, created_at) {
      const older = flagIn(configuration, 'after') ? 'not older' : 'older';
      const time = `${numberIn(configuration, 'time')} ${textIn(configuration, 'unit') ?? 'days'}`;
      const actual = created_at === undefined ? 'no account' : `since ${dateTime(created_at)}`;
      return { wanted: `an account ${older} than ${time}`, actual };
    },
  },
};

function foundItem(
  configuration: ReadonlyConfiguration,
  named: string,
  item: OrderItem | undefined,
  shop: Shop,
): Words {
  const wanted = flagIn(configuration, 'exclude') ? `no ${named}` : named;
  if (item === undefined) return { wanted, actual: 'none' };
  return { wanted, actual: variantName(shop, item.variant_id), record: itemRef(item) };
}

export function itemRef({ id }: { readonly id: number }): RecordRef {
  return { table: 'order_items', id };
}

/** Names at most three. */
function listed(names: readonly string[]): string {
  const [few, rest] = [names.slice(0, 3), names.length - 3];
  return rest > 0 ? `${few.join(', ')} or ${rest} others` : formatAlternatives(few);
}

/** `2026-03-02T09:00:00+0000` → `2026-03-02 09:00:00` */
export function dateTime(stamp: string): string {
  return stamp.slice(0, 19).replace('T', ' ');
}
