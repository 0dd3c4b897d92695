import { addDuration } from '../lib/duration.ts';
import type { Coupon } from '../models/coupon.ts';
import type { Database } from '../models/database.ts';
import type { Order } from '../models/order.ts';
import type { OrderItem } from '../models/order-item.ts';
import { formatCount, type FieldProblem } from '../lib/problem.ts';
import { addLine, removeLine, maxAmount, maxQuantity, type NewLine } from './lines.ts';
import { followTotal } from './payment.ts';
import { invalid, invalidFields, notValid, refusedProblem } from './refusal.ts';
import { factsOf, applyScript } from './script.ts';
import type { Shop } from './shop.ts';
import { shortage } from './shortage.ts';
import { rollBackTo } from './step-back.ts';
import { tally } from './tally.ts';
import { placeOf, valueAll, valuePromotions } from './valuation.ts';

/** More pieces of one order than any shop sells. */
const mostInOrder = 20_000;

export interface NewOrder {
  readonly channel_id: number;
  readonly user_id: number;
  /** A currency code. */
  readonly currency: string;
}

/** Frozen lists are shared by all rows that have them. */
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
 * The order, if it still takes items and coupons.
 *
 * @throws Problem `refused`
 */
export function requireCart(_: Shop, order: Order): Order {
  if (order.state === 'cart') return order;
  throw refusedProblem(`Order ${order.id} is in state ${order.state}: only a cart can be changed.`);
}

/**
 * Puts an item into a cart; another one of the same variant stays apart. A cart that was past addressing goes back
 * there: its shipments and its payment were made for other goods.
 *
 * @throws Problem `refused` where the order is no cart, `invalid` for an item that cannot be had
 */
export function addItem(shop: Shop, order: Order, line: Omit<NewLine, 'promotion_id'>): OrderItem {
  const problems = lineProblems(shop, requireCart(shop, order), line);
  if (problems.length > 0) throw invalidFields(problems);
  applyScript(shop, 'item', () => factsOf(shop, order));
  rollBackTo(shop, order, 'addressing');
  const item = addLine(shop, order, line);
  revalue(shop, order);
  return item;
}

/** Takes an item out of a cart. The last one takes the cart back to where addressing comes next. */
export function removeItem(shop: Shop, order: Order, item: OrderItem): void {
  requireCart(shop, order);
  if (item.order_id !== order.id)
    throw refusedProblem(`Item ${item.id} is not on order ${order.id}.`);
  rollBackTo(shop, order, 'addressing');
  removeLine(shop, item);
  revalue(shop, order);
}

/**
 * Puts a coupon on a cart.
 *
 * @throws Problem `invalid` where there is no such coupon, or it is used up or expired; `refused` where the order is no cart
 */
export function useCoupon(shop: Shop, order: Order, code: string): Order {
  requireCart(shop, order);
  const coupon = shop.db.coupons.findUnique('code', code);
  const problem = couponProblem(coupon, code, shop.clock.now());
  if (coupon === undefined || problem !== undefined) throw invalid(['coupon'], problem ?? notValid);
  if (order.coupon_ids.includes(coupon.id)) return order;
  return withCoupons(shop, order, [...order.coupon_ids, coupon.id]);
}

/** Takes a coupon off a cart again. */
export function removeCoupon(shop: Shop, order: Order, code: string): Order {
  requireCart(shop, order);
  const id = shop.db.coupons.findUnique('code', code)?.id;
  if (id === undefined || !order.coupon_ids.includes(id)) {
    throw invalid(['coupon'], `Order ${order.id} has no coupon ${code}.`);
  }
  return withCoupons(
    shop,
    order,
    order.coupon_ids.filter((one) => one !== id),
  );
}

function lineProblems(shop: Shop, order: Order, line: NewLine): FieldProblem[] {
  const { db, settings } = shop;
  const { variant_id, quantity, unit_price } = line;
  const isPrice = Number.isSafeInteger(unit_price) && unit_price >= 0;
  const isQuantity = Number.isSafeInteger(quantity) && quantity >= 1;
  if (!isSold(db, variant_id)) return [{ path: ['variant'], message: notValid }];
  if (!isPrice || quantity * unit_price > maxAmount) {
    return [{ path: ['unitPrice'], message: notValid }];
  }
  if (!isQuantity || quantity > maxQuantity) return [{ path: ['quantity'], message: notValid }];
  const pieces = db.inventoryUnits.countBy('order', order.id) + quantity;
  if (pieces > mostInOrder) {
    const message = `Order ${order.id} would have ${formatCount(pieces)} pieces, at most ${formatCount(mostInOrder)} are accepted.`;
    return [{ path: ['quantity'], message }];
  }
  const has = settings.backorders ? 0 : piecesOf(shop, order, variant_id);
  const short = settings.backorders ? undefined : shortage(db, variant_id, has + quantity);
  return short === undefined ? [] : [{ path: ['quantity'], message: short }];
}

/** Variants of a product that was deleted are still there for the orders that have them. */
function isSold(db: Database, variant_id: number): boolean {
  const variant = db.variants.get(variant_id);
  return variant !== undefined && db.products.get(variant.product_id) !== undefined;
}

function piecesOf({ db }: Shop, order: Order, variant_id: number): number {
  return db.orderItems
    .by('order', order.id)
    .reduce((sum, item) => sum + (item.variant_id === variant_id ? item.quantity : 0), 0);
}

/** Works out anew what an order comes to, as far as its checkout has got. */
function revalue(shop: Shop, order: Order): void {
  const place = placeOf(shop, order);
  if (order.checkout_state === 'cart' || place === undefined) {
    if (shop.settings.totals === 'live') tally(shop, order);
  } else if (hasOwnItems(shop, order)) {
    valueAll(shop, order, place, { checkout_state: 'addressing' });
  } else {
    rollBackTo(shop, order, 'cart');
    tally(shop, order, { checkout_state: 'cart', promotion_ids: [] });
  }
}

function hasOwnItems({ db }: Shop, order: Order): boolean {
  return db.orderItems.by('order', order.id).some((item) => item.promotion_id === undefined);
}

function couponProblem(coupon: Coupon | undefined, code: string, now: string): string | undefined {
  if (coupon === undefined) return `There is no coupon ${code}.`;
  const { used, usage_limit, expires_at } = coupon;
  if (usage_limit !== undefined && used >= usage_limit) return `Coupon ${code} is used up.`;
  return expires_at !== undefined && expires_at < now
    ? `Coupon ${code} expired at ${expires_at}.`
    : undefined;
}

function withCoupons(shop: Shop, order: Order, coupon_ids: number[]): Order {
  const changed = shop.db.orders.change(order.id, { coupon_ids });
  const place = placeOf(shop, changed);
  if (changed.checkout_state === 'cart' || place === undefined) return changed;
  return followTotal(shop, valuePromotions(shop, changed, place));
}
