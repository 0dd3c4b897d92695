import { expect, test } from 'vitest';
import { builtInScenario, builtInScenarios } from '../../src/shop/store-api.ts';
import type { ScenarioName } from '../../src/shop/office/scenario.ts';
import { stepNames, submitStep, type StepName } from '../support/checkout-steps.ts';
import { openOffice, type Office } from '../support/office.ts';

/** Submits all checkout steps of an order from one step on. */
async function finish(office: Office, order: number, from: StepName): Promise<void> {
  for (const step of stepNames.slice(stepNames.indexOf(from))) {
    expect((await submitStep(office.call, order, step)).status, step).toBe(200);
  }
}

async function stateOf({ call }: Office, order: number) {
  const { body } = await call(`GET /api/orders/${order}`);
  return [body.state, body.checkout_state, body.payments.at(-1)?.state];
}

/** Returns the statuses of 200 responses, each of which has a delay. */
function statuses(office: Office): number[] {
  return Array.from({ length: 200 }, () => {
    const { status, delay = 0 } = office.answer({
      method: 'GET',
      url: '/api/users/1',
      headers: {},
    });
    expect(delay).toBeGreaterThan(0);
    return status;
  });
}

test('built-in scenarios have unique names and a description', () => {
  for (const name of builtInScenarios) {
    const scenario = builtInScenario(name);
    expect(scenario.name).toBe(name);
    expect(scenario.description).toMatch(/^[A-Z].{20,}\.$/);
  }
  expect(() => builtInScenario('lost')).toThrow(
    /Scenario 'lost' not found. The built-in scenarios are default, empty,/,
  );
});

test('default has six weeks of orders, and open carts', async () => {
  const office = openOffice({ scenario: 'default' });
  expect((await office.call('GET /api/orders/?limit=1')).body.total).toBeGreaterThan(80);
  await finish(office, 110, 'addressing');
});

test('empty has no orders, and the first one can be placed', async () => {
  const office = openOffice({ scenario: 'empty' });
  expect((await office.call('GET /api/orders/')).body.total).toBe(0);
  const order = { channel: 1, user: 4, currency: 'EUR' };
  const { body } = await office.call('POST /api/orders/', order);
  expect(body.id).toBe(1);
  const item = { variant: 1, quantity: 1, unitPrice: 1290 };
  expect((await office.call('POST /api/orders/1/items/', item)).status).toBe(201);
  await finish(office, 1, 'addressing');
  expect((await office.call('GET /api/orders/1')).body.number).toBe('000000001');
});

test.each<[ScenarioName, StepName]>([
  ['filled-cart', 'addressing'],
  ['awaiting-shipping', 'shipping'],
  ['awaiting-payment', 'payment'],
  ['awaiting-confirm', 'confirm'],
  ['awaiting-purchase', 'purchase'],
])('%s has order 1 at the step %s, and the remaining steps succeed', async (scenario, step) => {
  const office = openOffice({ scenario });
  expect(office.db.orders.count()).toBe(1);
  const tooEarly = step === 'purchase' ? 'payment' : 'purchase';
  const rejected = await submitStep(office.call, 1, tooEarly);
  expect(rejected.status).toBe(400);
  expect(rejected.body.message).toContain(`awaits ${step}, not ${tooEarly}`);
  await finish(office, 1, step);
  expect(await stateOf(office, 1)).toEqual(['confirmed', 'completed', 'completed']);
});

test('declined-cards declines purchases, approves a third attempt, and simulates a provider error', async () => {
  const office = openOffice({ scenario: 'declined-cards' });
  for (const state of ['failed', 'failed', 'completed']) {
    await submitStep(office.call, 1, 'purchase');
    expect((await stateOf(office, 1)).at(-1)).toBe(state);
  }
  for (let tries = 0; tries < 3; tries++) await submitStep(office.call, 2, 'purchase');
  expect(office.db.payments.by('order', 2).map(({ reason }) => reason)).toEqual(
    Array.from({ length: 3 }, () => 'insufficient funds'),
  );
  await submitStep(office.call, 3, 'purchase');
  expect(await stateOf(office, 3)).toEqual(['pending', 'finalize', 'unknown']);
});

test('slow-payments settles pending payments when the clock advances', async () => {
  const office = openOffice({ scenario: 'slow-payments' });
  expect(await stateOf(office, 1)).toEqual(['pending', 'finalize', 'processing']);
  await submitStep(office.call, 2, 'purchase');
  expect(await stateOf(office, 2)).toEqual(['pending', 'finalize', 'processing']);
  office.clock.advance('PT9M');
  expect((await stateOf(office, 2)).at(-1)).toBe('processing');
  office.clock.advance('PT1M');
  expect(await stateOf(office, 2)).toEqual(['confirmed', 'completed', 'completed']);
});

test('backorders assigns new stock to the oldest order', async () => {
  const office = openOffice({ scenario: 'backorders' });
  const shipments = (order: number) =>
    office.db.shipments.by('order', order).map(({ state }) => state);
  expect([1, 2, 3, 4].map(shipments)).toEqual([
    ['backordered'],
    ['backordered'],
    ['backordered'],
    ['backordered', 'backordered'],
  ]);
  const variant = office.db.orderItems.by('order', 1)[0]?.variant_id ?? 0;
  office.checkout.setStock({ stock_location_id: 1, variant_id: variant, on_hand: 2 });
  expect([1, 2, 3].map(shipments)).toEqual([['ready'], ['ready'], ['backordered']]);
  await finish(office, 5, 'confirm');
  expect(shipments(5)).toEqual(['backordered']);
});

test('sale has promotions that combine, an exclusive one, and coupons at their limits', async () => {
  const office = openOffice({ scenario: 'sale' });
  const promotions = async (order: number): Promise<string[]> => {
    const { body } = await office.call(`GET /api/orders/${order}`);
    const given = body.adjustments.filter(({ label }: { label: string }) => label === 'promotion');
    return given.map(({ description }: { description: string }) => description);
  };
  const small = '5 off for the first hundred';
  expect(await promotions(1)).toEqual(['Spring sale', 'Free delivery', small]);
  expect(office.db.orderItems.by('order', 1).map(({ immutable }) => immutable)).toContain(true);
  expect(await promotions(2)).toEqual(['40 off every tent over 300']);
  expect(await promotions(3)).toEqual(['Free delivery', '10 % off with a code', small]);
  for (const code of ['USEDUP', 'EXPIRED', 'UNKNOWN']) {
    expect(() => office.checkout.useCoupon(4, code)).toThrow();
  }
  office.checkout.useCoupon(4, 'TODAY');
  await finish(office, 3, 'confirm');
  expect(() => office.checkout.useCoupon(4, 'LASTONE')).toThrow(/used up/);
  await submitStep(office.call, 4, 'addressing');
  expect(await promotions(4)).not.toContain(small);
});

test('flaky delays all responses, and some fail, depending on the seed', async () => {
  const [first, second] = [openOffice({ scenario: 'flaky' }), openOffice({ scenario: 'flaky' })];
  const seen = statuses(first);
  expect(seen.filter((status) => status === 503).length).toBeGreaterThan(5);
  expect(seen.filter((status) => status === 200).length).toBeGreaterThan(120);
  expect(statuses(second)).toEqual(seen);
});

test(
  'large has 3,000 additional orders, and serves any page of them quickly',
  { tags: 'long' },
  async () => {
    const office = openOffice({ scenario: 'large' });
    expect(office.db.orders.count()).toBe(3120);
    const { body } = await office.call('GET /api/orders/?limit=10&page=200');
    expect(body._embedded.items).toHaveLength(10);
    const [newest] = (await office.call('GET /api/orders/?limit=1')).body._embedded.items;
    expect(newest.updated_at > '2026-03-02T00:00:00+0000').toBe(true);
    await finish(office, 110, 'addressing');
    office.reset();
    expect((await stateOf(office, 110))[0]).toBe('cart');
    // Its orders could not have been made under these.
    office.reset(undefined, { settings: { backorders: false, pendingLifetime: 'P1D' } });
    const [oldest] = office.db.orders.by('pending');
    expect(oldest?.completed_at).toMatch(/^2026-03-0[12]/);
    await finish(office, 110, 'addressing');
  },
);

test('authenticated rejects requests without a token', async () => {
  const office = openOffice({ scenario: 'authenticated' });
  expect((await office.call('GET /api/orders/')).status).toBe(401);
  const { body } = await office.call('POST /oauth/v2/token', {
    grant_type: 'password',
    client_id: 'demo_client',
    client_secret: 'secret_demo_client',
    username: 'api@example.com',
    password: 'api',
  });
  const bearing = { authorization: `Bearer ${body.access_token}` };
  expect((await office.call('GET /api/orders/', undefined, bearing)).status).toBe(200);
});
