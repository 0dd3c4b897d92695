import { proposeShipping } from '../checkout/shipping.ts';
import { addressingStep } from '../checkout/addressing.ts';
import { purchaseStep } from '../checkout/payment.ts';
import { walkOrder } from '../checkout/steps.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { assertOptions, type NamesOf } from '../../engine/lib/unknown-keys.ts';
import { stepsOf } from '../checkout/step.ts';
import type { CheckoutState, Order, StepName } from '../models/order.ts';
import { tablesOf, type ReadTables } from './tables.ts';
import type { StoreOffice } from '../office/store-office.ts';
import type { Shop } from '../resources/endpoint.ts';
import { AddressBlock, addressBlock, addressFields } from '../resources/address.ts';
import { stepBody, type Customer } from '../resources/checkout.ts';
import { sendUnobserved } from './send.ts';
import { pathOf } from '../../client.ts';
import type { AnswerOf, BodyOf, EndpointName, PathOf } from '../../contract.ts';

/** Sends a typed request to an endpoint and returns the body of the response. */
export type SendRequest = <Name extends EndpointName>(
  name: Name,
  path: PathOf<Name>,
  body?: BodyOf<Name>,
  own?: readonly string[],
) => AnswerOf<Name>;

type Addressing = Extract<
  NonNullable<BodyOf<'PUT /api/checkouts/:order_id'>>,
  { shippingAddress: unknown }
>;

/** The values of an order. Defaults come from the records of the shop. */
export interface GivenOrder {
  /** The step that it awaits (default: `addressing`), as the scenario `awaiting-payment` awaits `payment`. */
  readonly awaits?: StepName;
  /** In place of `awaits`, its `checkout_state`, which is the step that is done: `completed` for one that is paid. */
  readonly at?: CheckoutState;
  /** Id (default: the first channel). */
  readonly channel?: number;
  /** Id (default: the first user). */
  readonly user?: number;
  /** ISO 4217 code (default: that of the channel). */
  readonly currency?: string;
  /** Default: one piece of the first variant. */
  readonly items?: readonly {
    readonly variant: number;
    readonly quantity?: number;
    /** Minor units. */
    readonly unitPrice?: number;
  }[];
  /** Codes of coupons (default: none). */
  readonly coupons?: readonly string[];
  /** Fields that differ from the address of a test. */
  readonly shippingAddress?: Partial<Addressing['shippingAddress']>;
  /** Default: the shipping address. */
  readonly billingAddress?: Addressing['billingAddress'];
  /** Id, for every shipment (default: the first one that the order can have). */
  readonly shippingMethod?: number;
  /** Id (default: the first one). */
  readonly paymentMethod?: number;
  /** A card number (default: one that is approved). */
  readonly card?: string;
}

const orderValues: NamesOf<GivenOrder> = {
  awaits: true,
  at: true,
  channel: true,
  user: true,
  currency: true,
  items: true,
  coupons: true,
  shippingAddress: true,
  billingAddress: true,
  shippingMethod: true,
  paymentMethod: true,
  card: true,
};

const itemValues: NamesOf<NonNullable<GivenOrder['items']>[number]> = {
  variant: true,
  quantity: true,
  unitPrice: true,
};

const nameOfSteps = 'PUT /api/checkouts/:order_id';

/** Creates an order and submits its checkout steps through the store API. */
export function createOrderAt(
  office: StoreOffice,
  send: SendRequest,
  values: GivenOrder,
): AnswerOf<'GET /api/orders/:order_id/'> {
  const { shop } = office;
  assertKnownValues(values);
  const at = checkoutStateOf(shop, values);
  const order_id = openCart(office, send, values);
  const current = (): Order => present(tablesOf(office).orders.get(order_id), 'order');
  const until = stepsOf(shop).find(({ to }) => to === at)?.name ?? 'cart';
  walkOrder(shop, current(), until, customerOf(values), (_, step, input) => {
    sendUnobserved(office, nameOfSteps, pathOf(nameOfSteps, { order_id }), stepBody(step, input));
    return current();
  });
  return send('GET /api/orders/:order_id/', { order_id });
}

/** @throws Problem `invalid` for names of values that an order, an item or an address does not have */
function assertKnownValues(values: GivenOrder): void {
  const { items = [], shippingAddress = {}, billingAddress = {} } = values;
  assertOptions('anOrder', values, orderValues);
  for (const item of items) assertOptions('anOrder: items', item, itemValues);
  assertOptions('anOrder: shippingAddress', shippingAddress, AddressBlock.shape);
  assertOptions('anOrder: billingAddress', billingAddress, AddressBlock.shape);
}

/** Returns the state of the checkout that an order is to be in. @throws Problem `refused` for a state that there is not */
function checkoutStateOf(shop: Shop, { awaits, at }: GivenOrder): string {
  const steps = stepsOf(shop);
  const names = steps.map(({ name }) => name);
  const states = ['cart', ...steps.map(({ to }) => to)];
  if (awaits !== undefined && at !== undefined)
    throw unknownState('pass either `awaits`, the next step, or `at`, the step that is done');
  const next = steps.find(({ name }) => name === awaits);
  if (next !== undefined) return next.from;
  if (awaits !== undefined) {
    const hint = states.includes(awaits)
      ? `. For this state of the checkout, pass \`at: '${awaits}'\``
      : '';
    throw unknownState(`\`awaits\` must be ${alternatives(names)}, not ${awaits}${hint}`);
  }
  const state = at ?? 'cart';
  if (states.includes(state)) return state;
  const hint = names.includes(state)
    ? `. For an order that awaits it, pass \`awaits: '${state}'\``
    : '';
  throw unknownState(`\`at\` must be ${alternatives(states)}, not ${state}${hint}`);
}

function unknownState(reason: string): Problem {
  return new Problem('refused', `Failed to set up an order: ${reason}`);
}

function alternatives(names: readonly string[]): string {
  return `one of ${names.join(', ')}`;
}

function openCart(office: StoreOffice, send: SendRequest, values: GivenOrder): number {
  const { checkout } = office;
  const db = tablesOf(office);
  const channel = values.channel ?? first(db.channels, 'channel').id;
  const user = values.user ?? first(db.users, 'user').id;
  const currency = values.currency ?? currencyOf(db, channel);
  const { id: order_id } = send('POST /api/orders/', {}, { channel, user, currency });
  for (const { variant, quantity = 1, unitPrice } of values.items ?? [{ variant: 0 }]) {
    const sold = variant === 0 ? first(db.variants, 'variant') : db.variants.get(variant);
    send(
      'POST /api/orders/:order_id/items/',
      { order_id },
      {
        variant: sold?.id ?? variant,
        quantity,
        unitPrice: unitPrice ?? sold?.price ?? 0,
      },
    );
  }
  for (const code of values.coupons ?? []) checkout.useCoupon(order_id, code);
  return order_id;
}

/** Returns a customer with these values, and the usual ones for the rest. */
function customerOf(values: GivenOrder): Customer {
  const { shippingAddress, billingAddress, shippingMethod, paymentMethod, card } = values;
  return {
    addressing(shop, order) {
      const usual = addressBlock(addressingStep.defaultInput(shop, order).shipping);
      return {
        shipping: addressFields({ ...usual, ...shippingAddress }),
        ...(billingAddress !== undefined && { billing: addressFields(billingAddress) }),
      };
    },
    ...(shippingMethod !== undefined && {
      shipping: (shop, order) =>
        new Map(proposeShipping(shop, order).map((_, position) => [position, shippingMethod])),
    }),
    ...(paymentMethod !== undefined && { payment: () => paymentMethod }),
    ...(card !== undefined && {
      purchase: (shop, order) => ({ ...purchaseStep.defaultInput(shop, order), number: card }),
    }),
  };
}

function currencyOf(db: ReadTables, channel: number): string {
  const [id] = db.channels.get(channel)?.currencies ?? [];
  const currency = id === undefined ? undefined : db.currencies.get(id);
  return (currency ?? first(db.currencies, 'currency')).code;
}

function first<Row>(table: { page(offset: number, limit: number): Row[] }, singular: string): Row {
  return present(table.page(0, 1)[0], singular);
}

function present<Row>(row: Row | undefined, singular: string): Row {
  if (row === undefined)
    throw new Problem('refused', `Failed to set up an order: the shop has no ${singular}`);
  return row;
}
