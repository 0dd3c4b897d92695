import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { collections } from '../support/collections.ts';
import { openOffice } from '../support/office.ts';
import { openSmallShop } from '../support/small-shop.ts';
import { runs } from '../support/runs.ts';

const office = openOffice({ settings: { listCarts: true } });

test.each(collections)('$path starts with page 1 of 10', async ({ path }) => {
  const { status, headers, body } = await office.call(`GET ${path}`);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('application/json');
  expect(body).toMatchObject({
    page: 1,
    limit: 10,
    pages: Math.max(1, Math.ceil(body.total / 10)),
  });
  expect(body._embedded.items).toHaveLength(Math.min(10, body.total));
  expect(body._links.self).toEqual(body._links.first);
  expect(Object.keys(body)).toEqual(['page', 'limit', 'pages', 'total', '_links', '_embedded']);
  expect(Object.keys(body._embedded)).toEqual(['items']);
});

test.each(collections)('each page of $path is a range of all items', async ({ path }) => {
  const { total, _embedded } = (await office.call(`GET ${path}?limit=1000`)).body;
  const pageAndLimit = fc.record({
    number: fc.integer({ min: 1, max: 15 }),
    limit: fc.oneof(fc.integer({ min: 1, max: 15 }), fc.integer({ min: 1, max: 300 })),
  });
  await fc.assert(
    fc.asyncProperty(pageAndLimit, async ({ number, limit }) => {
      const { status, body } = await office.call(`GET ${path}?page=${number}&limit=${limit}`);
      const pages = Math.max(1, Math.ceil(total / limit));
      const href = (page: number) => ({ href: `${path}/?page=${page}&limit=${limit}` });
      expect(status).toBe(200);
      expect(body).toEqual({
        page: number,
        limit,
        pages,
        total,
        _links: {
          self: href(number),
          first: href(1),
          last: href(pages),
          ...(number < pages && { next: href(number + 1) }),
        },
        _embedded: { items: _embedded.items.slice((number - 1) * limit, number * limit) },
      });
    }),
    { numRuns: runs(25) },
  );
});

test.each(collections)(
  'the links of $path from first to last visit every item once',
  async ({ path }) => {
    const { total } = (await office.call(`GET ${path}`)).body;
    const limit = Math.max(1, Math.ceil(total / 5));
    const met: number[] = [];
    let href: string | undefined = `${path}/?page=1&limit=${limit}`;
    let last: string | undefined;
    while (href !== undefined) {
      const { body } = await office.call(`GET ${href}`);
      expect(body._links.self.href).toBe(href);
      met.push(...body._embedded.items.map(({ id }: { id: number }) => id));
      last = body._links.last.href;
      if (body._links.next === undefined) expect(href).toBe(last);
      href = body._links.next?.href;
    }
    expect(new Set(met).size).toBe(total);
    expect(met).toHaveLength(total);
  },
);

test.each(['0', '-1', '1.5', 'x', '1e3', '1,2', 'NaN', '99999999999999999999'])(
  'page and limit of %j are rejected with an issue each',
  async (value) => {
    const { call } = openSmallShop();
    const { status, body } = await call(`GET /api/users/?page=${value}&limit=${value}`);
    expect(status).toBe(400);
    expect(body.message).toBe('Validation Failed');
    const bad = { errors: [expect.any(String)] };
    expect(body.errors.children).toMatchObject({ page: bad, limit: bad });
  },
);

test('a blank page or limit has the default value', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('GET /api/users/?page=&limit=');
  expect(status).toBe(200);
  expect(body).toMatchObject({ page: 1, limit: 10 });
});

test.each(collections)(
  '$path rejects an invalid page, and the error tree has all its parameters',
  async ({ path, criteria, sortable }) => {
    const { status, body } = await office.call(`GET ${path}?page=0`);
    expect(status).toBe(400);
    expect(body).toEqual({
      code: 400,
      message: 'Validation Failed',
      errors: {
        children: {
          page: { errors: [expect.any(String)] },
          limit: [],
          criteria: block(criteria),
          sorting: block(sortable),
        },
      },
    });
  },
);

test('a limit above maxLimit is capped, as the envelope shows', async () => {
  const { call } = openSmallShop({ settings: { maxLimit: 2 } });
  const { body } = await call('GET /api/users/?limit=50');
  expect(body).toMatchObject({
    limit: 2,
    pages: 2,
    total: 3,
    _links: {
      self: { href: '/api/users/?page=1&limit=2' },
      next: { href: '/api/users/?page=2&limit=2' },
    },
  });
  expect(body._embedded.items).toHaveLength(2);
  expect((await call('GET /api/users/')).body.limit).toBe(2);
  expect((await openSmallShop().call('GET /api/users/?limit=5000')).body.limit).toBe(1000);
});

test.each([
  [1, true],
  [2, false],
  [999_999_999, false],
])('page %i of an empty collection is empty, and there is one page', async (number) => {
  const { call } = openSmallShop();
  const { status, body } = await call(`GET /api/promotions/2/coupons?page=${number}&limit=5`);
  expect(status).toBe(200);
  expect(body).toEqual({
    page: number,
    limit: 5,
    pages: 1,
    total: 0,
    _links: { self: emptyPage(number), first: emptyPage(1), last: emptyPage(1) },
    _embedded: { items: [] },
  });
});

test('links keep the criteria and the sorting, encoded, and no other parameters', async () => {
  const { call } = openSmallShop({ settings: { unknownParameters: 'ignore' } });
  const query =
    'limit=1&criteria[name]=l%C3%A4+m%26p&sorting[name]=desc&other=1&criteria%5Bchannel%5D=1&page=3';
  const { body } = await call(`GET /api/products/?${query}`);
  const kept = 'criteria%5Bname%5D=l%C3%A4+m%26p&sorting%5Bname%5D=desc&criteria%5Bchannel%5D=1';
  expect(body._links.self.href).toBe(`/api/products/?${kept}&page=3&limit=1`);
  expect(body._links.first.href).toBe(`/api/products/?${kept}&page=1&limit=1`);
});

test('links with criteria lead to pages of the filtered items', async () => {
  const { body } = await office.call(
    'GET /api/payments/?criteria[billingAddress]=a&criteria[createdAtFrom]=2026-01-01&sorting[amount]=desc&limit=7',
  );
  const items = [...body._embedded.items];
  let next = body._links.next;
  while (next !== undefined) {
    const page = (await office.call(`GET ${next.href}`)).body;
    items.push(...page._embedded.items);
    next = page._links.next;
  }
  expect(items).toHaveLength(body.total);
  const amounts = items.map(({ amount }) => amount);
  expect(amounts).toEqual(amounts.toSorted((a, b) => b - a));
});

function emptyPage(page: number): { href: string } {
  return { href: `/api/promotions/2/coupons/?page=${page}&limit=5` };
}

/** Returns a block of an error tree without errors. */
function block(names: readonly string[]): object {
  return names.length === 0
    ? []
    : { children: Object.fromEntries(names.map((name) => [name, []])) };
}
