import type { ActionType } from '../models/promotion.ts';
import { numberIn, type ReadonlyConfiguration } from './configuration.ts';
import { exactly, product, rounded } from '../lib/fraction.ts';
import { maxAmount, maxQuantity, type NewLine } from './lines.ts';

/** What an action is applied to: the order as the actions before it left it. */
export interface Basket {
  readonly items_total: number;
  readonly shipping_total: number;
  readonly variants: ReadonlySet<number>;
}

type DiscountType = Exclude<ActionType, 'add_product'>;

/** Returns the discount of an action in minor units, at most 0. */
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

/** Returns the item that an action adds; undefined if the order already has that variant. */
export function bonusItemOf(set: ReadonlyConfiguration, { variants }: Basket): NewLine | undefined {
  const variant_id = numberIn(set, 'variant');
  if (variants.has(variant_id)) return undefined;
  return {
    variant_id,
    quantity: Math.max(1, rounded(exactly(numberIn(set, 'quantity', 1)))),
    unit_price: Math.max(0, rounded(exactly(numberIn(set, 'price')))),
  };
}

/** Returns why the bonus item of an action is too large; undefined if it is not. */
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
