import { expect, test } from 'vitest';
import { openServer } from '../support/server.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };

test('summaries list requests and whatever else changed the shop, in at most 220 bytes, a reason and a meaning', () => {
  const { call } = openServer({ history: true });
  call('POST /api/orders/', cart);
  call('POST /api/orders/121/items/', { variant: 7, quantity: 0 });
  call('PUT /_backlot/clock', { advance: 'P1D' });
  call('POST /_backlot/given/anOrder', { at: 'payment' });
  call('POST /_backlot/snapshot', { name: 'one' });
  call('POST /_backlot/snapshot/one/restore');
  call('POST /_backlot/reset');
  call('GET /api/orders/1');
  const { summaries, history } = call('GET /_backlot/journal?view=summary').body;
  expect(history).toBe(true);
  expect(summaries).toMatchObject([
    { id: 1, by: 'request', title: 'POST /api/orders/', status: 201, outcome: 'ok', changed: 1 },
    { id: 2, by: 'request', status: 400, outcome: 'rejected', changed: 0 },
    { id: 3, by: 'clock', title: 'clock to 2026-03-03T09:00:00+0000' },
    { id: 4, by: 'page', title: 'POST /_backlot/given/anOrder' },
    { id: 5, by: 'restore', title: 'restored the snapshot one', changed: 0 },
    { id: 6, by: 'reset', title: 'reset the shop to default' },
    { id: 7, by: 'request', title: 'GET /api/orders/1', changed: 0 },
  ]);
  expect(summaries[1].reason).toBe('unitPrice: This value should not be blank. Also quantity.');
  for (const { reason: _, meaning: __, ...summary } of summaries)
    expect(JSON.stringify(summary).length).toBeLessThanOrEqual(220);
  const ids = (line: string) =>
    call(line).body.summaries.map(({ id }: { readonly id: number }) => id);
  expect(ids('GET /_backlot/journal?view=summary&since=2&before=6&limit=2')).toEqual([4, 5]);
  expect(ids('GET /_backlot/journal?view=summary&status=4xx')).toEqual([]);
  expect(call('GET /_backlot/journal').body.entries).toMatchObject([{ id: 7 }]);
});

test('a purchase that is declined has the reason, whatever its status', () => {
  const { call } = openServer({ history: true });
  call('POST /_backlot/given/anOrder', { at: 'finalize' });
  const order = call('GET /_backlot/orders?limit=1').body[0].id;
  call('POST /_backlot/script', { on: 'purchase', outcome: 'declined' });
  const next = call(`GET /_backlot/orders/${order}/next`).body;
  expect(next.step).toBe('purchase');
  call(`PUT ${next.request.url}`, next.request.body);
  const { summaries } = call('GET /_backlot/journal?view=summary&limit=1').body;
  expect(summaries).toMatchObject([
    { outcome: 'declined', reason: 'declined by script 1: failed' },
  ]);
  const entry = call(`GET /_backlot/journal/${summaries[0].id}`).body;
  expect(entry.moves).toMatchObject([{ machine: 'payment', from: 'new', to: 'failed' }]);
});

test('an entry has its request, its changes and every move, and rewinding undoes them', () => {
  const { call } = openServer({ history: true });
  call('POST /_backlot/given/anOrder', { at: 'payment' });
  const before = call('GET /_backlot/export').body;
  const id = call('GET /_backlot/orders?limit=1').body[0].id;
  for (const step of ['confirm', 'purchase']) {
    const next = call(`GET /_backlot/orders/${id}/next`).body;
    expect(next.step).toBe(step);
    call(`PUT ${next.request.url}`, next.request.body);
  }
  const after = call('GET /_backlot/export').body;
  const entry = call('GET /_backlot/journal/3').body;
  expect(entry).toMatchObject({ by: 'request', method: 'PUT', outcome: 'ok', rewindable: true });
  expect(entry.moves).toContainEqual({
    machine: 'payment',
    id: expect.any(Number),
    from: 'new',
    to: 'completed',
    transition: 'complete',
  });
  const blame = call(`GET /_backlot/tables/orders/${id}/history`).body;
  expect(blame.entries.map((one: { readonly id: number }) => one.id)).toEqual([1, 2, 3]);
  expect(call('POST /_backlot/journal/2/rewind', { to: 'before' }).body).toMatchObject({
    id: 4,
    by: 'restore',
    title: 'rewound to before #2',
  });
  expect(call('GET /_backlot/export').body).toEqual(before);
  call('POST /_backlot/journal/4/rewind', { to: 'before' });
  expect(call('GET /_backlot/export').body).toEqual(after);
});

test('a history that is off records requests without changes, and cannot go back', () => {
  const { call } = openServer();
  call('POST /api/orders/', cart);
  expect(call('GET /_backlot/journal/1').body).toMatchObject({ changes: [], rewindable: false });
  expect(call('GET /_backlot/journal?view=summary').body).toMatchObject({
    history: false,
    summaries: [{ id: 1, outcome: 'ok', changed: 0 }],
  });
  expect(call('POST /_backlot/journal/1/rewind')).toMatchObject({
    status: 400,
    body: { message: 'The history is off. Open the back office with `history: true`.' },
  });
});

test('the history is bounded in entries, and going further back is rejected', () => {
  const { call } = openServer({ history: { maxEntries: 2 } });
  for (let times = 0; times < 4; times++) call('POST /api/orders/', cart);
  expect(call('POST /_backlot/journal/2/rewind').body.message).toBe(
    'The state after entry #1 is no longer known: changes are kept from entry #3 on, at most 2 changes and 32768 KiB. To keep more changes, raise maxEntries of the option history.',
  );
  expect(call('POST /_backlot/journal/3/rewind').status).toBe(200);
  expect(call('GET /api/orders/122').status).toBe(200);
  expect(call('GET /api/orders/123').status).toBe(404);
  expect(call('GET /_backlot/journal/99').status).toBe(404);
});

test('each visitor of a demo has a history of his own', () => {
  const { call } = openServer({ history: true, sessions: 'own', newName: () => 'ada' });
  call('POST /api/orders/', cart);
  const list = 'GET /_backlot/journal?view=summary';
  expect(call(list).body.summaries).toEqual([]);
  expect(call(list, undefined, { cookie: 'backlot-session=ada' }).body.summaries).toHaveLength(1);
  expect(call(list, undefined, { cookie: 'backlot-session=bob' }).body.summaries).toEqual([]);
});

test('the history masks secrets', () => {
  const { call } = openServer({ history: true });
  call('PATCH /api/users/1', { plainPassword: 'a-secret-word' });
  call('POST /oauth/v2/token', { grant_type: 'password' });
  const entry = call('GET /_backlot/journal/1').body;
  expect(entry.changes[0].fields).toContainEqual({
    field: 'password',
    before: '***',
    after: '***',
  });
  expect(JSON.stringify(entry)).not.toContain('a-secret-word');
  expect(call('GET /_backlot/tables/users/1').body.password).toBe('***');
});

test('tables are listed, filtered, sorted and changed', () => {
  const { call } = openServer({ history: true });
  const orders = call('GET /_backlot/tables').body.find(
    ({ name }: { readonly name: string }) => name === 'orders',
  );
  expect(orders.fields).toContainEqual({ name: 'user_id', kind: 'integer', refers_to: 'users' });
  const carts = call('GET /_backlot/tables/orders?where[state]=cart&sort=-id&limit=3').body;
  expect(carts.rows).toHaveLength(3);
  expect(carts.rows[0].id).toBeGreaterThan(carts.rows[1].id);
  expect(carts.rows.every(({ state }: { readonly state: string }) => state === 'cart')).toBe(true);
  expect(call('PATCH /_backlot/tables/users/1', { first_name: 'Grace' }).body).toMatchObject({
    first_name: 'Grace',
  });
  expect(call('GET /_backlot/journal/1').body).toMatchObject({
    by: 'page',
    title: 'PATCH /_backlot/tables/users/1',
  });
  expect(call('PATCH /_backlot/tables/orders/1', { user_id: 9999 }).status).toBe(400);
  expect(call('PATCH /_backlot/tables/orders/1', { id: 9999 }).status).toBe(400);
  expect(call('PATCH /_backlot/tables/orders/1', { nothing: 1 }).status).toBe(400);
  expect(call('PATCH /_backlot/tables/fault_rules/1', { status: 500 }).status).toBe(400);
  expect(call('GET /_backlot/tables/users?where[password]=x').status).toBe(400);
  const found = call('GET /_backlot/tables/users?where[email]=*OISIN*example.org').body;
  expect(found.rows).toMatchObject([{ email: 'oisin.mcgrath@example.org' }]);
  expect(call('GET /_backlot/tables/nothing').status).toBe(404);
});

test('the next step of an order can be taken until none is left', () => {
  const { call } = openServer({ history: true });
  call('POST /_backlot/given/anOrder', { at: 'cart' });
  const id = call('GET /_backlot/orders?limit=1').body[0].id;
  const [steps, actions]: [string[], string[]] = [[], []];
  for (let next = call(`GET /_backlot/orders/${id}/next`).body; next.step !== undefined;) {
    steps.push(next.step);
    actions.push(next.action);
    next = call(`POST /_backlot/orders/${id}/next`, {}).body;
  }
  expect(steps).toEqual(['addressing', 'shipping', 'payment', 'confirm', 'purchase']);
  expect(actions).toEqual([
    'Ship to Cork, Ireland',
    'Choose An Post Standard',
    'Choose Credit or debit card',
    'Confirm 17.40 EUR',
    'Pay 17.40 EUR',
  ]);
  expect(call(`POST /_backlot/orders/${id}/next`, {}).status).toBe(400);
});

test('a preview counts the recorded requests that a rule would have matched', () => {
  const { call } = openServer({ history: true });
  call('GET /api/orders/1');
  call('GET /api/users/1');
  call('POST /_backlot/given/anOrder', { at: 'finalize' });
  const id = call('GET /_backlot/orders?limit=1').body[0].id;
  const { request } = call(`GET /_backlot/orders/${id}/next`).body;
  call(`PUT ${request.url}`, request.body);
  const preview = (body: object) => call('POST /_backlot/rules/preview', body).body;
  expect(preview({ fault: { match: { path: '/api/users/:id' }, status: 503 } })).toEqual({
    matched: 1,
    of: 3,
    entries: [2],
  });
  const script = { on: 'purchase', outcome: 'declined' };
  expect(preview({ script: { ...script, match: { card: '4242' } } })).toMatchObject({ matched: 1 });
  expect(preview({ script: { ...script, match: { card: '1111' } } })).toMatchObject({ matched: 0 });
  const never = { match: { path: '/api/users/:id', parameters: { order: 1 } }, status: 503 };
  expect(call('POST /_backlot/rules/preview', { fault: never }).status).toBe(400);
});

test('upcoming events are those that an advance of the clock makes due', () => {
  const { call } = openServer({ history: true });
  const [first] = call('GET /_backlot/upcoming').body;
  expect(first.event).toBe('abandon');
  call('PUT /_backlot/clock', { advance: 'P1D' });
  expect(call(`GET /api/orders/${first.order}`).body.state).toBe('abandoned');
});

test('health names the session, its address and what the client may do', () => {
  const { call } = openServer({ sessions: 'own', newName: () => 'ada', fixedStarts: true });
  expect(call('GET /s/ada/_backlot/health').body).toMatchObject({
    session: { name: 'ada' },
    address: '/s/ada',
    may: { control: true, sessions: false, starts: false },
  });
});

test('each visitor of a demo exports and goes back in his own history only', () => {
  const names = ['ada', 'bob'];
  const { call } = openServer({
    history: true,
    sessions: 'own',
    newName: () => names.shift() ?? 'eve',
  });
  call('POST /api/orders/', cart);
  call('DELETE /api/users/22');
  const as = (name: string) => (line: string, body?: object) =>
    call(line, body, { cookie: `backlot-session=${name}` });
  const [ada, bob] = [as('ada'), as('bob')];
  const titles = (visitor: typeof ada) =>
    visitor('GET /_backlot/journal?view=summary').body.summaries.map(
      ({ title }: { readonly title: string }) => title,
    );
  expect(titles(ada)).toEqual(['POST /api/orders/']);
  expect(titles(bob)).toEqual(['DELETE /api/users/22']);
  expect(ada('GET /_backlot/journal/export?as=har').body.log.entries).toHaveLength(1);
  expect(JSON.stringify(bob('GET /_backlot/journal/export?as=scenario').body)).not.toContain(
    '"orders"',
  );
  expect(bob('GET /_backlot/events?since=0').body).not.toContain('orders');
  expect(bob('GET /_backlot/tables/orders/121/history').body.entries).toEqual([]);
  bob('POST /_backlot/journal/1/rewind');
  expect(bob('GET /api/users/22').status).toBe(200);
  expect(ada('GET /api/orders/121').status).toBe(200);
  expect(ada('GET /_backlot/sessions').status).toBe(403);
});
