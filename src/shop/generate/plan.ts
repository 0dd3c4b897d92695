import { reportStep, type OnProgress } from '../../engine/lib/progress.ts';
import type { AddressInput } from '../checkout/addressing.ts';
import type { Channel } from '../models/lookups.ts';
import type { Catalogue } from './catalogue.ts';
import { cumulate, type Random } from './random.ts';
import { randomTime, type Customer, type Period } from './customers.ts';
import { lifecycleOf, rankOf, type Lifecycle, type Stage } from './lifecycle.ts';

/** A planned order: the choices of the customer, and the events after the checkout. */
export interface Plan extends Lifecycle {
  /** When its cart is created, in seconds since 1970. */
  readonly at: number;
  /** The duration of each step, in seconds. */
  readonly pace: number;
  readonly channel: number;
  readonly customer: Customer;
  readonly currency: string;
  readonly items: readonly { readonly variant_id: number; readonly quantity: number }[];
  readonly address: AddressInput;
  readonly shippingMethod: number;
  readonly paymentMethod: number;
}

const hour = 3600;
const day = 24 * hour;

/** Weights of the hours of the day. */
const hourWeights = cumulate([
  2, 1, 1, 1, 1, 2, 4, 7, 9, 10, 11, 11, 12, 11, 10, 10, 10, 11, 13, 15, 16, 14, 9, 5,
]);
const lineCountWeights = cumulate([55, 27, 12, 6]);
const quantityWeights = cumulate([84, 13, 3]);
/** Weights of the shipping and payment methods on offer: most customers choose the first one. */
const choiceWeights = cumulate([6, 3, 1]);

export interface PlanContext {
  readonly catalogue: Catalogue;
  /** In the order of their creation. */
  readonly customers: readonly Customer[];
  readonly random: Random;
  readonly period: Period;
  /** The maximum duration of a step, in seconds, so that no cart expires during its checkout. */
  readonly maxPace: number;
}

/** Returns the time at which a step is submitted, or the cart created, in seconds since 1970. */
export function stepTime({ at, pace }: Plan, step: Stage): number {
  return at + rankOf(step) * pace;
}

/** Plans orders, in the order in which their carts are created. */
export function planOrders(context: PlanContext, count: number, onProgress?: OnProgress): Plan[] {
  const { customers, random, period } = context;
  const times = Float64Array.from({ length: count }, () =>
    randomOpeningTime(period, random),
  ).toSorted();
  let existing = 1;
  const plans: Plan[] = [];
  for (const at of times) {
    reportStep(onProgress, plans.length, count);
    while (existing < customers.length && customers[existing]!.since <= at) existing++;
    plans.push(planOrder(context, customers[random.between(0, existing - 1)]!, at));
  }
  return plans;
}

/** Returns a random time at which a cart is created, more often at busy hours of the day. */
function randomOpeningTime(period: Period, random: Random): number {
  const time = randomTime(period, random);
  const busy =
    Math.floor(time / day) * day + random.draw(hourWeights) * hour + random.between(0, 3599);
  return busy > period.to || busy < period.from ? time : busy;
}

function planOrder(context: PlanContext, customer: Customer, at: number): Plan {
  const { random, catalogue, maxPace, period } = context;
  const { address } = customer;
  const channel = channelFor(context, customer, at);
  const items = basketFor(context, channel, at);
  const methods = items.length === 0 ? [] : catalogue.methodsFor(items, address, channel);
  const method = methods[Math.min(random.draw(choiceWeights), methods.length - 1)];
  const payments = catalogue.paymentMethodsOf(channel);
  const paymentMethod = payments[Math.min(random.draw(choiceWeights), payments.length - 1)];
  const pace = Math.min(maxPace, random.between(35, 220));
  const isPurchasable = method !== undefined && paymentMethod !== undefined;
  const byCard = paymentMethod === payments[0];
  const { until, card, later } = lifecycleOf(random, {
    at,
    pace,
    now: period.to,
    isPurchasable,
    byCard,
  });
  return {
    at,
    pace,
    channel: channel.id,
    customer,
    currency: catalogue.currencyOf(channel),
    items,
    address,
    shippingMethod: method?.id ?? 0,
    paymentMethod: paymentMethod ?? 0,
    until,
    card,
    later,
  };
}

/** Returns a channel that exists at this time and delivers to the customer, or another one if there is none. */
function channelFor(
  { catalogue, random }: PlanContext,
  { address }: Customer,
  at: number,
): Channel {
  const channels = catalogue.channelsFor(address);
  const open = channels.filter(({ since }) => since <= at);
  return random.pick(open.length > 0 ? open : channels).item;
}

function basketFor({ catalogue, random }: PlanContext, channel: Channel, at: number) {
  const { variants, weights } = catalogue.goodsOf(channel);
  const items: { readonly variant_id: number; quantity: number }[] = [];
  for (let lines = 1 + random.draw(lineCountWeights); lines > 0; lines--) {
    const variant = variants[random.draw(weights)];
    if (variant === undefined || variant.since > at) continue;
    const { id: variant_id } = variant.item;
    const quantity = 1 + random.draw(quantityWeights);
    const existing = items.find((item) => item.variant_id === variant_id);
    if (existing === undefined) items.push({ variant_id, quantity });
    else existing.quantity = quantity;
  }
  return items;
}
