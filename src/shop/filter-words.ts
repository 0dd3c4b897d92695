import type { FilterWords } from '../engine/journal/entry-filter.ts';

/** The names of records in filters: those of the tables, in the singular. One text, because it is short in the studio. */
const recordNames =
  'address adjustment channel country coupon currency fault inventory-unit locale order order-item payment ' +
  'payment-method product promotion province script sequence settlement shipment shipping-category ' +
  'shipping-method stock-item stock-location tax-category tax-rate taxon token user variant zone';

/** The words of the store in filters of the history. A constant, because the studio knows it without the tables. */
export const filterWords: FilterWords = {
  step: 'purchase',
  records: new Map(
    recordNames.split(' ').map((name) => {
      const table = tableOf(name);
      const path = table.replaceAll('_', '-');
      return [name, { table, paths: name === 'order' ? [path, 'checkouts'] : [path] }];
    }),
  ),
};

/** Returns the table of a name of `recordNames`: `order_items` of `order-item`. */
function tableOf(name: string): string {
  if (name === 'fault' || name === 'script') return `${name}_rules`;
  const one = name.replaceAll('-', '_');
  if (one.endsWith('y')) return `${one.slice(0, -1)}ies`;
  return one.endsWith('s') ? `${one}es` : `${one}s`;
}
