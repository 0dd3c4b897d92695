import { expect, expectTypeOf, test } from 'vitest';
import { defineApi, extendApi, field, resource, storeApi } from '../../src/define.ts';
import { openOffice } from '../support/office.ts';

const wishLists = resource({
  singular: 'wish list',
  fields: { name: field.text({ min: 2 }), open: field.flag({ default: true }) },
  endpoints: {
    'POST /:id/publish': {
      summary: 'Publish a wish list',
      body: { loud: field.flag() },
      status: 200,
      answer: 'WishList',
      handle: ({ record }) => record,
    },
  },
});
const data = { wish_lists: [{ name: 'Spring' }, { name: 'Autumn', open: false }] };

/** The same rules in an extension of the store, and in an API from nothing. */
const apis = {
  extendApi: extendApi(storeApi, {
    resources: { wishLists },
    rules: {
      'POST /api/wish-lists/': {
        body: { sure: field.flag() },
        check: ({ body, db, issue }) => {
          expectTypeOf(body.sure).toBeBoolean();
          return body.sure && db.wishLists.count() < 3 ? [] : [issue('sure', 'Be sure.')];
        },
      },
      'POST /api/wish-lists/:id/publish': {
        check: ({ record, issue }) => (record?.open === true ? [] : [issue('loud', 'Not open.')]),
      },
      'DELETE /api/wish-lists/:id': {
        check: ({ params }) => [{ wanted: 'another one', actual: '1', met: params['id'] !== '1' }],
      },
    },
    scenarios: { default: { data } },
  }),
  defineApi: defineApi({
    name: 'wishes',
    resources: { wishLists },
    rules: {
      'POST /api/wish-lists/': {
        body: { sure: field.flag() },
        check: ({ body, db, issue, ...others }) =>
          // @ts-expect-error -- an API from nothing has no checkout
          others.checkout === undefined && body.sure && db.wishLists.count() < 3
            ? []
            : [issue('sure', 'Be sure.')],
      },
      'POST /api/wish-lists/:id/publish': {
        check: ({ record, issue }) => (record?.open === true ? [] : [issue('loud', 'Not open.')]),
      },
      'DELETE /api/wish-lists/:id': {
        check: ({ params }) => [{ wanted: 'another one', actual: '1', met: params['id'] !== '1' }],
      },
    },
    scenarios: { default: { data } },
  }),
};

const refused = (parameter: string, message: string) => ({
  status: 400,
  body: { errors: { children: { [parameter]: { errors: [message] } } } },
});

test.each(Object.keys(apis) as (keyof typeof apis)[])(
  'endpoints of a resource of %s have rules, with parameters and records',
  async (name) => {
    const { call } = openOffice({ api: apis[name] });
    const create = (sent: object) => call('POST /api/wish-lists/', { name: 'Winter', ...sent });
    expect(await create({})).toMatchObject(refused('sure', 'This value is not valid.'));
    expect(await create({ sure: false })).toMatchObject(refused('sure', 'Be sure.'));
    expect((await create({ sure: true })).status).toBe(201);
    expect(await create({ sure: true })).toMatchObject(refused('sure', 'Be sure.'));
    const publish = (id: number) => call(`POST /api/wish-lists/${id}/publish`, { loud: true });
    expect((await publish(1)).status).toBe(200);
    expect(await publish(2)).toMatchObject(refused('loud', 'Not open.'));
    expect((await call('DELETE /api/wish-lists/1')).status).toBe(400);
    expect((await call('DELETE /api/wish-lists/2')).status).toBe(204);
  },
);

test('an extension of an extension has rules for the endpoints of both', async () => {
  const notes = resource({ singular: 'note', fields: { text: field.text() } });
  const api = extendApi(extendApi(apis.extendApi, { resources: { notes } }), {
    rules: {
      'POST /api/notes/': { check: ({ issue }) => [issue('text', 'No notes.')] },
      'PATCH /api/wish-lists/:id': { check: ({ issue }) => [issue('name', 'It stays.')] },
    },
  });
  const { call } = openOffice({ api });
  expect((await call('POST /api/notes/', { text: 'x' })).status).toBe(400);
  expect((await call('PATCH /api/wish-lists/1', { name: 'Other' })).status).toBe(400);
  expect((await call('POST /api/wish-lists/', { name: 'x' })).status).toBe(400);
});

const check = () => [];

test('the compiler knows the names of rules', () => {
  const wrong: readonly (readonly [define: () => unknown, message: string])[] = [
    // @ts-expect-error -- the step is `purchase`
    [() => extendApi(storeApi, { rules: { purchas: { check } } }), 'did you mean "purchase"?'],
    [
      () =>
        extendApi(storeApi, {
          resources: { wishLists },
          rules: {
            purchase: { body: { sure: field.flag() }, check },
            // @ts-expect-error -- the path is `/api/wish-lists/`
            'POST /api/wishLists/': { check },
          },
        }),
      'did you mean "POST /api/wish-lists/"?',
    ],
    [
      // @ts-expect-error -- an API from nothing has no users
      () => defineApi({ name: 'x', resources: { wishLists }, rules: { 'GET /api/users/': {} } }),
      'Unrecognized endpoint: "GET /api/users/"; known: POST /api/wish-lists/',
    ],
    [
      () =>
        extendApi(storeApi, {
          resources: { wishLists },
          rules: { 'POST /api/wish-lists/:id/publish': { body: { loud: field.flag() } } },
        }),
      'body.loud: exists already',
    ],
  ];
  for (const [define, message] of wrong) expect(define).toThrow(message);
});
