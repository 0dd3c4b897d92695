import type { ProblemKind } from '../lib/problem.ts';
import type { EndpointRow } from './endpoint.ts';
import { statusOf } from './errors.ts';

/** The parts of an endpoint row that its statuses follow from. */
export type StatusRow = Pick<EndpointRow<never>, 'method' | 'status' | 'errors'>;

/** What stands in front of an endpoint and may answer in its place. */
export interface StatusOptions {
  /** Whether a setting or a flag may require a token: 401. */
  readonly isGuarded: boolean;
  /** Whether faults apply to the endpoint: 503. */
  readonly hasFaults: boolean;
}

/**
 * Returns every status that an endpoint documents, ascending, with the kinds of problems that lead to it: none for the
 * status of a success, and none for 503, which only faults respond with.
 *
 * - 400 `malformed`: any request may have an unreadable query or header; a body may be unreadable
 * - 400 `invalid`: a body with unknown parameters, also where none is expected
 * - 413, 415: a body that is too large, or of another content type
 * - 429: rate limits of servers and of faults
 *
 * A path without the method (405) and an unknown path (404) are no endpoints. An injected fault may respond with any
 * status; the document names 429 and 503.
 */
export function documentedStatuses(
  row: StatusRow,
  { isGuarded, hasFaults }: StatusOptions,
): ReadonlyMap<number, readonly ProblemKind[]> {
  const kinds = new Set<ProblemKind>([
    ...row.errors,
    'malformed',
    ...(row.method === 'GET' ? [] : (['invalid', 'too large', 'unsupported'] as const)),
    ...(isGuarded ? (['denied'] as const) : []),
    'too many',
  ]);
  const byStatus = Map.groupBy(kinds, (kind) => statusOf[kind]);
  const own: [number, ProblemKind[]][] = [[row.status, []]];
  const injected: [number, ProblemKind[]][] = hasFaults ? [[503, []]] : [];
  return new Map([...own, ...byStatus, ...injected].toSorted(([one], [other]) => one - other));
}
