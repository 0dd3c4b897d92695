import type { ApiDefinition, ApiDocuments, ApiEndpoint } from '../definition/api.ts';
import { documentedStatuses } from '../rest/documented-statuses.ts';
import { operationOf } from './keys.ts';

export function statusesOf(row: ApiEndpoint, guards: ApiDocuments['guards']): Iterable<number> {
  const isGuarded = guards.some((guard) => guard.covers(row.path));
  return documentedStatuses([row], { isGuarded }).keys();
}

/** Returns the guards of the endpoints of an API. A page may not have loaded them. */
export function guardsOf({ control }: ApiDefinition): ApiDocuments['guards'] {
  return control?.isLoaded() === true ? control.parts().documents.guards : [];
}

/** Returns the documented responses of the endpoints that extensions have added to an API: `GET /api/wishlists/ 200`. */
export function addedResponses(api: ApiDefinition): string[] {
  const guards = guardsOf(api);
  return api.endpoints
    .filter(({ isExtension }) => isExtension === true)
    .flatMap((row) =>
      Array.from(statusesOf(row, guards), (status) => `${operationOf(row)} ${status}`),
    );
}
