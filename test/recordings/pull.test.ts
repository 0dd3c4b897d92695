import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { ScenarioInput } from '../../src/index.ts';
import { runCommand, startServer } from '../support/command.ts';
import { caller, openOffice } from '../support/office.ts';
import { Recording, savedFile } from '../support/recording.ts';
import { placeOrder } from './written-persons.ts';

/** Returns a name as e-mail addresses have it. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[^a-z]/g, '');
}

test('equal persons stay equal, and an e-mail address has the name that replaces its own', async () => {
  const office = openOffice();
  const ada = {
    first: 'Ada',
    last: 'Nováková',
    street: 'Dlouhá 12',
    city: 'Brno',
    email: 'a.novakova84@pošta.test',
    password: 'correct horse',
  };
  const { user, order } = await placeOrder(office.call, ada, true);
  const recording = new Recording();
  const call = caller(recording.recorded((url, init) => office.fetch(url, init)));
  await call(`GET /api/users/${user}`);
  await call(`GET /api/orders/${order}/`);
  const file = recording.save();
  const pulled = async (seed: string) =>
    (await runCommand('pull', file, '--anonymise', '--seed', seed)).out;
  const [first, again, other] = [await pulled('7'), await pulled('7'), await pulled('8')];
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  const { call: read } = openOffice({ scenario: JSON.parse(first) as ScenarioInput });
  const { body } = await read(`GET /api/orders/${order}/`);
  const { first_name, last_name, street } = body.shipping_address;
  expect(body.email).toMatch(
    new RegExp(`^${plain(first_name)}\\.${plain(last_name)}@mail1\\.example$`),
  );
  expect(body.user.username).toBe(body.email);
  expect(street).toMatch(/^\D+ \d\d$/);
  expect(body.billing_address).toMatchObject({ first_name, last_name, street });
});

test.each<[string, object, string]>([
  ['an e-mail address', { description: 'Ask anna.kowalska@shop.test' }, 'an e-mail address'],
  ['a phone number', { description: 'Call +353 91 123 456 today' }, 'a phone number'],
  ['a card number', { description: 'Paid by 4242 4242 4242 4242' }, 'a card number'],
  ['an IP address', { description: 'Printer at 10.20.30.40' }, 'an IP address'],
  [
    'a customer',
    { description: 'Designed by Ada Novotna, with care.' },
    'a text that is replaced elsewhere',
  ],
])('a text that is left with %s is an error with its place', async (_, change, form) => {
  const office = openOffice();
  await office.call('PATCH /api/products/3', change);
  const ada = {
    first: 'Ada',
    last: 'Novotna',
    street: 'Dlouhá 12',
    city: 'Brno',
    email: 'ada@post.test',
    password: 'correct horse',
  };
  const { order } = await placeOrder(office.call, ada, false);
  const recording = new Recording();
  const call = caller(recording.recorded((url, init) => office.fetch(url, init)));
  await call('GET /api/products/3');
  await call(`GET /api/orders/${order}/`);
  const file = recording.save();
  const out = join(dirname(file), 'shop.json');
  expect(await runCommand('pull', file, '--anonymise', '--out', out)).toEqual({
    code: 1,
    out: '',
    err: [
      'backlot: Nothing is written. 1 text may be about persons:',
      `  products 3, description: ${form}`,
      'Replace the texts of a field (--replace products.description), or keep them (--keep products.description).\n',
    ].join('\n'),
  });
  expect(readdirSync(dirname(file))).toEqual(['shop.har']);
});

test('another field is replaced, or kept, on request', async () => {
  const office = openOffice();
  const description = 'Ask anna.kowalska@shop.test';
  await office.call('PATCH /api/products/3', { description });
  const recording = new Recording();
  const call = caller(recording.recorded((url, init) => office.fetch(url, init)));
  await call('GET /api/products/3');
  const file = recording.save();
  const field = 'products.description';
  const replaced = await runCommand('pull', file, '--anonymise', '--replace', field);
  expect(replaced).toMatchObject({
    code: 0,
    err: expect.stringContaining('Replaced: 1 other texts.\nOther texts: products.description.'),
  });
  expect(replaced.out).not.toContain(description);
  const kept = await runCommand('pull', file, '--anonymise', '--keep', field);
  expect(kept).toMatchObject({ code: 0, out: expect.stringContaining(description) });
});

test('a scenario that is pulled from a server shows the same', async () => {
  const { url } = await startServer('--scenario', 'backorders', '--no-control');
  const { code, out } = await runCommand('pull', url);
  expect(code).toBe(0);
  const opened = openOffice({ scenario: JSON.parse(out) as ScenarioInput });
  const paths = ['orders/?limit=200', 'users/', 'products/7', 'channels/', 'stock-locations/'];
  for (const path of [...paths, 'orders/1/', 'orders/4/', 'promotions', 'shipments/', 'zones/'])
    expect((await opened.call(`GET /api/${path}`)).body, path).toEqual(
      await (await fetch(`${url}/api/${path}`)).json(),
    );
});

test('a server that requires a token is pulled with a token, or as a user that gets one', async () => {
  const { url } = await startServer('--scenario', 'authenticated');
  const refused = await runCommand('pull', url);
  expect(refused).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('requires a token. Pass --user or --token.'),
  });
  const form = { client_id: 'demo_client', client_secret: 'secret_demo_client' };
  const login = { ...form, grant_type: 'password', username: 'api@example.com', password: 'api' };
  const issued = await fetch(`${url}/oauth/v2/token`, {
    method: 'POST',
    body: new URLSearchParams(login),
  });
  const { access_token: token } = (await issued.json()) as { access_token: string };
  const byToken = await runCommand('pull', url, '--token', token);
  const byUser = await runCommand('pull', url, '--user', 'api@example.com:api');
  expect([byToken.code, byUser.code], byToken.err + byUser.err).toEqual([0, 0]);
  expect(byUser.out).toBe(byToken.out);
  expect(byUser.out).not.toContain(token);
  const opened = openOffice({ scenario: JSON.parse(byUser.out) as ScenarioInput });
  expect(opened.db.users.count()).toBe(openOffice().db.users.count());
});

test.each<[string[], string]>([
  [[], 'pull requires the URL of a server, or a recording'],
  [['no.har'], 'pull requires the URL of a server, or a recording'],
  [['--seed', '3'], '--seed requires --anonymise.'],
  [['--anonymise', '--keep', 'productz.name'], 'Did you mean products.name?'],
  [['--anonymise', '--replace', 'users.first_nam'], 'Did you mean users.first_name?'],
])('pull %j is refused', async (args, message) => {
  const file = savedFile('shop.har', '{}');
  const source = args.length > 0 && args[0]?.startsWith('--') ? [file] : [];
  const { code, err } = await runCommand('pull', ...source, ...args);
  expect(err).toContain(message);
  expect(code).toBe(2);
});
