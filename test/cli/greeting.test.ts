import { expect, test } from 'vitest';
import { card } from '../support/checkout-steps.ts';
import { runCommand, startServer } from '../support/command.ts';
import { greetingRow } from './greeting.ts';
import { sample } from '../support/runs.ts';

test('on a loopback address, the greeting lists no other machines', async () => {
  for (const host of [[], ['--host', 'localhost']]) {
    const { printed } = await startServer('--quiet', ...host);
    expect(printed()).not.toMatch(/^ *(open to|network) /m);
  }
});

test('on all addresses, the greeting lists a URL for each, and every URL works', async () => {
  for (const host of ['0.0.0.0', '::']) {
    const { printed } = await startServer('--quiet', '--host', host);
    const urls = [...printed().matchAll(/http:\S+:\d+\/(?=\n)/g)].map(([url]) => url);
    expect(urls[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    for (const url of urls) expect((await fetch(`${url}api/channels/1`)).status).toBe(200);
    expect(urls.join(' ')).not.toMatch(/0\.0\.0\.0|\[::\]/);
  }
});

test('the greeting names the studio, and says that there is none without the control API', async () => {
  const withStudio = await startServer('--quiet');
  expect((await fetch(greetingRow(withStudio.printed(), 'studio'))).status).toBe(200);
  const without = await startServer('--quiet', '--no-control');
  expect(greetingRow(without.printed(), 'studio')).toBe('disabled, as the control API');
});

test.each([
  [
    [],
    'every machine in the network: the store API and the control API. Use --control-token <token> or --no-control to protect the control API',
  ],
  [
    ['--control-token', 'x'],
    'every machine in the network: the store API, and with a token the control API',
  ],
  [['--no-control'], 'every machine in the network: the store API'],
])(
  'on all addresses, with the flags %o, the greeting states which APIs are open',
  async (flags, text) => {
    const { printed } = await startServer('--quiet', '--host', '0.0.0.0', ...flags);
    expect(printed()).toContain(`  open to   ${text}\n`);
  },
);

test('the server warns once of a proxy that it does not trust', async () => {
  const { url, warned } = await startServer('--quiet', '--rate', '1000');
  await fetch(`${url}/api/channels/1`);
  expect(warned()).toBe('');
  const headers = { 'x-forwarded-for': '192.0.2.1' };
  for (let turn = 0; turn < 3; turn += 1) await fetch(`${url}/api/channels/1`, { headers });
  await expect
    .poll(warned)
    .toBe(
      'backlot: A request has X-Forwarded-For, but no proxy is trusted. All clients behind a proxy share the limits of one client. Behind one reverse proxy, use --proxies 1.\n',
    );
});

test.each(sample([[['--proxies', '1']], [['--rate', '5', '--proxies', '1']], [[]]], 1))(
  'with the flags %o, the server does not warn of a proxy',
  async (flags) => {
    const { url, warned } = await startServer('--quiet', ...flags);
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    await fetch(`${url}/api/channels/1`, { headers });
    expect(warned()).toBe('');
  },
);

test('the request log of the server has no secrets', async () => {
  const { call, printed } = await startServer('--scenario', 'authenticated');
  const tokenRequest = new URLSearchParams({
    grant_type: 'password',
    client_id: 'demo_client',
    client_secret: 'secret_demo_client',
    username: 'api@example.com',
    password: 'Qx7-Qx7',
    number: card.number,
  });
  await call(`GET /oauth/v2/token?${tokenRequest}`);
  await call('GET /api/orders/?page=2&plainPassword[first]=Qx7-Qx7');
  await expect.poll(printed).toContain('/api/orders/?page=2&plainPassword[first]=***');
  expect(printed()).toContain('client_id=demo_client&client_secret=***');
  // The greeting says how the client of the scenario gets a token.
  const log = printed().replace(/^[^]* stop .*/, '');
  expect(log).not.toMatch(/secret_demo_client|Qx7|4242424242424242/);
});

test('--today and --now are rejected together', async () => {
  const { code, err } = await runCommand('--today', '--now', '2026-03-02');
  expect(code).toBe(2);
  expect(err).toContain('--today and --now cannot be used together.');
});
