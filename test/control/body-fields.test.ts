import { expect, test } from 'vitest';
import { fieldTexts } from '../../src/shop/field-texts.ts';
import { address } from '../support/checkout-steps.ts';
import { openServer } from '../support/server.ts';

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

const { call } = openServer();
const document = call('GET /_backlot/openapi.json').body;
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(
  ([, methods]) => Object.values(methods),
);
const fields = operations.flatMap(({ operationId, requestBody }) =>
  fieldsOf(requestBody?.content['application/json']?.schema ?? {}, operationId),
);

test('every body field of the store API, the control API and the token endpoint has a description', () => {
  expect(fields.filter(({ schema }) => !schema.description)).toEqual([]);
  expect(fields.length).toBeGreaterThan(250);
});

test('a description that says how long a text is, or how large a number, says what the schema does', () => {
  let count = 0;
  for (const { place, schema } of fields) {
    const { description = '', minLength, maxLength, minimum, maximum } = schema;
    const [, from, to, what] =
      /(\d[\d,]*) to (\d[\d,]*)( characters)?$/.exec(description.replace(/\..*$/, '')) ?? [];
    const [, least] = /at least (\d+) characters/.exec(description) ?? [];
    if (least !== undefined) expect({ place, minLength }).toEqual({ place, minLength: +least });
    if (from === undefined || to === undefined) continue;
    const said = [from, to].map((digits) => Number(digits.replaceAll(',', '')));
    expect({ place, bounds: what ? [minLength, maxLength] : [minimum, maximum] }).toEqual({
      place,
      bounds: said,
    });
    count += 1;
  }
  expect(count).toBeGreaterThan(30);
});

test('no text describes a body field that does not exist', () => {
  const described = new Set(fields.map(({ schema }) => schema.description));
  expect(Object.entries(fieldTexts).filter(([, text]) => !described.has(text))).toEqual([]);
});

test('amounts say that they are in minor units', () => {
  const amounts = fields.filter(({ place }) => /\.(unitPrice|price)$/.test(place));
  expect(amounts.length).toBeGreaterThan(3);
  for (const { schema } of amounts) expect(schema.description).toContain('minor units (cents)');
});

test('the address of a stock location is shown by a GET and not by the response to its creation', () => {
  const sent = { code: 'new', name: 'New', address };
  const { body, headers } = call('POST /api/stock-locations/', sent);
  expect(body).not.toHaveProperty('address');
  expect(call(`GET ${headers['location']}`).body).toHaveProperty('address.city', 'Galway');
});

/** Returns the fields of a schema, and those of its blocks. */
function fieldsOf(schema: Schema, place: string): { place: string; schema: Schema }[] {
  if (schema.$ref !== undefined) {
    return fieldsOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''], place);
  }
  const { properties = {}, additionalProperties: entry, items, anyOf = [] } = schema;
  return [
    ...[...anyOf, ...(items === undefined ? [] : [items])].flatMap((one) => fieldsOf(one, place)),
    ...(typeof entry === 'object' ? fieldsOf(entry, `${place}.*`) : []),
    ...Object.entries(properties).flatMap(([name, field]) => [
      { place: `${place}.${name}`, schema: field },
      ...fieldsOf(field, `${place}.${name}`),
    ]),
  ];
}
