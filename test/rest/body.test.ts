import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { contract } from '../../src/shop/resources/index.ts';
import { openOffice } from '../support/office.ts';
import { openSmallShop } from '../support/small-shop.ts';
import { sentBody, type Sent } from './sent-body.ts';
import { runs } from '../support/runs.ts';

const shop = openOffice();
const forms = contract.flatMap(({ body, ...row }) =>
  body === undefined ? [] : [{ ...row, form: body, url: row.example.url }],
);

test.each(forms)(
  '$method $url responds with the same bytes to every encoding of the body of "$summary"',
  async ({ method, url, form, example }) => {
    await fc.assert(
      fc.asyncProperty(sentBody(form.schema, example.body), async (body) => {
        const answers: string[] = [];
        for (const init of encodings(body)) {
          shop.reset();
          const response = await shop.fetch(url, { method, ...init });
          answers.push(`${response.status} ${await response.text()}`);
        }
        expect(new Set(answers).size, answers.join('\n')).toBe(1);
      }),
      { numRuns: runs(40) },
    );
  },
);

test.each(forms)(
  '$method $url accepts the example of "$summary" in every encoding',
  async ({ method, url, example, status }) => {
    const body = example.body as Record<string, Sent>;
    for (const init of encodings(body)) {
      shop.reset();
      expect((await shop.fetch(url, { method, ...init })).status).toBe(status);
    }
  },
);

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/ld+json',
])('JSON is accepted with the content type %s', async (type) => {
  const body = JSON.stringify({ code: 'DUB', name: 'Dublin' });
  const answer = await openSmallShop().call('POST /api/stock-locations/', body, {
    'content-type': type,
  });
  expect(answer.status).toBe(201);
});

test.each([
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=UTF-8',
  'APPLICATION/X-WWW-FORM-URLENCODED',
])(
  'a form is accepted with the content type %s and with encoded or plain brackets',
  async (type) => {
    const body = 'code=D%C3%BCB&name=Dublin+1&address%5BfirstName%5D=Ada&address[lastName]=Novak';
    const answer = await openSmallShop().call('POST /api/stock-locations/', body, {
      'content-type': type,
    });
    expect(answer.body.errors.children).toMatchObject({
      code: [],
      name: [],
      address: {
        children: { firstName: [], lastName: [], city: { errors: ['Please enter city.'] } },
      },
    });
  },
);

test.each([
  'locales[]=2&locales[]=1',
  'locales[0]=2&locales[1]=1',
  'locales%5B%5D=2&locales%5B%5D=1',
])('the form %s has a list', async (list) => {
  const { call } = openSmallShop();
  const { status, body } = await call('POST /api/channels/', `code=NEW&color=red&${list}`, {
    'content-type': 'application/x-www-form-urlencoded',
  });
  expect(status).toBe(201);
  expect(body.locales.map(({ id }: { id: number }) => id)).toEqual([2, 1]);
});

test.each([['locales[]'], ['locales[0]', 'locales[1]']])(
  'a multipart body with %s has a list',
  async (first, second = first) => {
    const office = openSmallShop();
    const body = new FormData();
    const fields = { code: 'NEW', color: 'red', [first]: '2' };
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    body.append(second, '1');
    const response = await office.fetch('/api/channels/', { method: 'POST', body });
    expect(await response.json()).toMatchObject({ locales: [{ id: 2 }, { id: 1 }] });
  },
);

test.each([
  'color=red&color=blue',
  'color=&color=blue',
  'color[]=red&color[]=green&color=blue',
  'color%5B%5D=red&color=blue',
])('the last value of %s counts', async (colors) => {
  const { call } = openSmallShop();
  const { status, body } = await call('POST /api/channels/', `code=NEW&${colors}`, {
    'content-type': 'application/x-www-form-urlencoded',
  });
  expect([status, body.color]).toEqual([201, 'blue']);
});

test('the last value of a repeated parameter counts in queries, blocks and multipart bodies', async () => {
  const { call, fetch } = openSmallShop();
  const { body } = await call('GET /api/users/?page=1&limit=1&page=2&criteria[query]=x&limit=2');
  expect(body).toMatchObject({ page: 2, limit: 2 });
  const query = 'criteria[query]=nobody&criteria[query]=customer';
  expect((await call(`GET /api/users/?${query}`)).body.total).toBeGreaterThan(0);
  const form = new FormData();
  for (const code of ['ONE', 'TWO']) form.append('code', code);
  form.append('name', 'Two');
  const made = await fetch('/api/stock-locations/', { method: 'POST', body: form });
  expect(await made.json()).toMatchObject({ code: 'TWO' });
});

test('a list may have more than 20 entries', async () => {
  const list = Array.from({ length: 30 }, (_, at) => `locales[]=${(at % 2) + 1}`).join('&');
  const { status, body } = await openSmallShop().call(
    'POST /api/channels/',
    `code=NEW&color=red&${list}`,
    { 'content-type': 'application/x-www-form-urlencoded' },
  );
  expect(status).toBe(201);
  expect(body.locales).toHaveLength(2);
});

test.each([
  [`a${'[b]'.repeat(9)}=1`, /a\[b\]\[b\].* has more than 8 pairs of brackets/],
  [
    Array.from({ length: 1001 }, (_, at) => `a${at}=1`).join('&'),
    /there are 1,001, at most 1,000 are accepted/,
  ],
])('too many brackets or parameters are rejected as malformed', async (sent, message) => {
  const { call } = openSmallShop();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const answers = [
    await call('POST /api/channels/', sent, type),
    await call(`GET /api/users/?${sent}`),
  ];
  for (const { status, body } of answers) {
    expect(status).toBe(400);
    expect(body.message).toMatch(message);
  }
});

test('the content type of a multipart body is case-insensitive', async () => {
  const office = openSmallShop();
  const lines = [
    '--a-boundary-of-its-own',
    'Content-Disposition: form-data; name="username"',
    '',
    'customer@example.com',
    '--a-boundary-of-its-own--',
    '',
  ];
  const response = await office.fetch('/api/password-resetting-requests/', {
    method: 'POST',
    headers: { 'content-type': 'Multipart/Form-Data; boundary=a-boundary-of-its-own' },
    body: lines.join('\r\n'),
  });
  expect(response.status).toBe(200);
});

test('a file in a multipart body is read as text', async () => {
  const office = openSmallShop();
  const body = new FormData();
  body.append('username', new Blob(['customer@example.com']), 'name.txt');
  const response = await office.fetch('/api/password-resetting-requests/', {
    method: 'POST',
    body,
  });
  expect(response.status).toBe(200);
});

test('no body, an empty body and an empty object have no parameters', async () => {
  const line = 'POST /api/orders/';
  const empty = await openSmallShop().call(line);
  expect(empty.status).toBe(400);
  expect(await openSmallShop().call(line, '')).toEqual(empty);
  expect(await openSmallShop().call(line, {})).toEqual(empty);
  expect(await openSmallShop().call(line, '', { 'content-type': 'text/plain' })).toEqual(empty);
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    expect(await openSmallShop().call(line, '', { 'content-type': type })).toEqual(empty);
  }
});

function encodings(body: Record<string, Sent>): RequestInit[] {
  const flat = entriesOf(body);
  const form = new FormData();
  for (const [name, value] of flat) form.append(name, String(value));
  const json = { 'content-type': 'application/json' };
  return [
    { body: JSON.stringify(body), headers: json },
    { body: JSON.stringify(Object.fromEntries(flat)), headers: json },
    { body: new URLSearchParams(flat.map(([name, value]) => [name, String(value)])) },
    { body: form },
  ];
}

/** `[['shippingAddress[city]', 'Galway'], ['locales[0]', 1]]` */
function entriesOf(body: Record<string, Sent>): [name: string, value: string | number | boolean][] {
  const walk = (name: string, value: Sent): [string, string | number | boolean][] =>
    typeof value === 'object'
      ? Object.entries(value).flatMap(([key, inner]) => walk(`${name}[${key}]`, inner))
      : [[name, value]];
  return Object.entries(body).flatMap(([name, value]) => walk(name, value));
}
