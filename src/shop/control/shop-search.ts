import * as z from 'zod';
import { foldCase } from '../../engine/lib/fold-case.ts';
import type { Order } from '../models/order.ts';
import { StockItem } from '../models/stock.ts';
import type { StoreOffice } from '../office/store-office.ts';

/** The stock of a variant at a location, with the names that a person knows. */
export const StockLevelView = z.object({
  ...StockItem.shape,
  sku: z.string(),
  product: z.string(),
  location: z.string(),
});
export type StockLevelView = z.output<typeof StockLevelView>;

interface OrderSearch {
  readonly find?: string | undefined;
  readonly state?: string | undefined;
}

/** Returns a part of the orders that a text finds, most recently changed first, and their number. */
export function findOrders(
  { db, shop }: StoreOffice,
  { find, state }: OrderSearch,
  offset: number,
  limit: number,
): { readonly total: number; readonly rows: readonly Order[] } {
  const recent = { by: 'recent', descending: true } as const;
  if (find === undefined && state === undefined)
    return { total: db.orders.count(), rows: db.orders.page(offset, limit, recent) };
  const typed = foldCase(find?.trim() ?? '');
  const word = String(shop.api.ids?.idOf(shop, 'orders', typed) ?? typed);
  const isFound = (text: string | undefined): boolean =>
    text !== undefined && foldCase(text).includes(word);
  const users = new Set<number>();
  for (const { id, first_name, last_name } of db.users.page(0, db.users.count()))
    if (isFound(`${first_name} ${last_name}`)) users.add(id);
  const found = db.orders
    .page(0, db.orders.count(), recent)
    .filter(
      (order) =>
        (state === undefined || order.state === state) &&
        (word === '' ||
          String(order.id) === word ||
          isFound(order.number) ||
          isFound(order.email) ||
          users.has(order.user_id)),
    );
  return { total: found.length, rows: found.slice(offset, offset + limit) };
}

/** Returns the stock items that have every word in a name. Deleted records keep their names. */
export function findStock({ db }: StoreOffice, find: string): z.output<typeof StockLevelView>[] {
  const words = foldCase(find).split(/\s+/).filter(Boolean);
  return db.stockItems.page(0, db.stockItems.count()).flatMap((item) => {
    const { variant_id: variant, stock_location_id: at } = item;
    const { sku = `variant ${variant}`, product_id } = db.variants.getWithDeleted(variant) ?? {};
    const { name: product = '' } = db.products.getWithDeleted(product_id ?? 0) ?? {};
    const { name: location = `location ${at}` } = db.stockLocations.getWithDeleted(at) ?? {};
    const all = foldCase(`${variant} ${location} ${sku} ${product}`);
    return words.every((word) => all.includes(word)) ? [{ ...item, sku, product, location }] : [];
  });
}
