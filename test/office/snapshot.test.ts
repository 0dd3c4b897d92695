import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Snapshot } from '../../src/engine/office/snapshots.ts';
import { submitStep } from '../support/checkout-steps.ts';
import { company } from '../support/company-api.ts';
import { contents, openOffice } from '../support/office.ts';
import { openServer } from '../support/server.ts';
import { runs } from '../support/runs.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };

test('a reset restores the records, the clock, the script and the next ids', async () => {
  const { call, clock, script, reset, ...office } = openOffice();
  const before = contents(office);
  const first = await call('POST /api/orders/', cart);
  clock.advance('P1D');
  script.add({ on: 'purchase', outcome: 'declined' });
  office.checkout.setStock({ stock_location_id: 1, variant_id: 1, on_hand: 0 });
  reset();
  expect(contents(office)).toBe(before);
  expect(clock.now()).toBe('2026-03-02T09:00:00+0000');
  expect(await call('POST /api/orders/', cart)).toEqual(first);
});

test('a reset can start another scenario', () => {
  const office = openOffice();
  office.reset({ name: 'bare', description: 'Nothing at all', settings: { listCarts: true } });
  expect(office.scenario.name).toBe('bare');
  expect(office.settings.listCarts).toBe(true);
  expect(office.db.orders.count()).toBe(0);
  office.db.currencies.add({ code: 'XTS' });
  office.reset();
  expect(office.db.currencies.count()).toBe(0);
  office.reset('default');
  expect(office.settings.listCarts).toBe(false);
  expect(office.db.orders.count()).toBeGreaterThan(0);
});

test('a reset to an unknown scenario changes nothing', () => {
  const office = openOffice();
  const before = contents(office);
  // @ts-expect-error -- not the name of a built-in scenario
  expect(() => office.reset('nowhere')).toThrow("Scenario 'nowhere' not found");
  expect(() => office.reset('default', { now: 'soon' })).toThrow('soon is not a date-time');
  expect(contents(office)).toBe(before);
  expect(office.scenario.name).toBe('default');
});

test('a reset accepts a seed and a start time', () => {
  const { call } = openServer();
  expect(call('POST /_backlot/reset', { seed: 7, now: '2027-01-01' }).body).toEqual({
    scenario: 'default',
    seed: 7,
    now: '2027-01-01T00:00:00+0000',
  });
  expect(call('GET /api/users/1').body.created_at).not.toBe('');
  expect(call('POST /_backlot/reset', { scenario: 'default' }).body.seed).toBe(1);
});

test('a snapshot during a checkout can be restored repeatedly', async () => {
  const { call, snapshot, restore, clock } = openOffice({ scenario: 'awaiting-payment' });
  expect((await call('GET /api/checkouts/1')).body.methods).toBeDefined();
  snapshot('at-payment');
  const outcomes = [];
  for (const paymentMethod of [1, 2, 1]) {
    restore('at-payment');
    clock.advance('PT1M');
    const { status, body } = await submitStep(call, 1, 'payment', { paymentMethod });
    outcomes.push([status, body.checkout_state, body.payments[0]?.method.id, clock.now()]);
  }
  const [first, second, third] = outcomes;
  expect(first).toEqual([200, 'payment', 1, expect.any(String)]);
  expect(second).toEqual([200, 'payment', 2, first?.[3]]);
  expect(third).toEqual(first);
});

test('a snapshot without a name is not stored and can be restored in any back office', () => {
  const [here, there] = [openOffice(), openOffice({ scenario: 'empty' })];
  here.db.currencies.add({ code: 'XTS' });
  const snapshot = here.snapshot();
  expect(here.snapshots.list()).toEqual([]);
  there.restore(snapshot);
  expect(contents(there)).toBe(contents(here));
  there.db.currencies.add({ code: 'XXX' });
  expect(here.db.currencies.findUnique('code', 'XXX')).toBeUndefined();
  there.reset();
  expect(there.scenario.name).toBe('default');
});

test('snapshots are listed in the order in which they were taken, and survive a reset', () => {
  const { call } = openServer();
  for (const name of ['a', 'b', 'c', 'b']) call('POST /_backlot/snapshot', { name });
  call('POST /_backlot/reset', { scenario: 'empty' });
  call('DELETE /_backlot/snapshot/c');
  expect(call('GET /_backlot/snapshot').body).toEqual([
    { name: 'a', scenario: 'default', now: '2026-03-02T09:00:00+0000' },
    { name: 'b', scenario: 'default', now: '2026-03-02T09:00:00+0000' },
  ]);
  expect(call('POST /_backlot/snapshot/a/restore').body.scenario).toBe('default');
  expect(call('GET /api/orders/1').status).toBe(200);
});

test.each([
  [
    'POST /_backlot/snapshot/nope/restore',
    undefined,
    404,
    "Snapshot 'nope' not found. Use one of a.",
  ],
  ['DELETE /_backlot/snapshot/nope', undefined, 404, "Snapshot 'nope' not found. Use one of a."],
  ['POST /_backlot/snapshot', { name: 'a/b' }, 400, 'cannot be the name of a snapshot'],
  ['POST /_backlot/snapshot', { name: '' }, 400, 'This value should not be blank.'],
  ['POST /_backlot/snapshot', {}, 400, 'This value should not be blank.'],
  ['POST /_backlot/snapshot', { name: 'x'.repeat(65) }, 400, 'up to 64 letters'],
])('%s with %o is rejected', (line, body, status, reason) => {
  const { call } = openServer();
  call('POST /_backlot/snapshot', { name: 'a' });
  const answer = call(line, body);
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([
    status,
    expect.stringContaining(reason),
  ]);
  expect(call('GET /_backlot/snapshot').body).toHaveLength(1);
});

test('a snapshot beyond the maximum number is rejected', () => {
  const { call } = openServer({ maxSnapshots: 2 });
  for (const name of ['a', 'b']) call('POST /_backlot/snapshot', { name });
  expect(call('POST /_backlot/snapshot', { name: 'c' })).toMatchObject({
    status: 429,
    body: { message: 'Snapshot limit (2) reached. Delete a snapshot first.' },
  });
  expect(call('POST /_backlot/snapshot', { name: 'a' }).status).toBe(201);
});

test('a snapshot restores its state after any requests', async () => {
  const office = openOffice();
  const doing = fc.constantFrom<() => void>(
    () => void office.db.currencies.add({ code: 'XTS' }),
    () => void office.db.users.change(1, { first_name: 'Eve' }),
    () => void office.db.orders.remove(office.db.orders.all()[0]?.id ?? 0),
    () => office.clock.advance('PT2H'),
    () => office.reset(),
    () => void office.script.add({ on: 'confirm', delay: 5 }),
    () => void office.checkout.createOrder({ channel_id: 1, user_id: 2, currency: 'EUR' }),
  );
  fc.assert(
    fc.property(
      fc.array(doing, { maxLength: 6 }),
      fc.array(doing, { maxLength: 6 }),
      (one, two) => {
        office.reset();
        for (const work of one) attempt(work);
        const seen = [contents(office), office.clock.now()];
        const snapshot = office.snapshot('here');
        for (const work of two) attempt(work);
        office.restore('here');
        expect([contents(office), office.clock.now()]).toEqual(seen);
        for (const work of two) attempt(work);
        office.restore(snapshot);
        expect([contents(office), office.clock.now()]).toEqual(seen);
      },
    ),
    { numRuns: runs(40) },
  );
});

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // A currency twice, an order that is not there: refused, as it may be.
  }
}

test.each<[string, (office: ReturnType<typeof openOffice>, other: Snapshot) => void]>([
  ['a snapshot', (office, other) => office.restore(other)],
  [
    'a published snapshot',
    (office, other) => office.restore(office.snapshots.put('other', other) ?? 'other'),
  ],
  ['a scenario', (office, { state }) => office.reset(state.start.scenario)],
])('%s of another API is refused, and the shop stays as it is', (_, open) => {
  const office = openOffice();
  office.clock.advance('P1D');
  const before = [contents(office), office.clock.now(), office.export()];
  expect(() => open(office, openOffice({ api: company }).snapshot())).toThrow(
    /^The scenario default has other tables \(API store, extended\) than this back office \(API store\)\. /,
  );
  expect([contents(office), office.clock.now(), office.export()]).toEqual(before);
  office.reset();
  expect(office.scenario.name).toBe('default');
});

test('the control API refuses a snapshot of another API, and the shop stays as it is', () => {
  const { call, shared } = openServer();
  shared.snapshots.put('other', openOffice({ api: company }).snapshot());
  const before = call('GET /_backlot/export').body;
  const { status, body } = call('POST /_backlot/snapshot/other/restore');
  expect([status, body.message]).toEqual([400, expect.stringContaining('has other tables')]);
  expect(call('GET /_backlot/export').body).toEqual(before);
});

test('an import of a file of another API is refused, and the shop stays as it is', async () => {
  const { call } = openServer({ history: true });
  const other = openOffice({ api: company, history: true });
  await other.call('POST /api/v1/orders/', cart);
  const before = call('GET /_backlot/export').body;
  for (const file of [other.export(), other.history.trace()])
    expect(call('POST /_backlot/import', file).status).toBe(400);
  expect(call('GET /_backlot/export').body).toEqual(before);
});
