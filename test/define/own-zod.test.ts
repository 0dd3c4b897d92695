import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { UserView } from '../../src/contract.ts';
import { defineApi, field, resource } from '../../src/define.ts';
import { createBackOffice } from '../../src/index.ts';

// The package contains zod, so that users have another copy. The CommonJS of zod is such a copy.
const own = createRequire(import.meta.url)('zod') as typeof z;

const code = own
  .string()
  .regex(/^[A-Z]{3}$/, 'Three capitals, please.')
  .describe('Printed on the shelf');

const api = defineApi({
  name: 'shelves',
  resources: {
    shelves: resource({
      singular: 'shelf',
      fields: {
        code: {
          ...field.text({ filter: true, description: 'Its label' }),
          stored: code,
          sent: code,
        },
        row: { ...field.integer(), stored: own.int(), sent: own.int().max(9, 'At most 9.') },
      },
    }),
  },
  scenarios: { default: { data: { shelves: [{ code: 'ABC', row: 1 }] } } },
});

test('the package and its user have classes of zod of their own', () => {
  expect(own.ZodString).not.toBe(z.ZodString);
});

test("fields of a definition have schemas of the user's own zod", async () => {
  const office = createBackOffice({ api });
  const send = async (body: object) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await office.fetch('/api/shelves/', init);
    return [response.status, await response.json()];
  };
  expect(await send({ code: 'XYZ', row: '7' })).toEqual([
    201,
    expect.objectContaining({ id: 2, code: 'XYZ', row: 7 }),
  ]);
  expect(await send({ code: 'xyz', row: 10 })).toEqual([
    400,
    expect.objectContaining({
      errors: {
        children: {
          code: { errors: ['Three capitals, please.'] },
          row: { errors: ['At most 9.'] },
        },
      },
    }),
  ]);
  const found = await office.fetch('/api/shelves/?criteria[code]=XYZ');
  expect(await found.json()).toMatchObject({ total: 1 });
});

test("the OpenAPI document describes schemas of the user's own zod", async () => {
  const office = createBackOffice({ api });
  const document = await (await office.fetch('/_backlot/openapi.json')).json();
  expect(document.components.schemas.Shelf.properties).toMatchObject({
    code: { type: 'string', pattern: '^[A-Z]{3}$', description: 'Its label' },
    row: { type: 'integer' },
  });
});

test("schemas of the contract are parts of those of the user's own zod, which both copies describe", () => {
  const mixed = own.object({ user: UserView, friends: own.array(UserView), code });
  const { $schema: _, ...user } = z.toJSONSchema(UserView);
  const described = own.toJSONSchema(mixed);
  expect(described.properties).toEqual({
    user,
    friends: { type: 'array', items: user },
    code: { type: 'string', pattern: '^[A-Z]{3}$', description: 'Printed on the shelf' },
  });
  expect(z.toJSONSchema(mixed)).toEqual(described);
  const { error } = mixed.safeParse({ user: { id: 'x' }, friends: [], code: 'ABC' });
  const issue = expect.objectContaining({ path: ['user', 'id'], code: 'invalid_type' });
  expect(error?.issues).toContainEqual(issue);
});
