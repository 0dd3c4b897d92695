import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/index.ts';
import { contents, openOffice } from '../support/office.ts';
import { openServer } from '../support/server.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };

/** Returns an export as parsed from JSON, with changes. */
function file(change: object = {}): Record<string, unknown> {
  return { ...JSON.parse(JSON.stringify(openOffice().export())), ...change };
}

test('an imported back office behaves as the exported one', async () => {
  const here = openOffice({ settings: { cartLifetime: 'PT1H' } });
  await here.call('POST /api/orders/', cart);
  await here.call('DELETE /api/orders/1');
  await here.call('DELETE /api/payments/2');
  here.clock.advance('PT30M');
  here.script.add({ on: 'purchase', outcome: 'declined', first: 1 });
  const there = openOffice({ scenario: 'empty' });
  there.import(JSON.parse(JSON.stringify(here.export())));

  expect(there.export().tables).toEqual(here.export().tables);
  expect(there.clock.now()).toBe(here.clock.now());
  expect(there.settings).toEqual(here.settings);
  for (const line of ['GET /api/orders/?limit=100', 'GET /api/orders/2/', 'GET /api/orders/1/']) {
    expect(await there.call(line)).toEqual(await here.call(line));
  }
  expect(await there.call('POST /api/orders/', cart)).toEqual(
    await here.call('POST /api/orders/', cart),
  );
  expect(await there.call('POST /api/users/', {})).toEqual(await here.call('POST /api/users/', {}));
});

test('an import is exported again byte for byte', async () => {
  const here = openOffice();
  await here.call('POST /api/orders/', cart);
  await here.call('DELETE /api/users/5');
  here.faults.add({ delay: 1, match: { path: '/api/orders/*', method: 'GET' } });
  here.script.add({ on: 'purchase', outcome: 'declined', first: 1 });
  const exported = JSON.stringify(here.export());
  const there = openOffice();
  there.import(JSON.parse(exported));
  expect(JSON.stringify(there.export())).toBe(exported);
});

test('an import with a ticking clock is rejected without a source of real time, and changes nothing', () => {
  const { call } = openServer({ milliseconds: undefined });
  call('DELETE /api/orders/1');
  const before = call('GET /_backlot/export').body;
  const { status, body } = call('POST /_backlot/import', file({ clock: 'ticking' }));
  expect(status).toBe(400);
  expect(body.message).toContain('This clock cannot tick');
  expect(call('GET /_backlot/export').body).toEqual(before);
});

test('a reset after an import restores the start of the back office', () => {
  const office = openOffice({ scenario: 'empty' });
  const before = contents(office);
  office.import(file());
  expect(contents(office)).not.toBe(before);
  office.reset();
  expect(contents(office)).toBe(before);
});

test('each session exports and imports its own state over HTTP', () => {
  const { call } = openServer();
  call('POST /s/ada/api/orders/', cart);
  const exported = call('GET /s/ada/_backlot/export').body;
  expect(exported).toMatchObject({ format: 'backlot', version: 1, scenario: 'default' });
  expect(call('POST /s/eve/_backlot/import', exported).body).toEqual({
    scenario: 'default',
    seed: 1,
    now: '2026-03-02T09:00:00+0000',
  });
  expect(call('GET /s/eve/api/orders/121/').status).toBe(200);
  expect(call('GET /api/orders/121/').status).toBe(404);
});

test.each([
  ['of another version', file({ version: 2 }), 'has version 2; version 1 can be read'],
  ['without a version', file({ version: undefined }), 'version 1 can be read'],
  ['that is no export', { title: 'default' }, 'must be an export of a back office'],
  ['with an unknown setting', file({ settings: { colour: 1 } }), 'colour'],
  ['with an invalid seed', file({ seed: 'one' }), 'seed'],
  [
    'with an unknown table',
    file({ tables: { boats: { next_id: 1, rows: [] } } }),
    '; known: addresses, adjustments, ',
  ],
  [
    'with an invalid record',
    file({ tables: { currencies: { next_id: 2, rows: [{ id: 1, code: 'euro' }] } } }),
    'record 1 (id 1)',
  ],
  [
    'with a duplicate id',
    file({
      tables: {
        currencies: {
          next_id: 2,
          rows: [
            { id: 1, code: 'EUR' },
            { id: 1, code: 'USD' },
          ],
        },
      },
    }),
    'id 1 is taken',
  ],
  [
    'with a duplicate key',
    file({
      tables: {
        currencies: {
          next_id: 2,
          rows: [
            { id: 1, code: 'EUR' },
            { id: 2, code: 'EUR' },
          ],
        },
      },
    }),
    'is taken by currency 1',
  ],
  [
    'with a fault whose header is invalid',
    file({
      tables: {
        fault_rules: {
          next_id: 2,
          rows: [{ id: 1, match: {}, status: 503, headers: { a: 'b\r\nc' }, matched: 0 }],
        },
      },
    }),
    'This is not a valid header name and value.',
  ],
  [
    'with a script for an unknown step',
    file({
      tables: {
        script_rules: { next_id: 2, rows: [{ id: 1, on: 'buy', match: {}, matched: 0 }] },
      },
    }),
    'Expected one of create',
  ],
])('an import %s is rejected with a reason and changes nothing', (_, content, reason) => {
  const { call, sessions } = openServer();
  const before = JSON.stringify(sessions.shared.export());
  const { status, body } = call('POST /_backlot/import', content);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(reason);
  expect(JSON.stringify(sessions.shared.export())).toBe(before);
});

test('an import with broken references is rejected', () => {
  const content = JSON.parse(JSON.stringify(file()));
  content.tables.variants.rows = content.tables.variants.rows.slice(1);
  const { status, body } = openServer().call('POST /_backlot/import', content);
  expect(status).toBe(400);
  expect(body.errors.children.tables.errors).toContain('Product 1 has no master variant');
});

test('an import with many broken references is rejected with 100 of them and the number of others', () => {
  const content = JSON.parse(JSON.stringify(file()));
  content.tables.variants.rows = [];
  const { status, body } = openServer().call('POST /_backlot/import', content);
  expect(status).toBe(400);
  expect(body.errors.children.tables.errors).toHaveLength(100);
  expect(body.errors.errors).toEqual([expect.stringMatching(/^and \d+ more$/)]);
});

test.each([null, 3, 'text', [], undefined])('an import of %o is rejected', (content) => {
  expect(() => createBackOffice().import(content)).toThrow('must be an export of a back office');
});
