import { expect, test } from 'vitest';
import type { Order } from '../../src/shop/models/order.ts';
import { Problem } from '../../src/engine/lib/problem.ts';
import { generateOrders } from '../../src/shop/generate/generate.ts';
import { OrderRecipe, playOrders } from '../../src/shop/play-orders.ts';
import type { ReadyScenario } from '../../src/engine/scenario/scenario.ts';
import type { SettingsInput } from '../../src/shop/scenario.ts';
import { builtInScenario } from '../../src/shop/store-api.ts';
import { storeShop } from '../../src/shop/resources/endpoint.ts';
import { openShop, startOf } from '../../src/engine/scenario/start.ts';
import { contents, openOffice } from '../support/office.ts';
import { smallShop } from '../support/small-shop.ts';
import { smallShopRecords } from '../support/small-shop-records.ts';

type Plan = ReturnType<typeof generateOrders>[number];

const now = '2026-03-02T09:00:00+0000';

type StoreShop = ReturnType<typeof openRichShop>;

/** Opens the default shop with more stock than all orders require. */
function openRichShop(seed: number, settings: SettingsInput) {
  const base = builtInScenario('default');
  const stock = (base.data.get('stock_items') ?? []).map((item) =>
    'on_hand' in item && item.on_hand !== 0 ? { ...item, on_hand: 1_000_000 } : item,
  );
  const scenario = { ...base, data: new Map([...base.data, ['stock_items', stock]]) };
  return storeShop(openShop(startOf(scenario, { seed, settings })));
}

const transitions: Readonly<Record<Plan['later'][number]['event'], object>> = {
  complete: { payments: 'complete' },
  release: { order: 'release' },
  cancel: { order: 'cancel' },
  ship: { shipments: 'ship' },
  return: { order: 'return' },
  refund: { payments: 'refund' },
};

/** Returns a recipe that creates the same order step by step. */
function recipeOf(plan: Plan): OrderRecipe {
  const { address, until, pace } = plan;
  const steps = ['cart', 'addressing', 'shipping', 'payment', 'confirm', 'purchase'];
  let last = plan.at + steps.indexOf(until) * pace;
  const later = plan.later.map(({ at, event }) => {
    const after = `PT${at - last}S`;
    last = at;
    return { after, ...transitions[event] };
  });
  return OrderRecipe.parse({
    at: `-PT${Date.parse('2026-03-02T09:00:00Z') / 1000 - plan.at}S`,
    channel: plan.channel,
    user: plan.customer.user.id,
    currency: plan.currency,
    items: plan.items.map(({ variant_id: variant, quantity }) => ({ variant, quantity })),
    shippingAddress: {
      firstName: address.first_name,
      lastName: address.last_name,
      street: address.street,
      city: address.city,
      postcode: address.postcode,
      country: address.country_id,
      ...(address.province_id !== undefined && { province: address.province_id }),
    },
    ...(plan.shippingMethod > 0 && { shippingMethod: plan.shippingMethod }),
    ...(plan.paymentMethod > 0 && { paymentMethod: plan.paymentMethod }),
    until,
    card: plan.card,
    pace: `PT${pace}S`,
    // oxlint-disable-next-line unicorn/no-thenable -- a property of recipes
    then: later,
  });
}

function indexOf(rows: readonly { id: number }[], id: number | undefined): number {
  return rows.findIndex((row) => row.id === id);
}

function uses({ db }: StoreShop): number[][] {
  return db.promotions.all().map(({ id, used }) => [id, used]);
}

function onHold({ db }: StoreShop): number[][] {
  return db.stockItems.all().map(({ id, on_hold }) => [id, on_hold]);
}

/** Returns an order with its records, without the ids that depend on the order of writes. */
function wholeOrder({ db }: StoreShop, order: Order): object {
  const items = db.orderItems.by('order', order.id);
  const shipments = db.shipments.by('order', order.id);
  const payments = db.payments.by('order', order.id);
  // A cart is abandoned at the first write after it expires, whose time differs.
  const abandonedAt = order.state === 'abandoned' ? order.updated_at : undefined;
  const plain = (row: object): object => ({
    ...row,
    id: undefined,
    ...('updated_at' in row && row.updated_at === abandonedAt && { updated_at: 'abandoned' }),
  });
  const { shipping_address_id: shipping = 0, billing_address_id: billing = 0 } = order;
  return {
    ...plain(order),
    shipping_address_id: plain(db.addresses.get(shipping) ?? {}),
    billing_address_id: plain(db.addresses.get(billing) ?? {}),
    items: items.map(plain),
    shipments: shipments.map(plain),
    payments: payments.map(plain),
    units: db.inventoryUnits.by('order', order.id).map((unit) => ({
      ...plain(unit),
      order_item_id: indexOf(items, unit.order_item_id),
      shipment_id: indexOf(shipments, unit.shipment_id),
    })),
    adjustments: db.adjustments.by('order', order.id).map((row) => ({
      ...plain(row),
      shipment_id: indexOf(shipments, row.shipment_id),
    })),
  };
}

test.each<[string, SettingsInput, string]>([
  ['with the default settings', {}, 'P2Y'],
  ['in the last three months', {}, 'P3M'],
  [
    'with late totals, and carts that do not expire',
    { totals: 'at-steps', expiry: 'ignore' },
    'P1Y',
  ],
  [
    'with item counts by quantity, and long-lived carts',
    { itemCount: 'quantity', cartLifetime: 'P1M' },
    'P4M',
  ],
  ['in the last hours', {}, 'PT12H'],
])(
  'generated orders equal those that the checkout creates step by step, %s',
  (_name, settings, since) => {
    const written = openRichShop(5, settings);
    const played = openRichShop(5, settings);
    const generation = { orders: 160, users: 25, since };
    const plans = generateOrders(written, generation);
    generateOrders(played, { ...generation, orders: 0 });
    expect(played.db.users.all()).toEqual(written.db.users.all());
    expect(playOrders(played, plans.map(recipeOf))).toEqual([]);
    expect(written.db.orders.count()).toBe(played.db.orders.count());
    for (const order of played.db.orders.all()) {
      const same = written.db.orders.get(order.id);
      expect(same && wholeOrder(written, same)).toEqual(wholeOrder(played, order));
    }
    expect(uses(written)).toEqual(uses(played));
    expect(onHold(written)).toEqual(onHold(played));
    expect(written.db.sequences.all()).toEqual(played.db.sequences.all());
  },
);

test('the same seed generates the same shop, and another seed a different one', () => {
  const scenario = {
    name: 'many',
    description: 'Some hundred orders',
    extends: 'default',
    generate: { orders: 300 },
  };
  const open = (seed: number) => contents(openOffice({ scenario: { ...scenario, seed } }));
  expect(open(3)).toBe(open(3));
  expect(open(4)).not.toBe(open(3));
});

/** Whether the start of a scenario remains cached while the scenario is set up with another seed. */
function isCached(scenario: ReadyScenario): boolean {
  const first = startOf(scenario, { seed: 1 });
  expect(startOf(scenario, { seed: 1 })).toBe(first);
  startOf(scenario, { seed: 2 });
  return startOf(scenario, { seed: 1 }) === first;
}

test('of a large scenario, only the last start is cached', { tags: 'long' }, () => {
  const generate = { orders: 6000, users: 0, since: 'P2Y' };
  expect(isCached(builtInScenario('filled-cart'))).toBe(true);
  expect(isCached({ ...builtInScenario('default'), generate })).toBe(false);
});

test('generated orders can be listed, read and shipped, and order numbers continue after them', async () => {
  const office = openOffice({
    scenario: {
      name: 'x',
      description: '',
      extends: 'default',
      generate: { orders: 500, since: 'P2W' },
    },
  });
  const { db, checkout } = office;
  const pages = await office.call('GET /api/orders/?limit=1000');
  expect(pages.body.total).toBe(db.orders.countBy('placed'));
  for (const { id } of pages.body._embedded.items.slice(0, 50)) {
    expect((await office.call(`GET /api/orders/${id}`)).status).toBe(200);
  }
  const generated = db.orders.all().filter(({ id }) => id > 120);
  expect(generated).toHaveLength(500);
  const ready = generated.find(
    ({ id }) =>
      db.shipments.by('order', id).length === 1 &&
      db.shipments.first('order', id)?.state === 'ready',
  );
  for (const { id } of db.shipments.by('order', ready?.id ?? 0))
    checkout.transition('shipment', id, 'ship');
  expect(db.orders.get(ready?.id ?? 0)?.state).toBe('shipped');
  const numbers = db.orders.all().flatMap(({ number }) => number ?? []);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(db.sequences.findUnique('name', 'order_number')?.value).toBe(numbers.length);
});

test('generated customers have unique e-mail addresses and are created before their first order', () => {
  const { db } = openOffice({
    scenario: { name: 'x', description: '', extends: 'default', generate: { orders: 400 } },
  });
  const users = db.users.all().filter(({ id }) => id > 60);
  expect(users).toHaveLength(50);
  expect(new Set(users.map(({ email }) => email)).size).toBe(50);
  for (const user of users) {
    expect(user.email).toMatch(/^[a-z]+\.[a-z]+\d+@example\.com$/);
    const opened = db.orders
      .findMany((q) => q.where({ user_id: user.id }))
      .map(({ created_at }) => created_at);
    expect(opened.every((at) => at >= user.created_at && at <= now)).toBe(true);
  }
});

test('orders can be generated for the existing users, and `orders: 0` generates nothing', () => {
  const base = { name: 'x', description: '', extends: 'default' };
  const few = openOffice({ scenario: { ...base, generate: { orders: 40, users: 0 } } });
  expect([few.db.users.count(), few.db.orders.count()]).toEqual([60, 160]);
  const none = openOffice({ scenario: { ...base, generate: { orders: 0 } } });
  expect([none.db.users.count(), none.db.orders.count()]).toEqual([60, 120]);
});

test('generated orders of a shop without addresses are sent to its countries', () => {
  const data = {
    ...smallShopRecords,
    addresses: [],
    stock_locations: [{ id: 1, code: 'GWY', name: 'Galway', enabled: true }],
  };
  const { db } = openOffice({
    scenario: { ...smallShop, data, orders: [], generate: { orders: 50 } },
  });
  const countries = db.countries.all().map(({ name }) => name);
  expect(db.addresses.count()).toBeGreaterThan(0);
  for (const { city } of db.addresses.all()) expect(countries).toContain(city);
});

test('orders can be generated in a small shop', () => {
  const { db } = openOffice({ scenario: { ...smallShop, generate: { orders: 100 } } });
  expect(db.orders.count()).toBe(107);
});

test.each([
  [{ orders: 1, users: 0 }, 'Orders cannot be generated without any users, channels, countries'],
  [{ orders: 1 }, 'Orders cannot be generated without any channels, countries'],
  [{ orders: 0, users: 1 }, 'Customers cannot be generated without any countries'],
])(
  'a shop without users, channels or countries rejects %j and names what is missing',
  (generate, message) => {
    const open = () => openOffice({ scenario: { name: 'x', description: '', generate } });
    expect(open).toThrow(Problem);
    expect(open).toThrow(message);
  },
);

test('orders before the year 1000 are rejected', () => {
  const generate = { orders: 1, since: 'P9000Y' };
  const open = () => openOffice({ scenario: { ...smallShop, generate } });
  expect(open).toThrow(Problem);
  expect(open).toThrow('generate.since: P9000Y before now is outside the years 1000 to 8999');
});
