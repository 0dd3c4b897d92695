import { expect, test, vi } from 'vitest';
import { defineApi, extendApi, field, Problem, resource, storeApi } from '../../src/define.ts';
import { createBackOffice } from '../../src/index.ts';
import { put } from '../support/checkout-steps.ts';
import { explainedApi } from '../support/explained-api.ts';
import { contents, openOffice, type Call } from '../support/office.ts';

/** Sends a request, and returns what it was refused for, by the control API. */
async function refusedBy(call: Call, line: string, body?: unknown) {
  await call(line, body);
  const { entries } = (await call('GET /_backlot/journal')).body;
  return (await call(`GET /_backlot/journal/${entries.at(-1).id}/why`)).body.refused;
}

test('a refused field of a resource says what was sent, by which rule, and what is accepted', async () => {
  const { call } = openOffice({ api: explainedApi });
  const wrong = { text: 'a', time: 'soon', oneOf: 'blue', texts: [], ref: 999, colour: 'red' };
  const valid = { integer: 1, decimal: 1, money: 1, flag: true, refs: [] };
  const refused = await refusedBy(call, 'POST /api/gadgets/', { ...valid, ...wrong });
  const spec = 'openapi.json: createGadget';
  expect(refused).toMatchObject([
    {
      path: ['colour'],
      sent: 'red',
      rule: 'a field of the form',
      accepts: 'no value',
      omit: true,
      spec,
    },
    { path: ['text'], sent: 'a', rule: 'at least 2 characters', spec },
    {
      path: ['time'],
      accepts: 'text of at least 1 character, such as "2026-03-02T09:00:00+0000"',
    },
    { path: ['oneOf'], rule: 'red or green', accepts: 'red or green', example: 'red' },
    { path: ['texts'], rule: 'at least 1 item', accepts: expect.stringMatching(/, 1 to 3 items$/) },
    { path: ['ref'], sent: 999, rule: 'exists', accepts: 'the id of a user, such as 1' },
  ]);
  expect(refused).toHaveLength(6);
});

test('what a rule or the check of a step refuses is explained by its message', async () => {
  const { call } = openOffice({ api: explainedApi });
  const ada = { firstName: 'Ada', lastName: 'Novak', email: 'ada@example.com' };
  const user = { ...ada, plainPassword: 'correct horse', age: 200 };
  expect(await refusedBy(call, 'POST /api/users/', user)).toEqual([
    {
      path: ['age'],
      message: 'Nobody is so old.',
      sent: 200,
      rule: 'as the message says',
      accepts: 'a whole number, at least 18, if the rule allows it',
      spec: 'openapi.json: createUser',
    },
  ]);
  const wrapping = { giftWrap: true, paper: 'x' };
  expect(await put((line, sent) => refusedBy(call, line, sent), 109, wrapping)).toMatchObject([
    { path: ['paper'], rule: 'as the message says', spec: 'openapi.json: submitCheckoutStep' },
  ]);
});

test('facts of a rule that are not met refuse the request, write nothing, and explain it', async () => {
  const office = openOffice({ api: explainedApi });
  const { call } = office;
  const before = contents(office);
  const line = `DELETE /api/users/${office.db.orders.get(1)!.user_id}`;
  const answer = await call(line);
  expect(answer.body).toEqual({
    code: 400,
    message: expect.stringMatching(/^Required: no orders, not \d+\.$/),
  });
  expect(contents(office)).toBe(before);
  expect(await refusedBy(call, line)).toEqual([
    {
      path: [],
      message: answer.body.message,
      rule: 'as the message says',
      accepts: 'what the message says',
      spec: 'openapi.json: deleteUser',
    },
  ]);
  const { body } = await call('POST /_backlot/given/aUser', { age: 30 });
  expect((await call(`DELETE /api/users/${body.id}`)).status).toBe(204);
});

test('a Problem that a rule throws, and a missing record, are no matter of fields', async () => {
  const api = extendApi(storeApi, {
    rules: {
      'POST /api/products/': {
        check() {
          throw new Problem('refused', 'Not on Mondays.');
        },
      },
    },
  });
  const { call } = openOffice({ api });
  expect(await refusedBy(call, 'POST /api/products/', {})).toMatchObject([
    { path: [], message: 'Not on Mondays.', spec: 'openapi.json: createProduct' },
  ]);
  expect(await refusedBy(call, 'PUT /api/users/999', {})).toMatchObject([
    { path: [], message: expect.stringMatching(/^Requested user does not exist/) },
  ]);
});

const auth = () => false;

test('a request without the credentials of a definition is not told to get a token of the store', async () => {
  const todos = resource({ singular: 'todo', fields: { title: field.text() } });
  for (const api of [
    extendApi(storeApi, { auth }),
    defineApi({ name: 'todo', resources: { todos }, auth }),
  ]) {
    const office = createBackOffice({ api });
    await office.fetch('/api/users/1');
    const [refused] = office.explain.entry(1).refused;
    expect(refused).toMatchObject({
      rule: 'authenticated',
      accepts: 'what `auth` of the definition accepts',
    });
  }
  const store = createBackOffice({ settings: { auth: 'oauth2' } });
  await store.fetch('/api/users/1');
  expect(store.explain.entry(1).refused[0]?.accepts).toBe('a token of POST /oauth/v2/token');
});

/** A rule whose code fails for some names, those of examples among them. */
const failing = extendApi(storeApi, {
  rules: {
    'POST /api/users/': {
      check({ body }) {
        const { firstName }: { readonly firstName?: unknown } = body;
        if (firstName === 'Ada' || firstName === 'Fails') throw new TypeError('of this rule');
        return firstName === 'Refused' ? [{ path: ['firstName'], message: 'No.' }] : [];
      },
    },
  },
});

test.each([
  ['Fails', 500, 'failed: Internal Server Error', 0],
  [
    'Refused',
    400,
    'firstName: sent "Refused", accepts text of 2 to 255 characters, if the rule allows it (No.)',
    1,
  ],
])(
  'a rule whose code throws is explained as what it is, with the name %s',
  async (firstName, status, why, count) => {
    const report = vi.fn();
    const office = openOffice({ api: failing, report });
    const user = { firstName, lastName: 'Novak', email: 'a@b.example', plainPassword: 'horse' };
    const answer = office.answer({
      method: 'POST',
      url: '/api/users/',
      headers: { 'content-type': 'application/json', prefer: 'explain' },
      body: JSON.stringify(user),
    });
    expect([answer.status, answer.headers['x-backlot-why']]).toEqual([status, why]);
    expect(report).toHaveBeenCalledTimes(status === 500 ? 1 : 0);
    const [entry] = office.journal.entries();
    expect(office.explain.entry(entry?.id ?? 0).refused).toHaveLength(count);
  },
);
