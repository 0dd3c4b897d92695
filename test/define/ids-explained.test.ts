import { expect, test } from 'vitest';
import { submitStep } from '../support/checkout-steps.ts';
import { runExported } from '../support/exported-test.ts';
import { openOffice } from '../support/office.ts';
import { openServer } from '../support/server.ts';
import { everyUuid, uuidShop } from '../support/uuid-api.ts';

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

test('the control API finds records by UUIDs, explains them, and requests the next step with them', async () => {
  const { call, uuidOf } = openOffice({ api: everyUuid, history: true });
  const made = await call('POST /_backlot/given/anOrder', {
    user: uuidOf('users', 2),
    awaits: 'payment',
  });
  const { id } = made.body;
  expect(made).toMatchObject({ status: 201, body: { user: { id: uuidOf('users', 2) } } });
  const why = await call(`GET /_backlot/orders/${id}/why`);
  expect(why.body).toMatchObject({ state: 'cart', total: made.body.total });
  const { request } = (await call(`GET /_backlot/orders/${id}/next`)).body;
  expect(request).toMatchObject({
    url: `/api/checkouts/${id}`,
    body: { paymentMethod: expect.stringMatching(uuid) },
  });
  expect((await call(`${request.method} ${request.url}`, request.body)).status).toBe(200);
  expect((await call(`GET /_backlot/orders?find=${id}`)).body).toMatchObject([
    { id: why.body.order },
  ]);
  const { entries } = (await call('GET /_backlot/journal')).body;
  const told = await call(`GET /_backlot/journal/${entries.at(-1).id}/why`);
  expect(told.body.orders).toMatchObject([{ order: why.body.order }]);
  const { names } = (await call(`GET /_backlot/orders/${id}/view`)).body;
  expect(names[`orders/${why.body.order}`]).toBe(id);
  await call('POST /_backlot/faults', { match: { path: `/api/orders/${id}` }, status: 503 });
  expect((await call(`GET /api/orders/${id}`)).status).toBe(503);
  expect((await call(`GET /api/orders/${uuidOf('orders', 1)}`)).status).toBe(200);
});

test('a refused UUID is explained by one that is accepted', async () => {
  const office = openOffice({ api: uuidShop, history: true });
  const { call, explain, uuidOf } = office;
  const sent = { channel: 1, user: 3, currency: 'EUR' };
  await call('POST /api/orders/', sent);
  const [refused] = explain.entry(1).refused;
  expect(refused).toMatchObject({ path: ['user'], sent: 3 });
  const repaired = await call('POST /api/orders/', { ...sent, user: refused?.example });
  expect(repaired.status).toBe(201);
  await call('POST /api/orders/', { ...sent, user: uuidOf('users', 99_999) });
  expect(explain.entry(3).refused[0]).toMatchObject({
    rule: 'exists',
    example: uuidOf('users', 1),
  });
});

test('Prefer: explain names the total of the order that a path names by its UUID, or that is created', async () => {
  const { call, explain, uuidOf } = openOffice({ api: uuidShop });
  const id = uuidOf('orders', 109);
  const why = async (line: string, body?: object) =>
    (await call(line, body, { prefer: 'explain' })).headers['x-backlot-why'];
  const { total, currency } = explain.order(109);
  expect(total).toBeGreaterThan(0);
  for (const path of [`/api/orders/${id}`, `/api/checkouts/${id}`])
    expect(await why(`GET ${path}`)).toContain(`total ${(total / 100).toFixed(2)} ${currency}: `);
  const sent = { channel: 1, user: uuidOf('users', 3), currency: 'EUR' };
  expect(await why('POST /api/orders/', sent)).toBe('total 0.00 EUR');
});

test('the script knows the order of a recorded request', () => {
  const { call } = openServer({ api: uuidShop, history: true });
  const { body } = call('POST /_backlot/given/anOrder', { awaits: 'purchase' });
  call(`GET /api/orders/${body.id}`);
  const total = { on: 'purchase', outcome: 'declined', match: { totalFrom: body.total + 1 } };
  call('POST /_backlot/script', total);
  submitStep(call, body.id, 'purchase');
  const { entries } = call('GET /_backlot/journal').body;
  const why = call(`GET /_backlot/journal/${entries.at(-1).id}/why`).body;
  expect(why.script).toMatchObject([{ because: [{ actual: String(body.total), met: false }] }]);
});

test('an exported test sends the UUIDs of its requests, and passes', async () => {
  const { call, history, uuidOf } = openOffice({ api: uuidShop, history: true });
  const sent = { channel: 1, user: uuidOf('users', 3), currency: 'EUR' };
  const { id } = (await call('POST /api/orders/', sent)).body;
  await call(`POST /api/orders/${id}/items/`, { variant: 1, unitPrice: 1250, quantity: 2 });
  await call('GET /api/orders/1');
  const source = history.export({ as: 'vitest' });
  expect(source).toContain(`/api/orders/${id}/items/`);
  await runExported(source, uuidShop);
  await expect(runExported(source)).rejects.toThrow();
  expect(history.as(2, 'curl')).toContain(`/api/orders/${id}/items/`);
});
