import { openBackOffice } from '../../src/back-office.ts';

// Opens the largest scenario, tells how long that took since the process began, and how much memory it holds.
const { db } = openBackOffice({ scenario: 'large' });
const took = performance.now();
const { rss } = process.memoryUsage();
process.send?.({ took, rss, orders: db.orders.count() });
