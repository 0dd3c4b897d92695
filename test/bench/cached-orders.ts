import { openStoreOffice } from '../../src/shop/open-store-office.ts';

/**
 * Reads every order of a shop, alone and in lists, and sends its parent the bytes of memory that this takes.
 *
 * Arguments: number of orders to generate, maximum bytes of the cache. Run with `--expose-gc`.
 */
const [orders = 0, maxCachedBytes = 0] = process.argv.slice(2).map(Number);
const office = openStoreOffice({
  scenario: {
    name: 'read',
    description: 'For measuring',
    extends: 'default',
    generate: { orders },
  },
  maxCachedBytes,
});
const pages = Math.ceil(orders / 100);
const read = (url: string): void => void office.answer({ method: 'GET', url, headers: {} });
// What is built at first use, such as indexes and code, is not of the cache.
readPages(1, 2);
readOrders(1, 200);
const before = used();
readOrders(201, orders);
readPages(3, pages);
process.send?.({ bytes: used() - before });

function readOrders(from: number, to: number): void {
  for (let id = from; id <= to; id++) read(`/api/orders/${id}`);
}

function readPages(from: number, to: number): void {
  for (let page = from; page <= to; page++) read(`/api/orders/?page=${page}&limit=100`);
}

function used(): number {
  gc!();
  gc!();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
