import { namedPath } from '../lib/api-path.ts';
import type { OpenApiDocument } from './openapi.ts';
import { changeTexts } from './openapi-texts.ts';

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
  const { components } = document;
  // `tokenUrl`, `refreshUrl` and the like, at any depth.
  const securitySchemes = changeTexts(components.securitySchemes, (text, name) =>
    name.endsWith('Url') ? `${prefix}${text}` : text,
  );
  return {
    ...document,
    servers: [{ url: prefix }],
    components: { ...components, securitySchemes },
  };
}

/** Paths stand at the start of a text, or as the last word of the name of an endpoint. */
function moved(document: OpenApiDocument, apiPath: string): OpenApiDocument {
  const text = JSON.stringify(document)
    .replaceAll(/"\/api(?=\/)/g, () => `"${apiPath}`)
    .replaceAll('Paths under /api ', () => `Paths under ${apiPath}/ `);
  // Only texts and the names of paths have changed.
  return JSON.parse(text) as OpenApiDocument;
}
