import type { BodyOf, EndpointName, QueryOf } from '../../contract.ts';
import type { JournalFilter, JournalFilterInput } from '../../engine/journal/journal-filter.ts';
import type { Expected } from '../../engine/journal/verify.ts';

/** The expected requests to an endpoint: their parameters, their responses and their number. */
export interface ExpectedRequest<Name extends RequestName = string> extends Filter, Expected {
  /** Parameters of the query; others are allowed. */
  readonly query?: Name extends EndpointName ? Parameters<QueryOf<Name>> : Loose;
  /** Parameters of the body; others are allowed. */
  readonly body?: Name extends EndpointName ? Parameters<BodyOf<Name>> : Loose;
}

type Filter = Omit<Exclude<JournalFilterInput, string>, 'request' | 'query' | 'body'>;
type Loose = Readonly<Record<string, unknown>>;

/** The parameter names of the contract, nested or in bracket notation. Values are compared after decoding. */
type Parameters<Values> = { readonly [Name in NameIn<Values> | `${string}[${string}`]?: unknown };
/** An empty body has no names, and not all. */
type NameIn<Values> = Values extends object
  ? string extends keyof Values
    ? never
    : keyof Values & string
  : never;

/** `'PUT /api/checkouts/:order_id'`, or with the ids in place, `'PUT /api/checkouts/3'`. */
export type RequestName = EndpointName | (string & {});

/** Returns the expectation of `toHaveReceived` for the journal: the filter, and the expected number. */
export function verificationOf(
  request: RequestName,
  { times, atLeast, atMost, ...filter }: ExpectedRequest = {},
): [filter: JournalFilter, expected: Expected] {
  const counts = Object.entries({ times, atLeast, atMost });
  const given = counts.filter(([, count]) => count !== undefined);
  return [{ ...filter, request }, Object.fromEntries(given)];
}
