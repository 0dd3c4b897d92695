import type { FieldIssue, Problem } from '../lib/problem.ts';
import type { ApiEndpoint } from '../definition/api.ts';

/** The endpoint row of a request, and what the contract says of the request. */
export interface Match {
  readonly row: ApiEndpoint | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** The issues of the parameters that do not depend on data. */
  readonly issues: readonly FieldIssue[];
  /** The error that the request itself demands: 404 for no endpoint, 405, 415, 400 for broken JSON. */
  readonly problem?: Problem;
}
