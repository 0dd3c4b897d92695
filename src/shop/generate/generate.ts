import { addDuration, parseDateTime } from '../../engine/lib/duration.ts';
import { getOrCreate } from '../../engine/lib/maps.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { divideProgress, reportStep, type OnProgress } from '../../engine/lib/progress.ts';
import type { Database } from '../models/database.ts';
import type { GenerateOptions } from '../scenario.ts';
import { catalogueOf } from './catalogue.ts';
import { storeCopies, type Copy } from './copies.ts';
import { customersOf, randomTime, type Period } from './customers.ts';
import { playOrder, type Opening, type PlayedOrder, type PlayingShop } from './played-order.ts';
import { createRandom, cumulate, type Random } from './random.ts';
import { secondsOf, timestamp } from './times.ts';

/** Number of orders of one place and one set of promotions that are played before others are copied from them. */
const playedPerPlace = 20;
/** Number of played orders that are tried for a copy, before another one is played. */
const maxTries = 20;

const hour = 3600;
const day = 24 * hour;

/** Weights of the hours of the day. */
const hourWeights = cumulate([
  2, 1, 1, 1, 1, 2, 4, 7, 9, 10, 11, 11, 12, 11, 10, 10, 10, 11, 13, 15, 16, 14, 9, 5,
]);

/**
 * Generates customers and orders, and stores them. Some hundred orders are played step by step; the others are copies of
 * these with other ids, numbers, times and customers, so each is as consistent as the one that was played.
 *
 * @throws Problem `invalid` if the shop has nothing to sell, or no customers
 */
export function generateOrders(
  shop: PlayingShop,
  { orders, users, since }: GenerateOptions,
  onProgress?: OnProgress,
): void {
  const { db, settings, seed, clock } = shop;
  const now = clock.now();
  const newUsers = users ?? Math.ceil(orders / 8);
  assertCanGenerate(db, { orders, users: newUsers });
  const period = { from: secondsOf(firstDate(now, since)), to: secondsOf(now) };
  const random = createRandom(`${seed} generated`);
  const catalogue = catalogueOf(db);
  const [creating, planning, storing] = divideProgress(onProgress, [newUsers, orders, 2 * orders]);
  const customers = customersOf(shop, newUsers, period, { random, onProgress: creating });
  const lifetime = secondsOf(addDuration(now, settings.cartLifetime)) - period.to;
  const maxPace = Math.max(1, Math.floor(lifetime / 8));
  const orderFor = orderSource(shop);
  let existing = 1;
  const copies = openingTimes(orders, period, random).map((at, position): Copy => {
    reportStep(planning, position, orders);
    while (existing < customers.length && customers[existing]!.since <= at) existing++;
    const customer = customers[random.between(0, existing - 1)]!;
    const played = orderFor({ random, catalogue, customer, at, maxPace });
    return { played, customer, at };
  });
  storeCopies(db, copies, (at) => reportStep(storing, at, orders));
}

/** Returns the times at which carts are created, in seconds since 1970, sorted. */
function openingTimes(count: number, period: Period, random: Random): readonly number[] {
  return Array.from({ length: count }, () => {
    const time = randomTime(period, random);
    const inDay = random.draw(hourWeights) * hour + random.between(0, hour - 1);
    const busy = Math.floor(time / day) * day + inDay;
    return busy > period.to || busy < period.from ? time : busy;
  }).toSorted((one, other) => one - other);
}

/** Returns a function that plays an order, or returns one that was played before and fits. */
function orderSource(shop: PlayingShop): (opening: Opening) => PlayedOrder {
  const { promotions } = shop.db;
  const now = secondsOf(shop.clock.now());
  const boundaries = promotions
    .all()
    .flatMap(({ starts_at, ends_at }) => [starts_at, ends_at])
    .flatMap((time) => (time === undefined ? [] : [secondsOf(time)]));
  const activeAt = (at: number): number => boundaries.filter((time) => time <= at).length;
  /** By place, and by the promotions that are active during the checkout. */
  const groups = new Map<string, PlayedOrder[]>();
  const isLeft = (id: number): boolean => {
    const { used = 0, usage_limit: limit = Infinity } = promotions.get(id) ?? {};
    return used < limit;
  };
  const isPersonal = (id: number): boolean =>
    promotions.get(id)?.rules.some(({ type }) => personalRules.has(type)) === true;
  return (opening) => {
    const { random, at, maxPace, customer } = opening;
    const { country_id, province_id } = customer.address;
    const active = [activeAt(at), activeAt(at + 3 * maxPace)];
    const key = [country_id, province_id, ...active].join(' ');
    const group = getOrCreate(groups, key, (): PlayedOrder[] => []);
    const tries = group.length < playedPerPlace ? 0 : maxTries;
    let found: PlayedOrder | undefined;
    for (let tried = 0; tried < tries && found === undefined; tried++) {
      const played = random.pick(group);
      const isPast = at >= played.since && at + played.to - played.from <= now;
      if (isPast && played.order.promotion_ids.every(isLeft)) found = played;
    }
    const played = found ?? playOrder(shop, opening);
    const { promotion_ids, completed_at } = played.order;
    if (found === undefined && played.isEnded && !promotion_ids.some(isPersonal))
      group.push(played);
    if (completed_at === undefined) return played;
    const updated_at = timestamp(secondsOf(completed_at) + at - played.from);
    for (const id of promotion_ids)
      promotions.change(id, { used: (promotions.get(id)?.used ?? 0) + 1, updated_at });
    return played;
  };
}

/** Rules that depend on the history of a customer: an order to which they apply is no order of another one. */
const personalRules: ReadonlySet<string> = new Set(['nth_order', 'user_loyalty']);

/** @throws Problem `invalid` that names the tables without records */
function assertCanGenerate(
  db: Database,
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
