import { controlEndpoints } from '../control/endpoints/index.ts';
import { controlTokenGuard } from '../control/guard.ts';
import { endpoints } from '../office/open-back-office.ts';
import { tokenGuard } from '../resources/oauth.ts';
import { views } from '../resources/endpoint.ts';
import { openapiOf, type OpenApiDocument } from '../rest/openapi.ts';
import { withPrefix } from '../rest/openapi-prefix.ts';

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
