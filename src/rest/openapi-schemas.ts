import * as z from 'zod';

/** Part of a document: JSON. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** The names of schemas that stand in a document once, under `components`. */
export type SchemaNames = z.core.$ZodRegistry<{ id: string }>;

/** The bodies of errors. */
export const errorSchemas: JsonObject = {
  Error: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'integer', description: 'The status of the answer' },
      message: { type: 'string' },
    },
  },
  ErrorTree: {
    description: 'An empty array where all is well',
    anyOf: [
      { type: 'array', maxItems: 0 },
      {
        type: 'object',
        properties: {
          errors: { type: 'array', items: { type: 'string' } },
          children: {
            type: 'object',
            additionalProperties: { $ref: '#/components/schemas/ErrorTree' },
          },
        },
      },
    ],
  },
  ValidationError: {
    type: 'object',
    required: ['code', 'message', 'errors'],
    properties: {
      code: { const: 400 },
      message: { const: 'Validation Failed' },
      errors: { $ref: '#/components/schemas/ErrorTree' },
    },
  },
};

/** Schemas as JSON Schema, with those that have a name apart. */
export class Schemas {
  readonly components: Record<string, JsonObject> = {};
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

  /** Inside of an object, for a schema at the top never becomes a reference. */
  #convert(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const converted = z.toJSONSchema(z.object({ schema }), {
      metadata: this.#names,
      io,
      unrepresentable: 'any',
      override({ jsonSchema, zodSchema }) {
        dropBounds(jsonSchema);
        const description = z.globalRegistry.get(zodSchema)?.description;
        if (description !== undefined) jsonSchema.description = description;
      },
    });
    const text = JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/');
    const { properties, $defs = {} } = JSON.parse(text) as {
      properties: { schema: JsonObject };
      $defs?: Record<string, JsonObject>;
    };
    Object.assign(this.components, $defs);
    return properties.schema;
  }
}

/** The bounds of safe integers say nothing to a reader. */
function dropBounds(schema: { minimum?: number | undefined; maximum?: number | undefined }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
