import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/index.ts';
import { checkoutOf, steps, submitStep } from '../support/checkout-steps.ts';
import { openServer, type TestServer } from '../support/server.ts';

const most = Number.MAX_SAFE_INTEGER;
const cart = { channel: 1, user: 1, currency: 'EUR' };

type Tables = Record<string, { next_id: number; rows: Record<string, unknown>[] }>;

/** Returns an export with a change. */
function fileWith(change: (tables: Tables) => void, frame: object = {}) {
  const file = openServer({ scenario: 'filled-cart' }).call('GET /_backlot/export').body;
  change(file.tables);
  return { ...file, ...frame };
}

function row(tables: Tables, name: string, at = 0): Record<string, unknown> {
  return tables[name]?.rows[at] ?? {};
}

/** Opens a server that has imported a file. */
function opened(file: object): TestServer {
  const server = openServer({ scenario: 'empty' });
  expect(server.call('POST /_backlot/import', file)).toMatchObject({ status: 200 });
  return server;
}

/** Asserts that another server imports the export and exports the same. */
function goesRound({ call }: TestServer): void {
  const { body } = call('GET /_backlot/export');
  const exported = JSON.stringify(body);
  const there = openServer({ scenario: body.scenario });
  expect(there.call('POST /_backlot/import', exported)).toMatchObject({ status: 200 });
  expect(JSON.stringify(there.call('GET /_backlot/export').body) === exported).toBe(true);
}

/** Asserts that a request is rejected for a reason and changes nothing. */
function refuses(server: TestServer, line: string, body: unknown, reason: string): void {
  const before = JSON.stringify(server.sessions.shared.export());
  const answer = server.call(line, body);
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain(reason);
  expect(JSON.stringify(server.sessions.shared.export()) === before).toBe(true);
  goesRound(server);
}

test('an item that takes a total beyond the highest safe integer is rejected', () => {
  const server = opened(
    fileWith((tables) => {
      Object.assign(row(tables, 'order_items'), { quantity: 1, unit_price: most - 5000, total: 0 });
    }),
  );
  const item = { variant: 1, unitPrice: 1_000_000, quantity: 1 };
  refuses(server, 'POST /api/orders/1/items/', item, `it must be at most ${most}`);
});

test('a discount beyond the highest safe integer is rejected at the step that applies it', () => {
  const server = opened(
    fileWith((tables) => {
      const [first] = tables['promotions']?.rows ?? [];
      const action = { id: 1, type: 'fixed_discount', configuration: { amount: 1e300 } };
      Object.assign(first ?? {}, { actions: [action], rules: [], coupon_based: false });
      delete first?.['starts_at'];
      delete first?.['ends_at'];
      delete first?.['usage_limit'];
    }),
  );
  refuses(server, checkoutOf(1), steps.addressing, 'adjustments: amount would be -1e+300');
});

test('a price whose minor units exceed the highest safe integer is rejected', () => {
  const server = openServer({ settings: { requestMoney: 'major' } });
  const lamp = { name: 'Lamp', description: 'A lamp.', price: 20_000_000_000 };
  const { status, body } = server.call('POST /api/products/', lamp);
  expect(status).toBe(400);
  expect(body.errors.children.price).toEqual({ errors: ['This value is not valid.'] });
  expect(server.call('POST /api/products/', { ...lamp, price: 10_000_000_000 }).status).toBe(201);
  goesRound(server);
});

test('the second highest id can be imported, and no id is assigned after it', () => {
  const server = opened(
    fileWith((tables) => {
      row(tables, 'locales').id = most - 1;
      tables['orders']?.rows.push({ ...row(tables, 'orders'), id: most - 1 });
    }),
  );
  goesRound(server);
  refuses(server, 'POST /api/orders/', cart, `must be at most ${most - 1}`);
});

test.each([
  ['an id of 2^53 - 1', 'locales', { id: most }, `must be at most ${most - 1}`],
  ['a date that does not exist', 'users', { created_at: '2026-02-30T00:00:00+0000' }, 'that exist'],
  [
    'an hour that does not exist',
    'users',
    { updated_at: '2026-02-03T24:00:00+0000' },
    'that exist',
  ],
  ['an order number of ten digits', 'sequences', { value: 1_000_000_000 }, 'value'],
  [
    'a promotion of a billion free pieces',
    'promotions',
    {
      actions: [
        { id: 1, type: 'add_product', configuration: { variant: 1, quantity: 1_000_000_000 } },
      ],
    },
    'Expected a quantity of at most 10000.',
  ],
  ['a weight beyond the highest safe integer', 'variants', { weight: 1e300 }, 'weight would be'],
])('an import with %s is rejected', (_, table, change, reason) => {
  const file = fileWith((tables) => {
    const rows = (tables[table] ??= { next_id: 1, rows: [] }).rows;
    const sequence = table === 'sequences' && { name: 'order_number', value: 1 };
    rows[0] = { id: 1, ...sequence, ...rows[0], ...change };
  });
  refuses(openServer({ scenario: 'empty' }), 'POST /_backlot/import', file, reason);
});

test.each(['0999-12-31T23:59:59+0000', '9000-01-01T00:00:00+0000', '9999-12-31T23:59:59+0000'])(
  'an import with the clock at %s is rejected',
  (now) => {
    const file = fileWith(() => undefined, { now });
    const server = openServer({ scenario: 'empty' });
    refuses(server, 'POST /_backlot/import', file, 'expected a year from 1000 to 8999');
    refuses(server, 'PUT /_backlot/clock', { now }, 'now');
  },
);

test('an offset cannot move the clock outside its years', () => {
  const server = openServer({ scenario: 'empty' });
  const last = { now: '8999-12-31T23:00:00-02:00' };
  refuses(server, 'PUT /_backlot/clock', last, 'now');
  refuses(server, 'PUT /_backlot/clock', { now: '1000-01-01T00:00:00+01:00' }, 'now');
});

test('at the last second of the clock, expirations and delays stay within the years of a date-time', () => {
  const settings = { cartLifetime: 'P6999Y', pendingLifetime: 'P6999Y' };
  const server = openServer({ scenario: 'awaiting-purchase', settings });
  const { call } = server;
  call('POST /_backlot/script', {
    on: 'purchase',
    outcome: 'pending',
    settle: { after: 'P6999Y', outcome: 'approved' },
  });
  call('POST /_backlot/faults', { limit: { requests: 100, per: 'P6999Y' } });
  call('PUT /_backlot/clock', { now: '8999-12-31T23:59:59Z' });
  expect(call('POST /api/orders/', cart).body.expires_at).toBe('9999-12-31T23:59:59+0000');
  call('POST /api/password-resetting-requests/', { username: 'gallagher.aoife@example.com' });
  expect(call('GET /api/orders/1').status).toBe(200);
  goesRound(server);
});

test('dates at the limits of a date-time fail no request', () => {
  const last = '9999-12-31T23:59:59+0000';
  const server = opened(
    fileWith(
      (tables) => {
        const order = row(tables, 'orders');
        Object.assign(order, { state: 'pending', completed_at: last, updated_at: last });
        Object.assign(row(tables, 'users'), { password_requested_at: last });
      },
      { settings: { pendingLifetime: 'P6999Y' } },
    ),
  );
  expect(server.call('GET /api/orders/1').status).toBe(200);
  goesRound(server);
});

test('counters at the highest safe integer stay there', () => {
  const server = opened(
    fileWith((tables) => {
      const match = { method: 'GET' };
      const fault = { id: 1, match, delay: 1, matched: most };
      tables['fault_rules'] = { next_id: 2, rows: [fault] };
      const rule = { id: 1, on: 'create', match: {}, delay: 1, matched: most };
      tables['script_rules'] = { next_id: 2, rows: [rule] };
    }),
  );
  expect(server.call('GET /api/orders/1').status).toBe(200);
  expect(server.call('POST /api/orders/', cart).status).toBe(201);
  goesRound(server);
});

test('no order can be confirmed after order number 999999999', () => {
  const file = openServer({ scenario: 'awaiting-confirm' }).call('GET /_backlot/export').body;
  const rows = [{ id: 1, name: 'order_number', value: 999_999_998 }];
  file.tables.sequences = { next_id: 2, rows };
  const last = opened(file);
  const confirmed = submitStep(last.call, 1, 'confirm');
  expect(confirmed.status).toBe(200);
  expect(confirmed.body.number).toBe('999999999');
  goesRound(last);
  file.tables.sequences.rows[0].value = 999_999_999;
  refuses(opened(file), checkoutOf(1), {}, 'No order number is left');
});

test('records that were deleted and created again under one key can be exported and imported', () => {
  const server = openServer({ scenario: 'empty' });
  const { call } = server;
  const ada = { firstName: 'Ada', lastName: 'Byron', email: 'ada@x.test', plainPassword: 'x' };
  const channel = { code: 'POP-UP', name: 'Pop-up', currencies: [1], locales: [1] };
  for (let time = 0; time < 3; time++) {
    const user = call('POST /api/users/', ada).body.id;
    expect(call(`DELETE /api/users/${user}`).status).toBe(204);
    const made = call('POST /api/channels/', channel);
    if (made.status === 201) call(`DELETE /api/channels/${made.body.id}`);
  }
  goesRound(server);
});

test.each([1.5, Number.NaN, most + 1])('the seed %d is rejected', (seed) => {
  expect(() => createBackOffice({ seed })).toThrow('seed');
});
