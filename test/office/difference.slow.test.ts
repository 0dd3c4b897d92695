import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyDifference, differenceOfOffice } from '../../src/engine/office/difference.ts';
import type { StoreOffice } from '../../src/shop/office/store-office.ts';
import { builtInScenario } from '../../src/shop/store-api.ts';
import { openOffice } from '../support/office.ts';
import { shopping, steering, type Sent } from './random-requests.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { runs } from '../support/runs.ts';

const find = (name: string) => builtInScenario(name);

const deed: fc.Arbitrary<Sent> = fc.oneof(
  { weight: 10, arbitrary: shopping },
  { weight: 4, arbitrary: steering },
  fc.constantFrom<Sent>(
    ['POST /_backlot/snapshot', { name: 'one' }],
    ['POST /_backlot/snapshot/one/restore'],
    ['POST /_backlot/reset', { scenario: 'sale' }],
    ['POST /_backlot/reset', {}],
    ['POST /_backlot/import', 'own export'],
  ),
);

function send({ call, sessions }: TestServer, [line, body]: Sent): unknown {
  const sent = body === 'own export' ? sessions.shared.export() : body;
  const { status, body: answer } = call(line, sent);
  return { status, answer };
}

/** Applies the difference of a server, as text, to a server of another one. */
function moved(from: TestServer, options: Parameters<typeof openServer>[0]): TestServer {
  const text = JSON.stringify(differenceOfOffice(from.sessions.shared));
  const to = openServer(options);
  applyDifference(to.sessions.shared, JSON.parse(text), find);
  expect(JSON.stringify(differenceOfOffice(to.sessions.shared))).toBe(text);
  return to;
}

test.each([
  { scenario: 'default' },
  { scenario: 'empty' },
  { scenario: 'default', today: true },
] as const)(
  'a difference that is applied to a fresh start gives the same state and the same responses: %o',
  (options) => {
    const at = { ...options, currentTime: () => Date.parse('2026-11-22T12:00:00Z') };
    fc.assert(
      fc.property(
        fc.array(deed, { maxLength: 14 }),
        fc.array(deed, { maxLength: 4 }),
        (before, after) => {
          const one = openServer(at);
          for (const sent of before) send(one, sent);
          const other = moved(one, at);
          expect(exported(other)).toBe(exported(one));
          for (const sent of after) expect(send(other, sent)).toEqual(send(one, sent));
          expect(exported(other)).toBe(exported(one));
        },
      ),
      { numRuns: runs(25) },
    );
  },
);

function exported({ sessions }: TestServer): string {
  return JSON.stringify(sessions.shared.export());
}

test('the difference of a fresh back office has no rows', () => {
  for (const scenario of ['default', 'sale', 'authenticated'] as const) {
    const office = openOffice({ scenario, now: '2026-05-04T10:00:00Z' });
    expect(differenceOfOffice(office)).toEqual({
      start: { scenario, seed: 1, now: '2026-05-04T10:00:00+0000' },
      clock: { now: '2026-05-04T10:00:00+0000', mode: 'frozen' },
      tables: {},
    });
  }
});

test('an import of rows with the same values adds nothing to the difference', () => {
  const office = openOffice();
  office.import(JSON.parse(JSON.stringify(office.export())));
  expect(differenceOfOffice(office).tables).toEqual({});
});

test('rows that have exchanged a unique key are applied', () => {
  const office = openOffice();
  const [one, other] = [office.shop.db.users.get(6)!, office.shop.db.users.get(7)!];
  const keysOf = ({ email, email_canonical, username, username_canonical }: typeof one) => ({
    email,
    email_canonical,
    username,
    username_canonical,
  });
  office.shop.db.users.change(6, { email_canonical: 'x', username_canonical: 'x' });
  office.shop.db.users.change(7, keysOf(one));
  office.shop.db.users.change(6, keysOf(other));
  const copy = copyOf(office);
  expect(copy.shop.db.users.findUnique('email', one.email_canonical)?.id).toBe(7);
  expect(copy.shop.db.users.findUnique('email', other.email_canonical)?.id).toBe(6);
});

test('a ticking clock has advanced by the time that has passed when a difference is applied', () => {
  const office = openOffice({ clock: 'ticking', milliseconds: () => 0 });
  const copy = openOffice({ clock: 'ticking', milliseconds: () => 0 });
  applyDifference(copy, differenceOfOffice(office), find, { passed: 61_900 });
  expect(copy.clock.state).toEqual({ now: '2026-03-02T09:01:01+0000', mode: 'ticking' });
});

test('the history begins anew with a difference, and goes back to it and no further', () => {
  const [one, other] = [openOffice({ history: true }), openOffice({ history: true })];
  one.shop.db.users.change(6, { first_name: 'Ada' });
  one.snapshot('named');
  one.shop.clock.advance('P1D');
  other.shop.db.users.change(6, { first_name: 'Lost' });
  applyDifference(other, JSON.parse(JSON.stringify(differenceOfOffice(one))), find);
  const loaded = JSON.stringify(other.export());
  expect(loaded).toBe(JSON.stringify(one.export()));
  expect(other.history.entries()).toEqual([]);
  const url = '/api/users/6';
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ firstName: 'Grace' });
  expect(other.answer({ method: 'PATCH', url, headers, body }).status).toBe(204);
  const [entry, ...more] = other.history.entries();
  expect([more, other.history.of('users', 6).length]).toEqual([[], 1]);
  other.history.rewind(entry!.id);
  expect(JSON.stringify(other.export())).toBe(loaded);
});

test('a ticking clock that is applied adds nothing to the history', () => {
  const ticking = openOffice({ clock: 'ticking', milliseconds: () => 0 });
  const copy = openOffice({ milliseconds: () => 0, history: true });
  applyDifference(copy, differenceOfOffice(ticking), find);
  expect([copy.clock.mode, copy.history.entries()]).toEqual(['ticking', []]);
});

test('a shop that has opened a trace is made again with the start of the trace', () => {
  const [source, office] = [openOffice({ scenario: 'sale', history: true }), openOffice()];
  source.shop.db.users.change(6, { first_name: 'Ada' });
  source.reset();
  source.shop.db.users.remove(7);
  office.import(source.history.trace());
  office.shop.db.users.change(8, { first_name: 'Eve' });
  const copy = copyOf(office);
  expect(JSON.stringify(copy.export())).toBe(JSON.stringify(office.export()));
  expect(JSON.stringify(differenceOfOffice(copy))).toBe(JSON.stringify(differenceOfOffice(office)));
  for (const { shop, reset } of [copy, office]) {
    reset();
    expect(shop.start.scenario.name).toBe('sale');
    expect(shop.db.users.get(7)).toBeDefined();
  }
  expect(JSON.stringify(copy.export())).toBe(JSON.stringify(office.export()));
});

test('a start that cannot be made again is refused', () => {
  const difference = differenceOfOffice(openOffice({ scenario: 'sale' }));
  expect(() => applyDifference(openOffice(), difference, () => find('default'))).toThrow(
    'Scenario sale has another start than it had.',
  );
});

function copyOf(office: StoreOffice): StoreOffice {
  const copy = openOffice();
  applyDifference(copy, JSON.parse(JSON.stringify(differenceOfOffice(office))), find);
  return copy;
}
