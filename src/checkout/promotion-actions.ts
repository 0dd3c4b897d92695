import type { ActionType } from '../models/promotion.ts';
import { numberIn, type ReadonlyConfiguration } from './configuration.ts';
import { exactly, product, rounded } from '../lib/fraction.ts';
import { maxAmount, maxQuantity, type NewLine } from './lines.ts';

/** What an action is applied to: an order as those before it have left it. */
export interface Basket {
  readonly items_total: number;
  readonly shipping_total: number;
  readonly variants: ReadonlySet<number>;
}

type DiscountType = Exclude<ActionType, 'add_product'>;

/** What an action takes off, in minor units: below 0, or 0. */
export function discountOf(
  type: DiscountType,
  configuration: ReadonlyConfiguration,
  basket: Basket,
): number {
  return discounts[type](configuration, basket);
}

const discounts: Readonly<
  Record<DiscountType, (set: ReadonlyConfiguration, basket: Basket) => number>
> = {
  fixed_discount: (set) => rounded(exactly(-numberIn(set, 'amount'))),
  percentage_discount: (set, { items_total }) => share(-items_total, set),
  shipping_discount: (set, { shipping_total }) => share(-shipping_total, set),
};

/** The item that an action adds; none where the order has one of that variant. */
export function bonusItemOf(set: ReadonlyConfiguration, { variants }: Basket): NewLine | undefined {
  const variant_id = numberIn(set, 'variant');
  if (variants.has(variant_id)) return undefined;
  return {
    variant_id,
    quantity: Math.max(1, rounded(exactly(numberIn(set, 'quantity', 1)))),
    unit_price: Math.max(0, rounded(exactly(numberIn(set, 'price')))),
  };
}

/** What makes the gift of an action larger than an item can be. */
export function giftProblem(set: ReadonlyConfiguration): string | undefined {
  const gift = bonusItemOf(set, { items_total: 0, shipping_total: 0, variants: new Set() });
  const { quantity = 1, unit_price = 0 } = gift ?? {};
  if (quantity > maxQuantity) return `Expected a quantity of at most ${maxQuantity}.`;
  return quantity * unit_price > maxAmount
    ? `Expected quantity times price to be at most ${maxAmount}.`
    : undefined;
}

function share(amount: number, set: ReadonlyConfiguration): number {
  return rounded(product(exactly(amount), exactly(numberIn(set, 'percentage'))));
}
