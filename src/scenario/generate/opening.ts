import type { Order } from '../../models/order.ts';
import type { OrderItem } from '../../models/order-item.ts';
import type { Shop } from '../../resources/endpoint.ts';
import type { Catalogue } from './catalogue.ts';
import { hasReached } from './life.ts';
import type { OrderRows } from './order-rows.ts';
import { stepOf, type Plan } from './plan.ts';
import type { Stamp } from './seconds.ts';

/** A cart with what the customer has put into it, before the checkout gives it anything. */
export interface Cart {
  readonly order: Order;
  readonly items: readonly OrderItem[];
}

interface Opening {
  readonly rows: OrderRows;
  readonly catalogue: Catalogue;
  readonly stampOf: Stamp;
  /** When the cart expires, in seconds since 1970. */
  readonly expiry: number;
}

export function openedCart(shop: Shop, plan: Plan, opening: Opening): Cart {
  const { rows, stampOf, expiry } = opening;
  const { channel, customer, currency, at } = plan;
  const id = rows.orders.nextId();
  const items = itemsOf(shop, plan, id, opening);
  const now = stampOf(at);
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
      expires_at: stampOf(expiry),
      created_at: now,
      updated_at: now,
    },
  };
}

const none: readonly number[] = Object.freeze([]);

/** With totals that follow at the steps only, an item counts from addressing on. */
function itemsOf(
  { settings }: Shop,
  plan: Plan,
  order_id: number,
  { rows, catalogue, stampOf }: Opening,
): OrderItem[] {
  const isLate = settings.totals === 'at-steps';
  const counts = !isLate || hasReached(plan, 'addressing');
  const created_at = stampOf(plan.at);
  const updated_at = isLate && counts ? stampOf(stepOf(plan, 1)) : created_at;
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
      total: counts ? quantity * unit_price : 0,
      created_at,
      updated_at,
    };
  });
}
