import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { MountedBackOffice, MountOptions } from '../../src/index.ts';
import { contract } from '../../src/shop/resources/index.ts';
import { caller, openOffice, type Call } from '../support/office.ts';
import { smallShop } from '../support/small-shop.ts';

const origin = 'https://shop.example';

const small: MountOptions = { scenario: smallShop };

/** The methods that both versions of MSW have. */
interface Interception {
  listen(): void;
  close(): void;
  use(...handlers: never[]): void;
  resetHandlers(...handlers: never[]): void;
}

/** Requests to the default scenario: every example of the contract, and invalid ones. */
const lines: (readonly [line: string, body?: unknown])[] = [
  ...contract.map(({ method, example }) => [`${method} ${example.url}`, example.body] as const),
  ['HEAD /api/users/1'],
  ['HEAD /api/users/'],
  ['OPTIONS /api/users/'],
  ['GET /api/users'],
  ['GET /api/users/2/'],
  ['GET /api/users/?criteria[query]=%C3%B3&sorting[email]=asc&page=2&limit=3'],
  ['GET /api/users/99999'],
  ['GET /api/user/1'],
  ['GET /api'],
  ['GET /api/'],
  ['PUT /api/payments/1', {}],
  ['POST /api/payments', {}],
  ['POST /api/users/', {}],
  ['POST /api/users/', '{'],
  ['PATCH /api/users/1', { nothing: 1 }],
];

describe.each(['msw', 'msw2'])('with %s', (version) => {
  let server: Interception;
  let open: (options?: MountOptions) => MountedBackOffice;

  beforeAll(async () => {
    vi.resetModules();
    if (version === 'msw2') vi.doMock('msw', () => import('msw2'));
    const { preloadMsw } = await import('../../src/mounts/node/load-msw.ts');
    await preloadMsw();
    const { createBackOffice } = await import('../../src/index.ts');
    const { setupServer } = await (version === 'msw2' ? import('msw2/node') : import('msw/node'));
    open = createBackOffice;
    server = setupServer();
    server.listen();
  });

  afterAll(() => {
    server.close();
    vi.doUnmock('msw');
    vi.resetModules();
  });

  /** Calls an isolated back office through the interception of `fetch`. */
  function intercept(options: MountOptions = small): Call & { office: MountedBackOffice } {
    const office = open(options);
    server.resetHandlers(...(office.handlers as never[]));
    return Object.assign(
      caller((url, init) => fetch(url, init), origin),
      { office },
    );
  }

  test('a page that fetches receives the status, headers and bytes of backOffice.fetch', async () => {
    const call = intercept({});
    const direct = openOffice();
    for (const [line, body] of lines) {
      expect({ line, ...(await call(line, body)) }).toEqual({
        line,
        ...(await direct.call(line, body)),
      });
    }
    expect(call.office.db.orders.count()).toBe(direct.db.orders.count());
  });

  test('url-encoded and multipart bodies arrive unchanged', async () => {
    const call = intercept();
    const form = new FormData();
    const fields = { code: 'NEW', color: 'gr ü+n', 'locales[]': '1' };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const bodies = [form, new URLSearchParams(fields)];
    for (const body of bodies) {
      call.office.reset();
      const response = await fetch(`${origin}/api/channels/`, { method: 'POST', body });
      expect(response.status).toBe(201);
      expect(await response.json()).toMatchObject({
        code: 'NEW',
        color: 'gr ü+n',
        locales: [{ id: 1 }],
      });
    }
  });

  test('there is one handler for each endpoint and one for all other paths under /api', async () => {
    const { handlers } = open(small);
    const { HttpHandler } = await (version === 'msw2' ? import('msw2') : import('msw'));
    for (const handler of handlers) expect(handler).toBeInstanceOf(HttpHandler);
    const headers = handlers.map(({ info }) => info.header);
    const endpoints = contract.map(
      ({ method, path }) => `${method} */${path.replaceAll(/^\/|\/$/g, '')}`,
    );
    expect(headers).toEqual(expect.arrayContaining([...new Set(endpoints)]));
  });

  test.each([
    ['/api/%6Frders/1', 200],
    ['/api/%6frders/1', 200],
    ['/%61pi/orders/%31', 200],
    ['/%5Fbacklot/clock', 200],
    ['/%6Fauth/v2/token', 400],
    ['/api/stock%2Dlocations/?%6Cimit=1', 200],
    ['/api/orders/%2e', 200],
    ['/api/orders/%2E%2e/users/1', 200],
    ['/api/orders%2F1', 404],
    ['/api%2forders/1', undefined],
    ['/api/orders/%2531', 404],
    ['/api/orders/%zz', 404],
    ['/%61pi/%FF', 404],
    ['/%6Fther/api', undefined],
  ])('handlers decode %s', async (path, status) => {
    const { handlers } = open({ ...small, baseUrl: `${origin}/my%20shop` });
    const { http } = await (version === 'msw2' ? import('msw2') : import('msw'));
    const others = http.all('*', () => new Response(null, { status: 299 }) as never);
    server.resetHandlers(...([...handlers, others] as never[]));
    const response = await fetch(`${origin}/m%79%20shop${path}`);
    expect(response.status).toBe(status ?? 299);
  });

  test("a user's handler runs first", async () => {
    const call = intercept();
    const { http, HttpResponse } = await (version === 'msw2' ? import('msw2') : import('msw'));
    const mine = http.get('*/api/users/1', () => HttpResponse.json({ mine: true }));
    server.use(mine as never);
    expect((await call('GET /api/users/1')).body).toEqual({ mine: true });
    expect((await call('GET /api/users/2')).body).toMatchObject({ id: 2 });
  });

  test.each([
    ['https://shop.example', 'https://shop.example/api/users/1'],
    ['https://shop.example/', 'https://shop.example/api/users/1'],
    ['https://shop.example/backend', 'https://shop.example/backend/api/users/1'],
    ['*', 'http://elsewhere.example:8080/some/where/api/users/1/'],
  ])('with the base URL %s, handlers respond to %s', async (baseUrl, url) => {
    const { office } = intercept({ ...small, baseUrl });
    const answers = [await fetch(url), await office.fetch(url)];
    for (const response of answers) {
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ id: 1 });
    }
  });
});

test('backOffice.fetch accepts a path, a URL or a Request, with or without options', async () => {
  const office = openOffice();
  const url = `${origin}/api/users/1`;
  const answers = [
    await office.fetch('/api/users/1'),
    await office.fetch(url),
    await office.fetch(new URL(url)),
    await office.fetch(new Request(url)),
    await office.fetch(new Request(url, { method: 'DELETE' }), { method: 'GET' }),
  ];
  const [first, ...others] = await Promise.all(answers.map((response) => response.text()));
  expect(JSON.parse(first ?? '')).toMatchObject({ id: 1 });
  expect(new Set(others)).toEqual(new Set([first]));
});
