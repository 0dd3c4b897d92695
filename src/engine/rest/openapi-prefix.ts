import { namedPath } from '../lib/api-path.ts';
import type { OpenApiDocument } from './openapi.ts';
import type { Json, JsonObject } from './openapi-schemas.ts';

/**
 * The same document for a client that sees every path below `prefix`, and the API at another path than `/api`: in `servers`, which the paths count from, and in
 * the URLs of the security schemes, which do not.
 */
export function withPrefix(
  described: OpenApiDocument,
  prefix: string,
  apiPath: string = namedPath,
): OpenApiDocument {
  const document = apiPath === namedPath ? described : moved(described, apiPath);
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

/** Paths stand at the start of a text, or as the last word of the name of an endpoint. */
function moved(document: OpenApiDocument, apiPath: string): OpenApiDocument {
  const text = JSON.stringify(document)
    .replaceAll(/"\/api(?=\/)/g, () => `"${apiPath}`)
    .replaceAll('Paths under /api ', () => `Paths under ${apiPath}/ `);
  return JSON.parse(text) as OpenApiDocument;
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
