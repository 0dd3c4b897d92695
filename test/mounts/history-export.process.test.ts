import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createHttpServer } from '../../src/mounts/server/server.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { openSessions } from '../../src/engine/sessions/server.ts';
import { caller } from '../support/office.ts';
import { listen } from '../support/raw-http.ts';

const run = promisify(execFile);

/** Starts a server with a history for one test. */
function serve(options: Parameters<typeof createHttpServer>[1] = {}): Promise<string> {
  const sessions = openSessions(openStoreOffice({ history: true }), {});
  return listen(createHttpServer(sessions, options));
}

/** Runs a command in a shell and returns the status and the body that curl received. */
async function inShell(command: string): Promise<{ status: number; body: string }> {
  const { stdout } = await run('sh', ['-c', `${command} -sS -w '\\n%{http_code}'`]);
  const at = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(at + 1)), body: stdout.slice(0, at) };
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };

test.each([
  ['GET /api/orders/?criteria[state]=cart&sorting[id]=desc&limit=2', undefined, {}],
  ['GET /api/users/1', undefined, { accept: 'application/json', prefer: 'status=503' }],
  ['GET /api/nothing', undefined, {}],
  [
    'PATCH /api/users/1',
    { firstName: 'O\'Brien "$HOME" `id` \\ \n ü', lastName: '@/etc/hosts' },
    {},
  ],
  ['POST /api/orders/', 'channel=1&user=1&currency=EUR', form],
  ['POST /api/orders/', { channel: 1, user: 99999, currency: 'EUR', extra: { a: [1, null] } }, {}],
  ['PUT /api/checkouts/106', 'shippingAddress[firstName]=A%26B&shippingAddress[city]=', form],
  ['DELETE /api/users/22', undefined, {}],
])('curl gets the same response as %s', async (line, body, headers) => {
  const url = await serve();
  const sent = await caller((to, init) => fetch(to, init), url)(line, body, headers);
  const command = await fetch(`${url}/_backlot/journal/1/as`).then((one) => one.text());
  await fetch(`${url}/_backlot/reset`, { method: 'POST' });
  const { status, body: received } = await inShell(command);
  expect(status).toBe(sent.status);
  expect(received === '' ? undefined : JSON.parse(received)).toEqual(sent.body);
});

test('a call of fetch gets the same response', async () => {
  const url = await serve();
  const call = caller((to, init) => fetch(to, init), url);
  const sent = await call('PATCH /api/users/1', { firstName: "O'Brien `${id}` \\ </script>" });
  const code = await fetch(`${url}/_backlot/journal/1/as?format=fetch`).then((one) => one.text());
  await call('POST /_backlot/reset');
  const source = `export const response = ${code.replace(/^await /, '')}`;
  const { response } = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
    readonly response: Promise<Response>;
  };
  expect((await response).status).toBe(sent.status);
  expect((await call('GET /_backlot/tables/users/1')).body.first_name).toBe(
    "O'Brien `${id}` \\ </script>",
  );
});

test('the command names the base path and the session', async () => {
  const url = await serve({ basePath: '/demo' });
  await fetch(`${url}/demo/s/ada/api/users/1`);
  await fetch(`${url}/demo/api/users/2`, { headers: { cookie: 'backlot-session=bob' } });
  const as = (session: string) =>
    fetch(`${url}/demo/s/${session}/_backlot/journal/1/as`).then((one) => one.text());
  expect(await as('ada')).toContain(`${url}/demo/s/ada/api/users/1`);
  expect(await as('bob')).toContain(`${url}/demo/s/bob/api/users/2`);
  expect((await inShell(await as('ada'))).status).toBe(200);
});

test('a HAR has the links of responses as the client received them', async () => {
  const url = await serve({ basePath: '/demo' });
  const call = caller((to, init) => fetch(to, init), `${url}/demo/s/ada`);
  const { headers } = await call('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' });
  const { body } = await call('GET /api/orders/121');
  const har = await (await fetch(`${url}/demo/s/ada/_backlot/journal/export?as=har`)).json();
  const [created, read] = har.log.entries;
  expect(headers['location']).toBe('/demo/s/ada/api/orders/121');
  expect(created.response.redirectURL).toBe(headers['location']);
  expect(JSON.parse(read.response.content.text)._links).toEqual(body._links);
});

test('an export over HTTP is JSON or, as a test, text', async () => {
  const url = await serve();
  const call = caller((to, init) => fetch(to, init), url);
  await call('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' });
  await call('GET /api/orders/121');
  const get = (query: string) => fetch(`${url}/_backlot/journal/export?${query}`);
  const scenario = await get('as=scenario&to=1');
  expect(scenario.headers.get('content-type')).toBe('application/json');
  expect(await scenario.json()).toMatchObject({ name: 'default-after-1', extends: 'default' });
  const source = await get('as=vitest&from=2&to=2');
  expect(source.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await source.text()).toContain(
    'expect(await send(office, "GET", "/api/orders/121")).toBe(200);',
  );
  const har = await (await get('as=har')).json();
  expect(har.log.entries[0].request.url).toBe(`${url}/api/orders/`);
  expect((await get('as=zip')).status).toBe(400);
  expect((await get('as=har&from=7')).status).toBe(404);
  expect((await fetch(`${url}/_backlot/journal/99/as`)).status).toBe(404);
});
