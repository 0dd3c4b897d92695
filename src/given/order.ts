import type { BackOffice } from '../office/open-back-office.ts';
import type { AnswerOf, BodyOf, EndpointName, PathOf } from '../contract.ts';

/** Speaks to an endpoint as a client would, in typed values. */
export type Ask = <Name extends EndpointName>(
  name: Name,
  path: PathOf<Name>,
  body?: BodyOf<Name>,
) => AnswerOf<Name>;

/** How far an order has come, in the words of its `checkout_state`. */
const steps = ['cart', 'addressing', 'shipping', 'payment', 'finalize', 'completed'] as const;

type Addressing = Extract<
  NonNullable<BodyOf<'PUT /api/checkouts/:order_id'>>,
  { shippingAddress: unknown }
>;

/** What is not said is taken from what the shop has. */
export interface GivenOrder {
  /** The `checkout_state` that it is to be in. */
  readonly at?: (typeof steps)[number];
  readonly channel?: number;
  readonly user?: number;
  readonly currency?: string;
  /** One piece of the first variant that has a price, if none are given. */
  readonly items?: readonly {
    readonly variant: number;
    readonly quantity?: number;
    /** Minor units. */
    readonly unitPrice?: number;
  }[];
  readonly coupons?: readonly string[];
  readonly shippingAddress?: Partial<Addressing['shippingAddress']>;
  readonly billingAddress?: Addressing['billingAddress'];
  /** For every shipment. */
  readonly shippingMethod?: number;
  readonly paymentMethod?: number;
  /** A card number: of one that is approved, if none is given. */
  readonly card?: string;
}

type Checkout = 'PUT /api/checkouts/:order_id';

/** Makes an order and takes it through the checkout, step by step. */
export function takeOrder(
  backOffice: BackOffice,
  ask: Ask,
  wish: GivenOrder,
): AnswerOf<'GET /api/orders/:order_id/'> {
  const { at = 'cart' } = wish;
  if (!steps.includes(at)) {
    throw new Error(`Failed to arrange: no order is at ${at}; it can be at ${steps.join(', ')}`);
  }
  const order_id = openCart(backOffice, ask, wish);
  const put = (body?: BodyOf<Checkout>): unknown =>
    ask('PUT /api/checkouts/:order_id', { order_id }, body);
  for (const step of steps.slice(1, steps.indexOf(at) + 1)) {
    put(bodyOf(step, { backOffice, ask, wish, order_id }));
  }
  return ask('GET /api/orders/:order_id/', { order_id });
}

function openCart(backOffice: BackOffice, ask: Ask, wish: GivenOrder): number {
  const { db, checkout } = backOffice;
  const channel = wish.channel ?? first(db.channels, 'channel').id;
  const user = wish.user ?? first(db.users, 'user').id;
  const currency = wish.currency ?? currencyOf(backOffice, channel);
  const { id: order_id } = ask('POST /api/orders/', {}, { channel, user, currency });
  for (const { variant, quantity = 1, unitPrice } of wish.items ?? [{ variant: 0 }]) {
    const sold = variant === 0 ? first(db.variants, 'variant') : db.variants.get(variant);
    ask(
      'POST /api/orders/:order_id/items/',
      { order_id },
      {
        variant: sold?.id ?? variant,
        quantity,
        unitPrice: unitPrice ?? sold?.price ?? 0,
      },
    );
  }
  for (const code of wish.coupons ?? []) checkout.useCoupon(order_id, code);
  return order_id;
}

interface Course {
  readonly backOffice: BackOffice;
  readonly ask: Ask;
  readonly wish: GivenOrder;
  readonly order_id: number;
}

/** What is sent to take an order to this step. */
function bodyOf(step: (typeof steps)[number], course: Course): BodyOf<Checkout> {
  const { backOffice, wish } = course;
  switch (step) {
    case 'cart':
    case 'finalize':
      return undefined;
    case 'addressing': {
      const { billingAddress } = wish;
      const shippingAddress = { ...addressIn(backOffice), ...wish.shippingAddress };
      return { shippingAddress, ...(billingAddress !== undefined && { billingAddress }) };
    }
    case 'shipping':
      return { shipments: shipmentsOf(course) };
    case 'payment':
      return { paymentMethod: wish.paymentMethod ?? paymentMethodOf(course) };
    case 'completed':
      return cardOf(backOffice, wish);
  }
}

/** A country without provinces asks for the least. */
function addressIn({ db }: BackOffice) {
  const country = db.countries
    .page(0, db.countries.count())
    .find(({ id }) => db.provinces.countBy('country', id) === 0);
  return {
    firstName: 'Ada',
    lastName: 'Novak',
    street: 'Long Lane 4',
    city: 'Cork',
    postcode: 'T12 VY4N',
    country: country?.id ?? first(db.countries, 'country').id,
  };
}

function shipmentsOf({ ask, wish, order_id }: Course) {
  const proposal = ask('GET /api/checkouts/:order_id', { order_id });
  const shipments = Array.isArray(proposal) ? proposal : [];
  return Object.fromEntries(
    shipments.map(({ methods }, position) => {
      const method = wish.shippingMethod ?? methods[0]?.id;
      if (method !== undefined) return [String(position), { method }];
      throw new Error('Failed to arrange: no shipping method reaches this address; give another');
    }),
  );
}

function paymentMethodOf({ ask, order_id }: Course): number {
  const proposal = ask('GET /api/checkouts/:order_id', { order_id });
  const methods = 'payment' in proposal ? Object.values(proposal.methods) : [];
  const [method] = methods;
  if (method !== undefined) return method.id;
  throw new Error('Failed to arrange: this shop has no payment method');
}

function cardOf({ clock }: BackOffice, { card = '4242424242424242' }: GivenOrder) {
  return {
    type: 'visa',
    cardholderName: 'Ada Novak',
    number: card,
    securityCode: '123',
    expiryMonth: 12,
    expiryYear: Number(clock.now().slice(0, 4)) + 2,
  };
}

function currencyOf({ db }: BackOffice, channel: number): string {
  const [id] = db.channels.get(channel)?.currencies ?? [];
  const currency = id === undefined ? undefined : db.currencies.get(id);
  return (currency ?? first(db.currencies, 'currency')).code;
}

function first<Row>(table: { page(offset: number, limit: number): Row[] }, what: string): Row {
  const [row] = table.page(0, 1);
  if (row === undefined) throw new Error(`Failed to arrange: this shop has no ${what}`);
  return row;
}
