/**
 * What an order comes to, worked out a second time and in another way: with whole numbers only, on plain lists,
 * straight from the rules of the shop. It shares nothing with the checkout, so that both are not wrong alike.
 */
export interface Sale {
  readonly items: readonly Item[];
  readonly country: number;
  readonly rates: readonly Rate[];
  readonly promotions: readonly Promotion[];
  readonly method: Method;
}

export interface Item {
  /** Which of the shop's goods it is, from 0. */
  readonly good: number;
  readonly price: number;
  readonly quantity: number;
}

/** Goods as the shop has them: their category is good % 3, their taxon good % 2, their weight in tenths good + 1. */
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
  readonly rules: readonly Rule[];
  readonly actions: readonly Action[];
}

export type Rule =
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

export interface Worth {
  readonly items_total: number;
  readonly adjustments_total: number;
  readonly total: number;
  readonly tax: readonly number[];
  readonly shipping: readonly number[];
  readonly promotion: readonly number[];
  /** Positions of the promotions that apply, in the order in which they do. */
  readonly applied: readonly number[];
}

/** A whole number divided by another one, half away from zero. */
function divided(top: number, bottom: number): number {
  const whole = Math.floor(Math.abs(top) / bottom);
  const rest = Math.abs(top) - whole * bottom;
  const nearest = rest * 2 < bottom ? whole : whole + 1;
  return top < 0 ? 0 - nearest : nearest;
}

export function worthOf(sale: Sale, shipped: boolean): Worth {
  const own = total(sale.items);
  const applied = appliedTo(sale, own);
  const taxes = taxesOn(sale);
  const gifts: Item[] = [];
  const basket = [...sale.items];
  const parts = applied.flatMap((position) => sale.promotions[position]!.actions);
  // A gift is in the parcel from addressing on, so it is there when shipping is charged.
  for (const action of parts) {
    if (action.type !== 'add_product') continue;
    if ([...sale.items, ...gifts].some(({ good }) => good === action.good)) continue;
    gifts.push({ good: action.good, price: action.price, quantity: 1 });
  }
  const shipping = shipped ? [costOf(sale.method, [...sale.items, ...gifts])] : [];
  const promotion: number[] = [];
  for (const action of parts) {
    if (action.type === 'fixed_discount') promotion.push(0 - action.amount);
    else if (action.type === 'percentage_discount') {
      promotion.push(divided(0 - total(basket) * action.thousandths, 1000));
    } else if (action.type === 'shipping_discount') {
      promotion.push(divided(0 - (shipping[0] ?? 0) * action.thousandths, 1000));
    } else if (basket.every(({ good }) => good !== action.good)) {
      basket.push({ good: action.good, price: action.price, quantity: 1 });
    }
  }
  const counting = taxes.filter(({ included }) => !included).map(({ amount }) => amount);
  const adjustments_total = [...counting, ...shipping, ...promotion].reduce((a, b) => a + b, 0);
  const items_total = total(basket);
  return {
    items_total,
    adjustments_total,
    total: Math.max(0, items_total + adjustments_total),
    tax: taxes.map(({ amount }) => amount),
    shipping,
    promotion,
    applied,
  };
}

function total(items: readonly Item[]): number {
  return items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
}

function appliedTo(sale: Sale, own: number): number[] {
  const byPriority = sale.promotions
    .map((promotion, position) => ({ ...promotion, position }))
    .toSorted((a, b) => b.priority - a.priority || a.position - b.position);
  const eligible = byPriority.filter(
    ({ active, rules }) => active && rules.every((rule) => isMet(rule, sale, own)),
  );
  const alone = eligible.find(({ exclusive }) => exclusive);
  return (alone === undefined ? eligible : [alone]).map(({ position }) => position);
}

function isMet(rule: Rule, { items, country }: Sale, own: number): boolean {
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

function taxesOn({ items, rates, country }: Sale): { amount: number; included: boolean }[] {
  const taxes: { name: string; amount: number; included: boolean }[] = [];
  for (const { good, price, quantity } of items) {
    const rate = rates.find(
      (one) => one.category === categoryOf(good) && one.country === country && one.category > 0,
    );
    if (rate === undefined) continue;
    const { thousandths, included } = rate;
    const name = `${rate.name} ${thousandths}`;
    const base = price * quantity;
    const amount = divided(base * thousandths, included ? 1000 + thousandths : 1000);
    const same = taxes.find((tax) => tax.name === name && tax.included === included);
    if (same === undefined) taxes.push({ name, amount, included });
    else same.amount += amount;
  }
  return taxes;
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
