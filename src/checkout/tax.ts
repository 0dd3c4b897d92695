import type { OrderItem } from '../models/order.ts';
import type { TaxRate } from '../models/lookups.ts';
import { type Charge, productOf } from './order-rows.ts';
import { exactly, one, product, quotient, rounded, sum } from '../lib/numbers.ts';
import type { Shop } from './shop.ts';
import { closestZone, type Place } from './packages.ts';

/**
 * Returns the taxes of items for a place: each rounded separately, then summed by description. Bonus items are not
 * taxed, because taxes are calculated before promotions.
 */
export function taxesOn(shop: Shop, items: readonly OrderItem[], place: Place): Charge[] {
  const zone = taxZone(shop, place);
  if (zone === undefined) return [];
  const perRate = new Map<TaxRate, number>();
  for (const item of items) {
    const rate = item.promotion_id === undefined ? rateOf(shop, item, zone) : undefined;
    if (rate !== undefined) perRate.set(rate, (perRate.get(rate) ?? 0) + taxOn(item.total, rate));
  }
  return sumByDescription([...perRate]);
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
function taxDescription({ name, amount }: Pick<TaxRate, 'name' | 'amount'>): string {
  const percent = Number((amount * 100).toPrecision(15));
  return `${name} (${percent}%)`;
}

function taxZone({ db, settings }: Shop, place: Place): number | undefined {
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
