import type { ApiDefinition, ApiDocuments, ApiEndpoint } from '../definition/api.ts';
import { documentedStatuses } from '../rest/documented-statuses.ts';
import { operationOf } from './keys.ts';

export function statusesOf(row: ApiEndpoint, guards: ApiDocuments['guards']): Iterable<number> {
  const isGuarded = guards.some((guard) => guard.covers(row.path));
  return documentedStatuses([row], { isGuarded }).keys();
}

/** Returns the documented responses of the endpoints that extensions have added to an API: `GET /api/wishlists/ 200`. */
export function addedResponses({ endpoints, served }: ApiDefinition): string[] {
  // A page may not have loaded its documents.
  const guards = served?.isLoaded() === true ? served.parts().documents.guards : [];
  return endpoints
    .filter(({ isExtension }) => isExtension === true)
    .flatMap((row) =>
      Array.from(statusesOf(row, guards), (status) => `${operationOf(row)} ${status}`),
    );
}
