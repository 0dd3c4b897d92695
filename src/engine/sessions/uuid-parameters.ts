import { isControl } from '../lib/api-path.ts';
import type { ApiDefinition } from '../definition/api.ts';
import { isObject, mapValues } from '../lib/json-value.ts';
import type { OpenApiDocument } from '../rest/openapi.ts';
import { extensionMark } from '../rest/field.ts';

/** Returns a document that says where the control API accepts UUIDs in addition to integers. */
export function withUuidParameters(document: OpenApiDocument, api: ApiDefinition): OpenApiDocument {
  if (api.ids === undefined) return document;
  const { names } = api.ids;
  const either = (name: unknown, schema: unknown): unknown =>
    names.has(String(name)) ? eitherOf(schema) : schema;
  const bodies = new Set<string>();
  const paths = mapValues(document.paths, (operations, path) => {
    if (!isControl(path)) return operations;
    return mapValues(operations, (operation) => {
      const { operationId, parameters } = operation;
      bodies.add(`${operationId.replace(/^./, (first) => first.toUpperCase())}Body`);
      const changed = parameters.map(({ name, schema, ...others }) => {
        // A record of any table.
        const isAny = ['record_id', 'id'].includes(String(name));
        return { name, ...others, schema: isAny ? eitherOf(schema) : either(name, schema) };
      });
      return { ...operation, parameters: changed };
    });
  });
  const schemas = mapValues(document.components.schemas, (schema, name): unknown =>
    bodies.has(name) ? JSON.parse(JSON.stringify(schema), either) : schema,
  );
  return { ...document, paths, components: { ...document.components, schemas } };
}

function eitherOf(schema: unknown): unknown {
  if (!isObject(schema) || schema['type'] !== 'integer') return schema;
  const { description, ...integer } = schema;
  return {
    anyOf: [integer, { type: 'string', format: 'uuid' }],
    ...(description !== undefined && { description }),
    [extensionMark]: true,
  };
}
