import { Problem } from '../../engine/lib/problem.ts';
import type { OpenShop } from '../../engine/scenario/start.ts';
import { addItem, createOrder } from '../checkout/cart.ts';
import { transition } from '../checkout/machines/transition.ts';
import { purchaseStep } from '../checkout/payment.ts';
import { proposeShipping } from '../checkout/shipping.ts';
import { chooseInput, stepsUntil, submitStep, type Choices } from '../checkout/steps.ts';
import { runDueEvents } from '../checkout/time.ts';
import type { Order } from '../models/order.ts';
import type { Shop } from '../resources/endpoint.ts';
import { choiceWeights, type Catalogue } from './catalogue.ts';
import { copiedRows, type CopiedRows } from './copied-rows.ts';
import type { Customer } from './customers.ts';
import { drawLifecycle, type LaterEvent } from './lifecycle.ts';
import { cumulate, type Random } from './random.ts';
import { secondsOf, timestamp } from './times.ts';

export type PlayingShop = Shop & Pick<OpenShop, 'clock' | 'transaction'>;

/** The start of an order to play: customer and time. */
export interface Opening {
  readonly random: Random;
  readonly catalogue: Catalogue;
  readonly customer: Customer;
  /** When the cart is created, in seconds since 1970. */
  readonly at: number;
  /** The maximum duration of a step, in seconds, so that no cart expires during its checkout. */
  readonly maxPace: number;
}

/** An order that was played, with its records as they were in the end. Times are in seconds since 1970. */
export interface PlayedOrder {
  readonly order: Order;
  readonly rows: CopiedRows;
  /** When its cart was created, and its last event. */
  readonly from: number;
  readonly to: number;
  /** From when on its channel and its variants exist. */
  readonly since: number;
  /** Whether nothing more will happen to it, so that it can be copied to another time. */
  readonly isEnded: boolean;
}

const lineCountWeights = cumulate([55, 27, 12, 6]);
const quantityWeights = cumulate([84, 13, 3]);

/** Plays an order up to the present time, returns it with its records, and leaves the shop as it was. */
export function playOrder(shop: PlayingShop, opening: Opening): PlayedOrder {
  const { db, clock, transaction } = shop;
  const mark = transaction.mark();
  const before = clock.state;
  try {
    clock.set(timestamp(opening.at));
    const { id, since } = openCart(shop, opening);
    const isEnded = playCheckout(shop, id, opening, before.now);
    const order = orderOf(shop, id);
    const to = secondsOf(clock.now());
    return { order, rows: copiedRows(db, order), from: opening.at, to, since, isEnded };
  } finally {
    transaction.rollback(mark);
    transaction.release(mark);
    clock.restore(before);
  }
}

function openCart(shop: PlayingShop, { random, catalogue, customer, at }: Opening) {
  const now = timestamp(at);
  const channel = catalogue.drawChannel(random, customer.address, now);
  const { id } = createOrder(shop, {
    channel_id: channel.id,
    user_id: customer.user.id,
    currency: catalogue.currencyOf(channel),
  });
  let since = channel.created_at;
  const chosen = new Set<number>();
  for (let lines = 1 + random.draw(lineCountWeights); lines > 0; lines--) {
    const variant = catalogue.drawVariant(random, channel, now);
    const quantity = 1 + random.draw(quantityWeights);
    if (variant === undefined || chosen.has(variant.id)) continue;
    chosen.add(variant.id);
    if (variant.available_on > since) since = variant.available_on;
    const item = { variant_id: variant.id, quantity, unit_price: variant.price };
    addItem(shop, orderOf(shop, id), item);
  }
  return { id, since: secondsOf(since) };
}

/** Submits steps and applies what happens later, up to `now`. Returns whether nothing is left to happen. */
function playCheckout(shop: PlayingShop, id: number, opening: Opening, now: string): boolean {
  const { random, catalogue, maxPace } = opening;
  const { clock } = shop;
  const channel = shop.db.channels.get(orderOf(shop, id).channel_id);
  const paymentMethod = channel && catalogue.drawPayment(random, channel);
  const byCard = paymentMethod === channel?.payment_methods[0];
  const { until, card, later } = drawLifecycle(random, byCard);
  const pace = Math.min(maxPace, random.between(35, 220));
  const customer = choicesOf(opening, paymentMethod, card);
  const submit = (step: string) => (): void => {
    const order = orderOf(shop, id);
    submitStep(shop, order, step, chooseInput(shop, order, step, customer));
  };
  const events = [
    ...stepsUntil(shop, until).map((step) => ({ after: pace, run: submit(step) })),
    ...later.map((event) => ({ after: event.after, run: () => move(shop, id, event) })),
  ];
  for (const { after, run } of events) {
    const before = clock.now();
    const at = timestamp(secondsOf(before) + after);
    if (at > now) return false;
    clock.set(at);
    if (isAccepted(run)) continue;
    clock.set(before);
    break;
  }
  return endCart(shop, orderOf(shop, id), now);
}

/** The shop may refuse an event: for a place that no method delivers to, or a shipment without stock. */
function isAccepted(run: () => void): boolean {
  try {
    run();
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

/** Abandons a cart that has expired by `now`. Returns whether nothing is left to happen to the order. */
function endCart(shop: PlayingShop, { state, expires_at }: Order, now: string): boolean {
  if (state !== 'cart') return state !== 'pending';
  if (shop.settings.expiry === 'ignore') return true;
  if (expires_at >= now) return false;
  shop.clock.set(timestamp(secondsOf(expires_at) + 1));
  runDueEvents(shop);
  return true;
}

function choicesOf(
  { random, customer }: Opening,
  paymentMethod: number | undefined,
  card: string,
): Choices {
  return {
    addressing: () => ({ shipping: customer.address }),
    shipping(shop, order) {
      const choice = random.draw(choiceWeights);
      const proposals = proposeShipping(shop, order).entries();
      return new Map(
        Array.from(proposals, ([position, { methods }]) => [
          position,
          methods[Math.min(choice, methods.length - 1)]?.id,
        ]),
      );
    },
    ...(paymentMethod !== undefined && { payment: () => paymentMethod }),
    purchase: (shop, order) => ({ ...purchaseStep.defaultInput(shop, order), number: card }),
  };
}

function move(shop: Shop, id: number, { machine, transition: name }: LaterEvent): void {
  if (machine === 'order') return transition(shop, machine, id, name);
  const table = machine === 'shipment' ? shop.db.shipments : shop.db.payments;
  for (const record of table.by('order', id)) transition(shop, machine, record.id, name);
}

function orderOf({ db }: Shop, id: number): Order {
  const order = db.orders.get(id);
  if (order === undefined) throw new Problem('fault', `Order ${id} is missing.`);
  return order;
}
