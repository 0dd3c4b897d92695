import { expect, test } from 'vitest';
import { openBackOffice } from '../../src/office/open-back-office.ts';
import { stateOf, tableNames, type DatabaseState } from '../../src/models/database.ts';
import { prebuildStart, prebuiltScenario, prebuiltState } from '../../src/scenario/prebuilt.ts';
import { openScenario } from '../../src/scenario/open-scenario.ts';
import { builtInScenario } from '../../src/scenario/built-in.ts';
import { openShop, startOf, preloadStart } from '../../src/scenario/start.ts';

const played = builtInScenario('default');
const baked = prebuildStart(startOf(played));

/** The scenario as a program has it that carries its start. */
function carried() {
  const scenario = prebuiltScenario(baked);
  const state = prebuiltState(baked);
  preloadStart(scenario, state);
  return { scenario, state };
}

/** Everything that tables hold, the order of their indexes included. */
function contentOf(state: DatabaseState) {
  return tableNames.map((name) => {
    const { rows, deleted: gone, nextId, unique, indexes } = state[name];
    return {
      name,
      rows: JSON.stringify([...rows.values()]),
      gone: JSON.stringify([...gone.values()]),
      nextId,
      unique: unique.map((map) => [...map.values()]),
      indexes: indexes.map((map) => [...map.values()]),
    };
  });
}

test('a baked scenario says what it said', () => {
  expect(prebuiltScenario(baked)).toEqual(played);
});

test('a baked start holds what playing gives, to the byte of all tables', () => {
  const { scenario, state } = carried();
  expect(contentOf(state)).toEqual(contentOf(startOf(played).state));
  expect(contentOf(stateOf(openShop(startOf(scenario)).db))).toEqual(
    contentOf(stateOf(openShop(startOf(played)).db)),
  );
});

test('a baked start serves any settings, and another seed, moment or fault is played', () => {
  const { scenario, state } = carried();
  expect(startOf(scenario).state).toBe(state);
  expect(startOf(scenario, { seed: scenario.seed, now: scenario.now, faults: [] }).state).toBe(
    state,
  );
  expect(startOf(scenario, { settings: { backorders: false } }).state).toBe(state);
  const settings = { pendingLifetime: 'PT2H' };
  expect(contentOf(startOf(scenario, { settings }).state)).toEqual(
    contentOf(startOf(played, { settings }).state),
  );
  for (const other of [
    { seed: 7 },
    { now: '2026-03-02T10:00:00Z' },
    { faults: [{ status: 503 }] },
  ]) {
    const start = startOf(scenario, other);
    expect(start.state).not.toBe(state);
    expect(contentOf(start.state)).toEqual(contentOf(startOf(played, other).state));
  }
});

test('what extends a baked scenario is played', () => {
  const { scenario } = carried();
  const source = {
    name: 'quiet',
    description: 'Nobody has ordered',
    extends: 'default',
    orders: [],
  };
  const quiet = openScenario(source, { base: () => scenario, records: () => [] });
  expect(startOf(quiet).state.orders.rows.size).toBe(0);
  expect(startOf(quiet).state.products.rows.size).toBe(48);
});

test('a back office that begins at a baked start answers as one that was played, before and after a reset', () => {
  const offices = [played, carried().scenario].map((scenario) =>
    openBackOffice({ scenario, maxRows: 10 }),
  );
  const converse = (): unknown[][] =>
    offices.map((office) =>
      [
        'GET /api/orders/?limit=50',
        'DELETE /api/users/3',
        'GET /api/users/?limit=100',
        'POST /api/orders/',
        'GET /api/orders/121',
      ].map((line) => {
        const [method = '', url = ''] = line.split(' ');
        const headers = { 'content-type': 'application/json' };
        const body = JSON.stringify({ channel: 1, user: 4, currency: 'EUR' });
        return office.answer({ method, url, headers, ...(method === 'POST' && { body }) });
      }),
    );
  const [theirs, ours] = converse();
  expect(ours).toEqual(theirs);
  for (const office of offices) office.reset();
  expect(converse()).toEqual([theirs, theirs]);
});
