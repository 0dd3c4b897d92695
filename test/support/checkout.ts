import type { AddressInput } from '../../src/shop/checkout/addressing.ts';
import {
  createBackOffice,
  type BackOffice,
  type MountedBackOffice,
  type MountOptions,
  type ScenarioInput,
} from '../../src/index.ts';
import type { Order } from '../../src/shop/models/order.ts';
import type { Product, Variant } from '../../src/shop/models/product.ts';
import type { Promotion } from '../../src/shop/models/promotion.ts';
import { Problem } from '../../src/engine/lib/problem.ts';
import { card } from './checkout-steps.ts';

type Settings = MountOptions['settings'];

export type { BackOffice } from '../../src/index.ts';
/** A back office that serves requests through `fetch`. */
export type TestShop = MountedBackOffice;
export type Step = BackOffice['checkout']['steps'][number];
export type MachineName = keyof BackOffice['checkout']['machines'];

export const germany = 1;
export const canada = 2;
export const japan = 3;
export const ontario = 1;
export const quebec = 2;

/**
 * A channel, a customer, two currencies, three countries (Canada has provinces), a zone of all of them, a shipping
 * method of 500 and a payment method. It has no products, no taxes and no tracked stock.
 */
const bareShop: ScenarioInput = {
  name: 'bare shop',
  description: 'A shop for tests of the checkout',
  now: '2026-03-02T09:00:00+0000',
  data: {
    countries: ['Germany', 'Canada', 'Japan'].map((name) => ({
      name,
      iso_name: name.slice(0, 2).toUpperCase(),
    })),
    provinces: ['Ontario', 'Quebec'].map((name) => ({ country_id: canada, name })),
    currencies: [{ code: 'EUR' }, { code: 'CAD' }],
    zones: [{ name: 'World', type: 'country', members: [germany, canada, japan] }],
    channels: [
      {
        code: 'WEB',
        name: 'Web',
        type: 'web',
        color: 'blue',
        enabled: true,
        currencies: [1, 2],
        locales: [],
        payment_methods: [1],
        shipping_methods: [1],
      },
    ],
    shipping_methods: [
      {
        name: 'Parcel',
        enabled: true,
        calculator: 'flat_rate',
        category_requirement: 0,
        configuration: { amount: 500 },
        zone_id: 1,
      },
    ],
    payment_methods: [{ name: 'Card', enabled: true }],
  },
};

/** Opens a back office with customer 1 and without products. */
export function openShop(settings: Settings = {}): TestShop {
  const shop = createBackOffice({ scenario: bareShop, settings });
  addUser(shop);
  return shop;
}

export function addUser({ db }: BackOffice, created_at = '2025-01-01T00:00:00+0000'): number {
  const email = `customer${db.users.count() + 1}@example.com`;
  return db.users.add({
    first_name: 'Ada',
    last_name: 'Novak',
    username: email,
    username_canonical: email,
    email,
    email_canonical: email,
    enabled: true,
    locked: false,
    expired: false,
    credentials_expired: false,
    roles: [],
    password: '',
    salt: '',
    created_at,
  }).id;
}

/** Adds a product with one variant. */
export function sell(
  { db }: BackOffice,
  fields: Partial<Product> & Partial<Pick<Variant, 'price' | 'weight' | 'volume'>> = {},
): Variant {
  const { price = 1000, weight, volume, ...rest } = fields;
  const product = db.products.add({
    name: 'Teapot',
    description: 'Pours',
    attributes: [],
    options: [],
    channels: [1],
    taxons: [],
    ...rest,
  });
  return db.variants.add({
    product_id: product.id,
    master: true,
    price,
    weight,
    volume,
    available_on: '2025-01-01T00:00:00+0000',
    options: [],
  });
}

type PromotionFields = Partial<Omit<Promotion, 'actions' | 'rules'>> & {
  readonly actions?: readonly Omit<Promotion['actions'][number], 'id'>[];
  readonly rules?: readonly Omit<Promotion['rules'][number], 'id'>[];
};

/** Adds a promotion (default: a discount of 100 on every order). */
export function promote({ db }: BackOffice, fields: PromotionFields = {}): Promotion {
  const { actions = [{ type: 'fixed_discount', configuration: { amount: 100 } }] } = fields;
  return db.promotions.add({
    name: 'Sale',
    priority: 0,
    exclusive: false,
    coupon_based: false,
    used: 0,
    ...fields,
    actions: actions.map(numbered),
    rules: (fields.rules ?? []).map(numbered),
  });
}

function numbered<Part>(part: Part, at: number): Part & { readonly id: number } {
  return { ...part, id: at + 1 };
}

/** Adds stock of a variant at a new stock location. */
export function stock(
  { db }: BackOffice,
  variant: { readonly id: number },
  on_hand: number,
): number {
  const place = db.stockLocations.count() + 1;
  const location = db.stockLocations.add({ code: `L${place}`, name: `L${place}`, enabled: true });
  const fields = { stock_location_id: location.id, variant_id: variant.id, on_hand, on_hold: 0 };
  return db.stockItems.add(fields).id;
}

export const address: AddressInput = {
  first_name: 'Ada',
  last_name: 'Novak',
  street: 'Long Lane 4',
  city: 'Berlin',
  postcode: '10115',
  country_id: germany,
};

export function openCart(shop: BackOffice, user_id = 1): Order {
  return shop.checkout.createOrder({ channel_id: 1, user_id, currency: 'EUR' });
}

/** Creates a cart with items of these variants at their prices. */
export function fillCart(
  shop: BackOffice,
  items: readonly (Pick<Variant, 'id' | 'price'> & { readonly quantity?: number })[],
  user?: number,
): Order {
  const { id } = openCart(shop, user);
  for (const { id: variant_id, price, quantity = 1 } of items) {
    shop.checkout.addItem(id, { variant_id, unit_price: price, quantity });
  }
  return now(shop, id);
}

/** A shop with a cart of one item, of 1000. */
export function shopWithCart(settings: Settings = {}): {
  readonly shop: BackOffice;
  readonly order: Order;
} {
  const shop = openShop(settings);
  return { shop, order: fillCart(shop, [sell(shop)]) };
}

/** Submits addressing of a new cart (default: one item of 1000). */
export function addressed(
  shop: BackOffice,
  items: Parameters<typeof fillCart>[1] = [sell(shop)],
  to = address,
): Order {
  return takeUntil(shop, fillCart(shop, items), 'addressing', to);
}

/** Submits one step, with the usual values except for the address and the card. */
export function takeStep(
  { checkout }: BackOffice,
  { id }: Order,
  step: string,
  to = address,
): Order {
  return checkout.submit(id, step, customerAt(to));
}

/** Submits the next steps of an order, up to and including `last`. */
export function takeUntil(
  { checkout }: BackOffice,
  { id }: Order,
  last: Step,
  to = address,
): Order {
  return checkout.walk(id, last, customerAt(to));
}

function customerAt(shipping: AddressInput): NonNullable<Parameters<Walk>[2]> {
  return { addressing: () => ({ shipping }), purchase: () => card };
}

type Walk = BackOffice['checkout']['walk'];

/** Returns the current row of an order. */
export function now({ db }: BackOffice, id: number): Order {
  const order = db.orders.get(id);
  if (order === undefined) throw new Error(`no order ${id}`);
  return order;
}

/** The amounts of an order's adjustments of one label. */
export function amounts({ db }: BackOffice, order: Order, label: string): number[] {
  return db.adjustments
    .by('order', order.id)
    .filter((adjustment) => adjustment.label === label)
    .map(({ amount }) => amount);
}

/** Returns the problem that a function throws. */
export function problemOf(work: () => unknown): Problem | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** Returns all rows by table, to compare them with later ones. */
export function everything({ db }: BackOffice): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(db).map(([name, table]) => [name, table.page(0, Infinity)]),
  );
}
