import { Problem } from '../../src/engine/lib/problem.ts';
import { expect, test, vi } from 'vitest';
import { checkoutOf } from '../support/checkout-steps.ts';
import { contents } from '../support/office.ts';
import { at, openSmallShop } from '../support/small-shop.ts';

const newProduct = { name: 'Stool', description: 'It has three legs.', price: 4500 };
const text = { 'content-type': 'text/plain' };

test.each(['{"channel": ', '[1]', 'null', '"text"', '1', 'true', '{}}', '{"a":1,}', "{'a':1}"])(
  'the body %s is rejected: it is not a JSON object',
  async (sent) => {
    const { call } = openSmallShop();
    const { status, headers, body } = await call('POST /api/orders/', sent);
    expect(status).toBe(400);
    expect(headers['content-type']).toBe('application/json');
    expect(body).toEqual({ code: 400, message: 'Invalid json message received' });
  },
);

test.each([
  ['ISO 8859-1', [0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]],
  ['a sequence that is cut off', [0x7b, 0x22, 0xe2, 0x82, 0x22, 0x3a, 0x31, 0x7d]],
  ['an overlong sequence', [0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]],
  ['a surrogate', [0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]],
  ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
])('JSON in %s is rejected: it is not UTF-8', async (_, bytes) => {
  const office = openSmallShop();
  for (const type of ['application/json', 'application/json; charset=iso-8859-1', 'a/b+json']) {
    const response = await office.fetch('/api/orders/', {
      method: 'POST',
      headers: { 'content-type': type },
      body: new Uint8Array(bytes),
    });
    const body = await response.json();
    expect(body).toEqual({ code: 400, message: 'Invalid json message received' });
  }
});

test('JSON with a byte order mark is accepted', async () => {
  const sent = new TextEncoder().encode('\uFEFF{"code":"DUB","name":"Dublin"}');
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: sent };
  expect((await openSmallShop().fetch('/api/stock-locations/', init)).status).toBe(201);
});

test.each([
  'text/plain',
  'text/xml',
  'application/xml',
  'application/octet-stream',
  'json',
  'application/jsonp',
])('a body of type %s is rejected by every method, with the supported types', async (type) => {
  const { call } = openSmallShop();
  for (const line of [
    'POST /api/orders/',
    'PUT /api/users/1',
    'PATCH /api/users/1',
    'DELETE /api/users/1',
    checkoutOf(at.payment),
  ]) {
    const { status, body } = await call(line, 'a=1', { 'content-type': type });
    expect({ line, status }).toEqual({ line, status: 415 });
    expect(body).toEqual({ code: 415, message: expect.stringContaining('application/json') });
  }
});

test('a body without a content type is rejected', () => {
  const { status, body } = openSmallShop().answer({
    method: 'POST',
    url: '/api/orders/',
    headers: {},
    body: 'a=1',
  });
  expect({ status, ...JSON.parse(body ?? '') }).toMatchObject({ status: 415, code: 415 });
});

test('an invalid multipart body is rejected as malformed', async () => {
  const { call } = openSmallShop();
  const answer = await call('POST /api/orders/', 'not multipart at all', {
    'content-type': 'multipart/form-data; boundary=there-is-no-such-boundary',
  });
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 400, message: 'Invalid multipart message received' },
  });
});

test('an unknown path is reported before an invalid body', async () => {
  const { call } = openSmallShop();
  expect(await call('POST /api/nothing', '{', text)).toMatchObject({ status: 404 });
});

test('a body over the limit is rejected in every encoding, and one at the limit is accepted', async () => {
  const office = openSmallShop({ settings: { maxBodyBytes: 200 } });
  const form = new FormData();
  form.append('username', 'x'.repeat(200));
  const bodies: RequestInit[] = [
    { body: `{"username":"${'x'.repeat(186)}"}`, headers: { 'content-type': 'application/json' } },
    { body: `{"username":"${'€'.repeat(62)}"}`, headers: { 'content-type': 'application/json' } },
    { body: new URLSearchParams({ username: 'x'.repeat(192) }) },
    { body: form },
  ];
  const line = '/api/password-resetting-requests/';
  for (const init of bodies) {
    const response = await office.fetch(line, { method: 'POST', ...init });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ code: 413, message: expect.stringContaining('200') });
  }
  const fits: RequestInit[] = [
    { body: `{"username":"${'x'.repeat(185)}"}`, headers: { 'content-type': 'application/json' } },
    { body: new URLSearchParams({ username: 'x'.repeat(191) }) },
  ];
  for (const init of fits) {
    expect((await office.fetch(line, { method: 'POST', ...init })).status).toBe(404);
  }
});

test('the default limit of a body is one mebibyte', async () => {
  const { call } = openSmallShop();
  const line = 'POST /api/password-resetting-requests/';
  expect(await call(line, bodyOf(1_048_576))).toMatchObject({ status: 404 });
  expect(await call(line, bodyOf(1_048_577))).toMatchObject({ status: 413 });
});

test('an unexpected error is reported to the host, returns 500 without its message, and writes nothing', async () => {
  const report = vi.fn<(fault: unknown, request: unknown) => void>();
  const office = openSmallShop({ report });
  const before = contents(office);
  office.db.variants.hooks.on('create', () => {
    throw new Error('the disk is on fire');
  });
  const answer = await office.call('POST /api/products/', newProduct);
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({ code: 500, message: 'Internal Server Error' });
  expect(contents(office)).toBe(before);
  expect(report).toHaveBeenCalledOnce();
  expect(report.mock.calls[0]).toMatchObject([
    new Error('the disk is on fire'),
    { method: 'POST', url: '/api/products/' },
  ]);
});

test('the id of a rejected request is assigned to the next record', async () => {
  const office = openSmallShop({ report: () => undefined });
  const stop = new AbortController();
  office.db.variants.hooks.on(
    'create',
    () => {
      throw new Error('not now');
    },
    { signal: stop.signal },
  );
  await office.call('POST /api/products/', newProduct);
  stop.abort();
  expect((await office.call('POST /api/products/', newProduct)).body.id).toBe(4);
});

test('the error tree of a form-wide error names every parameter', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('POST /api/orders/', { user: 1, gift: true });
  const blank = { errors: ['This value should not be blank.'] };
  expect(status).toBe(400);
  expect(body).toEqual({
    code: 400,
    message: 'Validation Failed',
    errors: {
      errors: ['This form should not contain extra fields.'],
      children: { channel: blank, user: [], currency: blank },
    },
  });
});

/** Returns a body of a number of bytes. */
function bodyOf(length: number): string {
  return `{"username":"${'x'.repeat(length - 15)}"}`;
}

test('a Problem of a kind that does not exist is a defect: status 500, and its message is reported', async () => {
  const reported: unknown[] = [];
  const office = openSmallShop({ report: (fault) => void reported.push(fault) });
  office.db.users.hooks.on('update', () => {
    throw new Problem('nonsense' as never, 'of no kind');
  });
  const { status, body } = await office.call('PATCH /api/users/1', { firstName: 'Other' });
  expect([status, body]).toEqual([500, { code: 500, message: 'Internal Server Error' }]);
  expect(String(reported[0])).toContain('of no kind');
});
