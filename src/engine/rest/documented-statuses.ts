import type { ProblemKind } from '../lib/problem.ts';
import type { EndpointRow } from './endpoint.ts';
import { statusOf } from './errors.ts';

/** The parts of an endpoint row that its statuses follow from. */
export type StatusRow = Pick<EndpointRow<never>, 'method' | 'status' | 'errors'>;

/** Statuses that a server or a fault may send in place of any endpoint. */
const always: readonly ProblemKind[] = ['malformed', 'forbidden', 'too large', 'too many', 'fault'];
const ofWrites: readonly ProblemKind[] = ['invalid', 'unsupported'];

/**
 * Returns every status that an operation documents, ascending, with the kinds of problems that lead to it: none for the
 * status of a success, and none for 503, which only faults respond with. The OpenAPI document has a response for each of
 * them, and contract coverage counts each of them.
 *
 * - 400 `malformed`: any request may have an unreadable query or header; a body may be unreadable
 * - 400 `invalid`: a body with unknown parameters, also where none is expected
 * - 401: for endpoints that may require a token
 * - 403: hosts and pages that a server does not allow
 * - 413, 415: a body that is too large, or of another content type
 * - 429: rate limits of servers and of faults
 *
 * An injected fault may respond with any status; the document names 429, 500 and 503.
 *
 * @param rows the rows of one method and path
 */
export function documentedStatuses(
  rows: readonly StatusRow[],
  { isGuarded }: { readonly isGuarded: boolean },
): ReadonlyMap<number, readonly ProblemKind[]> {
  const isWrite = rows.some(({ method }) => method !== 'GET');
  const kinds = new Set<ProblemKind>([
    ...rows.flatMap(({ errors }) => errors),
    ...always,
    ...(isWrite ? ofWrites : []),
    ...(isGuarded ? (['denied'] as const) : []),
  ]);
  const statuses = new Map<number, readonly ProblemKind[]>([
    ...rows.map(({ status }) => [status, []] as const),
    ...Map.groupBy(kinds, (kind) => statusOf[kind]),
    [503, []],
  ]);
  return new Map([...statuses].toSorted(([one], [other]) => one - other));
}
