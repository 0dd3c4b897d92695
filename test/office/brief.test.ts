import { expect, test } from 'vitest';
import { openServer, type TestServer } from '../support/server.ts';

const minimal = { prefer: 'return=minimal' };
/** Bytes of 250 tokens, of four bytes each. */
const maxBytes = 1000;

function open(): TestServer['call'] {
  return openServer({ history: true }).call;
}

test('a brief response says what changed, the moves of states and the next request', () => {
  const call = open();
  const { id, next } = call('POST /_backlot/states/order.awaiting-payment').body;
  const chosen = call(`PUT ${next.url}`, next.body, minimal);
  expect(chosen).toMatchObject({
    status: 200,
    headers: { 'preference-applied': 'return=minimal', 'content-type': 'application/json' },
    body: { status: 200, awaits: 'confirm', next: `PUT /api/checkouts/${id} {}` },
  });
  expect(chosen.body.changed).toContainEqual(expect.stringMatching(/^\+ payments\/\d+$/));
  expect(chosen.body.due).toMatch(/^abandon at 2026-/);
  const confirmed = call(`PUT /api/checkouts/${id}`, {}, minimal);
  expect(confirmed.body.moves).toContain(`order ${id}: cart → pending`);
  expect(confirmed.body.awaits).toBe('purchase');
});

test('a brief response is short: of a checkout, of reads and of refusals', () => {
  const call = open();
  const { id } = call('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' }).body;
  call(`POST /api/orders/${id}/items/`, { variant: 1, quantity: 2, unitPrice: 4200 });
  const sizes: Record<string, number> = {};
  for (let next = call(`GET /_backlot/orders/${id}/next`).body; next.request !== undefined;) {
    const { body } = call(`PUT ${next.request.url}`, next.request.body, minimal);
    expect(body.status).toBe(200);
    sizes[next.step] = JSON.stringify(body).length;
    next = call(`GET /_backlot/orders/${id}/next`).body;
  }
  sizes['read'] = JSON.stringify(call(`GET /api/orders/${id}/`, undefined, minimal).body).length;
  sizes['list'] = JSON.stringify(call('GET /api/orders/', undefined, minimal).body).length;
  sizes['refused'] = JSON.stringify(call('POST /api/users/', { email: 'x' }, minimal).body).length;
  expect(Object.keys(sizes)).toHaveLength(8);
  for (const [name, size] of Object.entries(sizes))
    expect({ name, size }).toEqual({ name, size: Math.min(size, maxBytes) });
});

test('a brief response to a refused request has its status and says why', () => {
  const call = open();
  const body = { email: 'x', firstName: 'Ada' };
  const refused = call('POST /api/users/', body, minimal);
  expect(refused).toMatchObject({ status: 400, body: { status: 400, changed: [], moves: [] } });
  expect(refused.body.why).toMatch(/^lastName: not sent, accepts text of 2 to 255 characters/);
});

test('a brief response to a status without a body has one', () => {
  const call = open();
  const changed = call('PATCH /api/users/1', { firstName: 'Grace' }, minimal);
  expect(changed).toMatchObject({ status: 200, body: { status: 204 } });
  expect(changed.body.changed).toEqual([
    expect.stringMatching(/^users\/1 first_name: ".+" → "Grace"$/),
  ]);
});

test('the journal keeps the whole response, and other requests have the same bytes as before', () => {
  const { call, shared } = openServer({ history: true });
  const whole = call('GET /api/orders/1/');
  const brief = call('GET /api/orders/1/', undefined, minimal);
  expect(call('GET /api/orders/1/')).toEqual(whole);
  expect(call('GET /api/orders/1/', undefined, { prefer: 'return=representation' }).body).toEqual(
    whole.body,
  );
  expect(brief.body).not.toEqual(whole.body);
  expect(shared.journal.entries()[1]?.answer.body).toEqual(whole.body);
});

test('an entry in brief is what a brief response to its request had, also when the order has moved on', () => {
  const call = open();
  const { next } = call('POST /_backlot/states/order.awaiting-payment').body;
  const { body } = call(`PUT ${next.url}`, next.body, minimal);
  const refused = call('POST /api/users/', { email: 'x' }, minimal);
  call(`PUT ${next.url}`, {});
  expect(call('GET /_backlot/journal/2?view=brief').body).toEqual(body);
  expect(call('GET /_backlot/journal/3?view=brief').body).toEqual(refused.body);
  expect(call('GET /_backlot/journal/1?view=brief').body.moves.length).toBeGreaterThan(0);
});

test.each([
  'return=headers-only',
  'return',
  'return=Minimal-ish',
  'return=headers-only, return=minimal',
  'x-note="a, return=minimal"',
  'x-note="a\\", return=minimal"',
  'x-note="return=minimal',
])('a response is whole with the header Prefer: %s', (prefer) => {
  const call = open();
  const { status, headers, body } = call('GET /api/orders/1/', undefined, { prefer });
  expect(status).toBe(200);
  expect(body).toEqual(call('GET /api/orders/1/').body);
  expect(headers).not.toHaveProperty('preference-applied');
});

test.each([
  'RETURN="minimal"',
  'x-note="a;,\\"", return = minimal; q=1',
  'wait=10, return=minimal',
])('a response is brief with the header Prefer: %s', (prefer) => {
  const { headers, body } = open()('GET /api/orders/1/', undefined, { prefer });
  expect(headers['preference-applied']).toBe('return=minimal');
  expect(body).not.toHaveProperty('items');
});

test('a brief response to a read has the first fields of the record, or the numbers of the list', () => {
  const call = open();
  const read = (path: string) => call(`GET ${path}`, undefined, minimal).body.read;
  const { number, state, checkout_state, total } = call('GET /api/orders/1/').body;
  expect(read('/api/orders/1/')).toMatchObject({ id: 1, number, state, checkout_state, total });
  expect(read('/api/users/3')).toMatchObject({ id: 3, email: call('GET /api/users/3').body.email });
  const { page, total: all } = call('GET /api/orders/').body;
  expect(read('/api/orders/')).toMatchObject({ page, total: all });
  expect(read('/api/users/3')).not.toHaveProperty('password');
  expect(call('POST /api/users/', {}, minimal).body).not.toHaveProperty('read');
});

test('a brief response says which request moves on an order that awaits no step, or its payment or shipment', () => {
  const call = open();
  const { id, part } = call('POST /_backlot/states/shipment.ready').body;
  for (const [path, record] of [
    [`/api/orders/${id}/`, `order/${id}`],
    [`/api/shipments/${part.id}`, `shipment/${part.id}`],
  ] as const)
    expect(call(`GET ${path}`, undefined, minimal).body.next).toBe(
      `POST /_backlot/transitions/${record} {"transition":"ship"}`,
    );
});

test('without a history, a brief response has the status, and what is next', () => {
  const { call } = openServer();
  const { body } = call('GET /api/orders/1/', undefined, minimal);
  expect(body).not.toHaveProperty('changed');
  expect(body).toMatchObject({ status: 200 });
});
