import type { Adjustment, Order, OrderItem } from '../models/order.ts';
import type { Promotion, ActionType } from '../models/promotion.ts';
import {
  replaceAdjustments,
  sumOf,
  type Charge,
  addLine,
  removeLine,
  type NewLine,
  maxAmount,
  maxQuantity,
} from './order-rows.ts';
import { holds, type Candidate } from './promotion-rules.ts';
import type { Shop } from './shop.ts';
import type { Place } from './packages.ts';
import { numberIn, type ReadonlyConfiguration } from './calculators.ts';
import { exactly, product, rounded } from '../lib/numbers.ts';

/** The items and adjustments of an order before promotions are applied. */
export interface OrderContext {
  readonly items: readonly OrderItem[];
  readonly adjustments: readonly Adjustment[];
}

/** A discount by a promotion. */
export interface Discount extends Charge {
  readonly promotion_id: number;
}

/** An item that a promotion adds. */
export interface BonusItem extends NewLine {
  readonly promotion_id: number;
}

/**
 * Replaces the discounts and bonus items of an order. The customer's own items decide which promotions apply; then
 * they are applied one after the other, each to the result of those before it.
 *
 * @returns the ids of the promotions that apply, highest priority first
 */
export function applyPromotions(
  shop: Shop,
  order: Order,
  place: Place,
  { items, adjustments }: OrderContext,
): number[] {
  const own = items.filter((item) => item.promotion_id === undefined);
  const items_total = own.reduce((sum, { total }) => sum + total, 0);
  const applied = promotionsFor(shop, { order, items: own, items_total, place });
  const { discounts, gifts } = promotionResult(shop, applied, {
    items_total,
    shipping_total: sumOf(adjustments.filter(({ label }) => label === 'shipping')),
    variants: new Set(own.map(({ variant_id }) => variant_id)),
  });
  replaceBonusItems(shop, order, items, gifts);
  replaceAdjustments(shop.db, order, 'promotion', discounts, adjustments);
  return applied.map(({ id }) => id);
}

/** Removes the items that promotions added. */
export function removeBonusItems(shop: Shop, order: Order): void {
  replaceBonusItems(shop, order, shop.db.orderItems.by('order', order.id), []);
}

/**
 * Returns the promotions that apply to an order: the first eligible one that is exclusive, alone, or else all eligible
 * ones.
 *
 * @param promotions those of the shop, highest priority first, if they have been read already
 */
export function promotionsFor(
  shop: Shop,
  candidate: Candidate,
  promotions: readonly Promotion[] = shop.db.promotions.by('priority'),
): Promotion[] {
  const eligible: Promotion[] = [];
  const couponed = couponedBy(shop, candidate.order);
  for (const promotion of promotions) {
    if (promotion.coupon_based && !couponed.has(promotion.id)) continue;
    if (!isEligible(shop, promotion, candidate)) continue;
    if (promotion.exclusive) return [promotion];
    eligible.push(promotion);
  }
  return eligible;
}

function isEligible(shop: Shop, promotion: Promotion, candidate: Candidate): boolean {
  return (
    isActive(promotion, shop.clock.now()) &&
    promotion.rules.every((rule) => holds(shop, rule, candidate))
  );
}

function isActive({ starts_at, ends_at, used, usage_limit }: Promotion, now: string): boolean {
  return (
    (starts_at === undefined || starts_at <= now) &&
    (ends_at === undefined || ends_at >= now) &&
    (usage_limit === undefined || used < usage_limit)
  );
}

/** The promotions whose coupons an order has. */
function couponedBy({ db }: Shop, { coupon_ids }: Order): ReadonlySet<number | undefined> {
  return new Set(coupon_ids.map((coupon) => db.coupons.get(coupon)?.promotion_id));
}

/** Returns the discounts and bonus items of promotions, applied one after the other. */
export function promotionResult(
  { db }: Shop,
  promotions: readonly Promotion[],
  start: Basket,
): { readonly discounts: readonly Discount[]; readonly gifts: readonly BonusItem[] } {
  let basket = start;
  const discounts: Discount[] = [];
  const gifts: BonusItem[] = [];
  for (const { id: promotion_id, name, description, actions } of promotions) {
    for (const action of actions) {
      if (action.type === 'add_product') {
        const gift = bonusItemOf(action.configuration, basket);
        if (gift === undefined || db.variants.get(gift.variant_id) === undefined) continue;
        gifts.push({ ...gift, promotion_id });
        basket = withGift(basket, gift);
      } else {
        const amount = discountOf(action.type, action.configuration, basket);
        discounts.push({ description: description ?? name, amount, neutral: false, promotion_id });
      }
    }
  }
  return { discounts, gifts };
}

function withGift(basket: Basket, { variant_id, quantity, unit_price }: NewLine): Basket {
  return {
    ...basket,
    items_total: basket.items_total + quantity * unit_price,
    variants: new Set([...basket.variants, variant_id]),
  };
}

/** Replaces the items that promotions added; an unchanged one keeps its row. */
function replaceBonusItems(
  shop: Shop,
  order: Order,
  items: readonly OrderItem[],
  gifts: readonly BonusItem[],
): void {
  const present = items.filter((item) => item.promotion_id !== undefined);
  const missing = gifts.filter((gift) => {
    const at = present.findIndex((item) => isSame(item, gift));
    if (at !== -1) present.splice(at, 1);
    return at === -1;
  });
  for (const item of present) removeLine(shop, item);
  for (const gift of missing) addLine(shop, order, gift);
}

function isSame(item: OrderItem, gift: BonusItem): boolean {
  return (
    item.promotion_id === gift.promotion_id &&
    item.variant_id === gift.variant_id &&
    item.quantity === gift.quantity &&
    item.unit_price === gift.unit_price
  );
}

/** What an action is applied to: the order as the actions before it left it. */
export interface Basket {
  readonly items_total: number;
  readonly shipping_total: number;
  readonly variants: ReadonlySet<number>;
}

type DiscountType = Exclude<ActionType, 'add_product'>;

/** Returns the discount of an action in minor units, at most 0. */
export function discountOf(
  type: DiscountType,
  configuration: ReadonlyConfiguration,
  basket: Basket,
): number {
  return discounts[type](configuration, basket);
}

const discounts: Readonly<
  Record<DiscountType, (set: ReadonlyConfiguration, basket: Basket) => number>
> = {
  fixed_discount: (set) => rounded(exactly(-numberIn(set, 'amount'))),
  percentage_discount: (set, { items_total }) => share(-items_total, set),
  shipping_discount: (set, { shipping_total }) => share(-shipping_total, set),
};

/** Returns the item that an action adds; undefined if the order already has that variant. */
export function bonusItemOf(set: ReadonlyConfiguration, { variants }: Basket): NewLine | undefined {
  const variant_id = numberIn(set, 'variant');
  if (variants.has(variant_id)) return undefined;
  return {
    variant_id,
    quantity: Math.max(1, rounded(exactly(numberIn(set, 'quantity', 1)))),
    unit_price: Math.max(0, rounded(exactly(numberIn(set, 'price')))),
  };
}

/** Returns why the bonus item of an action is too large; undefined if it is not. */
export function bonusItemIssue(set: ReadonlyConfiguration): string | undefined {
  const gift = bonusItemOf(set, { items_total: 0, shipping_total: 0, variants: new Set() });
  const { quantity = 1, unit_price = 0 } = gift ?? {};
  if (quantity > maxQuantity) return `Expected a quantity of at most ${maxQuantity}.`;
  return quantity * unit_price > maxAmount
    ? `Expected quantity times price to be at most ${maxAmount}.`
    : undefined;
}

function share(amount: number, set: ReadonlyConfiguration): number {
  return rounded(product(exactly(amount), exactly(numberIn(set, 'percentage'))));
}
