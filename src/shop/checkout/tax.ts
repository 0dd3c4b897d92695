import type { OrderItem } from '../models/order.ts';
import type { TaxRate } from '../models/lookups.ts';
import { type Charge, productOf } from './order-rows.ts';
import { exactly, one, product, quotient, rounded, sum } from '../../engine/lib/numbers.ts';
import type { Shop } from './shop.ts';
import { closestZone, type Place } from './packages.ts';

/** The tax of one item. */
export interface ItemTax {
  readonly item: OrderItem;
  readonly rate: TaxRate;
  /** Minor units, rounded. */
  readonly tax: number;
}

/**
 * Returns the taxes of items for a place: each rounded separately, then summed by description. Bonus items are not
 * taxed, because taxes are calculated before promotions.
 */
export function taxesOn(shop: Shop, items: readonly OrderItem[], place: Place): Charge[] {
  const perRate = new Map<TaxRate, number>();
  for (const { rate, tax } of itemTaxes(shop, items, place)) {
    perRate.set(rate, (perRate.get(rate) ?? 0) + tax);
  }
  return sumByDescription([...perRate]);
}

/** Returns the tax of each item that is taxed. */
export function itemTaxes(shop: Shop, items: readonly OrderItem[], place: Place): ItemTax[] {
  const zone = taxZone(shop, place);
  if (zone === undefined) return [];
  const taxes: ItemTax[] = [];
  for (const item of items) {
    const rate = item.promotion_id === undefined ? rateOf(shop, item, zone) : undefined;
    if (rate !== undefined) taxes.push({ item, rate, tax: taxOn(item.total, rate) });
  }
  return taxes;
}

/** Returns the tax on an amount, or the tax that a price includes. */
export function taxOn(
  base: number,
  { amount, included_in_price }: Pick<TaxRate, 'amount' | 'included_in_price'>,
): number {
  const rate = exactly(amount);
  const tax = product(exactly(base), rate);
  return rounded(included_in_price ? quotient(tax, sum(one, rate)) : tax);
}

/** `VAT (7.5%)` */
export function taxDescription({ name, amount }: Pick<TaxRate, 'name' | 'amount'>): string {
  const percent = Number((amount * 100).toPrecision(15));
  return `${name} (${percent}%)`;
}

export function taxZone({ db, settings }: Shop, place: Place): number | undefined {
  return closestZone(db, place)?.id ?? settings.defaultTaxZone;
}

function rateOf({ db }: Shop, item: OrderItem, zone: number): TaxRate | undefined {
  const category = productOf(db, item.variant_id)?.tax_category_id;
  return category === undefined ? undefined : db.taxRates.first('category', category, zone);
}

function sumByDescription(perRate: readonly (readonly [TaxRate, number])[]): Charge[] {
  const charges = new Map<string, Charge>();
  for (const [rate, tax] of perRate) {
    const description = taxDescription(rate);
    const { included_in_price: neutral } = rate;
    const key = `${description} ${neutral}`;
    charges.set(key, { description, amount: (charges.get(key)?.amount ?? 0) + tax, neutral });
  }
  return [...charges.values()];
}
