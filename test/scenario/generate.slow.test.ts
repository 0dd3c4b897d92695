import { expect, test } from 'vitest';
import { Problem } from '../../src/engine/lib/problem.ts';
import type { ReadyScenario } from '../../src/engine/scenario/scenario.ts';
import { startOf } from '../../src/engine/scenario/start.ts';
import type { SettingsInput } from '../../src/shop/office/scenario.ts';
import { builtInScenario } from '../../src/shop/store-api.ts';
import { expectExplained } from '../support/explained.ts';
import { findingsOf } from '../support/findings.ts';
import { contents, openOffice } from '../support/office.ts';
import { sample } from '../support/runs.ts';
import { smallShop } from '../support/small-shop.ts';
import { smallShopRecords } from '../support/small-shop-records.ts';

const now = '2026-03-02T09:00:00+0000';

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
])('generated orders are consistent and keep the contract, %s', async (_name, settings, since) => {
  const generate = { orders: 1500, users: 100, since };
  const scenario = { name: 'x', description: '', extends: 'default', settings, generate };
  const office = openOffice({ scenario });
  const generated = office.db.orders.all().filter(({ id }) => id > 120);
  expect(generated).toHaveLength(1500);
  const created = generated.map(({ created_at }) => Date.parse(created_at));
  expect(created).toEqual(created.toSorted((one, other) => one - other));
  expect(created.at(-1)).toBeLessThanOrEqual(Date.parse(now));
  const numbered = generated
    .filter(({ number }) => number !== undefined)
    .toSorted((one, other) => Number(one.number) - Number(other.number));
  const confirmed = numbered.map(({ completed_at = '' }) => Date.parse(completed_at));
  expect(confirmed).toEqual(confirmed.toSorted((one, other) => one - other));
  for (const { id, user_id, email } of generated) {
    expectExplained(office, id);
    expect(office.db.users.get(user_id)?.email).toBe(email);
  }
  const found: string[] = [];
  for (const { id } of sample(generated, 150))
    found.push(...(await findingsOf(office, { method: 'GET', url: `/api/orders/${id}` })));
  expect(found).toEqual([]);
});

test('no promotion is used more often by generated orders than its limit allows, and each use counts', () => {
  const scenario = {
    name: 'x',
    description: '',
    extends: 'default',
    generate: { orders: 4000 },
    data: {
      promotions: [
        {
          id: 1,
          name: 'First hundred',
          description: 'First hundred',
          priority: 1,
          exclusive: false,
          coupon_based: false,
          used: 0,
          usage_limit: 100,
          rules: [],
          actions: [{ id: 1, type: 'fixed_discount', configuration: { amount: 100 } }],
        },
      ],
    },
    orders: [],
  };
  const { db } = openOffice({ scenario });
  const uses = db.orders
    .all()
    .filter(({ completed_at, promotion_ids }) => completed_at && promotion_ids.includes(1));
  expect(uses).toHaveLength(100);
  expect(db.promotions.get(1)?.used).toBe(100);
});

test('units on hold of generated orders are on hold in the stock', () => {
  const { db } = openOffice({
    scenario: {
      name: 'x',
      description: '',
      extends: 'default',
      orders: [],
      generate: { orders: 400, since: 'P2D' },
    },
  });
  const held = db.inventoryUnits.all().filter(({ inventory_state: state }) => state === 'onhold');
  expect(held.length).toBeGreaterThan(0);
  const onHold = db.stockItems.all().reduce((sum, { on_hold }) => sum + on_hold, 0);
  expect(onHold).toBe(held.length);
});

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
  for (const { id } of db.shipments.by('order', ready!.id))
    checkout.transition('shipment', id, 'ship');
  expect(db.orders.get(ready!.id)?.state).toBe('shipped');
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
