import type { AddressInput } from '../../checkout/addressing.ts';
import type { Channel } from '../../models/channel.ts';
import type { Database } from '../../models/database.ts';
import type { ShippingMethod } from '../../models/shipping-method.ts';
import type { Catalogue } from './catalogue.ts';
import { oddsOf, type Chance } from './chance.ts';
import { momentIn, type Customer, type Span } from './customers.ts';
import { lifeOf, type Life } from './life.ts';
import type { Stamp } from './seconds.ts';

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
  readonly db: Database;
  readonly catalogue: Catalogue;
  /** In the order in which they came. */
  readonly customers: readonly Customer[];
  readonly chance: Chance;
  readonly span: Span;
  readonly stampOf: Stamp;
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
  const { chance, catalogue, db, slowest, span } = context;
  const { address } = customer;
  const channel = channelFor(context, customer, at);
  const items = basketFor(context, channel, at);
  const methods = offered(catalogue, items, customer, channel);
  const method = methods[Math.min(chance.draw(habits), methods.length - 1)];
  const payments = paymentMethodsOf(db, channel);
  const paymentMethod = payments[Math.min(chance.draw(habits), payments.length - 1)];
  const pace = Math.min(slowest, chance.between(35, 220));
  const isWhole = method !== undefined && paymentMethod !== undefined;
  return {
    at,
    pace,
    channel: channel.id,
    customer,
    currency: currencyOf(db, channel),
    items,
    address,
    shippingMethod: method?.id ?? 0,
    paymentMethod: paymentMethod ?? 0,
    ...lifeOf(chance, { at, pace, now: span.to, isWhole, byCard: paymentMethod === payments[0] }),
  };
}

/** A channel that is there already and delivers to the customer, if there is one. */
function channelFor(
  { catalogue, chance, stampOf }: PlanContext,
  { address }: Customer,
  at: number,
): Channel {
  const channels = catalogue.channelsFor(address);
  const opening = stampOf(at);
  const open = channels.filter(({ created_at }) => created_at <= opening);
  return chance.pick(open.length > 0 ? open : channels);
}

function basketFor({ catalogue, chance, stampOf }: PlanContext, channel: Channel, at: number) {
  const { variants, odds } = catalogue.goodsOf(channel);
  const opening = stampOf(at);
  const items = new Map<number, number>();
  for (let lines = 1 + chance.draw(lineCounts); lines > 0; lines--) {
    const variant = variants[chance.draw(odds)];
    if (variant === undefined || variant.available_on > opening) continue;
    items.set(variant.id, 1 + chance.draw(quantities));
  }
  return Array.from(items, ([variant_id, quantity]) => ({ variant_id, quantity }));
}

/** The shipping methods of the channel that can take these items, or others if it has none. */
function offered(
  catalogue: Catalogue,
  items: Plan['items'],
  { address }: Customer,
  channel: Channel,
): readonly ShippingMethod[] {
  if (items.length === 0) return [];
  const methods = catalogue.methodsFor(items, address);
  const own = methods.filter(({ id }) => channel.shipping_methods.includes(id));
  return own.length > 0 ? own : methods;
}

function paymentMethodsOf(db: Database, channel: Channel): number[] {
  const enabled = db.paymentMethods.all().filter((method) => method.enabled);
  const own = enabled.filter(({ id }) => channel.payment_methods.includes(id));
  return (own.length > 0 ? own : enabled).map(({ id }) => id);
}

function currencyOf(db: Database, channel: Channel): string {
  const currency = db.currencies.get(channel.currencies[0] ?? 0) ?? db.currencies.page(0, 1)[0];
  return currency?.code ?? 'EUR';
}
