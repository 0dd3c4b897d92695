import module from 'node:module';

// Opens the largest scenario as the program does, and reports the time since the process began, the memory that it takes,
// and the time of the first list of orders.
module.enableCompileCache();
const { openStoreOffice } = await import('../../src/shop/open-store-office.ts');
const office = openStoreOffice({ scenario: 'large' });
const took = performance.now();
const { rss } = process.memoryUsage();
const read = (url: string): void => void office.answer({ method: 'GET', url, headers: {} });
// The dashboard and a log-in come first in a user's day, too.
for (let page = 1; page <= 20; page++) read(`/api/users/?page=${page}`);
const before = performance.now();
read('/api/orders/?limit=20');
const firstList = performance.now() - before;
process.send?.({ took, rss, orders: office.db.orders.count(), firstList });
