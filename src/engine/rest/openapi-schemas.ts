import * as z from 'zod';
import { isObject, valueAt, type JsonObject } from '../lib/json-value.ts';
import { extensionMark } from './field.ts';

/** Returns the object at a path in a document; an empty one if there is none. */
export function objectAt(value: unknown, ...path: readonly string[]): JsonObject {
  const inner = valueAt(value, path);
  return isObject(inner) ? inner : {};
}

/** Names of schemas that are listed once in a document, under `components`. */
export type SchemaNames = z.core.$ZodRegistry<{ id: string }>;

/** The bodies of errors. */
export const errorSchemas: JsonObject = {
  Error: {
    description: 'The body of an error',
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'integer', description: 'Status of the response' },
      message: { type: 'string', description: 'What went wrong, for people' },
    },
    additionalProperties: false,
  },
  // The schema of `ErrorTree` in `errors.ts`. Many tools accept no schema that refers to itself, so its upper levels are listed.
  ErrorTree: errorTree(
    'Errors of a form; an empty array if it is valid',
    errorTree(
      'Errors of a parameter; an empty array if it is valid',
      errorTree('Errors of a nested parameter', { description: 'Errors at deeper levels' }),
    ),
  ),
  ValidationError: {
    description: 'The body of an error that lists invalid parameters',
    type: 'object',
    required: ['code', 'message', 'errors'],
    properties: {
      code: { type: 'integer', const: 400, description: 'Status of the response' },
      message: { type: 'string', const: 'Validation Failed' },
      errors: { $ref: '#/components/schemas/ErrorTree' },
    },
    additionalProperties: false,
  },
};

function errorTree(description: string, child: JsonObject): JsonObject {
  const errors = { type: 'array', items: { type: 'string' } };
  return {
    description,
    anyOf: [
      { type: 'array', items: { type: 'string' }, maxItems: 0 },
      {
        type: 'object',
        properties: { errors, children: { type: 'object', additionalProperties: child } },
        additionalProperties: false,
      },
    ],
  };
}

/** Converts schemas to JSON Schema, and collects those with a name. */
export class Schemas {
  readonly components: Record<string, unknown> = {};
  readonly #names: SchemaNames;

  constructor(names: SchemaNames) {
    this.#names = names;
  }

  output(schema: z.ZodType): JsonObject {
    return this.#convert(schema, 'output');
  }

  input(schema: z.ZodType): JsonObject {
    return this.#convert(schema, 'input');
  }

  /** Returns the properties of an object in a response, also of a named one; none for other values. */
  propertiesOf(schema: z.ZodType): JsonObject {
    const converted = this.output(schema);
    const { $ref } = converted;
    const name = typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : '';
    return objectAt(this.components[name] ?? converted, 'properties');
  }

  /** Converts a schema inside an object, because zod never makes a top-level schema a reference. */
  #convert(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const converted = z.toJSONSchema(z.object({ schema }), {
      metadata: this.#names,
      io,
      unrepresentable: 'any',
      override({ jsonSchema, zodSchema }) {
        dropBounds(jsonSchema);
        if (jsonSchema.type === 'array') jsonSchema.items ??= {};
        const { description, [extensionMark]: isExtension } = z.globalRegistry.get(zodSchema) ?? {};
        if (description !== undefined) jsonSchema.description = description;
        if (isExtension === true) jsonSchema[extensionMark] = true;
      },
    });
    const text = JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/');
    const document: unknown = JSON.parse(text);
    Object.assign(this.components, objectAt(document, '$defs'));
    return objectAt(document, 'properties', 'schema');
  }
}

/** Removes the bounds of safe integers, which zod adds to every integer. */
function dropBounds(schema: { minimum?: number | undefined; maximum?: number | undefined }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
