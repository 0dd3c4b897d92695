import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/index.ts';
import { checkoutOf, submitStep } from '../support/checkout-steps.ts';
import { fillCart, problemOf, takeUntil, type BackOffice } from '../support/checkout.ts';
import { openOffice } from '../support/office.ts';
import { recordedShop } from './recorded-shop.ts';
import { runs } from '../support/runs.ts';
import { deeds, perform } from '../support/shop-deeds.ts';

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}

function expectExplainedStock({ db, explain, history }: BackOffice, variant: number): void {
  const { lines, backordered } = explain.stock(variant);
  const entries = new Set(history.entries({ limit: Infinity }).map(({ id }) => id));
  expect(lines.map(({ on_hand, on_hold }) => ({ on_hand, on_hold }))).toEqual(
    db.stockItems.by('variant', variant).map(({ on_hand, on_hold }) => ({ on_hand, on_hold })),
  );
  for (const { on_hand, on_hold, began, moves, held } of lines) {
    expect(sum([began.on_hand, ...moves.map((one) => one.on_hand)])).toBe(on_hand);
    expect(sum([began.on_hold, ...moves.map((one) => one.on_hold)])).toBe(on_hold);
    expect(began.on_hold).toBe(0);
    expect(sum(held.map(({ units }) => units))).toBe(on_hold);
    for (const { entry, title, units } of moves) {
      expect(entries).toContain(entry);
      // What no order moves was set.
      if (units.length === 0) expect(title).toBe('stock');
      for (const { order } of units) expect(db.orders.getWithDeleted(order)).toBeDefined();
    }
  }
  expect(sum(backordered.map(({ units }) => units))).toBe(
    db.inventoryUnits.countBy('backordered', variant),
  );
}

test('after any sequence of calls, stock and states are the sum of their moves, and each move has a cause', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (list) => {
      const shop = await recordedShop();
      const { db, explain, checkout } = shop;
      for (const deed of list) {
        const end = shop.beginAction();
        problemOf(() => perform(shop, deed));
        end(deed.do);
      }
      for (const variant of [1, 2, 3]) expectExplainedStock(shop, variant);
      for (const [machine, table, field] of [
        ['order', db.orders, 'state'],
        ['payment', db.payments, 'state'],
        ['shipment', db.shipments, 'state'],
        ['inventory_unit', db.inventoryUnits, 'inventory_state'],
      ] as const) {
        for (const row of table.page(0, 20)) {
          const { state, moves, next } = explain.state(machine, row.id);
          expect(state).toBe((row as unknown as Record<string, unknown>)[field]);
          expect(moves.at(-1)?.to).toBe(state);
          for (const [at, { from }] of moves.entries()) {
            expect(from).toBe(at === 0 ? undefined : moves[at - 1]?.to);
          }
          expect(next).toMatchObject(checkout.listTransitions(machine, row.id));
        }
      }
    }),
    { numRuns: runs(200) },
  );
});

test('the stock of a variant says which order holds it, and which request moved it', async () => {
  const shop = await recordedShop();
  const end = shop.beginAction();
  const held = takeUntil(shop, fillCart(shop, [{ id: 1, price: 1000, quantity: 2 }]), 'confirm');
  end('confirm');
  expect(shop.explain.stock(1)).toMatchObject({
    label: 'Teapot',
    lines: [
      {
        label: 'L1',
        on_hand: 3,
        on_hold: 2,
        began: { on_hand: 3, on_hold: 0 },
        held: [{ order: held.id, units: 2 }],
        moves: [
          {
            title: 'confirm',
            on_hand: 0,
            on_hold: 2,
            units: [{ order: held.id, units: 2, transition: 'hold' }],
          },
        ],
      },
      { label: 'L2', on_hold: 0, held: [], moves: [] },
    ],
  });
});

test('a state says what it followed from', () => {
  const shop = createBackOffice({ history: true, scenario: 'awaiting-purchase' });
  const [order] = shop.db.orders.by('pending');
  const { id } = order!;
  const [shipment] = shop.db.shipments.by('order', id);
  shop.checkout.walk(id, 'purchase');
  const { state, moves, next } = shop.explain.state('shipment', shipment!.id);
  expect(state).toBe('ready');
  const last = moves.at(-1)!;
  expect(last).toMatchObject({ from: 'onhold', to: 'ready', transition: 'prepare', by: 'page' });
  expect(last.after.map(({ machine, transition }) => `${machine} ${transition}`)).toEqual([
    'payment complete',
    'order confirm',
    'inventory_unit sell',
  ]);
  expect(next).toContainEqual({
    transition: 'ship',
    to: 'shipped',
    possible: true,
    request: {
      method: 'POST',
      url: '/_backlot/transitions/shipment/1',
      body: { transition: 'ship' },
    },
  });
});

test('a cart that the clock has abandoned says since when', () => {
  const shop = createBackOffice({ history: true, scenario: 'sale' });
  const { expires_at } = shop.db.orders.get(4)!;
  shop.clock.advance('PT4H');
  expect(shop.explain.state('order', 4).moves).toMatchObject([
    {
      from: 'cart',
      to: 'abandoned',
      transition: 'abandon',
      by: 'clock',
      because: [
        {
          wanted: `paid before ${expires_at.slice(0, 19).replace('T', ' ')}`,
          actual: 'cartLifetime PT3H passed',
          met: false,
          record: { table: 'orders', id: 4 },
        },
      ],
    },
  ]);
});

test('without a history, a state has no way, but says what is possible', () => {
  const { state, moves, next } = createBackOffice().explain.state('order', 1);
  expect({ state, moves }).toEqual({ state: 'shipped', moves: [] });
  expect(next.find(({ transition }) => transition === 'cancel')?.reason).toBe(
    'Cannot cancel order 1: its state is shipped, not confirmed.',
  );
});

test('a request says which rules did not match it, and where', async () => {
  const shop = openOffice({ scenario: 'awaiting-purchase' });
  const [order] = shop.db.orders.by('pending');
  const { id } = order!;
  const path = '/api/checkouts/:order_id';
  for (const fault of [
    { match: { method: 'POST' as const }, status: 503 },
    { match: { path: '/api/users/:user_id' }, status: 503 },
    { match: { step: 'payment' as const }, status: 503 },
    { match: { path, parameters: { order_id: 99_999 } }, status: 503 },
    { match: { path }, every: 2, status: 503 },
    { match: { path }, delay: 0 },
  ]) {
    shop.faults.add(fault);
  }
  shop.script.add({ on: 'payment', outcome: undefined, delay: 0 });
  shop.script.add({ on: 'purchase', match: { card: '0002' }, outcome: 'declined' });
  shop.script.add({ on: 'purchase', match: { totalFrom: 99_999_999 }, outcome: 'declined' });
  shop.script.add({ on: 'purchase', outcome: 'pending' });
  await submitStep(shop.call, id, 'purchase');
  const { faults, script, ...entry } = shop.explain.entry(1);
  expect(entry).toEqual({
    entry: 1,
    changesFrom: 2,
    title: checkoutOf(id),
    sentence: `Paid order ${id}`,
    outcome: 'ok',
    refused: [],
    orders: [],
  });
  const told = (rules: typeof faults): string[] =>
    rules.map(({ rule, applied, because: [fact] }) =>
      applied ? `${rule} applied` : `${rule}: ${fact?.wanted}, not ${fact?.actual}`,
    );
  expect(told(faults)).toEqual([
    '1: method POST, not PUT',
    `2: path /api/users/:user_id, not /api/checkouts/${id}`,
    '3: step payment, not purchase',
    `4: order_id 99999, not ${id}`,
    '5: each match number 2, not another one',
    '6 applied',
  ]);
  expect(told(script)).toEqual([
    '1: step payment, not purchase',
    '2: card 0002, not 4242',
    `3: totalFrom 99999999, not ${order!.total}`,
    '4 applied',
  ]);
});

test('the control API gives each explanation', async () => {
  const shop = createBackOffice({ history: true });
  await shop.fetch('/api/orders/1');
  for (const [path, explanation] of [
    ['stock/1/why', shop.explain.stock(1)],
    ['transitions/order/1/why', shop.explain.state('order', 1)],
    ['journal/1/why', shop.explain.entry(1)],
  ] as const) {
    const response = await shop.fetch(`/_backlot/${path}`);
    expect(await response.json()).toEqual(explanation);
  }
});

test.each([
  ['a variant', (shop: BackOffice) => shop.explain.stock(9999), 'There is no variant 9999.'],
  ['a record', (shop: BackOffice) => shop.explain.state('order', 9999), 'There is no order 9999.'],
  [
    'a machine',
    (shop: BackOffice) => shop.explain.state('basket', 1),
    'Machine basket not found: must be one of order, payment, shipment, inventory_unit.',
  ],
  [
    'an entry',
    (shop: BackOffice) => shop.explain.entry(9999),
    'Entry #9999 of the history not found.',
  ],
])('%s that does not exist is not explained', (_, explain, message) => {
  expect(problemOf(() => explain(createBackOffice()))).toMatchObject({ kind: 'missing', message });
});
