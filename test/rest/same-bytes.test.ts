import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { contract } from '../../src/shop/resources/index.ts';
import { contents, type Office } from '../support/office.ts';
import { openSmallShop } from '../support/small-shop.ts';
import { sentBody, type Sent } from './sent-body.ts';
import { runs } from '../support/runs.ts';

interface Sending {
  readonly method: string;
  readonly url: string;
  readonly body: Record<string, Sent> | undefined;
}

/** Requests to any endpoint, for existing and missing records. */
const sending: fc.Arbitrary<Sending> = fc.constantFrom(...contract).chain((row) =>
  fc.record({
    method: fc.constant(row.method),
    url: fc
      .array(fc.integer({ min: 1, max: 8 }), { minLength: 2, maxLength: 2 })
      .map((ids) => ids.reduce<string>((url, id) => url.replace(/:\w+/, String(id)), row.path)),
    body:
      row.body === undefined ? fc.constant(undefined) : sentBody(row.body.schema, row.example.body),
  }),
);

test('the same seed, date-time and requests have the same responses, also after a reset', async () => {
  const [one, other] = [openSmallShop(), openSmallShop()];
  const start = contents(one);
  await fc.assert(
    fc.asyncProperty(fc.array(sending, { minLength: 5, maxLength: 25 }), async (requests) => {
      const first = await converse(one, requests);
      expect(await converse(other, requests)).toEqual(first);
      expect(contents(other)).toBe(contents(one));
      one.reset();
      other.reset();
      expect(contents(one)).toBe(start);
      expect(await converse(one, requests)).toEqual(first);
      one.reset();
    }),
    { numRuns: runs(25) },
  );
});

test('the clock of a back office starts at now and stays frozen', async () => {
  const now = '2027-06-01T12:34:56+0000';
  const { call } = openSmallShop({ now });
  const { body } = await call('POST /api/channels/', { code: 'NEW', color: 'red' });
  expect(body).toMatchObject({ created_at: now, updated_at: now });
});

test('back offices share no data', async () => {
  const [one, other] = [openSmallShop(), openSmallShop()];
  const before = contents(other);
  await one.call('DELETE /api/users/1');
  await one.call('PATCH /api/channels/1', { code: 'CHANGED' });
  expect(contents(other)).toBe(before);
});

test('concurrent requests are served in the order of arrival', async () => {
  const { call } = openSmallShop();
  const sent = Array.from({ length: 20 }, (_, at) => ({ code: `C${at}`, color: 'red' }));
  const answers = await Promise.all(sent.map((body) => call('POST /api/channels/', body)));
  expect(answers.map(({ body }) => body.code)).toEqual(sent.map(({ code }) => code));
  expect(answers.map(({ body }) => body.id)).toEqual(sent.map((_, at) => at + 3));
});

async function converse(office: Office, requests: readonly Sending[]): Promise<string[]> {
  const answers: string[] = [];
  for (const { method, url, body } of requests) {
    const response = await office.fetch(url, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    answers.push(`${response.status} ${await response.text()}`);
  }
  return answers;
}
