import { expect, test } from 'vitest';
import { extendApi, field, resource, storeApi } from '../../src/define.ts';
import { createBackOffice } from '../../src/index.ts';
import { describeApis, finish } from '../../src/engine/sessions/control-api.ts';
import { openOffice } from '../support/office.ts';

/** Of each kind: a field, parameters that it accepts with what is stored, and parameters that it refuses. */
const kinds = {
  text: {
    made: field.text({ min: 2, max: 5, optional: true, filter: true, sort: true }),
    good: [
      [' ab ', 'ab'],
      [123, '123'],
    ],
    bad: ['a', 'abcdef', {}, [], true],
    filter: 'B',
  },
  longText: {
    made: field.text({ max: Infinity, optional: true, filter: true, sort: true }),
    good: [['long '.repeat(99), 'long '.repeat(99).trim()]],
    bad: [{}, [], true],
    filter: 'G L',
  },
  integer: {
    made: field.integer({ min: 1, max: 9, optional: true, filter: true, sort: true }),
    good: [
      ['3', 3],
      [9, 9],
    ],
    bad: [0, 10, 1.5, 'x', {}],
    filter: '3',
  },
  decimal: {
    made: field.decimal({ max: 2, optional: true, filter: true, sort: true }),
    good: [
      ['1.5', 1.5],
      [0, 0],
    ],
    bad: [-0.1, 2.1, 'x'],
    filter: '1.5',
  },
  money: {
    made: field.money({ optional: true, filter: true, sort: true }),
    good: [
      [500, 500],
      ['250', 250],
    ],
    bad: [-1, 'x', []],
    filter: '500',
  },
  flag: {
    made: field.flag({ optional: true, filter: true, sort: true }),
    good: [
      ['on', true],
      ['0', false],
    ],
    bad: ['perhaps', 2],
    filter: '1',
  },
  time: {
    made: field.time({ optional: true, filter: true, sort: true }),
    good: [['2026-03-02T09:00:00+0000', '2026-03-02T09:00:00+0000']],
    bad: ['2026-03-02', '2026-02-30T09:00:00+0000', 5],
    filter: '2026-03-02T09',
  },
  oneOf: {
    made: field.oneOf(['red', 'green'], { optional: true, filter: true, sort: true }),
    good: [['red', 'red']],
    bad: ['blue', {}],
    filter: 'red',
  },
  texts: {
    made: field.texts({ max: 2, optional: true, filter: true }),
    good: [
      [
        ['a', 'b', 'a'],
        ['a', 'b'],
      ],
    ],
    bad: [['a', 'b', 'c'], 'a', [{}]],
    filter: 'a',
  },
  ref: {
    made: field.ref('users', { optional: true, filter: true, sort: true }),
    good: [['3', 3]],
    bad: [999, 'x', -1],
    filter: '3',
  },
  refs: {
    made: field.refs('variants', { max: 2, optional: true, filter: true }),
    good: [
      [
        [7, '9'],
        [7, 9],
      ],
    ],
    bad: [[1, 2, 3], [9999], 'x'],
    filter: '7',
  },
} as const;

const apiOf = (name: keyof typeof kinds) => {
  const one = kinds[name].made;
  return extendApi(storeApi, {
    fields: { users: { ownField: one } },
    resources: { things: resource({ singular: 'thing', fields: { ownField: one } }) },
  });
};

const names = Object.keys(kinds) as (keyof typeof kinds)[];
const user = { firstName: 'Ada', lastName: 'Novak', email: 'ada@example.com' };

test.each(names)('a field of kind %s is parsed, stored, shown and cleared', async (name) => {
  const { call } = openOffice({ api: apiOf(name) });
  for (const [line, base] of [
    ['POST /api/things/', {}],
    ['PATCH /api/users/1', {}],
  ] as const) {
    const shown = async (answer: { readonly body: { readonly id: number } | undefined }) =>
      answer.body ?? (await call('GET /api/users/1')).body;
    for (const [sent, stored] of kinds[name].good)
      expect(await shown(await call(line, { ...base, ownField: sent }))).toMatchObject({
        own_field: stored,
      });
    for (const sent of kinds[name].bad) {
      const refused = await call(line, { ...base, ownField: sent });
      expect(refused).toMatchObject({ status: 400, body: { errors: { children: {} } } });
      expect(JSON.stringify(refused.body.errors.children.ownField)).toContain('errors');
    }
  }
  const [, last] = kinds[name].good.at(-1)!;
  expect((await call('GET /api/users/1')).body).toMatchObject({ own_field: last });
  await call('PUT /api/users/1', user);
  expect((await call('GET /api/users/1')).body).not.toHaveProperty('own_field');
});

test('messages call a text by its label', async () => {
  const title = field.text({ label: 'Title of a thing', min: 2, max: 5 });
  const things = resource({ singular: 'thing', fields: { title } });
  const { call } = openOffice({ api: extendApi(storeApi, { resources: { things } }) });
  for (const [sent, message] of [
    [{}, 'Please enter title of a thing.'],
    [{ title: 'a' }, 'Title of a thing must be at least 2 characters long.'],
    [{ title: 'abcdef' }, 'Title of a thing must not be longer than 5 characters.'],
  ] as const) {
    const { body } = await call('POST /api/things/', sent);
    expect(body.errors.children).toEqual({ title: { errors: [message] } });
  }
});

test.each(names)('lists are filtered and sorted by a field of kind %s', async (name) => {
  const { call } = openOffice({ api: apiOf(name) });
  const { good, filter, made } = kinds[name];
  await call('POST /api/things/', {});
  await call('POST /api/things/', { ownField: good[0][0] });
  const found = await call(`GET /api/things/?criteria[ownField]=${encodeURIComponent(filter)}`);
  expect(found.body).toMatchObject({ total: 1, _embedded: { items: [{ id: 2 }] } });
  const sorted = await call('GET /api/things/?sorting[ownField]=desc');
  if ('sort' in made.options)
    expect(sorted.body).toMatchObject({ _embedded: { items: [{ id: 2 }, { id: 1 }] } });
  else expect(sorted.status).toBe(400);
});

test('the document describes each kind of field, marked, in forms, filters and responses', () => {
  const fields = Object.fromEntries(names.map((name) => [`a${name}`, kinds[name].made]));
  const api = extendApi(storeApi, {
    fields: { orders: fields },
    resources: { things: resource({ singular: 'thing', description: 'Some things', fields }) },
    scenarios: { default: { data: { things: [{}] } } },
  });
  const { paths, components, tags } = finish(describeApis(api, '1')) as unknown as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
    components: { schemas: Record<string, { properties: Record<string, object> }> };
    tags: object[];
  };
  for (const schema of ['Order', 'OrderInCheckout', 'Thing', 'CreateOrderBody', 'PatchThingBody']) {
    const { properties } = components.schemas[schema]!;
    const own = Object.entries(properties).filter(
      ([name]) => /^a[a-z_]*$/i.test(name) && name.length > 3,
    );
    const marked = own.filter(([, one]) => 'x-backlot-extension' in one);
    expect(marked).toHaveLength(names.length);
    for (const [, one] of marked) expect(one).toHaveProperty('description');
  }
  expect(tags).toContainEqual({ name: 'things', description: 'Some things' });
  expect(paths['/api/things/']?.['get']).toMatchObject({ 'x-backlot-extension': true });
  expect(paths['/api/orders/']?.['get']).not.toHaveProperty('x-backlot-extension');
  expect(JSON.stringify(paths['/api/things/{id}']?.['get'])).toContain('"example');
});

test('money is sent in the unit of the contract', async () => {
  const { call } = openOffice({ api: apiOf('money'), settings: { requestMoney: 'major' } });
  expect((await call('POST /api/things/', { ownField: 12.5 })).body).toMatchObject({
    own_field: 1250,
  });
});

test('a field has the name in records that it says', () => {
  const api = extendApi(storeApi, {
    fields: { users: { score: field.integer({ as: 'user_score', default: 1 }) } },
  });
  const office = createBackOffice({ api });
  expect(office.db.users.all()[0]?.user_score).toBe(1);
});
