import type { Facts, ViewNode, ViewReport } from '../../engine/definition/drift.ts';
import type { AdjustmentView, OrderItemView, OrderView } from '../../contract.ts';
import { sumAmounts } from '../../shop/checkout/order-rows.ts';
import { taxOn } from '../../shop/checkout/tax.ts';
import { totalOf, totalOfItem } from '../../shop/checkout/totals.ts';
import { orderViews } from './link-rules.ts';

function isListed(viewed: Pick<ViewNode, 'within'>): boolean {
  return viewed.within.some(({ view }) => view === 'Page');
}

/** With `totals: 'at-steps'`, the totals of a cart are those of its last step. */
function mayBeOutdated(
  order: { readonly state?: unknown } | undefined,
  { settings = {} }: Facts,
): boolean {
  return settings['totals'] !== 'live' && (order === undefined || order.state === 'cart');
}

const sumOfAdjustments = 'the sum of its adjustments that are not neutral';

export function itemTotals(
  viewed: ViewNode<OrderItemView>,
  { equal }: ViewReport,
  known: Facts,
): void {
  const item = viewed.value;
  const order = viewed.within.find(({ view }) => orderViews.has(view))?.value;
  if (isListed(viewed)) {
    for (const name of ['adjustments', 'inventory_units'] as const)
      equal('shape', name, 0, 'lists leave them out', item[name].length);
  } else {
    const units = item.inventory_units.length;
    equal('total', 'inventory_units', item.quantity, 'one per quantity', units);
    equal('total', 'adjustments_total', sumAmounts(item.adjustments), sumOfAdjustments);
  }
  if (item.total === 0 && mayBeOutdated(order, known)) return;
  const total = totalOfItem(item);
  equal('total', 'total', total, 'quantity × unit_price + adjustments_total, at least 0');
}

export function orderTotals(viewed: ViewNode<OrderView>, check: ViewReport, known: Facts): void {
  const order = viewed.value;
  const { equal } = check;
  const outdated = mayBeOutdated(order, known);
  if (isListed(viewed)) {
    equal('shape', 'adjustments', 0, 'lists leave them out', order.adjustments.length);
  } else if (!outdated) {
    equal('total', 'adjustments_total', sumAmounts(order.adjustments), sumOfAdjustments);
    checkTaxes(order, check);
  }
  if (!outdated) {
    const items = order.items.reduce((total, item) => total + item.total, 0);
    equal('total', 'items_total', items, 'the sum of the totals of its items');
  }
  equal('total', 'total', totalOf(order), 'items_total + adjustments_total, at least 0');
}

/** `VAT (7.5%)` */
const percentage = /\((\d{1,21}(?:\.\d+)?)%\)$/;

export function taxDescription(
  { value: { label, description } }: ViewNode<AdjustmentView>,
  { report }: ViewReport,
): void {
  if (label === 'tax' && !percentage.test(description))
    report('value', 'description', 'the name of the tax and its rate: VAT (20%)');
}

/** Each tax is the sum, over some items, of the tax on the item, rounded half away from zero. */
function checkTaxes(order: OrderView, { report }: ViewReport): void {
  const items = order.items.filter(({ immutable }) => !immutable).slice(0, 12);
  if (items.length < order.items.length) return;
  for (const [index, tax] of order.adjustments.entries()) {
    const rate = {
      amount: Number(percentage.exec(tax.description)?.[1]) / 100,
      included_in_price: tax.neutral,
    };
    if (tax.label !== 'tax' || Number.isNaN(rate.amount)) continue;
    const taxes = items.map(({ total }) => taxOn(total, rate));
    const sums = sumsOfSome(taxes);
    if (items.length > 0 && taxes.some((one) => one !== 0)) sums.delete(0);
    if (sums.has(tax.amount)) continue;
    const expected =
      items.length === 1 ? taxes.join() : `one of ${[...sums].slice(0, 8).join(', ')}`;
    const place = ['adjustments', index, 'amount'];
    report('total', place, `${expected}: the tax on its items, each rounded`);
  }
}

/** Returns the sum of each selection of values, 0 for none of them. */
function sumsOfSome(values: readonly number[]): Set<number> {
  const sums = new Set([0]);
  for (const value of values) {
    for (const before of Array.from(sums)) sums.add(before + value);
  }
  return sums;
}
