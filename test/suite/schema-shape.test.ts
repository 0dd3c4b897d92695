import { expect, test } from 'vitest';
import { ApiDocument } from '../../src/suite/api-document.ts';
import { differencesIn } from '../../src/suite/schema-shape.ts';
import { fieldText } from '../../src/suite/mutations.ts';
import { documentOf } from '../support/api-document.ts';

const file = 'file:///openapi.json';

/** Returns what differs between a value and a schema: `items[].total missing number`. */
function differences(schema: object, value: unknown, schemas: object = {}): string[] {
  const document = documentOf({ paths: {}, components: { schemas } });
  return differencesIn(value, { schema: { ...schema }, file }, document).map(
    ({ path, kind, expected }) => `${fieldText(path)} ${kind} ${expected}`.trim(),
  );
}

const pet = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
};

test('a missing field, a wrong type, an unknown field and another value are different kinds', () => {
  const schema = {
    ...pet,
    properties: { ...pet.properties, state: { type: 'string', enum: ['here', 'gone'] } },
  };
  expect(differences(schema, { name: 'Rex', age: 3, state: 'gone' })).toEqual([]);
  expect(differences(schema, { age: '3', state: 'lost', nick: 'R' })).toEqual([
    'age type integer',
    'state member one of "here", "gone"',
    'nick unknown no such field',
    'name missing string',
  ]);
  expect(differences(schema, { name: 'Rex', age: -1 })).toEqual(['age value minimum 0']);
  expect(differences(schema, [])).toEqual(['type object']);
});

test('what is wrong with several items of a list is told once', () => {
  const list = { type: 'array', maxItems: 2, items: { $ref: '#/components/schemas/Pet' } };
  expect(differences(list, [{}, {}, { name: 1 }], { Pet: pet })).toEqual([
    'value maxItems 2',
    '[].name missing string',
    '[].name type string',
  ]);
});

test('null is allowed as OpenAPI 3.0, 3.1 and tools for Swagger 2 say it', () => {
  const kinds = [
    { type: 'string', nullable: true },
    { type: 'string', enum: ['a'], nullable: true },
    { allOf: [{ $ref: '#/components/schemas/Pet' }], nullable: true },
    { type: ['string', 'null'] },
    { anyOf: [{ $ref: '#/components/schemas/Pet' }, { type: 'null' }] },
    { type: 'string', 'x-nullable': true },
    { oneOf: [{ type: 'integer' }, { type: 'string', nullable: true }] },
  ];
  for (const kind of kinds) expect(differences(kind, null, { Pet: pet })).toEqual([]);
  expect(differences({ type: 'string' }, null)).toEqual(['type string']);
});

test('fields of all parts of allOf are known, and others are told once', () => {
  const owner = { type: 'object', properties: { owner: pet } };
  const both = { allOf: [{ $ref: '#/components/schemas/Pet' }, owner] };
  expect(differences(both, { name: 'Rex', owner: { name: 'Ann' } }, { Pet: pet })).toEqual([]);
  const wrong = { name: 'Rex', owner: { nick: 'A' }, tail: 1 };
  expect(differences(both, wrong, { Pet: pet })).toEqual([
    'owner.nick unknown no such field',
    'owner.name missing string',
    'tail unknown no such field',
  ]);
});

/** Returns the schema of an event with a time of its own. */
function optionOf(event: string, field: string): object {
  return {
    type: 'object',
    required: ['event', field],
    properties: { event: { const: event }, [field]: { type: 'string', format: 'date-time' } },
  };
}

test('of several options, the closest one is compared: of the same type, with the same constants', () => {
  const oneOf = [{ type: 'string' }, optionOf('opened', 'at'), optionOf('paid', 'on')];
  expect(differences({ oneOf }, { event: 'paid', on: '2026-03-02' })).toEqual([
    'on value date-time',
  ]);
  expect(differences({ oneOf }, 7)).toEqual(['type string']);
  // Two options that require nothing both fit.
  const loose = [{ properties: { a: {} } }, { properties: { b: {} } }];
  expect(differences({ oneOf: loose }, { b: 1 })).toEqual([]);
  expect(differences({ oneOf: loose }, { c: 1 })).toEqual(['c unknown no such field']);
});

test('a discriminator says which option a value is', () => {
  const schemas = {
    Cat: { ...pet, required: ['lives'], properties: { kind: {}, lives: { type: 'integer' } } },
    Dog: { ...pet, required: ['name'], properties: { kind: {}, name: { type: 'string' } } },
  };
  const oneOf = Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const mapping = { dog: '#/components/schemas/Dog' };
  const discriminator = { propertyName: 'kind', mapping };
  expect(differences({ oneOf, discriminator }, { kind: 'dog', lives: 9 }, schemas)).toEqual([
    'lives unknown no such field',
    'name missing string',
  ]);
  expect(differences({ oneOf, discriminator }, { kind: 'Cat' }, schemas)).toEqual([
    'lives missing integer',
  ]);
});

test('an object without named fields, and one with additional fields, may have others', () => {
  const open = [
    { type: 'object' },
    {},
    { type: 'object', properties: {} },
    { ...pet, additionalProperties: true },
    { ...pet, additionalProperties: { type: 'number' } },
    { ...pet, patternProperties: { '^x-': { type: 'number' } } },
    { anyOf: [pet, { type: 'object' }] },
  ];
  for (const schema of open)
    expect(differences(schema, { name: 'Rex', 'x-a': 1 }), JSON.stringify(schema)).toEqual([]);
  const numbers = { ...pet, additionalProperties: { type: 'number' } };
  expect(differences(numbers, { name: 'Rex', a: 'b' })).toEqual(['a type number']);
  const none = { type: 'object', additionalProperties: false };
  expect(differences(none, { a: 1 })).toEqual(['a unknown no such field']);
});

test('a required field that is only written is not missing in a response', () => {
  const owner = { oneOf: [{ type: 'object' }, { type: 'null' }] };
  const properties = { password: { $ref: '#/components/schemas/Secret' }, owner };
  const schema = { type: 'object', required: ['password', 'id', 'owner'], properties };
  const schemas = { Secret: { type: 'string', writeOnly: true } };
  expect(differences(schema, {}, schemas)).toEqual([
    'id missing a field',
    'owner missing object or null',
  ]);
});

test.each([
  [{ type: 'number', minimum: 0, exclusiveMinimum: true }, 0, 1],
  [{ type: 'number', exclusiveMaximum: 10 }, 10, 9],
  [{ type: 'string', pattern: '^A' }, 'B', 'A'],
  [{ type: 'string', pattern: '(' }, 1, 'an expression that is none'],
  [{ type: 'string', format: 'uuid' }, 'att_123', '0b8e1d52-9d5f-4a53-8f5e-2f1f6f1d7d11'],
  [{ type: 'string', format: 'email' }, 'me', 'me@localhost'],
  [{ type: 'string', format: 'uri' }, '/path', 'https://shop.test/path'],
  [{ type: 'string', format: 'date' }, '2.3.2026', '2026-03-02'],
  [{ type: 'string', format: 'password' }, 1, 'of a format that allows all'],
  [{ type: 'array', uniqueItems: true }, [1, 1], [1, 2]],
  [{ const: 'a' }, 'b', 'a'],
  [{ type: 'any' }, undefined, 'of a type that is none'],
])('%j does not allow %j, and allows %j', (schema, wrong, right) => {
  expect(differences(schema, right)).toEqual([]);
  if (wrong !== undefined) expect(differences(schema, wrong)).toHaveLength(1);
});

test('references lead to other files, and those that lead nowhere allow everything and are known', () => {
  const document = new ApiDocument(
    new Map<string, unknown>([
      [file, { paths: { '/pets': { $ref: 'paths/pets.json#/~1pets' } } }],
      [
        'file:///paths/pets.json',
        { '/pets': { get: { responses: { 200: { $ref: '../common.json#/ok' } } } } },
      ],
      [
        'file:///common.json',
        {
          ok: { content: { 'application/json': { schema: { $ref: '#/pet' } } } },
          pet: { ...pet, properties: { name: { $ref: '#/nowhere' }, age: { $ref: 'gone.json' } } },
        },
      ],
    ]),
  );
  const [operation] = document.operations;
  expect(operation?.endpoint).toBe('GET /pets');
  const { body } = document.responseOf(operation!, 200)!;
  const found = differencesIn({ age: 1, nick: 2 }, body!, document);
  expect(found.map(({ path, kind }) => `${path.join('.')} ${kind}`)).toEqual([
    'nick unknown',
    'name missing',
  ]);
  expect(document.unknownReferences).toEqual(['gone.json', '#/nowhere']);
});

test('schemas that refer to themselves end, and so do choices within choices', () => {
  const node = {
    oneOf: [
      { type: 'object', properties: { left: { $ref: '#/components/schemas/Node' } } },
      { $ref: '#/components/schemas/Node' },
      { type: 'object', properties: { right: { $ref: '#/components/schemas/Node' } } },
    ],
  };
  let value: object = { other: 1 };
  for (let depth = 0; depth < 60; depth++) value = depth % 2 ? { left: value } : { right: value };
  expect(differences(node, value, { Node: node })).toEqual([
    expect.stringMatching(/\.other unknown no such field$/),
  ]);
});
