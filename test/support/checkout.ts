import { takeAddressing, type AddressInput } from '../../src/checkout/addressing.ts';
import type { Card } from '../../src/checkout/card.ts';
import { addItem, createOrder } from '../../src/checkout/cart.ts';
import { takeConfirm } from '../../src/checkout/confirm.ts';
import { takePayment } from '../../src/checkout/payment.ts';
import { takePurchase } from '../../src/checkout/purchase.ts';
import { CheckoutSettings } from '../../src/checkout/settings.ts';
import { proposeShipping, takeShipping } from '../../src/checkout/shipping.ts';
import type { Shop } from '../../src/checkout/shop.ts';
import { awaited, steps, type Step } from '../../src/checkout/steps.ts';
import { createDatabase, tableNames } from '../../src/models/database.ts';
import { addDuration } from '../../src/models/duration.ts';
import type { Order } from '../../src/models/order.ts';
import type { Product } from '../../src/models/product.ts';
import type { Promotion } from '../../src/models/promotion.ts';
import type { Variant } from '../../src/models/variant.ts';
import { Transaction } from '../../src/models/transaction.ts';
import { Problem } from '../../src/problem.ts';

/** A clock that stands where it is put. */
export class StillClock {
  #now: string;

  constructor(start: string) {
    this.#now = start;
  }

  now(): string {
    return this.#now;
  }

  pass(duration: string): void {
    this.#now = addDuration(this.#now, duration);
  }
}

export interface SmallShop extends Shop {
  readonly clock: StillClock;
  readonly transaction: Transaction;
}

export const germany = 1;
export const canada = 2;
export const japan = 3;
export const ontario = 1;
export const quebec = 2;

/**
 * A shop with a channel, a customer, two currencies, three countries (Canada has provinces), a zone of all of them, a
 * shipping method of 500 and a payment method. It sells nothing yet, taxes nothing and counts no stock.
 */
export function openShop(settings: Partial<CheckoutSettings> = {}): SmallShop {
  const clock = new StillClock('2026-03-02T09:00:00+0000');
  const transaction = new Transaction();
  const db = createDatabase({ clock, transaction });
  for (const name of ['Germany', 'Canada', 'Japan']) {
    db.countries.add({ name, iso_name: name.slice(0, 2).toUpperCase() });
  }
  for (const name of ['Ontario', 'Quebec']) db.provinces.add({ country_id: canada, name });
  for (const code of ['EUR', 'CAD']) db.currencies.add({ code });
  db.zones.add({ name: 'World', type: 'country', members: [germany, canada, japan] });
  db.channels.add({
    code: 'WEB',
    name: 'Web',
    type: 'web',
    color: 'blue',
    enabled: true,
    currencies: [1, 2],
    locales: [],
    payment_methods: [1],
    shipping_methods: [1],
  });
  const shop = {
    db,
    clock,
    transaction,
    settings: { ...CheckoutSettings.parse({}), ...settings },
    acted: [],
    counted: [],
  };
  addUser(shop);
  db.shippingMethods.add({
    name: 'Parcel',
    enabled: true,
    calculator: 'flat_rate',
    category_requirement: 0,
    configuration: { amount: 500 },
    zone_id: 1,
  });
  db.paymentMethods.add({ name: 'Card', enabled: true });
  return shop;
}

export function addUser({ db }: Shop, created_at = '2025-01-01T00:00:00+0000'): number {
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

/** Puts a product with one variant into the shop. */
export function sell(
  { db }: Shop,
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

/** Starts a promotion; it takes 100 off, always, unless it is said otherwise. */
export function promote({ db }: Shop, fields: PromotionFields = {}): Promotion {
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

/** Puts stock of a variant at a location of its own. */
export function stock({ db }: Shop, variant: { readonly id: number }, on_hand: number): number {
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

export const card: Card = {
  type: 'visa',
  cardholderName: 'Ada Novak',
  number: '4242424242424242',
  securityCode: '123',
  expiryMonth: 12,
  expiryYear: 2030,
};

export function openCart(shop: Shop, user_id = 1): Order {
  return createOrder(shop, { channel_id: 1, user_id, currency: 'EUR' });
}

/** A cart with items of these variants, at their price unless it is said otherwise. */
export function fillCart(
  shop: Shop,
  items: readonly (Pick<Variant, 'id' | 'price'> & { readonly quantity?: number })[],
  user?: number,
): Order {
  const { id } = openCart(shop, user);
  for (const { id: variant_id, price, quantity = 1 } of items) {
    addItem(shop, now(shop, id), { variant_id, unit_price: price, quantity });
  }
  return now(shop, id);
}

/** A shop with a cart of one item, of 1000. */
export function shopWithCart(settings: Partial<CheckoutSettings> = {}): {
  readonly shop: SmallShop;
  readonly order: Order;
} {
  const shop = openShop(settings);
  return { shop, order: fillCart(shop, [sell(shop)]) };
}

/** Takes a new cart to addressing; with one item of 1000 if no other is given. */
export function addressed(
  shop: Shop,
  items: Parameters<typeof fillCart>[1] = [sell(shop)],
  to = address,
): Order {
  return takeUntil(shop, fillCart(shop, items), 'addressing', to);
}

/** Takes one step with what most customers would give. */
export function takeStep(shop: Shop, order: Order, step: Step, to = address): Order {
  switch (step) {
    case 'addressing':
      return takeAddressing(shop, order, { shipping: to });
    case 'shipping': {
      const offers = proposeShipping(shop, order).map(({ methods }) => methods[0]?.id ?? 0);
      return takeShipping(shop, order, new Map(offers.entries()));
    }
    case 'payment':
      return takePayment(shop, order, 1);
    case 'confirm':
      return takeConfirm(shop, order);
    case 'purchase':
      return takePurchase(shop, order, card);
  }
}

/** Takes an order through all steps that are left up to one. */
export function takeUntil(shop: Shop, order: Order, last: Step, to = address): Order {
  return steps
    .slice(steps.indexOf(awaited(shop, order) ?? last), steps.indexOf(last) + 1)
    .reduce((current, step) => takeStep(shop, current, step, to), order);
}

/** An order as it is now. */
export function now({ db }: Shop, id: number): Order {
  const order = db.orders.get(id);
  if (order === undefined) throw new Error(`no order ${id}`);
  return order;
}

/** The amounts of an order's adjustments of one label. */
export function amounts({ db }: Shop, order: Order, label: string): number[] {
  return db.adjustments
    .by('order', order.id)
    .filter((adjustment) => adjustment.label === label)
    .map(({ amount }) => amount);
}

/** The problem that some work meets; it writes nothing where it meets one. */
export function problemOf({ transaction }: SmallShop, work: () => unknown): Problem | undefined {
  try {
    transaction.run(work);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** Everything that is stored, to compare it with what is stored later. */
export function everything({ db }: Shop): Record<string, unknown> {
  return Object.fromEntries(tableNames.map((name) => [name, db[name].page(0, Infinity)]));
}
