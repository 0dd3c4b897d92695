import { expect, test } from 'vitest';
import { createFetchHandler, type FetchHandler } from '../../src/mounts/fetch-handler.ts';
import { createHttpServer } from '../../src/mounts/server/server.ts';
import { openSessions } from '../../src/engine/sessions/server.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { company } from '../support/company-api.ts';
import { listen } from '../support/raw-http.ts';

const origin = 'http://localhost:3000';
const request = (path: string, init?: RequestInit): Request =>
  new Request(`${origin}${path}`, init);
const json = { 'content-type': 'application/json' };
const newOrder = {
  method: 'POST',
  headers: json,
  body: JSON.stringify({ channel: 1, user: 1, currency: 'EUR' }),
};
const countOrders = async (handle: FetchHandler, headers: HeadersInit = {}): Promise<number> => {
  const response = await handle(request('/api/orders/?limit=1', { headers }));
  return ((await response.json()) as { total: number }).total;
};

test('it answers with the bytes of the server', async () => {
  const handle = createFetchHandler();
  const office = openStoreOffice({ history: true });
  const url = await listen(createHttpServer(openSessions(office)));
  for (const [path, init] of [
    ['/api/orders/1', {}],
    ['/api/orders/', newOrder],
    ['/api/users/', { method: 'POST', headers: json, body: '{"email":"x"}' }],
    ['/api/nothing/', {}],
    ['/api/orders/1', { method: 'HEAD' }],
    ['/s/ada/api/orders/', newOrder],
    ['/_backlot/clock', {}],
    ['/_backlot/sessions', {}],
    ['/elsewhere', {}],
    ['/api/orders/1', { headers: { Prefer: 'status=503' } }],
    ['/api/orders/1', { method: 'OPTIONS', headers: { 'access-control-request-method': 'PUT' } }],
  ] as const) {
    const [mine, theirs] = [await handle(request(path, init)), await fetch(`${url}${path}`, init)];
    const ignored = new Set(['connection', 'keep-alive', 'date', 'content-length']);
    const heads = [mine, theirs].map(({ headers }) =>
      [...headers].filter(([name]) => !ignored.has(name)),
    );
    expect([path, mine.status, heads[0]]).toEqual([path, theirs.status, heads[1]]);
    if (path !== '/_backlot/sessions') expect(await mine.text()).toBe(await theirs.text());
  }
});

test('sessions by header, by path and by cookie do not meet', async () => {
  const handle = createFetchHandler();
  const before = await countOrders(handle);
  await handle(request('/s/ada/api/orders/', newOrder));
  await handle(request('/s/ada/api/orders/', newOrder));
  const eve = { 'x-backlot-session': 'eve' };
  await handle(request('/api/orders/', { ...newOrder, headers: { ...json, ...eve } }));
  const newest = async (headers: HeadersInit): Promise<number> => {
    const found = [121, 122, 123].map((id) => handle(request(`/api/orders/${id}`, { headers })));
    return (await Promise.all(found)).filter(({ status }) => status === 200).length;
  };
  expect(await newest({ 'x-backlot-session': 'ada' })).toBe(2);
  expect(await newest({ cookie: 'backlot-session=eve' })).toBe(1);
  expect(await newest({})).toBe(0);
  expect(await countOrders(handle)).toBe(before);
});

test('a demo gives each visitor a shop by cookie, with limits', async () => {
  const handle = createFetchHandler({ demo: true, basePath: '/mock', requestRate: 1000 });
  const write = await handle(request('/mock/api/orders/', newOrder));
  const cookie = write.headers.get('set-cookie') ?? '';
  expect([write.status, write.headers.get('location')]).toEqual([201, '/mock/api/orders/121']);
  expect(cookie).toMatch(/^backlot-session=[\w-]+; Path=\/mock\/; HttpOnly; SameSite=Lax$/);
  const [name = ''] = cookie.split(';');
  const read = await handle(request('/mock/api/orders/121', { headers: { cookie: name } }));
  expect(read.status).toBe(200);
  expect((await handle(request('/mock/api/orders/121'))).status).toBe(404);
  const large = { method: 'POST', headers: json, body: JSON.stringify({ x: 'x'.repeat(9000) }) };
  expect((await handle(request('/mock/api/users/', large))).status).toBe(413);
  const outside = await handle(request('/api/orders/'));
  expect(await outside.text()).toContain('The API begins at /mock/api/.');
});

test('a body beyond the limit is not read to its end, and scenarios of a demo do not fill the memory', async () => {
  const handle = createFetchHandler({ demo: true });
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 4096;
      controller.enqueue(new Uint8Array(4096));
    },
  });
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: json,
    body,
    duplex: 'half',
  };
  expect((await handle(request('/api/users/', init))).status).toBe(413);
  expect(sent).toBeLessThan(40_000);
  const zipped = { method: 'POST', headers: { ...json, 'content-encoding': 'gzip' }, body: 'x' };
  expect((await handle(request('/api/users/', zipped))).status).toBe(400);
  const reset = { method: 'POST', headers: json, body: '{"scenario":"large"}' };
  const refused = await handle(request('/s/ada/_backlot/reset', reset));
  expect(await refused.text()).toContain("Scenario 'large' not found.");
});

test('a page can read that it has sent too many requests', async () => {
  const handle = createFetchHandler({ requestRate: 1 });
  const read = () =>
    handle(request('/api/orders/1', { headers: { origin: 'https://app.example' } }));
  const all = await Promise.all(Array.from({ length: 20 }, read));
  const excess = all.find(({ status }) => status === 429);
  expect(excess?.headers.get('access-control-allow-origin')).toBe('*');
});

test('foreign hosts and origins are rejected as by the server', async () => {
  const handle = createFetchHandler({ corsOrigin: 'https://app.example' });
  const foreign = await handle(new Request('http://evil.example/api/orders/1'));
  expect(await foreign.json()).toMatchObject({
    code: 403,
    message: expect.stringContaining("allowedHosts of createFetchHandler: ['evil.example']"),
  });
  const post = (from: string) =>
    handle(request('/api/orders/', { ...newOrder, headers: { ...json, origin: from } }));
  expect((await post('https://evil.example')).status).toBe(403);
  const allowed = await post('https://app.example');
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([
    201,
    'https://app.example',
  ]);
});

test('responses are delayed, held, dropped, or given up by their clients', async () => {
  const handle = createFetchHandler({ maxWaiting: 1 });
  const prefer = (value: string, signal?: AbortSignal) =>
    handle(request('/api/orders/1', { headers: { Prefer: value }, signal: signal ?? null }));
  const gone = new AbortController();
  const held = prefer('hold=orders', gone.signal);
  expect((await prefer('delay=1ms')).status).toBe(429);
  await handle(request('/_backlot/holds/orders/release', { method: 'POST' }));
  expect((await held).status).toBe(200);
  const slow = prefer('delay=600s', gone.signal);
  gone.abort();
  await slow;
  expect((await prefer('delay=1ms')).status).toBe(200);
  expect((await prefer('connection=drop')).type).toBe('error');
});

test('the events of a session are streamed until the client leaves', async () => {
  const handle = createFetchHandler();
  const { body, headers } = await handle(request('/_backlot/events'));
  expect(headers.get('content-type')).toContain('text/event-stream');
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  await handle(request('/api/orders/', newOrder));
  let text = '';
  while (!text.includes('POST /api/orders/')) text += (await reader.read()).value ?? '';
  await reader.cancel();
});

test('it serves the studio, and an API of your own', async () => {
  const handle = createFetchHandler({ api: company, history: true });
  expect((await handle(request('/_backlot/'))).headers.get('content-type')).toContain('text/html');
  const wishlist = await handle(request('/api/v1/wishlists/1'));
  expect(await wishlist.json()).toMatchObject({ name: 'Spring' });
});

test('wrong options are refused when it is created', () => {
  expect(() => createFetchHandler({ scenario: 'nothing' as never })).toThrow('nothing');
  expect(() => createFetchHandler({ basePath: 'mock/' })).toThrow('basePath must be a path');
  expect(() => createFetchHandler({ corsOrigin: 'app' })).toThrow('corsOrigin must be');
  expect(() => createFetchHandler({ clientShare: 0 })).toThrow('clientShare must be');
});

test('an option that it does not have is refused, with the one that was meant', () => {
  const options = { scenarios: ['empty'], maxSession: 2, port: 4000 };
  expect(() => createFetchHandler(options)).toThrow(
    /^createFetchHandler: Unrecognized options: "maxSession" \(did you mean "maxSessions"\?\), "port"; known: allowedHosts, api,/,
  );
});

test('a closed handler without a store says that it is closed, to a page of another origin, too', async () => {
  const handle = createFetchHandler();
  expect((await handle(request('/api/orders/1'))).status).toBe(200);
  await handle.close();
  const response = await handle(
    request('/api/orders/1', { headers: { origin: 'https://a.test' } }),
  );
  expect(response.status).toBe(503);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(await response.json()).toEqual({
    code: 503,
    message: 'This handler was closed by close(). Send requests to one that was made after it.',
  });
});
