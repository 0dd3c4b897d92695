import module from 'node:module';
import '../../src/cli/lean-dependencies.ts';

// Opens the largest scenario as the program does, tells how long that took since the process began, and how much memory it holds.
module.enableCompileCache();
const { openBackOffice } = await import('../../src/office/open-back-office.ts');
const { db } = openBackOffice({ scenario: 'large' });
const took = performance.now();
const { rss } = process.memoryUsage();
process.send?.({ took, rss, orders: db.orders.count() });
