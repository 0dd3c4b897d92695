import { controlEndpoints } from '../control/endpoints/index.ts';
import { controlTokenGuard } from '../control/guard.ts';
import { endpoints } from '../office/open-back-office.ts';
import { tokenGuard } from '../resources/oauth.ts';
import { views } from '../resources/endpoint.ts';
import { openapiOf, type OpenApiDocument } from '../rest/openapi.ts';
import type { Json } from '../rest/openapi-schemas.ts';

/**
 * Returns the OpenAPI document of the store API and the control API.
 *
 * @param prefix what the client sees in front of every path: `/demo`
 */
export function openapi(version: string, prefix = ''): OpenApiDocument {
  const description =
    'An in-memory mock of the back office of a store. Paths under /api are the store API, those under /_backlot the control API.';
  const document = openapiOf(
    [...endpoints, ...controlEndpoints],
    { title: 'Backlot', version, description },
    views,
    [tokenGuard, controlTokenGuard],
  );
  return withPrefix(document, prefix);
}

/**
 * The same document for a client that sees every path below `prefix`: in `servers`, which the paths count from, and in
 * the URLs of the security schemes, which do not.
 */
export function withPrefix(document: OpenApiDocument, prefix: string): OpenApiDocument {
  if (prefix === '') return document;
  const { securitySchemes = {} } = document.components;
  return {
    ...document,
    servers: [{ url: prefix }],
    components: { ...document.components, securitySchemes: prefixed(securitySchemes, prefix) },
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
