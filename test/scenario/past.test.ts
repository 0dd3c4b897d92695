import { expect, test } from 'vitest';
import { createBackOffice, defineScenario } from '../../src/index.ts';
import { openOffice, type Office } from '../support/office.ts';
import { as, openServer } from '../support/server.ts';
import { smallShop } from '../support/small-shop.ts';

const now = '2026-03-02T09:00:00+0000';

function pending({ db }: Office) {
  return db.orders.all().filter(({ state }) => state === 'pending');
}

function carts({ db }: Office): number {
  return db.orders.all().filter(({ state }) => state === 'cart').length;
}

/** Returns orders and their records as text. */
function ordersOf({ db }: Office): string {
  const { orders, orderItems, adjustments, shipments, payments, inventoryUnits } = db;
  const tables = [orders, orderItems, adjustments, shipments, payments, inventoryUnits];
  return JSON.stringify(tables.map((table): unknown[] => table.all()));
}

test('settings of the user do not change the orders of the scenario', () => {
  const usual = ordersOf(openOffice());
  for (const settings of [
    { backorders: false },
    { totals: 'at-steps' },
    { itemCount: 'quantity' },
    { repriceAtConfirm: true },
    { cartLifetime: 'PT1S' },
    { defaultTaxZone: 1 },
  ] as const) {
    expect(ordersOf(openOffice({ settings }))).toBe(usual);
  }
});

test('with `backorders: false`, the default shop opens and rejects items beyond its stock', async () => {
  const { call } = openOffice({ settings: { backorders: false } });
  const item = { variant: 1, quantity: 9999, unitPrice: 1290 };
  const { status, body } = await call('POST /api/orders/110/items/', item);
  expect(status).toBe(400);
  expect(body.errors.children.quantity.errors[0]).toMatch(
    /^Only 163 .* on hand, 10001 requested\.$/,
  );
});

test('pending orders older than the `pendingLifetime` of the user are released at `now`', async () => {
  const usual = openOffice();
  const [old, young] = [
    pending(usual).filter(({ completed_at = '' }) => completed_at < '2026-03-02T07:00:00+0000'),
    pending(usual).filter(({ completed_at = '' }) => completed_at >= '2026-03-02T07:00:00+0000'),
  ];
  expect(old.length).toBeGreaterThan(0);
  const office = openOffice({ settings: { pendingLifetime: 'PT2H' } });
  expect(pending(office)).toEqual(young);
  for (const { id } of old) {
    expect(office.db.orders.get(id)).toMatchObject({ state: 'released', updated_at: now });
  }
  const { body } = await office.call(`GET /api/orders/${old[0]?.id}`);
  expect(body.state).toBe('released');
});

test('expired carts of a scenario with `expiry: ignore` are abandoned at `now` if the user sets `abandon`', () => {
  const scenario = defineScenario({
    ...smallShop,
    settings: { ...smallShop.settings, expiry: 'ignore', cartLifetime: 'PT1S' },
  });
  expect(carts(openOffice({ scenario }))).toBeGreaterThan(0);
  expect(carts(openOffice({ scenario, settings: { expiry: 'abandon' } }))).toBe(0);
  expect(carts(openOffice({ scenario }))).toBeGreaterThan(0);
});

test('carts of the scenario keep their `expires_at`, and new carts use the `cartLifetime` of the user', async () => {
  const { call } = openOffice({ settings: { cartLifetime: 'PT5M' } });
  const usual = await openOffice().call('GET /api/orders/110');
  expect((await call('GET /api/orders/110')).body.expires_at).toBe(usual.body.expires_at);
  const { body } = await call('POST /api/orders/', { channel: 1, user: 4, currency: 'EUR' });
  expect(body.expires_at).toBe('2026-03-02T09:05:00+0000');
});

test('a cart that would expire after the year 9999 expires at its end', async () => {
  const office = openOffice({ now: '8000-01-01', settings: { cartLifetime: 'P6999Y' } });
  const cart = { channel: 1, user: 4, currency: 'EUR' };
  expect((await office.call('POST /api/orders/', cart)).body.expires_at).toBe(
    '9999-12-31T23:59:59+0000',
  );
  office.clock.advance('P900Y');
  expect(office.db.orders.get(121)?.state).toBe('cart');
  office.import(JSON.parse(JSON.stringify(office.export())));
});

test('generated carts that would expire after the year 9999 expire at its end', () => {
  const { db } = openOffice({
    scenario: { ...smallShop, settings: { cartLifetime: 'P2500000D' }, generate: { orders: 20 } },
    now: '8000-01-01',
  });
  const expiries = db.orders.all().map(({ expires_at }) => expires_at);
  expect(new Set(expiries)).toEqual(new Set(['9999-12-31T23:59:59+0000']));
});

test('a scenario that extends another one with settings opens with the same orders', () => {
  const scenario = defineScenario({
    name: 'strict',
    description: 'Nothing that is not on hand can be sold',
    extends: 'default',
    settings: { backorders: false, totals: 'at-steps', stepBack: true },
  });
  const office = openOffice({ scenario });
  expect(ordersOf(office)).toBe(ordersOf(openOffice()));
  expect(office.settings).toMatchObject({ backorders: false, stepBack: true });
});

test('events that are due under the settings of an extending scenario have happened at `now`', () => {
  const hasty = { name: 'hasty', description: 'Nobody waits', extends: 'default' };
  const settings = { pendingLifetime: 'PT0S' };
  expect(pending(openOffice({ scenario: { ...hasty, settings } }))).toEqual([]);
});

test('orders are created under the settings of the scenario that lists them', () => {
  const late = { name: 'late', description: 'Totals follow late', extends: 'default' };
  const cart = {
    at: '-PT1H',
    channel: 1,
    user: 3,
    currency: 'EUR',
    items: [{ variant: 1, quantity: 1, unitPrice: 1290 }],
    until: 'cart' as const,
  };
  const total = (change: object) =>
    openOffice({ scenario: { ...late, orders: [cart], ...change } }).db.orders.get(1)?.total;
  expect(total({})).toBe(1290);
  expect(total({ settings: { totals: 'at-steps' } })).toBe(0);
});

test('orders are generated under the settings of the scenario with the `generate` field', () => {
  const many = { name: 'many', description: 'Some more orders', extends: 'default' };
  const generate = { orders: 60, since: 'PT6H' };
  const settings = { cartLifetime: 'P1D' };
  const open = carts(openOffice({ scenario: { ...many, generate } }));
  expect(carts(openOffice({ scenario: { ...many, generate }, settings }))).toBe(open);
  expect(carts(openOffice({ scenario: { ...many, generate, settings } }))).toBeGreaterThan(open);
});

test('a `defaultTaxZone` of the user that does not exist is rejected', () => {
  expect(() => createBackOffice({ settings: { defaultTaxZone: 99 } })).toThrow(
    'This set of settings is not valid:\n  settings.defaultTaxZone: There is no zone 99',
  );
});

test('a reset to other settings runs the events due under them, and a reset without settings restores the start', () => {
  const office = openOffice();
  const before = pending(office);
  office.reset(undefined, { settings: { pendingLifetime: 'PT0S', backorders: false } });
  expect(pending(office)).toEqual([]);
  office.reset(undefined, { settings: {} });
  expect(pending(office)).toEqual(before);
});

test('sessions of a server with settings open every scenario under them', () => {
  const { call } = openServer({ settings: { backorders: false, pendingLifetime: 'PT0S' } });
  for (const scenario of ['default', 'backorders', 'slow-payments', 'awaiting-purchase']) {
    expect(call('POST /_backlot/sessions', { name: scenario, scenario }).status).toBe(201);
    const { status, body } = call('GET /api/orders/?limit=100', undefined, as(scenario));
    expect(status).toBe(200);
    const states: string[] = body._embedded.items.map(({ state }: { state: string }) => state);
    expect(states).not.toContain('pending');
  }
});
