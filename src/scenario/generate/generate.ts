import { addDuration, parseDateTime } from '../../lib/duration.ts';
import { Problem } from '../../lib/problem.ts';
import type { Shop } from '../../resources/endpoint.ts';
import type { Settings } from '../settings.ts';
import type { Generation } from '../generation.ts';
import { Valuer } from './bill.ts';
import { catalogueOf, type Catalogue } from './catalogue.ts';
import { createChance } from './chance.ts';
import { customersOf } from './customers.ts';
import { hasReached } from './life.ts';
import { openedCart } from './opening.ts';
import { createOrderRows, storeOrderRows } from './order-rows.ts';
import { OrderWriter } from './order-writer.ts';
import { planOrders, type Plan } from './plan.ts';
import { createStamps, expiryBy, secondsOf } from './seconds.ts';
import { outcomeOf } from './standing.ts';
import { createCounters } from './tally.ts';

type GeneratingShop = Shop & { readonly settings: Settings };

/** What is to become of a shop. */
export interface Outlook {
  readonly plans: readonly Plan[];
  readonly catalogue: Catalogue;
}

/**
 * Fills a shop with customers and orders. Each order is what the checkout would have made of it; but it is written as
 * it is in the end, together with all the others, which takes a small part of the time.
 *
 * @throws Problem `invalid` where the shop has nothing to sell, or nobody who could buy it
 */
export function generate(shop: GeneratingShop, generation: Generation): void {
  writeOrders(shop, foresee(shop, generation));
}

/** Makes up customers, who are stored, and what they order, which is not. */
export function foresee(shop: GeneratingShop, { orders, users, since }: Generation): Outlook {
  const { db, settings, seed } = shop;
  const now = shop.clock.now();
  const wanted = users ?? Math.ceil(orders / 8);
  requireShop(shop, { orders, users: wanted });
  const span = { from: secondsOf(beginningOf(now, since)), to: secondsOf(now) };
  const chance = createChance(`${seed} generated`);
  const catalogue = catalogueOf(db);
  const stampOf = createStamps();
  const customers = customersOf(shop, wanted, span, { chance, stampOf });
  const life = secondsOf(addDuration(now, settings.cartLifetime)) - span.to;
  const slowest = Math.max(1, Math.floor(life / 8));
  const context = { catalogue, customers, chance, span, slowest };
  return { catalogue, plans: planOrders(context, orders) };
}

/** Stores orders as they are now, with all that belongs to them. */
export function writeOrders(shop: GeneratingShop, { plans, catalogue }: Outlook): void {
  const { db, settings, clock } = shop;
  const now = secondsOf(clock.now());
  const stampOf = createStamps();
  const rows = createOrderRows(db);
  const writer = new OrderWriter(rows, catalogue, stampOf);
  const tally = createCounters(shop, plans, { catalogue, stampOf });
  const expiryOf = expiryBy(settings.cartLifetime, stampOf);
  const valuer = new Valuer(catalogue);
  for (const [position, plan] of plans.entries()) {
    const expiry = expiryOf(plan.at);
    const standing = outcomeOf(plan, settings.expiry === 'abandon' && expiry < now, expiry);
    const { order, items } = openedCart(shop, plan, { rows, catalogue, stampOf, expiry });
    const isAddressed = hasReached(plan, 'addressing');
    const bill = isAddressed ? valuer.billOf(tally.pastOf(plan), plan, order, items) : undefined;
    writer.write({ plan, standing, bill, order, items, number: tally.numberOf(position) });
    tally.count(plan, standing, bill);
  }
  storeOrderRows(db, rows);
  tally.store();
}

/** @throws Problem `invalid` that names what is missing */
function requireShop(
  { db }: Shop,
  { orders, users }: { readonly orders: number; readonly users: number },
): void {
  if (orders + users === 0) return;
  const missing = [
    ...(users + db.users.count() === 0 ? ['users'] : []),
    ...(orders > 0 && db.channels.count() === 0 ? ['channels'] : []),
    ...(db.addresses.count() + db.countries.count() === 0 ? ['countries'] : []),
  ];
  if (missing.length === 0) return;
  const what = orders > 0 ? 'Orders' : 'Customers';
  throw new Problem('invalid', `${what} cannot be generated without any ${missing.join(', ')}`);
}

/** @throws Problem `invalid` where there were no such moments yet */
function beginningOf(now: string, since: string): string {
  const beginning = parseDateTime(addDuration(now, `-${since}`));
  if (beginning !== undefined) return beginning;
  throw new Problem('invalid', `generate.since: ${since} leads out of the calendar`);
}
