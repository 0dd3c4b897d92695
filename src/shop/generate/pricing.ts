import { sumAmounts, type Charge } from '../checkout/order-rows.ts';
import { shippingCost, type Measured } from '../checkout/calculators.ts';
import {
  promotionResult,
  promotionsFor,
  type Discount,
  type BonusItem,
} from '../checkout/promotions.ts';
import type { Shop } from '../checkout/shop.ts';
import { taxesOn } from '../checkout/tax.ts';
import { totalsOf, type OrderTotals } from '../checkout/totals.ts';
import type { Order, OrderItem } from '../models/order.ts';
import type { Promotion } from '../models/promotion.ts';
import type { Catalogue } from './catalogue.ts';
import { TupleMap } from '../../engine/lib/maps.ts';
import { hasReached } from './lifecycle.ts';
import type { Plan } from './plan.ts';

/** The shipment of one stock location with its cost. */
export interface Parcel {
  /** Undefined if stock is not tracked. */
  readonly location: number | undefined;
  readonly cost: Charge;
}

/** The charges, promotions and totals of an order. */
export interface OrderPricing {
  readonly taxes: readonly Charge[];
  readonly discounts: readonly Discount[];
  readonly gifts: readonly BonusItem[];
  readonly parcels: readonly Parcel[];
  /** Frozen, since the order stores this list without copying it. */
  readonly promotion_ids: readonly number[];
  readonly totals: OrderTotals;
}

/** The state of the shop when an order is addressed. */
export interface AddressingContext {
  readonly shop: Shop;
  /** The number of orders that the customer has paid before. */
  readonly paidBefore: number;
  /** Highest priority first. */
  readonly promotions: readonly Promotion[];
}

/** Calculates the prices of orders by the rules of the checkout. Memoizes taxes and shipping costs. */
export class PriceCalculator {
  readonly #catalogue: Catalogue;
  /** By place, variant and item total. */
  readonly #taxes = new TupleMap<readonly Charge[]>();
  /** By shipping method, and the variants with their quantities. */
  readonly #costs = new TupleMap<number>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Calculates taxes and promotions at the addressing step, then the changes at the shipping step. */
  price(
    context: AddressingContext,
    plan: Plan,
    order: Order,
    items: readonly OrderItem[],
  ): OrderPricing {
    const { shop, paidBefore, promotions } = context;
    const place = plan.address;
    const items_total = items.reduce((sum, { total }) => sum + total, 0);
    const candidate = { order, items, items_total, place, paidBefore };
    const applied = promotionsFor(shop, candidate, promotions);
    const variants = new Set(items.map(({ variant_id }) => variant_id));
    const basket = { items_total, variants, shipping_total: 0 };
    const { bonusItems: gifts, discounts: early } = promotionResult(shop, applied, basket);
    const all = gifts.length === 0 ? items : [...items, ...gifts];
    const parcels = hasReached(plan, 'shipping') ? this.#parcels(shop, plan, all) : [];
    const costs = parcels.map(({ cost }) => cost);
    const shipping_total = sumAmounts(costs);
    const discounts =
      early.length === 0
        ? early
        : promotionResult(shop, applied, { ...basket, shipping_total }).discounts;
    const charges = this.#taxesOf(shop, plan, items);
    const total = all.reduce((sum, line) => sum + line.quantity * line.unit_price, 0);
    return {
      taxes: charges,
      discounts,
      gifts,
      parcels,
      promotion_ids: applied.length === 0 ? none : Object.freeze(applied.map(({ id }) => id)),
      totals: totalsOf(total, [...charges, ...costs, ...discounts]),
    };
  }

  /** Taxes are rounded per item, so that the taxes of an order are the sums of those of its items. */
  #taxesOf(shop: Shop, plan: Plan, items: readonly OrderItem[]): readonly Charge[] {
    if (items.length === 1) return this.#taxesOn(shop, plan, items[0]!);
    const charges: Charge[] = [];
    for (const item of items) {
      for (const charge of this.#taxesOn(shop, plan, item)) {
        const at = charges.findIndex((one) => isSame(one, charge));
        if (at === -1) charges.push(charge);
        else charges[at] = { ...charge, amount: charges[at]!.amount + charge.amount };
      }
    }
    return charges;
  }

  #taxesOn(shop: Shop, { address }: Plan, item: OrderItem): readonly Charge[] {
    const place = this.#catalogue.placeOf(address);
    return this.#taxes.getOrCreate([place, item.variant_id, item.total], () =>
      taxesOn(shop, [item], address),
    );
  }

  #parcels({ db }: Shop, { shippingMethod }: Plan, lines: readonly Line[]): Parcel[] {
    const method = db.shippingMethods.get(shippingMethod);
    if (method === undefined) return [];
    const { name: description, calculator, configuration } = method;
    return this.#catalogue.parcelsOf(lines).map(({ location, lines: own }) => {
      const contents = [shippingMethod];
      for (const { variant_id, quantity } of own) contents.push(variant_id, quantity);
      const amount = this.#costs.getOrCreate(contents, () => {
        const units: Measured[] = [];
        for (const { variant_id, quantity } of own) {
          const variant = db.variants.getWithDeleted(variant_id) ?? {};
          for (let piece = 0; piece < quantity; piece++) units.push(variant);
        }
        return shippingCost(calculator, configuration, units);
      });
      return { location, cost: { description, amount, neutral: false } };
    });
  }
}

interface Line {
  readonly variant_id: number;
  readonly quantity: number;
}

/** Shared by all orders without a promotion. */
const none: readonly never[] = Object.freeze([]);

function isSame(one: Charge, other: Charge): boolean {
  return one.description === other.description && one.neutral === other.neutral;
}
