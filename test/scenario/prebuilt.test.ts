import { expect, test } from 'vitest';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { stateOf, type DatabaseState } from '../../src/engine/store/database.ts';
import {
  prebuiltScenario,
  prebuiltState,
  readStart,
  writeStart,
} from '../../src/engine/scenario/prebuilt.ts';
import { openScenario } from '../../src/engine/scenario/open-scenario.ts';
import { builtInScenario, storeApi } from '../../src/shop/store-api.ts';
import { openShop, startOf, preloadStart } from '../../src/engine/scenario/start.ts';

const played = builtInScenario('default');
const prebuilt = readStart(new TextEncoder().encode(writeStart(startOf(played))), storeApi);

/** Returns the scenario and its state as in a program that contains its prebuilt start. */
function openPrebuilt() {
  const scenario = prebuiltScenario(prebuilt, storeApi);
  const state = prebuiltState(prebuilt, storeApi);
  preloadStart(scenario, state);
  return { scenario, state };
}

/** Returns the content of all tables, including the order of their indexes. */
function contentOf(state: DatabaseState) {
  return Object.entries(state).map(([name, table]) => {
    const { rows, deleted, nextId, unique, indexes } = table;
    return {
      name,
      rows: JSON.stringify([...rows.values()]),
      deleted: JSON.stringify([...deleted.values()]),
      nextId,
      unique: unique.map((map) => [...map.values()]),
      indexes: indexes.map((map) => [...map.values()]),
    };
  });
}

test('a prebuilt scenario equals the original', () => {
  expect(prebuiltScenario(prebuilt, storeApi)).toEqual(played);
});

test('a prebuilt start equals a start that was set up, byte for byte in all tables', () => {
  const { scenario, state } = openPrebuilt();
  expect(contentOf(state)).toEqual(contentOf(startOf(played).state));
  expect(contentOf(stateOf(openShop(startOf(scenario)).db))).toEqual(
    contentOf(stateOf(openShop(startOf(played)).db)),
  );
});

test('a prebuilt start serves any settings, while another seed, start time or fault is set up', () => {
  const { scenario, state } = openPrebuilt();
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

test('a scenario that extends a prebuilt one is set up', () => {
  const { scenario } = openPrebuilt();
  const source = {
    name: 'quiet',
    description: 'A shop without orders',
    extends: 'default',
    orders: [],
  };
  const quiet = openScenario(source, { api: storeApi, base: () => scenario, records: () => [] });
  expect(startOf(quiet).state.orders?.rows.size).toBe(0);
  expect(startOf(quiet).state.products?.rows.size).toBe(48);
});

test('a back office with a prebuilt start responds like one that was set up, before and after a reset', () => {
  const offices = [played, openPrebuilt().scenario].map((scenario) =>
    openStoreOffice({ scenario, maxRows: 10 }),
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
  const [expected, actual] = converse();
  expect(actual).toEqual(expected);
  for (const office of offices) office.reset();
  expect(converse()).toEqual([expected, expected]);
});
