import type { OpenApiDocument } from './openapi.ts';
import type { Json, JsonObject } from './openapi-schemas.ts';

/**
 * The same document for a client that sees every path below `prefix`: in `servers`, which the paths count from, and in
 * the URLs of the security schemes, which do not.
 */
export function withPrefix(document: OpenApiDocument, prefix: string): OpenApiDocument {
  if (prefix === '') return document;
  const { securitySchemes } = document.components;
  return {
    ...document,
    servers: [{ url: prefix }],
    components: {
      ...document.components,
      securitySchemes: prefixed(securitySchemes, prefix) as JsonObject,
    },
  };
}

/** `tokenUrl`, `refreshUrl` and the like, at any depth. */
function prefixed(value: Json, prefix: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]: [string, Json]) => [
      name,
      typeof one === 'string' && name.endsWith('Url') ? `${prefix}${one}` : prefixed(one, prefix),
    ]),
  );
}
