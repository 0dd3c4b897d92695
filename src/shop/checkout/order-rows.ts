import type { Database } from '../models/database.ts';
import type { OrderItem, Order, Adjustment } from '../models/order.ts';
import type { Product } from '../models/product.ts';
import type { Shop } from './shop.ts';
import { rankOf } from './step.ts';

/** Maximum pieces of one item, and maximum of its total in minor units. */
export const maxQuantity = 10_000;
export const maxAmount = 1_000_000_000_000;

/** The fields of a new order item. */
export interface NewItem {
  readonly variant_id: number;
  /** Minor units. */
  readonly unit_price: number;
  readonly quantity: number;
  /** The promotion that adds it; such an item is immutable. */
  readonly promotion_id?: number;
}

/** Adds an item to an order, with an inventory unit for each piece of it. */
export function insertItem(shop: Shop, order: Order, line: NewItem): OrderItem {
  const { db, settings } = shop;
  const counts = settings.totals === 'live' || order.checkout_state !== 'cart';
  const item = db.orderItems.add({
    order_id: order.id,
    immutable: line.promotion_id !== undefined,
    adjustments_total: 0,
    total: counts ? line.quantity * line.unit_price : 0,
    ...line,
  });
  // An item that is added after shipping belongs to the first shipment.
  const isPacked = rankOf(shop, order.checkout_state) >= rankOf(shop, 'shipping');
  const shipment = isPacked ? db.shipments.first('order', order.id) : undefined;
  const unit = {
    order_id: order.id,
    order_item_id: item.id,
    variant_id: line.variant_id,
    shipment_id: shipment?.id,
    inventory_state: 'checkout',
  } as const;
  // `addAll` is faster for many units, `add` for a few.
  if (line.quantity > 100) {
    db.inventoryUnits.addAll(Array.from({ length: line.quantity }, () => unit));
  } else {
    for (let piece = 0; piece < line.quantity; piece++) db.inventoryUnits.add(unit);
  }
  return item;
}

/** Removes an item of a cart, with its inventory units and adjustments. */
export function deleteItem({ db }: Shop, item: { readonly id: number }): void {
  for (const { id } of db.inventoryUnits.by('item', item.id)) db.inventoryUnits.remove(id);
  for (const { id } of db.adjustments.by('item', item.id)) db.adjustments.remove(id);
  db.orderItems.remove(item.id);
}

/** Returns the product of a variant, even if it has been deleted: orders keep their items. */
export function productOf(db: Database, variant_id: number): Product | undefined {
  const variant = db.variants.getWithDeleted(variant_id);
  return variant && db.products.getWithDeleted(variant.product_id);
}

export type Label = 'tax' | 'shipping' | 'promotion';

/** The fields of a new adjustment of an order. */
export interface Charge {
  readonly description: string;
  /** Minor units, negative for discounts. */
  readonly amount: number;
  readonly neutral: boolean;
  readonly shipment_id?: number | undefined;
  readonly promotion_id?: number | undefined;
}

/**
 * Replaces the adjustments of one label by new rows, with new ids. Locked adjustments stay. The rows of an order are
 * taxes first, then shipping, then promotions: a caller that replaces one of these also replaces those after it.
 *
 * @param present all adjustments of the order (default: read from the table)
 */
export function replaceAdjustments(
  { adjustments }: Database,
  { id: order_id }: { readonly id: number },
  label: Label,
  charges: readonly Charge[],
  present: readonly Adjustment[] = adjustments.by('order', order_id),
): void {
  for (const row of chargesOf(present, label)) adjustments.remove(row.id);
  for (const { description, amount, neutral, shipment_id, promotion_id } of charges) {
    const from = {
      ...(shipment_id !== undefined && { shipment_id }),
      ...(promotion_id !== undefined && { promotion_id }),
    };
    adjustments.add({ description, amount, neutral, ...from, order_id, label, locked: false });
  }
}

/** Returns the unlocked adjustments of one label. */
export function chargesOf(present: readonly Adjustment[], label: Label): Adjustment[] {
  return present.filter((row) => row.label === label && !row.locked);
}

/** The fields of an adjustment that totals use. */
export interface Amount {
  readonly amount: number;
  readonly neutral: boolean;
}

/** Returns the sum of adjustments, without neutral ones. */
export function sumAmounts(adjustments: readonly Amount[]): number {
  return adjustments.reduce((sum, { amount, neutral }) => (neutral ? sum : sum + amount), 0);
}
