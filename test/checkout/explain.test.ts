import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/index.ts';
import { builtInScenarios } from '../../src/shop/store-api.ts';
import {
  addressed,
  fillCart,
  now,
  openShop,
  problemOf,
  promote,
  sell,
  takeUntil,
  type BackOffice,
} from '../support/checkout.ts';
import { sample } from '../support/runs.ts';
import { expectExplained } from '../support/explained.ts';

const small = builtInScenarios.filter((name) => name !== 'large');

test.each(small)('every order of %s is explained', (scenario) => {
  const shop = createBackOffice({ scenario });
  for (const { id } of shop.db.orders.all()) expectExplained(shop, id);
});

test('the orders of large are explained', { tags: 'long' }, () => {
  const shop = createBackOffice({ scenario: 'large' });
  for (const { id } of sample(shop.db.orders.all(), 500)) expectExplained(shop, id);
});

/** The lines of an order as text: `tax VAT (23%) (30.65)`, with the facts that are not met. */
function shown(shop: BackOffice, id: number): string[] {
  return shop.explain.order(id).lines.map(({ kind, label, detail, amount, counts, ...line }) => {
    const value = (amount / 100).toFixed(2);
    const unmet = line.because.flatMap((fact) =>
      fact.met ? [] : `${fact.wanted}, not ${fact.actual}`,
    );
    const parts = [kind, label, ...(detail === undefined ? [] : [detail])].join(' | ');
    return line.applied
      ? `${parts} = ${counts ? value : `(${value})`}`
      : `${label}: ${unmet.join('; ')}`;
  });
}

test('the lines of an order are its items, gifts, taxes, deliveries, and every promotion with what it lacks', () => {
  const shop = createBackOffice({ scenario: 'sale' });
  expect(shown(shop, 1)).toEqual([
    "item | Fisherman's Rib Sweater | 1 × 139.00 = 139.00",
    'item | Kilronan Ceramic Dripper | 1 × 24.90 = 24.90',
    'gift | Filter Papers 02, pack of 100 | 1 × 0.00, added by Filter papers with every Kilronan dripper = 0.00',
    'tax | VAT (23%) | 25.99 + 4.66, included in prices = (30.65)',
    'shipping | DPD Next Day | flat rate 7.95, 3 units from Galway warehouse = 7.95',
    'promotion | Spring sale: 15 % off with clothing | 15 % of items 163.90 = -24.59',
    'promotion | Free delivery in Ireland | 100 % of shipping 7.95 = -7.95',
    'promotion | First hundred: 5 off | fixed = -5.00',
    'Tents: 40 off, and nothing else: items of Tents and shelters, not none; items over 300.00, not 163.90',
    'Easter: two or more: after 2026-04-02 00:00:00, not 2026-03-02 09:00:00',
    'Newsletter 10 %: the coupon SPRING10, LASTONE, USEDUP or 2 others, not none',
  ]);
});

test('an exclusive promotion is the reason why others do not apply', () => {
  const shop = createBackOffice({ scenario: 'sale' });
  const lines = shop.explain.order(2).lines.filter(({ applied }) => !applied);
  expect(lines.map(({ because }) => because.at(-1))).toEqual(
    lines.map(() => ({
      wanted: 'no exclusive promotion',
      actual: 'Tents: 40 off, and nothing else',
      met: false,
      record: { table: 'promotions', id: 4 },
    })),
  );
});

test('promotions await an address', () => {
  const shop = openShop();
  promote(shop);
  fillCart(shop, [sell(shop)]);
  expect(shown(shop, 1)).toEqual([
    'item | Teapot | 1 × 10.00 = 10.00',
    'Sale: an address, not none',
  ]);
});

test('under totals at-steps, items of a cart do not count yet', () => {
  const shop = openShop({ totals: 'at-steps' });
  const { id } = fillCart(shop, [sell(shop)]);
  expect(expectExplained(shop, id)).toMatchObject({
    total: 0,
    lines: [{ amount: 1000, counts: false, because: [{ wanted: 'an address', met: false }] }],
  });
  takeUntil(shop, now(shop, id), 'addressing');
  expect(expectExplained(shop, id)).toMatchObject({ total: 1000, lines: [{ counts: true }] });
});

test('a total of at least 0 has a line for what it lacks', () => {
  const shop = openShop();
  promote(shop, { actions: [{ type: 'fixed_discount', configuration: { amount: 1500 } }] });
  const { id } = addressed(shop);
  expect(expectExplained(shop, id).lines.at(-1)).toMatchObject({
    kind: 'limit',
    amount: 500,
    running: 0,
  });
});

test('a total that was stored by hand has a line for the rest', () => {
  const shop = openShop();
  const { id } = addressed(shop);
  shop.db.orders.change(id, { total: 1200 });
  const { total, lines, now: calculated } = shop.explain.order(id);
  expect({ total, last: lines.at(-1) }).toMatchObject({
    total: 1200,
    last: { kind: 'other', amount: 200, running: 1200 },
  });
  expect(calculated).toMatchObject({ total: 1000, changes: [] });
});

test('of an order whose sale has ended, both totals are given, with the reason', () => {
  const shop = createBackOffice({ scenario: 'sale' });
  shop.clock.set('2026-03-20T00:00:00+0000');
  const { total, lines, now: later } = expectExplained(shop, 1);
  expect(total).toBe(13431);
  expect(lines.find(({ label }) => label === 'Spring sale: 15 % off with clothing')).toMatchObject({
    amount: -2459,
  });
  expect(later).toMatchObject({
    total: 15890,
    changes: [
      {
        kind: 'promotion',
        label: 'Spring sale: 15 % off with clothing',
        was: -2459,
        because: [
          {
            wanted: 'before 2026-03-14 23:59:59',
            actual: '2026-03-20 00:00:00',
            met: false,
          },
        ],
      },
    ],
  });
});

test('of an order whose taxes and delivery have other prices since, both amounts are given', () => {
  const shop = createBackOffice({ scenario: 'sale' });
  shop.db.taxRates.change(1, { amount: 0.21 });
  shop.db.shippingMethods.change(2, { configuration: { amount: 995 } });
  shop.db.promotions.remove(3);
  const { changes } = expectExplained(shop, 1).now!;
  expect(
    changes.map(({ label, was, now: later, because: [fact] }) => [label, was, later, fact?.actual]),
  ).toEqual([
    ['VAT (23%)', 3065, undefined, 'not there any more'],
    ['DPD Next Day', 795, 995, '9.95: flat rate 9.95, 3 units from Galway warehouse'],
    ['Free delivery', -795, undefined, 'not there any more'],
    ['VAT (21%)', undefined, 2844, 'Ireland'],
  ]);
});

test('a finished order does not count itself among the uses and the orders of its customer', () => {
  const shop = openShop();
  promote(shop, {
    usage_limit: 1,
    rules: [{ type: 'nth_order', configuration: { nth: 1 } }],
  });
  const { id } = takeUntil(shop, fillCart(shop, [sell(shop)]), 'purchase');
  expect(shop.db.promotions.get(1)?.used).toBe(1);
  expect(expectExplained(shop, id)).not.toHaveProperty('now');
});

test('a fact that is not met says at which time it is, and which coupon the order can have', () => {
  const shop = createBackOffice({ scenario: 'sale' });
  const found = shop.db.orders.all().flatMap(({ id }) => remediesOf(shop, id));
  expect(new Set(found.map(({ at }) => at))).toEqual(
    new Set([undefined, '2026-04-02T00:00:01+0000']),
  );
  for (const { order, promotion, wanted, at, coupon } of found) {
    const other = createBackOffice({ scenario: 'sale' });
    if (at !== undefined) other.clock.set(at);
    if (coupon !== undefined) other.checkout.useCoupon(order, coupon);
    const { lines, now: later } = other.explain.order(order);
    const line = (later?.lines ?? lines).find((one) => one.promotion === promotion);
    expect(line?.because.find((fact) => fact.wanted === wanted)).toMatchObject({ met: true });
  }
  // Only carts can have another coupon.
  expect(found.filter(({ coupon }) => coupon !== undefined).map(({ order }) => order)).toEqual([
    1, 2, 4,
  ]);
  shop.clock.set('2026-05-01T00:00:00+0000');
  expect(remediesOf(shop, 1).map(({ at }) => at)).toContain('2026-04-06T23:59:58+0000');
});

/** Returns what would meet the conditions of promotions that are not met. */
function remediesOf(shop: BackOffice, order: number) {
  const { lines, now: later } = shop.explain.order(order);
  return (later?.lines ?? lines).flatMap(({ promotion, because }) =>
    because
      .filter(({ at, coupon }) => at !== undefined || coupon !== undefined)
      .map(({ wanted, at, coupon }) => ({ order, promotion, wanted, at, coupon })),
  );
}

test('an explanation changes nothing', () => {
  const shop = createBackOffice({ scenario: 'sale' });
  const before = JSON.stringify(shop.export());
  for (const { id } of shop.db.orders.all()) shop.explain.order(id);
  expect(JSON.stringify(shop.export())).toBe(before);
});

test('an order that does not exist is not explained', () => {
  expect(problemOf(() => openShop().explain.order(9))).toMatchObject({
    kind: 'missing',
    message: 'There is no order 9.',
  });
});

test('the control API gives the explanation, without card numbers', async () => {
  const shop = createBackOffice({ scenario: 'sale' });
  shop.db.promotions.change(1, { name: 'For 4242 4242 4242 4242' });
  const response = await shop.fetch('/_backlot/orders/1/why');
  expect(await response.json()).toEqual(shop.explain.order(1));
  expect(shop.explain.order(1).lines.map(({ label }) => label)).toContain('For ************4242');
});
