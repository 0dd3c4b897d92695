import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cardDigits, coding, digitsIn, spelling } from './secrets.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { runs } from '../support/runs.ts';

const json = { 'content-type': 'application/json' };
const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
const multipart = { 'content-type': 'multipart/form-data; boundary=b' };

function part(name: string, value: string): string {
  return `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`;
}

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The places of a text in a request. `text` is plain, `coded` is encoded for a URL. */
const places: readonly ((text: string, coded: string) => Sent)[] = [
  (_, coded) => ({ method: 'GET', url: `/api/orders/${coded}` }),
  (_, coded) => ({ method: 'PUT', url: `/api/checkouts/card-${coded}/x` }),
  (_, coded) => ({ method: 'GET', url: `/${coded}/api?a=1` }),
  (_, coded) => ({ method: 'DELETE', url: `/api/users/?note=id%20${coded}%20of%20mine` }),
  (_, coded) => ({ method: 'GET', url: `/api/users/?${coded}=1&page=1` }),
  (_, coded) => ({ method: 'GET', url: `/api/orders/?criteria[number]=${coded}` }),
  (_, coded) => ({ method: 'GET', url: `/api/payments/?criteria%5Bnumber%5D=${coded}&limit=2` }),
  (_, coded) => ({ method: 'GET', url: `/api/products/?criteria[name]=x${coded}&sorting[id]=asc` }),
  (_, coded) => ({ method: 'GET', url: `/api/users/?sorting[${coded}]=asc` }),
  (_, coded) => ({
    method: 'GET',
    url: `/api/users/1?to=${encodeURIComponent(`https://x.test/?a=${coded}`)}`,
  }),
  (_, coded) => ({
    method: 'GET',
    url: '/api/users/1',
    headers: { referer: `https://shop.test/cards/${coded}?n=${coded}` },
  }),
  (text) => ({ method: 'GET', url: '/api/users/1', headers: { 'x-note': `for ${text}, please` } }),
  (text) => ({ method: 'GET', url: '/api/users/1', headers: { prefer: `status=503, x=${text}` } }),
  (text) => ({ method: text.replaceAll(/\D/g, ''), url: '/api/users/1' }),
  (text) => ({
    method: 'POST',
    url: '/api/orders/107/items/',
    headers: json,
    body: JSON.stringify({ variant: text, quantity: [`no ${text}`, { deep: `${text}!` }] }),
  }),
  (text) => ({
    method: 'POST',
    url: '/api/users/',
    headers: json,
    body: JSON.stringify({ [text]: 1, email: `see https://x.test/?q=${text}` }),
  }),
  (text) => ({
    method: 'POST',
    url: '/api/users/',
    headers: json,
    body: `{"firstName": ${text.replaceAll(/\D/g, '')}}`,
  }),
  (text) => ({
    method: 'POST',
    url: '/api/users/',
    headers: json,
    body: `{"firstName": "${text}", `,
  }),
  (text) => ({
    method: 'POST',
    url: '/api/users/',
    headers: { 'content-type': `text/${text.replaceAll(/\D/g, '')}` },
    body: text,
  }),
  (_, coded) => ({
    method: 'PATCH',
    url: '/api/users/1',
    headers: urlencoded,
    body: `nickname=${coded}&${coded}=1`,
  }),
  (text) => ({
    method: 'PUT',
    url: '/api/checkouts/120',
    headers: multipart,
    body: part('shippingAddress[street]', `${text} Main Street`),
  }),
  (text) => ({
    method: 'PUT',
    url: '/api/checkouts/120',
    headers: json,
    body: JSON.stringify({ number: text, cardholderName: text, type: text, securityCode: text }),
  }),
  (text) => ({
    method: 'POST',
    url: '/api/nowhere',
    headers: json,
    body: JSON.stringify({ note: text }),
  }),
  (text) => ({
    method: 'POST',
    url: '/oauth/v2/token',
    headers: json,
    body: JSON.stringify({ grant_type: text, username: text }),
  }),
];

/** Sends a request that asks why, and returns the reason of its response with everything that the server shows of it. */
function shownOf(server: TestServer, { headers, ...sent }: Sent): string {
  const answer = server.sessions.answer({ ...sent, headers: { prefer: 'explain', ...headers } });
  return `${answer.headers['x-backlot-why']}\n${recorded(server)}`;
}

/** Returns everything that a server shows of the requests it received, and why it answered them so. */
function recorded({ call }: TestServer): string {
  const journal = call('GET /_backlot/journal');
  const responses = [
    journal,
    ...journal.body.entries.map(({ id }: { id: number }) =>
      call(`GET /_backlot/journal/${id}/why`),
    ),
    call('POST /_backlot/journal/verify', { request: 'DELETE /api/users/7', atLeast: 50 }),
    call('POST /_backlot/journal/verify', { request: '/api/users/', status: 302, reached: false }),
  ];
  return responses.map(({ body }) => JSON.stringify(body)).join('\n');
}

/** Returns all data of the server. */
function allData({ call }: TestServer): string {
  call('POST /_backlot/snapshot', { name: 'now' });
  const responses = [
    call('GET /_backlot/snapshot'),
    call('GET /_backlot/sessions'),
    call('GET /_backlot/orders'),
    call('GET /_backlot/export'),
  ];
  return responses.map(({ body }) => JSON.stringify(body)).join('\n');
}

test('the journal, near misses, explanations, lists and exports contain no card number, in any place and encoding', () => {
  const server = openServer({ scenario: 'empty' });
  const sent: string[] = [];
  const anywhere = fc.constantFrom(...places);
  fc.assert(
    fc.property(cardDigits, spelling, coding, anywhere, (digits, spell, code, place) => {
      server.call('DELETE /_backlot/journal');
      const text = spell(digits);
      const shown = digitsIn(shownOf(server, place(text, code(text))));
      // Nine digits at either end: fewer could be part of a date-time by chance.
      expect(shown.includes(digits.slice(0, 9)) || shown.includes(digits.slice(-9))).toBe(false);
      sent.push(digits.slice(0, -4));
    }),
    { numRuns: runs(500) },
  );
  const all = digitsIn(allData(server));
  expect(sent.filter((digits) => all.includes(digits))).toEqual([]);
});

test('a card number in a free text of the shop is masked in the journal', () => {
  const { call } = openServer();
  const text = 'mine is 4242-4242-4242-4242, thanks';
  const { body } = call('POST /api/products/', { name: 'A card', description: text, price: 1 });
  expect(body.description).toBe(text);
  const [entry] = call('GET /_backlot/journal').body.entries;
  expect(entry.request.body.description).toBe('mine is ************4242, thanks');
  expect(entry.answer.body.description).toBe('mine is ************4242, thanks');
});

const names = fc.constantFrom(
  ...`csc cid jwt sid sig pin otp cookie signature session_id x-jwt x-session-id x-access-key
  accessKey sessionId userPin cardCSC connect.sid PHPSESSID pin_code JWT private_key credentials
  cookies`.split(/\s+/),
);
const secret = fc.stringMatching(/^Qx7[\w.~é"\\+/= -]{3,20}zJ$/);

const named: readonly ((name: string, text: string) => Sent)[] = [
  (name, text) => ({ method: 'GET', url: `/api/users/?${new URLSearchParams({ [name]: text })}` }),
  (name, text) => ({
    method: 'GET',
    url: `/api/users/?user%5B${name}%5D=${encodeURIComponent(text)}`,
  }),
  (name, text) => ({
    method: 'GET',
    url: `/api/users/1;${name}=${encodeURIComponent(text)}?page=1;${name}=${encodeURIComponent(text)}`,
  }),
  (name, text) => ({
    method: 'GET',
    url: `/api/users/1?to=${encodeURIComponent(`https://x.test/?${new URLSearchParams({ [name]: text })}`)}`,
  }),
  (name, text) => ({
    method: 'GET',
    url: `/api/nowhere/?filter=${encodeURIComponent(JSON.stringify({ [name]: text }))}`,
  }),
  (name, text) => ({
    method: 'GET',
    url: '/api/users/1',
    headers: {
      [name.replaceAll(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase()]: encodeURIComponent(text),
    },
  }),
  (name, text) => ({
    method: 'GET',
    url: '/api/users/1',
    headers: { referer: `https://shop.test/?${new URLSearchParams({ [name]: text })}` },
  }),
  (name, text) => ({
    method: 'POST',
    url: '/api/users/',
    headers: json,
    body: JSON.stringify({ firstName: 'Ada', [name]: text, deep: { [name]: [text] } }),
  }),
  (name, text) => ({
    method: 'POST',
    url: '/api/users/',
    headers: urlencoded,
    body: String(new URLSearchParams({ [name]: text })),
  }),
  (name, text) => ({
    method: 'POST',
    url: '/api/users/',
    headers: multipart,
    body: part(name, text),
  }),
];

test('the journal, near misses, explanations, lists and exports contain no value of a secret name', () => {
  const server = openServer({ scenario: 'empty' });
  fc.assert(
    fc.property(names, secret, fc.constantFrom(...named), (name, text, send) => {
      server.call('DELETE /_backlot/journal');
      expect(shownOf(server, send(name, text)).includes('Qx7')).toBe(false);
    }),
    { numRuns: runs(500) },
  );
  expect(allData(server).includes('Qx7')).toBe(false);
});

test.each('shipping decide design considered accident opinion basics author'.split(' '))(
  'the parameter %s is not secret, although its name contains a secret name',
  (name) => {
    const { call } = openServer();
    call(`GET /api/users/?${name}=plain`);
    call('POST /api/users/', { [name]: 'plain' });
    const [got, posted] = call('GET /_backlot/journal').body.entries;
    expect(got.request.query).toEqual({ [name]: 'plain' });
    expect(posted.request.body).toEqual({ [name]: 'plain' });
  },
);

test('ids, order numbers, date-times and numbers that fail the Luhn check are not masked', () => {
  const { call } = openServer();
  const url = '/api/orders/?criteria[number]=000000002&_=1735689600001&x=4242424242424243';
  call(`GET ${url}`);
  call('POST /api/users/', { note: '2026-03-02T09:00:00+0000 and 1735689600001' });
  const [got, posted] = call('GET /_backlot/journal').body.entries;
  expect(got.url).toBe(url);
  expect(posted.request.body.note).toBe('2026-03-02T09:00:00+0000 and 1735689600001');
});

test('a filter by a card number matches the request that contained it', () => {
  const { call } = openServer();
  call('GET /api/orders/4242424242424242');
  call('POST /api/users/', { firstName: 'no 4242 4242 4242 4242' });
  const find = (filter: object) => call('POST /_backlot/journal/find', filter).body.entries;
  expect(find({ request: 'GET /api/orders/4242424242424242' })).toHaveLength(1);
  const firstName = 'no 4242 4242 4242 4242';
  expect(find({ request: 'POST /api/users/', body: { firstName } })).toHaveLength(1);
  expect(find({ request: 'GET /api/orders/4000000000000002' })).toHaveLength(0);
});
