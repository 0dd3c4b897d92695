import { expect, test } from 'vitest';
import type { ScenarioInput } from '../../src/index.ts';
import { definitions } from '../../src/shop/models/database.ts';
import { Problem } from '../../src/engine/lib/problem.ts';
import { storeApi } from '../../src/shop/store-api.ts';
import { recordSchemas } from '../../src/engine/scenario/data.ts';
import { openScenario } from '../../src/engine/scenario/open-scenario.ts';
import type { ReadyScenario } from '../../src/engine/scenario/scenario.ts';
import { openOffice } from '../support/office.ts';
import { smallShop } from '../support/small-shop.ts';

const loader = {
  api: storeApi,
  records(path: string): unknown {
    if (path === 'users.json') return [{ id: 1, first_name: 7 }, 'no record'];
    throw new Problem('missing', `File ${path} not found`);
  },
  base(name: string): ReadyScenario {
    if (name === 'small') return openScenario(smallShop, loader);
    throw new Problem('missing', `Scenario '${name}' not found. The scenarios are small.`);
  },
};

function issuesOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) {
      expect(error.kind).toBe('invalid');
      return error.message
        .split('\n')
        .filter((line) => line.startsWith('  '))
        .map((line) => line.trim());
    }
    throw error;
  }
  return [];
}

const minimal = { name: 'minimal', description: 'Required fields only' };

test('a scenario requires a name and a description, and other fields have defaults', () => {
  const scenario = openScenario(minimal, loader);
  expect(scenario).toMatchObject({ seed: 1, now: '2026-03-02T09:00:00+0000', orders: [] });
  expect(openOffice({ scenario }).db.users.count()).toBe(0);
});

test('all issues of a scenario are reported at once, with their paths and what was expected', () => {
  const wrong = {
    name: '',
    descripton: 'misspelt',
    extends: 'nobody',
    now: 'yesterday',
    settings: { expiry: 'never', colour: 'red' },
    data: {
      users: 'users.json',
      products: 'lost.json',
      zones: [{ id: 1, name: 'x', type: 'planet', members: [], extra: true }],
      spoons: [],
      coupons: 4,
    },
    orders: [
      { at: 'soon', channel: 0, user: 1, currency: 'EUR', items: [{ variant: 1 }], until: 'dawn' },
    ],
    generate: { orders: -1, since: '-P1Y' },
    script: [{ on: 'purchase', outcome: 'lost' }],
    faults: [{ probability: 2 }],
  };
  const issues = issuesOf(() => openScenario(wrong, loader));
  const expected = [
    'name: Too small',
    'description: Invalid input: expected string',
    '(top): Unrecognized key: "descripton" (did you mean "description"?); known: $schema, name, description, extends,',
    "extends: Scenario 'nobody' not found. The scenarios are small.",
    'now: expected a time like 2026-03-02T09:00:00+0000',
    'settings.expiry: Invalid option: expected one of "abandon"|"ignore"',
    'settings: Unrecognized key: "colour"; known: requestMoney,',
    'data.users.0.first_name: Invalid input: expected string, received number',
    'data.users.1: Invalid input: expected object, received string',
    'data.products: File lost.json not found',
    'data.zones.0.type: Invalid option: expected one of',
    'data.zones.0: Unrecognized key: "extra"; known: id, name, type, members',
    'data: Unrecognized key: "spoons"; known: addresses,',
    'data.coupons: Invalid input: expected string or array',
    'orders.0.at: expected an ISO 8601 duration',
    'orders.0.channel: Too small',
    'orders.0.items.0.quantity: Invalid input: expected number',
    'orders.0.until: Invalid option: expected one of "cart"|',
    'generate.orders: Too small',
    'generate.since: expected a duration without a minus',
    'script.0.outcome: Invalid option: expected one of "approved"|',
    'faults.0.probability: Too big',
  ];
  for (const line of expected) {
    expect(
      issues.filter((issue) => issue.startsWith(line)),
      line,
    ).toHaveLength(1);
  }
});

test('rules that can never have an effect are rejected', () => {
  const wrong = {
    ...minimal,
    script: [{ on: 'purchase' }, { on: 'lunch', delay: 5 }],
    faults: [{}, { match: { path: '/api/spoons' }, status: 500 }],
  };
  const paths = issuesOf(() => openScenario(wrong, loader)).map((line) => line.split(':')[0]);
  expect(paths).toEqual([
    'script.0.outcome',
    'script.1.on',
    'faults.0.status',
    'faults.1.match.path',
  ]);
});

test('duplicate ids and references to missing records are reported with their paths', () => {
  const twice = { id: 1, name: 'Ireland', iso_name: 'IE' };
  const conflict = { ...minimal, data: { countries: [twice, twice] } };
  expect(issuesOf(() => openOffice({ scenario: conflict }))).toEqual([
    'data.countries: countries: id 1 is taken',
  ]);
  const broken = {
    ...minimal,
    data: {
      countries: [twice],
      provinces: [{ id: 1, country_id: 9, name: 'Leinster' }],
      stock_locations: [{ id: 1, code: 'A', name: 'A', enabled: true, address_id: 3 }],
    },
  };
  expect(issuesOf(() => openOffice({ scenario: broken }))).toEqual([
    'data.provinces.0.country_id: There is no country 9',
    'data.stock_locations.0.address_id: There is no address 3',
  ]);
});

test('rules in `data` are validated like those in `script` and `faults`', () => {
  const scenario: ScenarioInput = {
    ...smallShop,
    data: {
      ...smallShop.data,
      fault_rules: [{ match: {}, status: 503, headers: { Trailer: 'a' }, matched: 0 }],
      script_rules: [{ on: 'purchase', match: {}, matched: 0 }],
    },
  };
  expect(() => openOffice({ scenario })).toThrow('This scenario small shop is not valid');
  expect(issuesOf(() => openOffice({ scenario }))).toEqual([
    'data.fault_rules.0.headers.Trailer: A fault cannot set this header: the server sets it for each body.',
    'data.script_rules.0.outcome: A script must have outcome, settle, refuse or delay.',
  ]);
});

function repeat<Item>(item: Item, times: number): Item[] {
  return Array.from({ length: times }, () => item);
}

test('more rules in `data` than a shop accepts are rejected with their number', () => {
  const data = {
    ...smallShop.data,
    fault_rules: repeat({ match: {}, status: 503, matched: 0 }, 1001),
    script_rules: repeat({ on: 'purchase' as const, match: {}, matched: 0, delay: 1 }, 1001),
  };
  expect(issuesOf(() => openOffice({ scenario: { ...smallShop, data } }))).toEqual([
    'data.fault_rules: There are 1,001, at most 1,000 are accepted.',
    'data.script_rules: There are 1,001, at most 1,000 are accepted.',
  ]);
});

test('all orders that the shop rejects are reported with their paths', () => {
  const order: NonNullable<ScenarioInput['orders']>[number] = {
    at: '-PT1H',
    channel: 1,
    user: 1,
    currency: 'EUR',
    items: [],
    until: 'cart',
  };
  const scenario: ScenarioInput = {
    ...smallShop,
    orders: [
      { ...order, user: 99 },
      order,
      { ...order, until: 'addressing' },
      { ...order, at: 'PT1H' },
      { ...order, coupons: ['NONE'] },
    ],
  };
  expect(issuesOf(() => openOffice({ scenario })).toSorted()).toEqual([
    'orders.0.user: This value is not valid.',
    'orders.2: shippingAddress is required',
    'orders.3: A step is later than now: 2026-03-02T10:00:00+0000',
    'orders.4.coupon: There is no coupon NONE.',
  ]);
});

test('a scenario inherits the fields of the scenario that it extends', () => {
  const settings = { maxLimit: 5, listCarts: true };
  const parent = { ...smallShop, settings };
  const ready = openScenario(
    {
      name: 'child',
      description: 'Extends',
      extends: 'parent',
      settings: { maxLimit: 6 },
      data: { users: [] },
      orders: [],
    },
    { ...loader, base: () => openScenario(parent, loader) },
  );
  expect(ready.name).toBe('child');
  expect(ready.seed).toBe(parent.seed);
  expect(ready.settings).toEqual({ ...openScenario(parent, loader).settings, maxLimit: 6 });
  expect(ready.data.get('users')).toEqual([]);
  expect(ready.data.get('countries')).toHaveLength(3);
  expect(ready.orders).toEqual([]);
});

test('a scenario inherits the settings that it does not set', () => {
  const parent = openScenario({ ...minimal, settings: { stepBack: true } }, loader);
  const child = openScenario(
    { ...minimal, extends: 'parent', settings: { listCarts: true } },
    { ...loader, base: () => parent },
  );
  expect(child.settings).toMatchObject({ stepBack: true, listCarts: true });
});

test('a `defaultTaxZone` that does not exist is rejected', () => {
  const settings = { defaultTaxZone: 99 };
  expect(() => openOffice({ scenario: { ...minimal, settings } })).toThrow(
    /settings\.defaultTaxZone: There is no zone 99/,
  );
  expect(() => openOffice({ settings })).toThrow(/There is no zone 99/);
});

test('script and faults apply from `now` on and do not affect the orders of the scenario', async () => {
  const office = openOffice({
    scenario: {
      ...smallShop,
      script: [{ on: 'create', refuse: { message: 'Closed.' } }],
      faults: [{ match: { path: '/api/users/:id' }, status: 418 }],
    },
  });
  expect(office.db.orders.count()).toBe(7);
  const order = { channel: 1, user: 1, currency: 'EUR' };
  expect((await office.call('POST /api/orders/', order)).status).toBe(400);
  expect((await office.call('GET /api/users/1')).status).toBe(418);
});

test('ids and timestamps of records are optional', () => {
  const { db } = openOffice({
    scenario: { ...minimal, data: { currencies: [{ code: 'EUR' }, { code: 'USD' }] } },
  });
  expect(db.currencies.all()).toEqual([
    { id: 1, code: 'EUR' },
    { id: 2, code: 'USD' },
  ]);
});

test('every table can have records, under its name in messages', () => {
  const names = Object.values(definitions).map(({ name }) => name);
  expect([...recordSchemas(definitions).keys()].toSorted()).toEqual(names.toSorted());
});
