import { expect, test } from 'vitest';
import { extendApi, field, Problem, step, storeApi } from '../../src/define.ts';
import { card, put } from '../support/checkout-steps.ts';
import { company } from '../support/company-api.ts';
import { createBackOffice as createInNode } from '../../src/mounts/node.ts';
import { openOffice } from '../support/office.ts';

/** Gift wrapping costs 3.50 EUR. */
const giftWrapping = step({
  after: 'shipping',
  optional: true,
  body: { giftWrap: field.flag(), paper: field.text({ optional: true }) },
  check: ({ body, issue }) =>
    body.paper === 'black' ? [issue('paper', 'There is no black paper.')] : [],
  submit({ order, body, charge }) {
    if (body.giftWrap) charge(order, 'Gift wrapping', 350);
  },
});
const wrapped = extendApi(storeApi, { steps: { gift_wrapping: giftWrapping } });

test('an optional step charges the order, and the payment is of the new total', async () => {
  const { call, checkout, db } = openOffice({ api: wrapped });
  const before = db.orders.get(109)!.total;
  const { status, body } = await put(call, 109, { giftWrap: true });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { checkout_state: 'gift_wrapping', total: before + 350 },
  });
  expect(body.adjustments.at(-1)).toMatchObject({ label: 'gift_wrapping', amount: 350 });
  await put(call, 109, { paymentMethod: 1 });
  await put(call, 109, {});
  expect((await put(call, 109, card)).body).toMatchObject({
    state: 'confirmed',
    total: before + 350,
    payments: [{ amount: before + 350, state: 'completed' }],
  });
  expect(checkout.steps).toEqual([
    'addressing',
    'shipping',
    'gift_wrapping',
    'payment',
    'confirm',
    'purchase',
  ]);
});

test('an order may go past an optional step, but not back to it', async () => {
  const { call } = openOffice({ api: wrapped });
  expect((await call('GET /api/checkouts/109')).body).toMatchObject({ methods: expect.anything() });
  expect((await put(call, 109, { paymentMethod: 1 })).status).toBe(200);
  const late = await put(call, 109, { giftWrap: true });
  expect(late).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('it awaits confirm, not gift_wrapping') },
  });
  const early = await put(call, 112, { giftWrap: true });
  expect(early.body.message).toContain('it awaits shipping, not gift_wrapping');
  const other = await put(openOffice({ api: wrapped }).call, 109, card);
  expect(other.body.message).toContain('it awaits gift_wrapping or payment, not purchase');
});

test('a step that is taken again, or undone by a new item, charges once or not', async () => {
  const { call, db } = openOffice({ api: wrapped, scenario: { ...open, extends: 'default' } });
  const charges = () =>
    db.adjustments.all().filter((one) => one.order_id === 109 && one.label === 'gift_wrapping');
  await put(call, 109, { giftWrap: true });
  await put(call, 109, { paymentMethod: 1 });
  await put(call, 109, { giftWrap: true });
  expect(charges()).toHaveLength(1);
  expect(db.payments.all().filter((one) => one.order_id === 109)).toEqual([]);
  await put(call, 109, { giftWrap: false });
  expect(charges()).toEqual([]);
  await put(call, 109, { giftWrap: true });
  await call('POST /api/orders/109/items/', { variant: 1, quantity: 1, unitPrice: 100 });
  expect(db.orders.get(109)!.checkout_state).toBe('addressing');
  expect(charges()).toEqual([]);
});

const open = { name: 'open', description: 'Steps can be repeated', settings: { stepBack: true } };

test('a required step stands before the next one, in walks and orders of scenarios as well', async () => {
  const api = extendApi(storeApi, {
    steps: { age_check: step({ after: 'payment', body: { adult: field.flag() }, submit() {} }) },
  });
  const { call, checkout, db } = openOffice({ api });
  checkout.walk(109, 'payment');
  expect(checkout.awaited(109)).toBe('age_check');
  checkout.walk(109, 'confirm');
  expect(db.orders.get(109)).toMatchObject({ state: 'pending', checkout_state: 'finalize' });
  const refused = await put(call, 111, {});
  expect(refused.body.message).toContain('it awaits age_check, not confirm');
  expect((await put(call, 111, { adult: true })).body.checkout_state).toBe('age_check');
  expect((await put(call, 111, {})).body.state).toBe('pending');
});

test('bad input of a step has its place, and a submit that throws writes nothing', async () => {
  const api = extendApi(wrapped, {
    steps: {
      engraving: step({
        after: 'gift_wrapping',
        optional: true,
        body: { engraving: field.text({ max: 20 }) },
        submit({ order, body, charge, params }) {
          charge(order, 'Engraving', 100);
          if (body.engraving === 'no') throw new Problem('refused', 'Not today.');
          if (Object.keys(params).length > 0) throw new Error('a step runs without a path, too');
        },
      }),
    },
  });
  const { call, db } = openOffice({ api });
  const rows = db.adjustments.count();
  const wrong = await put(call, 109, { giftWrap: 'maybe', paper: 'black' });
  expect(wrong.status).toBe(400);
  expect(Object.keys(wrong.body.errors.children)).toEqual(['giftWrap', 'paper']);
  expect(wrong.body.errors.children.paper.errors).toEqual(['There is no black paper.']);
  expect(await put(call, 109, { engraving: 'no' })).toMatchObject({
    status: 400,
    body: { message: 'Not today.' },
  });
  expect([db.adjustments.count(), db.orders.get(109)?.checkout_state]).toEqual([rows, 'shipping']);
  expect((await put(call, 109, { engraving: 'yes' })).body.checkout_state).toBe('engraving');
});

test('faults, the script, the journal, rules and explanations know an added step', async () => {
  const api = extendApi(wrapped, {
    rules: {
      gift_wrapping: {
        check: ({ order, issue }) =>
          order.total > 100_000_00 ? [issue('giftWrap', 'Too dear.')] : [],
      },
    },
  });
  const office = openOffice({ api });
  const { call, faults, script, journal, explain } = office;
  faults.add({ match: { step: 'gift_wrapping' }, status: 503, first: 1 });
  expect((await put(call, 109, { giftWrap: true })).status).toBe(503);
  script.add({ on: 'gift_wrapping', refuse: { message: 'No paper left.' }, first: 1 });
  expect((await put(call, 109, { giftWrap: true })).status).toBe(400);
  expect((await put(call, 109, { giftWrap: true })).status).toBe(200);
  expect(journal.count({ step: 'gift_wrapping' })).toBe(3);
  const explained = explain.order(109);
  const sum = explained.lines.filter((one) => one.counts).reduce((all, one) => all + one.amount, 0);
  expect(sum).toBe(office.db.orders.get(109)!.total);
  // @ts-expect-error -- no such step
  expect(() => script.add({ on: 'wrapping', delay: 1 })).toThrow(/gift_wrapping/);
});

test('the control API sets up an order at an added step, and names the steps that there are', async () => {
  const { call } = openOffice({ api: wrapped });
  const at = (values: object) => call('POST /_backlot/given/anOrder', values);
  expect(await at({ at: 'gift_wrapping' })).toMatchObject({
    status: 201,
    body: { checkout_state: 'gift_wrapping' },
  });
  const { status, body } = await at({ awaits: 'wrapping' });
  expect([status, body.message]).toEqual([400, expect.stringContaining('gift_wrapping')]);
});

test('what is added by steps is typed', () => {
  const { db } = openOffice({ api: wrapped });
  const state: string = db.orders.get(1)!.checkout_state;
  expect(db.orders.all().filter((one) => one.checkout_state === 'gift_wrapping')).toEqual([]);
  const { given } = createInNode({ api: wrapped });
  expect(given.anOrder({ at: 'gift_wrapping' })).toMatchObject({ checkout_state: 'gift_wrapping' });
  // @ts-expect-error -- no such step
  expect(() => given.anOrder({ awaits: 'wrapped' })).toThrow(/gift_wrapping/);
  // @ts-expect-error -- no such state
  expect(db.orders.all().filter((one) => one.checkout_state === 'wrapped')).toEqual([]);
  expect(state).toBe('completed');
});

test('code runs when a record comes to a state, in the same transaction, and not for orders of a scenario', async () => {
  const api = extendApi(company, {
    fields: { users: { visits: field.integer({ default: 0 }) } },
    on: {
      'order.confirmed'({ order, db }) {
        if (order.total > 5_000_00) throw new Problem('refused', 'Too dear for points.');
        const { visits = 0 } = db.users.get(order.user_id) ?? {};
        db.users.change(order.user_id, { visits: visits + Math.floor(order.total / 100) });
      },
      'payment.completed': ({ payment, clock }) => void seen.push([payment.id, clock.now()]),
    },
  });
  const seen: unknown[] = [];
  const { call, db, checkout, clock } = openOffice({ api });
  expect(db.users.all().every((user) => user.visits === 0)).toBe(true);
  expect(seen).toEqual([]);
  const pay = (id: number) => call(`PUT /api/v1/checkouts/${id}`, { ...card, confirmed: true });
  const awaiting = (user_id: number, unit_price: number) => {
    const { id } = checkout.createOrder({ channel_id: 1, user_id, currency: 'EUR' });
    checkout.addItem(id, { variant_id: 1, quantity: 1, unit_price });
    return checkout.walk(id, 'confirm');
  };
  const small = awaiting(1, 2000);
  expect((await pay(small.id)).body.state).toBe('confirmed');
  expect(db.users.get(1)?.visits).toBe(Math.floor(small.total / 100));
  expect(seen).toEqual([[expect.any(Number), clock.now()]]);
  const large = awaiting(2, 600_000);
  const refused = await pay(large.id);
  expect([refused.status, refused.body.message]).toEqual([400, 'Too dear for points.']);
  expect(db.orders.get(large.id)?.state).toBe('pending');
  expect(
    db.payments
      .all()
      .filter((one) => one.order_id === large.id)
      .map(({ state }) => state),
  ).toEqual(['new']);
});
