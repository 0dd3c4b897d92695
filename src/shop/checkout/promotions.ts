import type { Adjustment, Order, OrderItem } from '../models/order.ts';
import type { Promotion, ActionType } from '../models/promotion.ts';
import {
  replaceAdjustments,
  type Charge,
  insertItem,
  deleteItem,
  type NewItem,
  maxAmount,
  maxQuantity,
} from './order-rows.ts';
import { checkRule, type Candidate } from './promotion-rules.ts';
import type { Shop } from './shop.ts';
import { numberIn, type ReadonlyConfiguration } from './calculators.ts';
import { exactly, product, rounded } from '../../engine/lib/numbers.ts';

/** An order that promotions are applied to. */
export interface PromotionSubject extends Pick<Candidate, 'items' | 'place'> {
  readonly order: Order;
  /** Minor units. */
  readonly shipping_total: number;
}

/** The promotions that apply to an order, highest priority first, and the actions that they take. */
export interface AppliedPromotions {
  readonly candidate: Candidate;
  /** All promotions of the shop, as they were before the order. */
  readonly promotions: readonly Promotion[];
  readonly applied: readonly Promotion[];
  readonly actions: readonly TakenAction[];
}

/**
 * Applies promotions to an order, without changing it. The customer's own items decide which promotions apply; then
 * they are applied one after the other, each to the result of those before it.
 */
export function promotionsOn(
  shop: Shop,
  { order, items, place, shipping_total }: PromotionSubject,
): AppliedPromotions {
  const own = items.filter(({ promotion_id }) => promotion_id === undefined);
  const items_total = own.reduce((sum, { total }) => sum + total, 0);
  const { user_id, checkout_state } = order;
  // A paid order does not count itself.
  const isPaid = checkout_state === 'completed';
  const paidBefore = isPaid && { paidBefore: shop.db.orders.countBy('paid', user_id) - 1 };
  const candidate = { order, items: own, items_total, place, ...paidBefore };
  const promotions = promotionsBefore(shop, order);
  const applied = place === undefined ? [] : promotionsFor(shop, candidate, promotions);
  const variants = new Set(own.map(({ variant_id }) => variant_id));
  const actions = takeActions(shop, applied, { items_total, shipping_total, variants });
  return { candidate, promotions, applied, actions };
}

/** The present items and adjustments of an order. */
interface OrderRows {
  readonly items: readonly OrderItem[];
  readonly adjustments: readonly Adjustment[];
}

/** Replaces the bonus items and discounts among the present rows of an order by those of its promotions. */
export function writePromotions(
  shop: Shop,
  order: Order,
  { actions }: AppliedPromotions,
  { items, adjustments }: OrderRows,
): void {
  const bonusItems = actions.flatMap(({ bonusItem }) => bonusItem ?? []);
  replaceBonusItems(shop, order, items, bonusItems);
  const discounts = actions.flatMap(({ discount }) => discount ?? []);
  replaceAdjustments(shop.db, order, 'promotion', discounts, adjustments);
}

/** Removes the items that promotions added. */
export function removeBonusItems(shop: Shop, order: Order): void {
  replaceBonusItems(shop, order, shop.db.orderItems.by('order', order.id), []);
}

/** Returns the first eligible promotion that is exclusive, alone, or else all eligible ones. */
function promotionsFor(
  shop: Shop,
  candidate: Candidate,
  promotions: readonly Promotion[],
): Promotion[] {
  const eligible: Promotion[] = [];
  const context = conditionContext(shop, candidate);
  for (const promotion of promotions) {
    if (!isEligible(shop, promotion, candidate, context)) continue;
    if (promotion.exclusive) return [promotion];
    eligible.push(promotion);
  }
  return eligible;
}

/** Confirming an order counts a use of each of its promotions, without which it had been calculated. */
function promotionsBefore({ db }: Shop, order: Order): readonly Promotion[] {
  const { completed_at, promotion_ids } = order;
  const all = db.promotions.by('priority');
  if (completed_at === undefined) return all;
  return all.map((one) => (promotion_ids.includes(one.id) ? { ...one, used: one.used - 1 } : one));
}

/** The context of the conditions of promotions. */
export interface ConditionContext {
  readonly now: string;
  /** The ids of the promotions whose coupons the order has. */
  readonly couponed: ReadonlySet<number | undefined>;
}

export function conditionContext(shop: Shop, { order }: Candidate): ConditionContext {
  return { now: shop.clock.now(), couponed: couponedBy(shop, order) };
}

/** The conditions of every promotion, and the fields that set them. On the dates themselves, it does not run. */
export const conditions = [
  condition(
    'coupon_based',
    ({ coupon_based, id }, { couponed }) => !coupon_based || couponed.has(id),
  ),
  condition('starts_at', ({ starts_at }, { now }) => starts_at === undefined || starts_at < now),
  condition('ends_at', ({ ends_at }, { now }) => ends_at === undefined || ends_at > now),
  condition(
    'usage_limit',
    ({ usage_limit, used }) => usage_limit === undefined || used < usage_limit,
  ),
];

function condition<const Field extends keyof Promotion>(
  field: Field,
  isMet: (promotion: Promotion, context: ConditionContext) => boolean,
) {
  return { field, isMet };
}

function isEligible(
  shop: Shop,
  promotion: Promotion,
  candidate: Candidate,
  context: ConditionContext,
): boolean {
  return (
    conditions.every(({ isMet }) => isMet(promotion, context)) &&
    promotion.rules.every((rule) => checkRule(shop, rule, candidate).met)
  );
}

/** Returns the ids of the promotions whose coupons an order has. */
function couponedBy({ db }: Shop, { coupon_ids }: Order): ReadonlySet<number | undefined> {
  return new Set(coupon_ids.map((coupon) => db.coupons.get(coupon)?.promotion_id));
}

/** An action that a promotion has taken: a discount, or an item that it adds. */
export interface TakenAction {
  readonly promotion: Promotion;
  readonly action: Promotion['actions'][number];
  /** The order before it. */
  readonly basket: Basket;
  readonly discount?: Charge;
  readonly bonusItem?: NewItem;
}

/** Applies promotions one after the other. */
function takeActions({ db }: Shop, promotions: readonly Promotion[], start: Basket): TakenAction[] {
  let basket = start;
  const taken: TakenAction[] = [];
  for (const promotion of promotions) {
    const { id: promotion_id, name, description = name } = promotion;
    for (const action of promotion.actions) {
      if (action.type === 'add_product') {
        const added = bonusItemOf(action.configuration, basket);
        if (added === undefined || db.variants.get(added.variant_id) === undefined) continue;
        const bonusItem = { ...added, promotion_id };
        taken.push({ promotion, action, basket, bonusItem });
        basket = withBonusItem(basket, bonusItem);
      } else {
        const amount = discountOf(action.type, action.configuration, basket);
        const discount = { description, amount, neutral: false, promotion_id };
        taken.push({ promotion, action, basket, discount });
      }
    }
  }
  return taken;
}

function withBonusItem(basket: Basket, { variant_id, quantity, unit_price }: NewItem): Basket {
  return {
    ...basket,
    items_total: basket.items_total + quantity * unit_price,
    variants: new Set([...basket.variants, variant_id]),
  };
}

/** Replaces the items that promotions added. Unchanged items keep their rows. */
function replaceBonusItems(
  shop: Shop,
  order: Order,
  items: readonly OrderItem[],
  bonusItems: readonly NewItem[],
): void {
  const present = items.filter((item) => item.promotion_id !== undefined);
  const missing = bonusItems.filter((bonusItem) => {
    const at = present.findIndex((item) => isSame(item, bonusItem));
    if (at !== -1) present.splice(at, 1);
    return at === -1;
  });
  for (const item of present) deleteItem(shop, item);
  for (const bonusItem of missing) insertItem(shop, order, bonusItem);
}

function isSame(item: OrderItem, bonusItem: NewItem): boolean {
  return (
    item.promotion_id === bonusItem.promotion_id &&
    item.variant_id === bonusItem.variant_id &&
    item.quantity === bonusItem.quantity &&
    item.unit_price === bonusItem.unit_price
  );
}

/** The state of an order after the actions before the present one. Amounts are in minor units. */
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
  const base = discountBases[type];
  if (base === undefined) return rounded(exactly(-numberIn(configuration, 'amount')));
  const percentage = exactly(numberIn(configuration, 'percentage'));
  return rounded(product(exactly(-basket[base]), percentage));
}

/** The amount that a discount is a share of; undefined for a fixed amount. */
export const discountBases = {
  fixed_discount: undefined,
  percentage_discount: 'items_total',
  shipping_discount: 'shipping_total',
} as const satisfies Record<DiscountType, keyof Basket | undefined>;

/** Returns the item that an action adds; undefined if the order already has that variant. */
export function bonusItemOf(
  configuration: ReadonlyConfiguration,
  { variants }: Basket,
): NewItem | undefined {
  const variant_id = numberIn(configuration, 'variant');
  if (variants.has(variant_id)) return undefined;
  return {
    variant_id,
    quantity: Math.max(1, rounded(exactly(numberIn(configuration, 'quantity', 1)))),
    unit_price: Math.max(0, rounded(exactly(numberIn(configuration, 'price')))),
  };
}

/** Returns why the bonus item of an action is too large; undefined if it is not. */
export function bonusItemIssue(configuration: ReadonlyConfiguration): string | undefined {
  const bonusItem = bonusItemOf(configuration, {
    items_total: 0,
    shipping_total: 0,
    variants: new Set(),
  });
  const { quantity = 1, unit_price = 0 } = bonusItem ?? {};
  if (quantity > maxQuantity) return `Expected a quantity of at most ${maxQuantity}.`;
  return quantity * unit_price > maxAmount
    ? `Expected quantity times price to be at most ${maxAmount}.`
    : undefined;
}
