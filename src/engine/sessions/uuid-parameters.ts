import { isControl } from '../lib/api-path.ts';
import type { ApiDefinition } from '../definition/api.ts';
import { isObject, mapValues, type JsonObject } from '../lib/json-value.ts';
import type { OpenApiDocument } from '../rest/openapi.ts';
import { extensionMark } from '../rest/field.ts';
import { objectAt } from '../rest/openapi-schemas.ts';

/** Returns a document that says where the control API accepts UUIDs in addition to integers. */
export function withUuidParameters(document: OpenApiDocument, api: ApiDefinition): OpenApiDocument {
  const names = idNames(api);
  if (names.size === 0) return document;
  const schemas: Record<string, unknown> = { ...document.components.schemas };
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    if (!isControl(path)) return [path, operations] as const;
    const changed = Object.entries(operations).map(([method, operation]) => {
      const name = `${operation.operationId.replace(/^./, (first) => first.toUpperCase())}Body`;
      if (schemas[name] !== undefined) schemas[name] = either(schemas[name], names);
      const parameters = operation.parameters.map((one) =>
        typeof one['name'] === 'string' && names.has(one['name'])
          ? { ...one, schema: eitherOf(objectAt(one, 'schema')) }
          : one,
      );
      return [method, { ...operation, parameters }] as const;
    });
    return [path, Object.fromEntries(changed)] as const;
  });
  const components = { ...document.components, schemas };
  return { ...document, paths: Object.fromEntries(paths), components };
}

/** Returns the parameters that name a record with a UUID: `order`, `order_id`, and those that name a record of any table. */
function idNames({ ids }: ApiDefinition): ReadonlySet<string> {
  return new Set(ids === undefined ? [] : [...ids.names.keys(), 'record_id', 'id']);
}

function either(schema: unknown, names: ReadonlySet<string>): unknown {
  if (!isObject(schema) || Array.isArray(schema)) return schema;
  const { properties, items, ...others } = schema;
  const parts = mapValues(objectAt(properties), (one, name) =>
    names.has(name) ? eitherOf(objectAt(one)) : either(one, names),
  );
  return {
    ...others,
    ...(properties !== undefined && { properties: parts }),
    ...(items !== undefined && { items: either(items, names) }),
  };
}

function eitherOf(schema: JsonObject): JsonObject {
  const { type, description, ...others } = schema;
  if (type !== 'integer') return schema;
  return {
    anyOf: [
      { type, ...others },
      { type: 'string', format: 'uuid' },
    ],
    ...(description !== undefined && { description }),
    [extensionMark]: true,
  };
}
