import type { Database } from '../models/database.ts';
import type { Order, OrderItem } from '../models/order.ts';
import type { Shop } from '../resources/endpoint.ts';
import type { Catalogue } from './catalogue.ts';
import { hasReached } from './lifecycle.ts';
import { stepTime, type Plan } from './plan.ts';
import type { TimestampOf } from './timestamps.ts';

/** A cart with its items, before the first step of the checkout. */
export interface Cart {
  readonly order: Order;
  readonly items: readonly OrderItem[];
}

interface CartContext {
  readonly rows: OrderRows;
  readonly catalogue: Catalogue;
  readonly timestampOf: TimestampOf;
  /** When the cart expires, in seconds since 1970. */
  readonly expiry: number;
}

export function createCart(shop: Shop, plan: Plan, context: CartContext): Cart {
  const { rows, timestampOf, expiry } = context;
  const { channel, customer, currency, at } = plan;
  const id = rows.orders.nextId();
  const items = itemsOf(shop, plan, id, context);
  const now = timestampOf(at);
  const items_total = items.reduce((sum, { total }) => sum + total, 0);
  return {
    items,
    order: {
      id,
      channel_id: channel,
      user_id: customer.user.id,
      currency,
      email: customer.user.email,
      state: 'cart',
      checkout_state: 'cart',
      confirmed: true,
      items_total,
      adjustments_total: 0,
      total: items_total,
      coupon_ids: none,
      promotion_ids: none,
      expires_at: timestampOf(expiry),
      created_at: now,
      updated_at: now,
    },
  };
}

const none: readonly number[] = Object.freeze([]);

/** With the setting `totals: 'at-steps'`, an item has a total from the addressing step on. */
function itemsOf(
  { settings }: Shop,
  plan: Plan,
  order_id: number,
  { rows, catalogue, timestampOf }: CartContext,
): OrderItem[] {
  const isTotalLate = settings.totals === 'at-steps';
  const hasTotal = !isTotalLate || hasReached(plan, 'addressing');
  const created_at = timestampOf(plan.at);
  const updated_at =
    isTotalLate && hasTotal ? timestampOf(stepTime(plan, 'addressing')) : created_at;
  return plan.items.map(({ variant_id, quantity }) => {
    const unit_price = catalogue.priceOf(variant_id);
    return {
      id: rows.orderItems.nextId(),
      order_id,
      variant_id,
      quantity,
      unit_price,
      immutable: false,
      adjustments_total: 0,
      total: hasTotal ? quantity * unit_price : 0,
      created_at,
      updated_at,
    };
  });
}

/** The rows of many orders, to be stored in bulk. */
export type OrderRows = ReturnType<typeof createOrderRows>;

export function createOrderRows(db: Database) {
  return {
    addresses: batch(db.addresses),
    adjustments: batch(db.adjustments),
    orderItems: batch(db.orderItems),
    orders: batch(db.orders),
    payments: batch(db.payments),
    shipments: batch(db.shipments),
    inventoryUnits: batch(db.inventoryUnits),
  };
}

/** New rows of one table that are not stored yet. */
function batch<R>(table: {
  readonly state: { readonly nextId: number };
  insertFrozen(rows: readonly R[]): void;
}) {
  const rows: R[] = [];
  let next = table.state.nextId;
  return {
    nextId: () => next++,
    /** Adds a row without copying it, and freezes it. */
    push: (row: R) => void rows.push(Object.freeze(row)),
    store: () => table.insertFrozen(rows),
  };
}
