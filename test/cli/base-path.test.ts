import { expect, test } from 'vitest';
import { parseArguments } from '../../src/cli/arguments.ts';
import { demoUser } from '../../src/shop/resources/oauth.ts';
import { runCommand, startServer } from '../support/command.ts';

test('with --base-path, the store API, tokens and sessions are served below it', async () => {
  const flags = ['--base-path', '/demo/eu', '--scenario', 'authenticated', '--quiet'];
  const { call, printed } = await startServer(...flags);
  expect(printed()).toMatch(/:\d+\/demo\/eu\/\n +api +below \/api\/\n/);
  const { body: given } = await call('POST /demo/eu/oauth/v2/token', {
    client_id: 'demo_client',
    client_secret: 'secret_demo_client',
    grant_type: 'password',
    ...demoUser,
  });
  const headers = { authorization: `Bearer ${given.access_token}` };
  const page = await call('GET /demo/eu/api/users/?limit=1', undefined, headers);
  expect(page.body._links.next.href).toBe('/demo/eu/api/users/?page=2&limit=1');
  expect((await call(`GET ${page.body._links.next.href}`, undefined, headers)).status).toBe(200);
  expect((await call('GET /demo/eu/s/ada/_backlot/clock')).status).toBe(200);
  expect((await call('GET /api/users/1', undefined, headers)).status).toBe(404);
});

test('with --base-path, the home page redirects to the studio below it', async () => {
  const { url } = await startServer('--base-path=/demo/', '--quiet');
  const home = await fetch(url, { redirect: 'manual' });
  expect([home.status, home.headers.get('location')]).toEqual([302, '/demo/_backlot/']);
  const page = await fetch(url);
  expect([page.url, page.status]).toEqual([`${url}/demo/_backlot/`, 200]);
});

test('with --proxies, the prefix and the protocol in the headers of a proxy are trusted', async () => {
  const { call } = await startServer('--proxies', '1', '--base-path', '/demo', '--demo', '--quiet');
  const headers = { 'X-Forwarded-Prefix': '/shop', 'X-Forwarded-Proto': 'https' };
  const made = await call('GET /demo/api/users/?limit=1', undefined, headers);
  expect(made.body._links.next.href).toBe('/shop/demo/api/users/?page=2&limit=1');
  expect(made.headers['set-cookie']).toMatch(
    /^backlot-session=[\da-f-]{36}; Path=\/shop\/demo\/; HttpOnly; SameSite=Lax; Secure$/,
  );
});

test('the printed OpenAPI document has the base path as its server', async () => {
  const { out } = await runCommand('openapi', '--base-path', '/demo');
  expect(JSON.parse(out).servers).toEqual([{ url: '/demo' }]);
});

test.each([
  'demo',
  '',
  '/demo//eu',
  '/demo/..',
  '/./demo',
  '/demo?a=1',
  '/demo#a',
  '/dé',
  '/a;b',
  '/a b',
  '//demo',
  '/%64emo',
])('the base path %o is rejected with the paths that are accepted', (path) => {
  expect(() => parseArguments([`--base-path=${path}`], 'serve')).toThrow(
    `--base-path must be a path that starts with /, such as /demo, of letters, digits and -._~!$&'()*+=:@ between the slashes, not '${path}'.`,
  );
});

test('a base path of / is empty, and a trailing slash is ignored', () => {
  const paths = ['/', '/demo/', '/~ada/v1.2'];
  const read = paths.map((path) => parseArguments(['--base-path', path], 'serve').basePath);
  expect(read).toEqual(['', '/demo', '/~ada/v1.2']);
});
