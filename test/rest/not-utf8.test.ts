import { expect, test } from 'vitest';
import { contents, openOffice } from '../support/office.ts';

const urlEncoded = 'application/x-www-form-urlencoded';

/** Half a surrogate pair as UTF-8 would write it, one letter for each byte. */
const half = '\u00ED\u00A0\u0080';

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function multipart(...parts: readonly (readonly [disposition: string, value: string])[]) {
  const written = parts.map(
    ([disposition, value]) =>
      `--X\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`,
  );
  return bytes(`${written.join('')}--X--\r\n`);
}

const form = { type: urlEncoded };
const parts = { type: 'multipart/form-data; boundary=X' };
const code = ['name="code"', 'LS'] as const;
const name = ['name="name"', 'Leeds'] as const;

test.each([
  ['half a surrogate pair', form, bytes('code=LS&name=a%ED%A0%80b'), 'name'],
  ['a letter in ISO 8859-1', form, bytes('code=A%e9&name=Leeds'), 'code'],
  ['a name', form, bytes('code=LS&na%ED%B0%80me=a'), 'na%ED%B0%80me'],
  ['one value beside U+FFFD', form, bytes('code=%EF%BF%BD&name=%FF'), 'name'],
  ['bytes without escapes', form, bytes(`code=LS&name=${half}`), 'the form'],
  ['a part', parts, multipart(code, ['name="name"', half]), 'name'],
  [
    'the name of a part',
    parts,
    multipart(code, name, [`name="a${half}"`, '1']),
    'a\uFFFD\uFFFD\uFFFD',
  ],
  [
    'the name of a file',
    parts,
    multipart(code, [`name="name"; filename="${half}.txt"`, 'Leeds']),
    'name',
  ],
])('a form is rejected that is not UTF-8: %s', async (_, { type }, body, what) => {
  const office = openOffice();
  const before = contents(office);
  const response = await office.fetch('/api/stock-locations/', {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
  expect([response.status, await response.json()]).toEqual([
    400,
    { code: 400, message: `Parameters cannot be read: ${what} is not UTF-8` },
  ]);
  expect(contents(office)).toBe(before);
});

test.each([
  ['criteria[name]=%ED%A0%80', 'criteria[name]'],
  ['criteria[na%FFme]=1', 'criteria[na%FFme]'],
  ['page=1&_=caf%E9', '_'],
])('a query is rejected that is not UTF-8: %s', async (query, what) => {
  const { call } = openOffice();
  const { status, body } = await call(`GET /api/products/?${query}`);
  expect([status, body.message]).toEqual([400, `Parameters cannot be read: ${what} is not UTF-8`]);
  expect((await call(`GET /_backlot/journal?${query}`)).status).toBe(400);
});

test('a token request that is not UTF-8 has an error of OAuth', async () => {
  const { call } = openOffice();
  expect((await call('GET /oauth/v2/token?grant_type=%FF')).body).toMatchObject({
    error: 'invalid_request',
    error_description: 'Parameters cannot be read: grant_type is not UTF-8',
  });
});

test.each([
  ['U+FFFD', form, bytes('code=LS&name=a%EF%BF%BD'), 'a\uFFFD'],
  ['a whole pair', form, bytes('code=LS&name=%F0%9F%98%80'), '😀'],
  [
    'U+FFFD and a % without digits',
    form,
    bytes('code=LS&name=100%+%EF%BF%BD%zz'),
    '100% \uFFFD%zz',
  ],
  ['a part', parts, multipart(code, ['name="name"', '\u00EF\u00BF\u00BD']), '\uFFFD'],
])('a form in UTF-8 is accepted: %s', async (_, { type }, body, stored) => {
  const response = await openOffice().fetch('/api/stock-locations/', {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
  expect([response.status, await response.json()]).toMatchObject([201, { name: stored }]);
});

test('an ignored file in a multipart form may have any bytes', async () => {
  const office = openOffice({ settings: { unknownParameters: 'ignore' } });
  const response = await office.fetch('/api/stock-locations/', {
    method: 'POST',
    headers: { 'content-type': parts.type },
    body: multipart(code, name, ['name="image"; filename="a.png"', '\u0089PNG\u00FF']),
  });
  expect(response.status).toBe(201);
});
