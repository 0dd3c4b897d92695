import type { OrderItem } from '../models/order.ts';
import type { TaxRate } from '../models/lookups.ts';
import { type Charge, productOf } from './order-rows.ts';
import { exactly, one, product, quotient, rounded, sum } from '../../engine/lib/numbers.ts';
import type { Shop } from './shop.ts';
import { closestZone, type Place } from './packages.ts';

/** The tax of one item. */
export interface ItemTax {
  readonly rate: TaxRate;
  /** Minor units, rounded. */
  readonly tax: number;
}

/** A tax of an order: the sum of the taxes of items. */
export interface TaxLine extends Charge {
  readonly taxes: readonly ItemTax[];
}

/**
 * Returns the taxes of items for a place: each rounded separately, then summed by description. Bonus items are not
 * taxed, because taxes are calculated before promotions.
 */
export function taxesOn(shop: Shop, items: readonly OrderItem[], place: Place): TaxLine[] {
  const zone = taxZone(shop, place);
  if (zone === undefined) return [];
  const all = items.flatMap((item): ItemTax[] => {
    const rate = item.promotion_id === undefined ? rateOf(shop, item, zone) : undefined;
    return rate === undefined ? [] : [{ rate, tax: taxOn(item.total, rate) }];
  });
  const alike = Map.groupBy(all, ({ rate }) => `${taxDescription(rate)} ${rate.included_in_price}`);
  return Array.from(alike.values(), (taxes) => {
    const { rate } = taxes[0]!;
    return {
      description: taxDescription(rate),
      amount: taxes.reduce((total, { tax }) => total + tax, 0),
      neutral: rate.included_in_price,
      taxes,
    };
  });
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
