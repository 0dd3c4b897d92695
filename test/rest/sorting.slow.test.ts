import { expect, test } from 'vitest';
import { collections } from '../support/collections.ts';
import { openOffice } from '../support/office.ts';
import { openSmallShop } from '../support/small-shop.ts';

type Item = Readonly<Record<string, string | number | boolean | undefined>>;

const office = openOffice({ settings: { listCarts: true } });
const both = collections.flatMap(({ path, scalars }) =>
  scalars.flatMap((field) => [
    { path, field, direction: 'asc' },
    { path, field, direction: 'desc' },
  ]),
);

test.each(collections)('$path can be sorted by each field with a single value', (collection) => {
  expect(new Set(collection.sortable)).toEqual(new Set(collection.scalars));
});

test.each(both)(
  '$path is sorted by $field $direction, then in its default order',
  async ({ path, field, direction }) => {
    const plain: Item[] = await items(`${path}?limit=1000`);
    const sorted: Item[] = await items(`${path}?limit=1000&sorting[${field}]=${direction}`);
    const sign = direction === 'asc' ? 1 : -1;
    const expected = plain.toSorted((a, b) => sign * compare(a[field], b[field]));
    expect(sorted.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  },
);

const newestFirst = ['updated_at', 'created_at', 'id'];

test.each([
  ['/api/promotions', 'asc', ['id']],
  ['/api/promotions/1/coupons', 'asc', ['id']],
  ['/api/payments', 'asc', ['id']],
  ['/api/shipments', 'desc', newestFirst],
  ['/api/users', 'desc', ['id']],
  ['/api/orders', 'desc', newestFirst],
  ['/api/stock-locations', 'asc', ['id']],
  ['/api/channels', 'asc', ['id']],
  ['/api/products', 'desc', ['created_at', 'id']],
])('the default order of %s is %s by %j', async (path, way, fields) => {
  const rows = await items(`${path}?limit=1000`);
  const sign = way === 'asc' ? 1 : -1;
  const expected = rows.toSorted((a, b) => {
    const orders = fields.map((field) => compare(a[field], b[field]));
    return sign * (orders.find((order) => order !== 0) ?? 0);
  });
  expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
});

test('the fields of sorting apply in the order sent', async () => {
  const path = '/api/payments/?limit=1000';
  const states = await items(`${path}&sorting[state]=asc&sorting[amount]=desc`);
  const amounts = await items(`${path}&sorting[amount]=desc&sorting[state]=asc`);
  const plain = await items(path);
  expect(states).toEqual(plain.toSorted((a, b) => state(a, b) || byAmountDescending(a, b)));
  expect(amounts).toEqual(plain.toSorted((a, b) => byAmountDescending(a, b) || state(a, b)));
});

test.each(collections)(
  '$path can be sorted by the camelCase names of its fields',
  async ({ path, sortable }) => {
    for (const field of sortable.filter((name) => name.includes('_'))) {
      const [, first = '', letter = '', rest = ''] = /^(\w+?)_(\w)(\w*)$/.exec(field) ?? [];
      const camel = `${first}${letter.toUpperCase()}${rest}`;
      const sorted = await items(`${path}?limit=1000&sorting[${camel}]=desc`);
      expect(sorted).toEqual(await items(`${path}?limit=1000&sorting[${field}]=desc`));
    }
  },
);

test('fields in camelCase and as in the response apply in the order sent, and links keep them', async () => {
  const path = '/api/orders/?limit=1000';
  const query = 'sorting[checkoutState]=asc&sorting[created_at]=desc';
  const { body } = await office.call(`GET ${path}&${query}`);
  const plain = await items(path);
  const expected = plain.toSorted(
    (a, b) =>
      compare(a['checkout_state'], b['checkout_state']) ||
      compare(b['created_at'], a['created_at']),
  );
  expect(body._embedded.items.map(createdAt)).toEqual(expected.map(createdAt));
  expect(decodeURIComponent(body._links.self.href)).toContain(`?${query}&page=1`);
});

test.each(collections)(
  '$path with blank directions is in its default order',
  async (collection) => {
    const { path, sortable } = collection;
    const blank = sortable.map((field) => `sorting[${field}]=`).join('&');
    expect(await items(`${path}?limit=1000&${blank}`)).toEqual(await items(`${path}?limit=1000`));
  },
);

test.each(collections)(
  '$path accepts directions in upper and lower case',
  async ({ path, sortable }) => {
    const [field = ''] = sortable;
    const descending = await items(`${path}?sorting[${field}]=desc`);
    for (const direction of ['DESC', 'Desc', 'dEsC']) {
      expect(await items(`${path}?sorting[${field}]=${direction}`)).toEqual(descending);
    }
    expect(await items(`${path}?sorting[${field}]=ASC`)).toEqual(
      await items(`${path}?sorting[${field}]=asc`),
    );
  },
);

test.each(collections)(
  '$path rejects an unknown direction with an issue at the field',
  async ({ path, sortable }) => {
    for (const direction of ['up', 'ascending', '1']) {
      const [field = ''] = sortable;
      const { status, body } = await office.call(`GET ${path}?sorting[${field}]=${direction}`);
      expect(status).toBe(400);
      expect(body.errors.children.sorting.children[field]).toEqual({
        errors: ['This value is not valid.'],
      });
    }
  },
);

test.each(collections)(
  '$path rejects sorting by a field without a single value',
  async ({ path }) => {
    for (const field of ['_links', 'items', 'nothing', 'constructor', 'toString']) {
      const { status, body } = await office.call(`GET ${path}?sorting[${field}]=asc`);
      expect({ field, status }).toEqual({ field, status: 400 });
      expect(body.errors.errors).toEqual(['This form should not contain extra fields.']);
    }
    expect(await office.call(`GET ${path}?sorting=name`)).toMatchObject({ status: 400 });
  },
);

test('an unknown sorting field is ignored if unknownParameters is ignore', async () => {
  const { call } = openSmallShop({ settings: { unknownParameters: 'ignore' } });
  const { body } = await call('GET /api/users/?sorting[nothing]=asc&sorting[id]=asc');
  expect(body._embedded.items.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3]);
});

async function items(url: string): Promise<Item[]> {
  const { status, body } = await office.call(`GET ${url}`);
  expect({ url, status }).toEqual({ url, status: 200 });
  return body._embedded.items;
}

function createdAt(item: Item): Item[string] {
  return item['created_at'];
}

function state(a: Item, b: Item): number {
  return compare(a['state'], b['state']);
}

function byAmountDescending(a: Item, b: Item): number {
  return compare(b['amount'], a['amount']);
}

/** Missing values are first. */
function compare(a: Item[string], b: Item[string]): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
  return a < b ? -1 : 1;
}
