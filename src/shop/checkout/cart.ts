import { addDuration } from '../../engine/lib/duration.ts';
import type { Coupon } from '../models/promotion.ts';
import type { Order, OrderItem } from '../models/order.ts';
import {
  formatCount,
  invalid,
  invalidFields,
  notValid,
  refusedProblem,
  type FieldIssue,
} from '../../engine/lib/problem.ts';
import { insertItem, deleteItem, maxAmount, maxQuantity, type NewItem } from './order-rows.ts';
import { factsOf, applyScript } from './script.ts';
import type { Shop } from './shop.ts';
import { advance } from './machines/transition.ts';
import { rollBackTo } from './steps.ts';
import { shortage } from './stock.ts';
import { shippingAddressOf, recalculate } from './totals.ts';

/** Maximum number of inventory units of one order. */
const maxInOrder = 20_000;

export interface NewOrder {
  readonly channel_id: number;
  readonly user_id: number;
  /** A currency code. */
  readonly currency: string;
}

/** Frozen, so that all rows without coupons or promotions share it. */
const none: readonly number[] = Object.freeze([]);

/**
 * Opens a cart.
 *
 * @throws Problem `invalid` for a channel, user or currency that does not exist
 */
export function createOrder(shop: Shop, { channel_id, user_id, currency }: NewOrder): Order {
  const { db, clock, settings } = shop;
  const user = db.users.get(user_id);
  if (user === undefined) throw invalid(['user'], notValid);
  if (db.channels.get(channel_id) === undefined) throw invalid(['channel'], notValid);
  if (db.currencies.findUnique('code', currency) === undefined) {
    throw invalid(['currency'], notValid);
  }
  applyScript(shop, 'create', () => ({ user: user_id, channel: channel_id, currency }));
  const now = clock.now();
  return db.orders.add({
    channel_id,
    user_id,
    currency,
    email: user.email,
    state: 'cart',
    checkout_state: 'cart',
    confirmed: true,
    items_total: 0,
    adjustments_total: 0,
    total: 0,
    coupon_ids: none,
    promotion_ids: none,
    expires_at: addDuration(now, settings.cartLifetime),
    created_at: now,
    updated_at: now,
  });
}

/**
 * Requires an order to be a cart, so that its items and coupons can change.
 *
 * @throws Problem `refused`
 */
export function assertCart(order: Order): Order {
  if (order.state === 'cart') return order;
  throw refusedProblem(`Order ${order.id} is in state ${order.state}: only a cart can be changed.`);
}

/**
 * Adds an item to a cart, even if it has another item of the same variant. A cart beyond addressing returns there,
 * because its shipments and its payment are for other items.
 *
 * @throws Problem `refused` if the order is not a cart, `invalid` for an item that is not sold or not in stock
 */
export function addItem(shop: Shop, order: Order, line: Omit<NewItem, 'promotion_id'>): OrderItem {
  const issues = itemIssues(shop, assertCart(order), line);
  if (issues.length > 0) throw invalidFields(issues);
  applyScript(shop, 'item', () => factsOf(shop, order));
  rollBackTo(shop, order, 'addressing');
  const item = insertItem(shop, order, line);
  recalculateCart(shop, order);
  return item;
}

/** Removes an item from a cart. If no item is left, the next step is addressing again. */
export function removeItem(shop: Shop, order: Order, item: OrderItem): void {
  assertCart(order);
  if (item.order_id !== order.id)
    throw refusedProblem(`Item ${item.id} is not on order ${order.id}.`);
  rollBackTo(shop, order, 'addressing');
  deleteItem(shop, item);
  recalculateCart(shop, order);
}

/**
 * Adds a coupon to a cart.
 *
 * @throws Problem `invalid` for a coupon that is unknown, used up or expired; `refused` if the order is not a cart
 */
export function useCoupon(shop: Shop, order: Order, code: string): Order {
  assertCart(order);
  const coupon = shop.db.coupons.findUnique('code', code);
  const issue = couponIssue(coupon, code, shop.clock.now());
  if (coupon === undefined || issue !== undefined) throw invalid(['coupon'], issue ?? notValid);
  if (order.coupon_ids.includes(coupon.id)) return order;
  return changeCoupons(shop, order, [...order.coupon_ids, coupon.id]);
}

/** Removes a coupon from a cart. */
export function removeCoupon(shop: Shop, order: Order, code: string): Order {
  assertCart(order);
  const id = shop.db.coupons.findUnique('code', code)?.id;
  if (id === undefined || !order.coupon_ids.includes(id)) {
    throw invalid(['coupon'], `Order ${order.id} has no coupon ${code}.`);
  }
  return changeCoupons(
    shop,
    order,
    order.coupon_ids.filter((one) => one !== id),
  );
}

/** Deletes an order. A pending one is abandoned first, so that its stock is released. */
export function deleteOrder(shop: Shop, { id, state }: Order): void {
  if (state === 'pending') advance(shop, 'order', id, 'abandon');
  shop.db.orders.remove(id);
}

function itemIssues(shop: Shop, order: Order, line: NewItem): FieldIssue[] {
  const { db, settings } = shop;
  const { variant_id, quantity, unit_price } = line;
  const variant = db.variants.get(variant_id);
  // Variants of a deleted product remain for the orders that have them, but are not sold.
  const isSold = variant !== undefined && db.products.get(variant.product_id) !== undefined;
  const isPrice = Number.isSafeInteger(unit_price) && unit_price >= 0;
  const isQuantity = Number.isSafeInteger(quantity) && quantity >= 1;
  if (!isSold) return [{ path: ['variant'], message: notValid }];
  if (!isPrice || quantity * unit_price > maxAmount) {
    return [{ path: ['unitPrice'], message: notValid }];
  }
  if (!isQuantity || quantity > maxQuantity) return [{ path: ['quantity'], message: notValid }];
  const pieces = db.inventoryUnits.countBy('order', order.id) + quantity;
  if (pieces > maxInOrder) {
    const message = `Order ${order.id} would have ${formatCount(pieces)} pieces, at most ${formatCount(maxInOrder)} are accepted.`;
    return [{ path: ['quantity'], message }];
  }
  const present = settings.backorders ? 0 : quantityOf(shop, order, variant_id);
  const short = settings.backorders ? undefined : shortage(db, variant_id, present + quantity);
  return short === undefined ? [] : [{ path: ['quantity'], message: short }];
}

function quantityOf({ db }: Shop, order: Order, variant_id: number): number {
  return db.orderItems
    .by('order', order.id)
    .reduce((sum, item) => sum + (item.variant_id === variant_id ? item.quantity : 0), 0);
}

/** Recalculates a cart: only its totals before addressing, taxes and promotions after it. */
function recalculateCart(shop: Shop, order: Order): void {
  if (order.checkout_state === 'cart' || shippingAddressOf(shop, order) === undefined) {
    if (shop.settings.totals === 'live') recalculate(shop, order, {});
  } else if (hasOwnItems(shop, order)) {
    recalculate(shop, order, { taxes: true, promotions: true }, { checkout_state: 'addressing' });
  } else {
    rollBackTo(shop, order, 'cart');
    recalculate(shop, order, {}, { checkout_state: 'cart', promotion_ids: [] });
  }
}

function hasOwnItems({ db }: Shop, order: Order): boolean {
  return db.orderItems.by('order', order.id).some((item) => item.promotion_id === undefined);
}

/** Returns why a coupon cannot be used; undefined if it can. */
export function couponIssue(
  coupon: Coupon | undefined,
  code: string,
  now: string,
): string | undefined {
  if (coupon === undefined) return `There is no coupon ${code}.`;
  const { used, usage_limit, expires_at } = coupon;
  if (usage_limit !== undefined && used >= usage_limit) return `Coupon ${code} is used up.`;
  return expires_at !== undefined && expires_at < now
    ? `Coupon ${code} expired at ${expires_at}.`
    : undefined;
}

function changeCoupons(shop: Shop, order: Order, coupon_ids: number[]): Order {
  const changed = shop.db.orders.change(order.id, { coupon_ids });
  if (changed.checkout_state === 'cart') return changed;
  return recalculate(shop, changed, { promotions: true });
}
