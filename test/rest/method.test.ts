import { expect, test } from 'vitest';
import { contract } from '../../src/shop/resources/index.ts';
import { openSmallShop } from '../support/small-shop.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const office = openSmallShop();

/** The paths of the contract, each with its methods in the order of the contract. */
const routes = Array.from(
  Map.groupBy(contract, ({ path }) => path.replace(/\/$/, '').replaceAll(/:\w+/g, '1')),
  ([path, rows]) => ({ path, allowed: [...new Set(rows.map(({ method }) => method as string))] }),
);
const wrong = routes.flatMap(({ path, allowed }) =>
  methods
    .filter((method) => !allowed.includes(method))
    .map((method) => ({ method, path, allowed })),
);
const reads = routes.filter(({ allowed }) => allowed.includes('GET'));

test.each(wrong)(
  '$method $path is rejected with the allowed methods',
  async ({ method, path, allowed }) => {
    for (const slash of ['', '/']) {
      const { status, headers, body } = await office.call(`${method} ${path}${slash}`);
      expect(status).toBe(405);
      expect(body).toEqual({
        code: 405,
        message: expect.stringContaining(`${method} is not allowed`),
      });
      expect(new Set(headers['allow']?.split(', '))).toEqual(allowedBy(allowed));
    }
  },
);

test.each(routes)('OPTIONS $path returns the allowed methods', async ({ path, allowed }) => {
  const { status, headers, body } = await office.call(`OPTIONS ${path}/`);
  expect(status).toBe(204);
  expect(body).toBeUndefined();
  expect(new Set(headers['allow']?.split(', '))).toEqual(allowedBy(allowed));
});

test.each(reads)('HEAD $path returns the headers of GET and no body', async ({ path }) => {
  for (const query of ['', '?page=0']) {
    const get = await office.call(`GET ${path}${query}`);
    const head = await office.call(`HEAD ${path}${query}`);
    expect(head).toEqual({ ...get, body: undefined });
  }
});

test.each(reads)(
  'HEAD $path returns the length of the body of GET, also with prefixed links',
  async ({ path }) => {
    const { fetch } = openSmallShop({ baseUrl: '/mounted/at' });
    for (const query of ['', '?page=0', '?_=1']) {
      const url = `http://shop.test/mounted/at${path}${query}`;
      const get = await fetch(url);
      const head = await fetch(url, { method: 'HEAD' });
      const bytes = new TextEncoder().encode(await get.text()).length;
      expect(head.headers.get('content-length')).toBe(String(bytes));
      expect([...head.headers]).toEqual([...get.headers]);
      expect(await head.text()).toBe('');
    }
  },
);

test('HEAD returns the length of a body that a fault changed', async () => {
  for (const prefer of ['status=503', 'corrupt=cut-off', 'corrupt=malformed', 'status=204']) {
    const get = await office.fetch('/api/users/1', { headers: { prefer } });
    const head = await office.fetch('/api/users/1', { method: 'HEAD', headers: { prefer } });
    expect([head.status, ...head.headers]).toEqual([get.status, ...get.headers]);
    expect(await head.text()).toBe('');
  }
});

test('HEAD of an unknown path or record, or of a path without GET, has no body', async () => {
  expect(await office.call('HEAD /api/users/99')).toMatchObject({ status: 404, body: undefined });
  expect(await office.call('HEAD /api/nothing')).toMatchObject({ status: 404, body: undefined });
  const answer = await office.call('HEAD /api/password-resetting-requests/');
  expect(answer).toMatchObject({ status: 405, body: undefined });
  expect(answer.headers['allow']).toBe('POST, OPTIONS');
});

test('every path is served with and without a trailing slash', async () => {
  for (const { method, path, example } of contract) {
    const url = path.replaceAll(/:\w+/g, '1').replace(/\/$/, '');
    const answers: unknown[] = [];
    for (const slash of ['', '/']) {
      office.reset();
      answers.push(await office.call(`${method} ${url}${slash}`, example.body));
    }
    expect(answers[1]).toEqual(answers[0]);
  }
});

test('a path with an empty segment is not found', async () => {
  for (const path of ['/api/users//', '/api//users', '/api/orders/1//', '/api/orders//items/']) {
    expect((await office.call(`GET ${path}`)).status).toBe(404);
  }
});

test.each([
  ['GET /api/user/', 'GET /api/users/'],
  ['GET /api/user/1', 'GET /api/users/:user_id'],
  ['POST /api/user', 'POST /api/users/'],
  ['PUT /api/chanels/1', 'PUT /api/channels/:id'],
  ['GET /api/stocklocations', 'GET /api/stock-locations/'],
  ['PATCH /api/stock_locations/3', 'PATCH /api/stock-locations/:id'],
  ['GET /api/checkout/7', 'GET /api/checkouts/:order_id'],
  ['POST /api/order/7/items', 'POST /api/orders/:order_id/items/'],
  ['DELETE /api/orders/7/item/3', 'DELETE /api/orders/:order_id/items/:item_id'],
  ['POST /api/password-reset-requests/', 'POST /api/password-resetting-requests/'],
  ['GET /users/', 'GET /api/users/'],
  ['GET /api/v1/products/', 'GET /api/products/'],
])('%s is not found, and the response suggests %s', async (line, closest) => {
  const { status, body } = await office.call(line);
  expect(status).toBe(404);
  expect(body).toEqual({
    code: 404,
    message: `Endpoint ${line} not found. Did you mean ${closest}?`,
  });
});

test.each(contract.map(({ method, path }) => ({ method, path })))(
  'a misspelt $method $path is not found, and the response suggests it',
  async ({ method, path }) => {
    const url = path.replaceAll(/:\w+/g, '12');
    for (const at of [3, 5, 7]) {
      const { status, body } = await office.call(`${method} ${url.slice(0, at)}x${url.slice(at)}`);
      expect(status).toBe(404);
      expect(body.message).toContain(`Did you mean ${method} ${path}`);
    }
  },
);

test.each([
  '/',
  '/api',
  '/api/',
  '/api//users',
  '/api/users/1/2/3/4',
  '/%',
  '/api/%ff',
  `/api/${'x'.repeat(5000)}`,
])('the path %s is not found by any method', async (path) => {
  for (const method of [...methods, 'OPTIONS']) {
    const { status, body } = await office.call(`${method} ${path}`);
    expect({ path, method, status }).toEqual({ path, method, status: 404 });
    expect(body).toEqual({ code: 404, message: expect.stringContaining('not found') });
  }
});

test.each(['0', '-1', '01', '1.0', '1e0', 'x', '%31x', '%00', '999999999999999999999', 'NaN'])(
  '%s is not the id of a record',
  async (id) => {
    for (const { path, allowed } of routes.filter((route) => route.path.endsWith('/1'))) {
      for (const method of allowed) {
        const { status, body } = await office.call(`${method} ${path.replace(/1$/, id)}`);
        expect({ path, method, status }).toEqual({ path, method, status: 404 });
        expect(body.message).toContain(`does not exist with these criteria: {"id":`);
      }
    }
  },
);

test('an id may be percent-encoded', async () => {
  expect(await office.call('GET /api/users/%31')).toEqual(await office.call('GET /api/users/1'));
});

function allowedBy(allowed: readonly string[]): Set<string> {
  return new Set([...allowed, 'OPTIONS', ...(allowed.includes('GET') ? ['HEAD'] : [])]);
}

test.each([
  '/api/orders//items/1',
  '/api//orders',
  '/api/orders//',
  '/api/orders/1/items/1/1',
  '/api/__proto__',
])('GET %s is not found, since a parameter is one segment that is not empty', async (path) => {
  expect((await office.call(`GET ${path}`)).status).toBe(404);
});

test('a path that is like no endpoint gets no suggestion', async () => {
  const { status, body } = await office.call('GET /api/wishlists/');
  expect(status).toBe(404);
  expect(body.message).toBe('Endpoint GET /api/wishlists/ not found.');
});
