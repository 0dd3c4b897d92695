import { addDuration, parseDateTime } from '../../engine/lib/duration.ts';
import { Problem } from '../../engine/lib/problem.ts';
import type { Shop } from '../resources/endpoint.ts';
import type { Settings, GenerateOptions } from '../scenario.ts';
import { PriceCalculator } from './pricing.ts';
import { catalogueOf, type Catalogue } from './catalogue.ts';
import { createRandom } from './random.ts';
import { customersOf } from './customers.ts';
import { hasReached } from './lifecycle.ts';
import { createCart, createOrderRows } from './cart.ts';
import { OrderWriter } from './order-writer.ts';
import { planOrders, type Plan } from './plan.ts';
import { memoizeTimestamps, expiryBy, secondsOf } from './timestamps.ts';
import { outcomeOf } from './outcome.ts';
import { createCounters } from './counters.ts';
import { divideProgress, reportStep, type OnProgress } from '../../engine/lib/progress.ts';

type GeneratingShop = Shop & { readonly settings: Settings };

/**
 * Generates customers and orders, and stores them. The orders equal those that the checkout would create step by step.
 * They are written in bulk in their final states, which is several times as fast.
 *
 * @returns the plans of the orders, from which a test can repeat each order step by step
 * @throws Problem `invalid` if the shop has nothing to sell, or no customers
 */
export function generateOrders(
  shop: GeneratingShop,
  generation: GenerateOptions,
  onProgress?: OnProgress,
): readonly Plan[] {
  const [planning, writing] = divideProgress(onProgress, [1, 3]);
  const planned = planGeneration(shop, generation, planning);
  writeOrders(shop, planned, writing);
  return planned.plans;
}

interface GenerationPlan {
  readonly plans: readonly Plan[];
  readonly catalogue: Catalogue;
}

/** Generates and stores the customers, and plans their orders. */
function planGeneration(
  shop: GeneratingShop,
  { orders, users, since }: GenerateOptions,
  onProgress: OnProgress | undefined,
): GenerationPlan {
  const { db, settings, seed } = shop;
  const now = shop.clock.now();
  const newUsers = users ?? Math.ceil(orders / 8);
  assertCanGenerate(shop, { orders, users: newUsers });
  const period = { from: secondsOf(firstDate(now, since)), to: secondsOf(now) };
  const random = createRandom(`${seed} generated`);
  const catalogue = catalogueOf(db);
  const timestampOf = memoizeTimestamps();
  const [creatingCustomers, planning] = divideProgress(onProgress, [7 * newUsers, orders]);
  const tools = { random, timestampOf, onProgress: creatingCustomers };
  const customers = customersOf(shop, newUsers, period, tools);
  const lifetime = secondsOf(addDuration(now, settings.cartLifetime)) - period.to;
  const maxPace = Math.max(1, Math.floor(lifetime / 8));
  const context = { catalogue, customers, random, period, maxPace };
  return { catalogue, plans: planOrders(context, orders, planning) };
}

/** Stores the orders and their records in their final states. */
function writeOrders(
  shop: GeneratingShop,
  { plans, catalogue }: GenerationPlan,
  onProgress: OnProgress | undefined,
): void {
  const { db, settings, clock } = shop;
  const now = secondsOf(clock.now());
  const timestampOf = memoizeTimestamps();
  const rows = createOrderRows(db);
  const writer = new OrderWriter(rows, catalogue, timestampOf);
  const counters = createCounters(shop, plans, { catalogue, timestampOf });
  const expiryOf = expiryBy(settings.cartLifetime, timestampOf);
  const calculator = new PriceCalculator(catalogue);
  for (const [position, plan] of plans.entries()) {
    reportStep(onProgress, position, plans.length);
    const expiry = expiryOf(plan.at);
    const outcome = outcomeOf(plan, settings.expiry === 'abandon' && expiry < now, expiry);
    const { order, items } = createCart(shop, plan, { rows, catalogue, timestampOf, expiry });
    const isAddressed = hasReached(plan, 'addressing');
    const pricing = isAddressed
      ? calculator.price(counters.contextOf(plan), plan, order, items)
      : undefined;
    writer.write({ plan, outcome, pricing, order, items, number: counters.numberOf(position) });
    counters.count(plan, outcome, pricing);
  }
  for (const batch of Object.values(rows)) batch.store();
  counters.store();
}

/** @throws Problem `invalid` that names the tables without records */
function assertCanGenerate(
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
  const kind = orders > 0 ? 'Orders' : 'Customers';
  throw new Problem('invalid', `${kind} cannot be generated without any ${missing.join(', ')}`);
}

/** @throws Problem `invalid` if the date would be before the year 1000 */
function firstDate(now: string, since: string): string {
  const date = parseDateTime(addDuration(now, `-${since}`));
  if (date !== undefined) return date;
  throw new Problem(
    'invalid',
    `generate.since: ${since} before now is outside the years 1000 to 8999`,
  );
}
