import {
  addDuration,
  parseDateTime,
  secondsBetween,
  secondsIn,
} from '../../engine/lib/duration.ts';
import { getOrCreate } from '../../engine/lib/maps.ts';
import { Problem } from '../../engine/lib/problem.ts';
import type { OnProgress } from '../../engine/lib/progress.ts';
import { approvedCard, purchaseStep } from '../checkout/payment.ts';
import { proposeShipping } from '../checkout/shipping.ts';
import { available } from '../checkout/stock.ts';
import type { Database } from '../models/database.ts';
import { confirming, paying } from '../models/order.ts';
import { playPlans, type OrderPlan, type PlayingShop } from '../office/play-orders.ts';
import type { GenerateOptions } from '../office/scenario.ts';
import { customersOf, randomAge, type Customer } from './customers.ts';
import { lifecycles } from './lifecycles.ts';
import { offersTo, type Offer } from './offers.ts';
import { createRandom, type Random } from './random.ts';

const hour = 3600;

/** Weights of products by their ids: few sell often, most sell rarely. */
const popularity = [8, 1, 3, 2, 5, 1, 2, 4, 1, 1, 6, 2, 1, 3];
/** Weights of one item and more in an order, and of one piece and more of an item. */
const itemWeights = [55, 27, 12, 6];
const pieceWeights = [84, 13, 3];
/** Weights of the methods on offer: most customers choose the first one. */
const choiceWeights = [6, 3, 1];

/**
 * Generates customers, and plays orders of theirs step by step. A shop may reject a step, such as one for a place that no
 * method delivers to: nothing more happens to that order.
 *
 * @throws Problem `invalid` if the shop has nothing to sell, or no customers
 */
export function generateOrders(
  shop: PlayingShop,
  { orders, users = Math.ceil(orders / 8), since }: GenerateOptions,
  onProgress?: OnProgress,
): void {
  const { db, seed, clock } = shop;
  assertCanGenerate(db, { orders, users });
  const now = clock.now();
  const age = secondsBetween(firstDate(now, since), now);
  const random = createRandom(`${seed} generated`);
  const customers = customersOf(shop, users, age, random);
  const offers = new Map<string, readonly Offer[]>();
  let existing = 1;
  const ages = Array.from({ length: orders }, () => randomAge(age, random));
  const plans = ages
    .toSorted((one, other) => other - one)
    .map((opened) => {
      while (existing < customers.length && customers[existing]!.age >= opened) existing++;
      const customer = customers[random.between(0, existing - 1)]!;
      const { country_id, province_id } = customer.address;
      const open = getOrCreate(offers, `${country_id} ${province_id}`, () =>
        offersTo(db, customer.address),
      );
      return planOf(shop, random, { customer, offers: open, age: opened });
    });
  const restock = stockUp(db, plans);
  playPlans(shop, plans, onProgress);
  restock();
}

interface Opening {
  readonly customer: Customer;
  readonly offers: readonly Offer[];
  /** Seconds since the cart was opened. */
  readonly age: number;
}

/** Draws what is ordered and what becomes of it. */
function planOf(
  { clock, settings }: PlayingShop,
  random: Random,
  { customer: { user, address }, offers, age }: Opening,
): OrderPlan {
  const at = `-${seconds(age)}`;
  const opened = addDuration(clock.now(), at);
  const open = offers.filter(({ channel }) => channel.created_at <= opened);
  const { channel, currency, variants, payments } = random.pick(open.length > 0 ? open : offers);
  const sold = variants.filter(({ available_on }) => available_on <= opened);
  const weights = sold.map(({ product_id }) => popularity[product_id % popularity.length] ?? 1);
  const items = new Map<number, OrderPlan['items'][number]>();
  for (let left = 1 + random.draw(itemWeights); left > 0 && sold.length > 0; left--) {
    const variant = sold[random.draw(weights)]!.id;
    items.set(variant, { variant, quantity: 1 + random.draw(pieceWeights) });
  }
  const [method, payment] = [random.draw(choiceWeights), random.draw(choiceWeights)];
  const lifecycle = lifecycles[random.draw(lifecycles.map(({ weight }) => weight))]!;
  const { until, card = approvedCard } = lifecycle;
  const paymentMethod = choose(payments, payment);
  // What is not paid by card is paid later.
  const isTransfer = until === paying && paymentMethod !== channel.payment_methods[0];
  const paid = { after: seconds(random.between(60, 3 * hour)), payments: 'complete' };
  const later = lifecycle.later.map(([from, to, transition]) => ({
    after: seconds(random.between(from, to)),
    ...transition,
  }));
  // No cart expires during its checkout.
  const maxPace = Math.max(1, Math.floor(secondsIn(settings.cartLifetime) / 8));
  return {
    at,
    channel: channel.id,
    user: user.id,
    currency,
    items: [...items.values()],
    coupons: [],
    until: isTransfer ? confirming : until,
    pace: seconds(Math.min(random.between(35, 220), maxPace)),
    later: isTransfer ? [paid, ...later] : later,
    customer: {
      addressing: () => ({ shipping: address }),
      shipping: (shop, order) =>
        new Map(
          proposeShipping(shop, order).map(({ methods }, position) => [
            position,
            choose(methods, method)?.id,
          ]),
        ),
      payment: () => paymentMethod,
      purchase: (shop, order) => ({ ...purchaseStep.defaultInput(shop, order), number: card }),
    },
  };
}

/** Returns the item at an index, or the last one. */
function choose<Item>(list: readonly Item[], index: number): Item | undefined {
  return list[Math.min(index, list.length - 1)];
}

function seconds(count: number): string {
  return `PT${count}S`;
}

/**
 * Adds what is ordered to the stock, so that no order fails for lack of it.
 *
 * @returns a function that sets the stock to what it was, with the pieces on hold: the shop has restocked what was sold
 */
function stockUp(db: Database, plans: readonly OrderPlan[]): () => void {
  const ordered = new Map<number, number>();
  for (const { variant, quantity } of plans.flatMap(({ items }) => items)) {
    ordered.set(variant, (ordered.get(variant) ?? 0) + quantity);
  }
  const stocked = db.stockItems.all().filter((item) => available(item) > 0);
  for (const { id, on_hand, variant_id } of stocked) {
    db.stockItems.change(id, { on_hand: on_hand + (ordered.get(variant_id) ?? 0) });
  }
  return () => {
    for (const { id, on_hand, on_hold } of stocked) {
      const held = (db.stockItems.get(id)?.on_hold ?? on_hold) - on_hold;
      db.stockItems.change(id, { on_hand: on_hand + held });
    }
  };
}

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
