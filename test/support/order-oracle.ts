/**
 * A second calculation of orders, in another way: with integers only, on plain lists,
 * directly from the rules of the shop. It shares no code with the checkout, so that the two do not share errors.
 */
export interface Sale {
  readonly items: readonly Item[];
  readonly country: number;
  readonly rates: readonly Rate[];
  readonly promotions: readonly Promotion[];
  readonly method: Method;
  readonly locked: readonly Locked[];
}

export type Label = 'tax' | 'shipping' | 'promotion';

/** An adjustment that was added directly, before the checkout. */
export interface Locked {
  readonly label: Label;
  readonly amount: number;
  readonly neutral: boolean;
}

export interface Item {
  /** Position of the variant among the shop's goods. */
  readonly good: number;
  readonly price: number;
  readonly quantity: number;
}

/** The shop's goods by position: the category is good % 3, the taxon good % 2, the weight in tenths good + 1. */
export const categoryOf = (good: number): number => good % 3;
export const taxonOf = (good: number): number => good % 2;
export const tenthsOf = (good: number): number => good + 1;

/** A tax rate in thousandths, for goods of a category (0 is never taxed) that go to a country. */
export interface Rate {
  readonly name: string;
  readonly category: number;
  readonly country: number;
  readonly thousandths: number;
  readonly included: boolean;
}

export interface Promotion {
  readonly priority: number;
  readonly exclusive: boolean;
  readonly active: boolean;
  readonly rules: readonly SaleRule[];
  readonly actions: readonly Action[];
}

export type SaleRule =
  | { readonly type: 'item_total' | 'item_count'; readonly limit: number; readonly equal: boolean }
  | { readonly type: 'shipping_country'; readonly country: number }
  | { readonly type: 'taxonomy'; readonly taxon: number; readonly exclude: boolean }
  | { readonly type: 'contains_product'; readonly good: number; readonly exclude: boolean };

export type Action =
  | { readonly type: 'fixed_discount'; readonly amount: number }
  | { readonly type: 'percentage_discount'; readonly thousandths: number }
  | { readonly type: 'shipping_discount'; readonly thousandths: number }
  | { readonly type: 'add_product'; readonly good: number; readonly price: number };

export type Method =
  | { readonly calculator: 'flat_rate' | 'per_item_rate'; readonly amount: number }
  | {
      readonly calculator: 'flexible_rate';
      readonly first: number;
      readonly additional: number;
      readonly limit: number;
    }
  | { readonly calculator: 'weight_rate'; readonly amount: number; readonly division: number };

/** An adjustment that a step calculates. */
export interface Entry {
  readonly label: Label;
  readonly description: string;
  readonly amount: number;
  readonly neutral: boolean;
  /** The position of the promotion that gives it. */
  readonly promotion?: number;
}

export interface Worth {
  readonly items_total: number;
  readonly adjustments_total: number;
  readonly total: number;
  readonly tax: readonly Entry[];
  readonly promotion: readonly Entry[];
  /** Positions of the promotions that apply, in order of application. */
  readonly applied: readonly number[];
}

/** A row of the table of adjustments, without its order, shipment and promotion. */
export interface LedgerRow extends Entry {
  readonly id: number;
  readonly locked: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The adjustments of an order, by id. A step that recalculates adjustments removes them and appends new ones. */
export class Ledger {
  rows: readonly LedgerRow[];
  #lastId: number;

  /** @param rows all previous rows of the table */
  constructor(rows: readonly LedgerRow[]) {
    this.rows = rows;
    this.#lastId = rows.length;
  }

  of(label: Label): readonly LedgerRow[] {
    return this.rows.filter((row) => row.label === label && !row.locked);
  }

  rewrite(labels: readonly Label[], entries: readonly Entry[], at: string): void {
    const stay = this.rows.filter(({ label, locked }) => locked || !labels.includes(label));
    const added = (['tax', 'shipping', 'promotion'] as const)
      .filter((label) => labels.includes(label))
      .flatMap((wanted) => entries.filter(({ label }) => label === wanted))
      .map((entry) => ({
        ...entry,
        id: ++this.#lastId,
        locked: false,
        created_at: at,
        updated_at: at,
      }));
    this.rows = [...stay, ...added];
  }
}

/** Returns the quotient of two integers, rounded half away from zero. */
function divided(top: number, bottom: number): number {
  const whole = Math.floor(Math.abs(top) / bottom);
  const rest = Math.abs(top) - whole * bottom;
  const nearest = rest * 2 < bottom ? whole : whole + 1;
  return top < 0 ? 0 - nearest : nearest;
}

/** Returns the totals of an order with these shipping costs. */
export function worthOf(sale: Sale, shipping: readonly Entry[]): Worth {
  const applied = appliedTo(sale, total(sale.items));
  const basket = [...sale.items];
  const charged = comeTo([...shipping, ...sale.locked.filter(({ label }) => label === 'shipping')]);
  const promotion: Entry[] = [];
  for (const position of applied) {
    for (const action of sale.promotions[position]!.actions) {
      if (action.type === 'add_product') give(basket, action);
      else {
        const amount = 0 - reductionOf(action, total(basket), charged);
        const description = 'Sale';
        promotion.push({
          label: 'promotion',
          description,
          amount,
          neutral: false,
          promotion: position,
        });
      }
    }
  }
  const tax = taxesOn(sale);
  const adjustments_total = comeTo([...sale.locked, ...tax, ...shipping, ...promotion]);
  const items_total = total(basket);
  return {
    items_total,
    adjustments_total,
    total: Math.max(0, items_total + adjustments_total),
    tax,
    promotion,
    applied,
  };
}

/** What shipping costs: a gift is in the parcel from addressing on, so it is there when shipping is charged. */
export function shippingOf(sale: Sale): Entry[] {
  const basket = [...sale.items];
  for (const position of appliedTo(sale, total(sale.items))) {
    for (const action of sale.promotions[position]!.actions) {
      if (action.type === 'add_product') give(basket, action);
    }
  }
  const amount = costOf(sale.method, basket);
  return [{ label: 'shipping', description: 'Parcel', amount, neutral: false }];
}

type AddProduct = Extract<Action, { type: 'add_product' }>;

function give(basket: Item[], { good, price }: AddProduct): void {
  if (basket.every((item) => item.good !== good)) basket.push({ good, price, quantity: 1 });
}

function reductionOf(action: Exclude<Action, AddProduct>, items: number, shipping: number): number {
  if (action.type === 'fixed_discount') return action.amount;
  const base = action.type === 'percentage_discount' ? items : shipping;
  return divided(base * action.thousandths, 1000);
}

function comeTo(
  amounts: readonly { readonly amount: number; readonly neutral: boolean }[],
): number {
  return amounts.reduce((all, { amount, neutral }) => (neutral ? all : all + amount), 0);
}

function total(items: readonly Item[]): number {
  return items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
}

function appliedTo(sale: Sale, own: number): number[] {
  const byPriority = sale.promotions
    .map((promotion, position) => ({ ...promotion, position }))
    .toSorted((a, b) => b.priority - a.priority || a.position - b.position);
  const eligible = byPriority.filter(
    ({ active, rules }) => active && rules.every((rule) => appliesTo(rule, sale, own)),
  );
  const alone = eligible.find(({ exclusive }) => exclusive);
  return (alone === undefined ? eligible : [alone]).map(({ position }) => position);
}

function appliesTo(rule: SaleRule, { items, country }: Sale, own: number): boolean {
  switch (rule.type) {
    case 'item_total':
      return rule.equal ? own >= rule.limit : own > rule.limit;
    case 'item_count':
      return rule.equal ? items.length >= rule.limit : items.length > rule.limit;
    case 'shipping_country':
      return country === rule.country;
    case 'taxonomy':
      return items.some(({ good }) => taxonOf(good) === rule.taxon) ? !rule.exclude : rule.exclude;
    case 'contains_product':
      return items.some(({ good }) => good === rule.good) ? !rule.exclude : rule.exclude;
  }
}

function taxesOn({ items, rates, country }: Sale): Entry[] {
  const taxes: { name: string; neutral: boolean; amount: number }[] = [];
  for (const { good, price, quantity } of items) {
    const rate = rates.find(
      (one) => one.category === categoryOf(good) && one.country === country && one.category > 0,
    );
    if (rate === undefined) continue;
    const { thousandths, included: neutral } = rate;
    const name = `${rate.name} (${thousandths / 10}%)`;
    const base = price * quantity;
    const amount = divided(base * thousandths, neutral ? 1000 + thousandths : 1000);
    const same = taxes.find((tax) => tax.name === name && tax.neutral === neutral);
    if (same === undefined) taxes.push({ name, neutral, amount });
    else same.amount += amount;
  }
  return taxes.map(({ name, ...tax }) => ({ label: 'tax', description: name, ...tax }));
}

function costOf(method: Method, items: readonly Item[]): number {
  const units = items.reduce((sum, { quantity }) => sum + quantity, 0);
  switch (method.calculator) {
    case 'flat_rate':
      return method.amount;
    case 'per_item_rate':
      return method.amount * units;
    case 'flexible_rate': {
      let cost = method.first;
      for (let unit = 2; unit <= units; unit++) {
        if (method.limit === 0 || unit - 1 <= method.limit) cost += method.additional;
      }
      return cost;
    }
    case 'weight_rate': {
      const tenths = items.reduce((sum, item) => sum + tenthsOf(item.good) * item.quantity, 0);
      return divided(method.amount * tenths, 10 * method.division);
    }
  }
}
