import * as z from 'zod';
import { expect, test } from 'vitest';
import { defineApi, field, resource, storeApi } from '../../src/define.ts';
import { controlEndpoints } from '../../src/engine/control/endpoints/index.ts';
import type { ApiDefinition } from '../../src/engine/definition/api.ts';
import { filtersOf } from './filters.ts';
import { everyField, plainFields } from '../support/every-field-api.ts';
import { everyUuid } from '../support/uuid-api.ts';
import { openOffice } from '../support/office.ts';

const { text, integer, decimal, money, flag, time, oneOf, texts } = plainFields;
const ownFields = { text, integer, decimal, money, flag, time, oneOf, texts };
const own = defineApi({
  name: 'shelf',
  resources: {
    shelves: resource({ singular: 'shelf', fields: { name: field.text({ filter: true }) } }),
    books: resource({
      singular: 'book',
      fields: { ...ownFields, shelf: field.ref('shelves', { filter: true, onDelete: 'delete' }) },
    }),
  },
  scenarios: {
    default: {
      data: {
        shelves: [{ name: 'Top' }],
        books: [
          {
            text: 'Lamp',
            integer: 3,
            decimal: 1.5,
            money: 500,
            flag: true,
            time: '2026-03-02T09:00:00+0000',
            colour: 'red',
            texts: ['one'],
            shelf: 1,
          },
        ],
      },
    },
  },
});

const apis: Readonly<Record<string, ApiDefinition>> = {
  'the store': storeApi,
  'an extended store': everyField,
  'a store with UUIDs': everyUuid,
  'an own API': own,
};
const filters = Object.entries(apis).flatMap(([of, api]) =>
  filtersOf(api).map((filter) => ({ ...filter, api, of })),
);

test('each API has filters to try', () => {
  expect(Object.values(apis).map((api) => filtersOf(api).length)).toEqual([14, 26, 26, 9]);
});

test.each(filters)('$path of $of is not filtered by a blank $name', async ({ api, path, name }) => {
  const { call } = openOffice({ api });
  const all = await call(`GET ${path}`);
  expect(all.body.total).toBeGreaterThan(0);
  for (const blank of ['=', '', '=+', '=%20%09%0A', '=%C2%A0', '[]=', '[a]=+']) {
    const { status, body } = await call(`GET ${path}?criteria[${name}]${blank}`);
    expect({ blank, status, total: body.total, items: body._embedded?.items }).toEqual({
      blank,
      status: 200,
      total: all.body.total,
      items: all.body._embedded.items,
    });
  }
});

test.each(filters)(
  '$path of $of accepts no list, no block and no value of another type as $name',
  async ({ api, path, name, wrong }) => {
    const { call } = openOffice({ api });
    const sent = [`criteria[${name}][]=1`, `criteria[${name}][a]=1`];
    if (wrong !== undefined) sent.push(`criteria[${name}]=${wrong}`);
    for (const query of sent) {
      const { status, body } = await call(`GET ${path}?${query}`);
      expect({ query, status }).toEqual({ query, status: 400 });
      expect(body.errors.children.criteria.children[name]).toEqual({
        errors: ['This value is not valid.'],
      });
    }
  },
);

test.each(filters)(
  '$path of $of has nothing whose $name is unknown, and the last of two values of it counts',
  async ({ api, path, name, unknown }) => {
    const { call } = openOffice({ api });
    const one = await call(`GET ${path}?criteria[${name}]=${unknown}`);
    expect([one.status, one.body.total ?? one.body.message]).toEqual(
      one.status === 400 ? [400, 'Validation Failed'] : [200, 0],
    );
    const twice = await call(`GET ${path}?criteria[${name}]=&criteria[${name}]=${unknown}`);
    expect([twice.status, twice.body.total]).toEqual([one.status, one.body.total]);
    const cleared = await call(`GET ${path}?criteria[${name}]=${unknown}&criteria[${name}]=`);
    expect(cleared.body.total).toBe((await call(`GET ${path}`)).body.total);
  },
);

test('a blank page, limit or sorting of a list is none', async () => {
  const { call } = openOffice();
  const all = await call('GET /api/products/?limit=5');
  const blank = await call(
    'GET /api/products/?limit=5&page=+&sorting[name]=%20&criteria=&sorting=',
  );
  expect(blank.body._embedded).toEqual(all.body._embedded);
  expect((await call('GET /api/products/?limit=&page=')).body.limit).toBe(10);
});

const searches = controlEndpoints(storeApi).flatMap(({ method, path, query, example }) =>
  method === 'GET' && query !== undefined
    ? Object.entries<z.core.$ZodType>(query.schema.shape).map(([name, schema]) => ({
        url: (example?.url ?? path).replace(/\?.*/, ''),
        name:
          schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodRecord
            ? `${name}[id]`
            : name,
      }))
    : [],
);

// `?ready` is a question without a value.
test.each(searches.filter(({ name }) => name !== 'ready'))(
  'GET $url with a blank $name responds as without it',
  async ({ url, name }) => {
    const { call, fetch } = openOffice({ history: true });
    await call('POST /api/channels/', { code: 'blank', name: 'Blank' });
    const send = async (query: string) => {
      const response = await fetch(`http://shop.test${url}${query}`);
      return { query, status: response.status, text: await response.text() };
    };
    const without = await send('');
    for (const blank of ['', '+', '%C2%A0']) {
      const query = `?${name}=${blank}`;
      expect(await send(query)).toEqual({ ...without, query });
    }
  },
);
