import type { ApiDefinition, ApiDocuments, ApiEndpoint } from '../definition/api.ts';
import type { ProblemKind } from '../lib/problem.ts';
import { documentedStatuses } from '../rest/documented-statuses.ts';
import { statusOf } from '../rest/errors.ts';

/** The measures of coverage, in the order of reports. */
export const measures = ['statuses', 'steps', 'states', 'transitions'] as const;
export type Measure = (typeof measures)[number];

/** One thing of the contract that a suite meets or does not meet. */
export interface Item {
  readonly measure: Measure;
  /** `POST /api/orders/ 201`, `purchase 402`, `order.confirmed`, `order.confirm`. */
  readonly id: string;
}

/** The contract, as reports need it. */
export interface Contract {
  readonly items: readonly Item[];
  readonly endpoints: readonly { readonly method: string; readonly path: string }[];
}

/** The name of an item in files: measure and id. */
export function itemKey(measure: Measure, id: string): string {
  return `${measure}: ${id}`;
}

/** Method and path. The rows of a checkout's steps share it. */
export function operationOf({ method, path }: ApiEndpoint): string {
  return `${method} ${path}`;
}

/** Names what a step responded with: `200`, `404`, `400 refused`. */
export function stepAnswer(status: number, kind?: ProblemKind): string {
  return status === 400 ? `${status} ${kind ?? ''}` : String(status);
}

/** Returns everything of an API that is counted, by measure. */
export function contractOf(
  { endpoints, machines }: ApiDefinition,
  guards: ApiDocuments['guards'],
): Contract {
  const ids: Readonly<Record<Measure, readonly string[]>> = {
    statuses: endpoints.flatMap((row) => responsesOf(row, guards)),
    steps: endpoints.flatMap(({ step, status, errors }) =>
      step === undefined
        ? []
        : [stepAnswer(status), ...errors.map((kind) => stepAnswer(statusOf[kind], kind))].map(
            (answer) => `${step} ${answer}`,
          ),
    ),
    states: machines.flatMap(({ name, transitions }) =>
      transitions.map(({ to }) => `${name}.${to}`),
    ),
    transitions: machines.flatMap(({ name, transitions }) =>
      transitions.map((one) => `${name}.${one.name}`),
    ),
  };
  return {
    items: measures.flatMap((measure) =>
      Array.from(new Set(ids[measure]), (id): Item => ({ measure, id })),
    ),
    endpoints: endpoints.map(({ method, path }) => ({ method, path })),
  };
}

/** Returns the contract that a report of an API lists: none of its items, if the API has no endpoint of it. */
export function contractFor({ endpoints }: ApiDefinition, contract: Contract): Contract {
  const isOwn = endpoints.every(({ isExtension }) => isExtension === true);
  return isOwn ? { items: [], endpoints } : contract;
}

/** Returns the documented responses of the endpoints that extensions have added to an API: `GET /api/wishlists/ 200`. */
export function addedResponses(api: ApiDefinition): string[] {
  // A page may not have loaded the guards.
  const guards = api.control?.isLoaded() === true ? api.control.parts().documents.guards : [];
  const added = api.endpoints.filter(({ isExtension }) => isExtension === true);
  return added.flatMap((row) => responsesOf(row, guards));
}

function responsesOf(row: ApiEndpoint, guards: ApiDocuments['guards']): string[] {
  const isGuarded = guards.some((guard) => guard.covers(row.path));
  const statuses = documentedStatuses([row], { isGuarded }).keys();
  return Array.from(statuses, (status) => `${operationOf(row)} ${status}`);
}
