import type { AddressInput } from '../../checkout/addressing.ts';
import type { Channel } from '../../models/channel.ts';
import type { Catalogue } from './catalogue.ts';
import { oddsOf, type Chance } from './chance.ts';
import { momentIn, type Customer, type Span } from './customers.ts';
import { lifecycleOf, type Life } from './life.ts';

/** An order to be: what a customer does, and what becomes of it. Times are in seconds. */
export interface Plan extends Life {
  /** When its cart is opened, since 1970. */
  readonly at: number;
  /** How long each step takes. */
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

/** How busy the shop is in each hour of the day. */
const hours = oddsOf([
  2, 1, 1, 1, 1, 2, 4, 7, 9, 10, 11, 11, 12, 11, 10, 10, 10, 11, 13, 15, 16, 14, 9, 5,
]);
const lineCounts = oddsOf([55, 27, 12, 6]);
const quantities = oddsOf([84, 13, 3]);
/** The first one offered is the one that most people take. */
const habits = oddsOf([6, 3, 1]);

export interface PlanContext {
  readonly catalogue: Catalogue;
  /** In the order in which they came. */
  readonly customers: readonly Customer[];
  readonly chance: Chance;
  readonly span: Span;
  /** How long a step may take at the most, so that no cart expires meanwhile. */
  readonly slowest: number;
}

/** When a step of the checkout is taken: 0 opens the cart, 1 is addressing. */
export function stepOf({ at, pace }: Plan, step: number): number {
  return at + step * pace;
}

/** Plans orders, in the order in which their carts are opened. */
export function planOrders(context: PlanContext, count: number): Plan[] {
  const { customers, chance, span } = context;
  const moments = Float64Array.from({ length: count }, () => openingIn(span, chance)).toSorted();
  let known = 1;
  const plans: Plan[] = [];
  for (const at of moments) {
    while (known < customers.length && customers[known]!.since <= at) known++;
    plans.push(planOne(context, customers[chance.between(0, known - 1)]!, at));
  }
  return plans;
}

/** A moment at an hour when people buy. */
function openingIn(span: Span, chance: Chance): number {
  const moment = momentIn(span, chance);
  const busy = Math.floor(moment / day) * day + chance.draw(hours) * hour + chance.between(0, 3599);
  return busy > span.to || busy < span.from ? moment : busy;
}

function planOne(context: PlanContext, customer: Customer, at: number): Plan {
  const { chance, catalogue, slowest, span } = context;
  const { address } = customer;
  const channel = channelFor(context, customer, at);
  const items = basketFor(context, channel, at);
  const methods = items.length === 0 ? [] : catalogue.methodsFor(items, address, channel);
  const method = methods[Math.min(chance.draw(habits), methods.length - 1)];
  const payments = catalogue.paymentMethodsOf(channel);
  const paymentMethod = payments[Math.min(chance.draw(habits), payments.length - 1)];
  const pace = Math.min(slowest, chance.between(35, 220));
  const isWhole = method !== undefined && paymentMethod !== undefined;
  const byCard = paymentMethod === payments[0];
  const { until, card, later } = lifecycleOf(chance, { at, pace, now: span.to, isWhole, byCard });
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

/** A channel that is there already and delivers to the customer, if there is one. */
function channelFor(
  { catalogue, chance }: PlanContext,
  { address }: Customer,
  at: number,
): Channel {
  const channels = catalogue.channelsFor(address);
  const open = channels.filter(({ since }) => since <= at);
  return chance.pick(open.length > 0 ? open : channels).it;
}

function basketFor({ catalogue, chance }: PlanContext, channel: Channel, at: number) {
  const { variants, odds } = catalogue.goodsOf(channel);
  const items: { readonly variant_id: number; quantity: number }[] = [];
  for (let lines = 1 + chance.draw(lineCounts); lines > 0; lines--) {
    const variant = variants[chance.draw(odds)];
    if (variant === undefined || variant.since > at) continue;
    const { id: variant_id } = variant.it;
    const quantity = 1 + chance.draw(quantities);
    const known = items.find((item) => item.variant_id === variant_id);
    if (known === undefined) items.push({ variant_id, quantity });
    else known.quantity = quantity;
  }
  return items;
}
