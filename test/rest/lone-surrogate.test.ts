import { expect, test } from 'vitest';
import { openOffice } from '../support/office.ts';

test.each([
  String.raw`{"code":"LS","name":"a\ud800b"}`,
  String.raw`{"code":"LS","name":"a\uDC00"}`,
  String.raw`{"code":"LS","name":"ok","a\ud800":1}`,
  String.raw`{"code":"LS","name":{"deep":["\ud83d"]}}`,
])('JSON with half a surrogate pair is bad JSON: %s', async (body) => {
  const { call } = openOffice();
  expect(await call('POST /api/stock-locations/', body)).toMatchObject({
    status: 400,
    body: { code: 400, message: 'Invalid json message received' },
  });
  const fault = await call('POST /_backlot/faults', String.raw`{"status":503,"body":"\ud800"}`);
  expect(fault.status).toBe(400);
});

test.each([
  [String.raw`"a\ud83d\ude00"`, 'a😀'],
  [String.raw`"a\\ud800"`, String.raw`a\ud800`],
  ['"\uFFFD"', '\uFFFD'],
])('JSON with whole characters is accepted: %s', async (name, stored) => {
  const { call } = openOffice();
  const { status, body } = await call('POST /api/stock-locations/', `{"code":"LS","name":${name}}`);
  expect([status, body.name]).toEqual([201, stored]);
});
