import { journalFilter } from '../../engine/journal/journal-filter.ts';
import { Expected } from '../../engine/journal/verify.ts';
import { Problem } from '../../engine/lib/problem.ts';
import type { BackOffice } from '../../engine/office/open-back-office.ts';
import { verificationOf, type ExpectedRequest, type RequestName } from './expected-request.ts';

export type { ExpectedRequest, RequestName } from './expected-request.ts';

/** A back office whose journal can be verified. */
export type Received = Pick<BackOffice, 'journal'>;

/** The matcher that the test runners add to `expect`. */
export interface OfficeMatchers<Result> {
  /**
   * Asserts that the back office received matching requests (default: at least one).
   *
   * @example expect(office).toHaveReceived('PUT /api/checkouts/:order_id', { times: 1, body: { paymentMethod: 1 } })
   */
  toHaveReceived<Name extends RequestName>(request: Name, expected?: ExpectedRequest<Name>): Result;
}

/** The outcome of a matcher. The message is for a failure: of the assertion, or of its negation if it passes. */
export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

/**
 * Matches the journal of a back office, in the form that `expect.extend` of vitest and Jest requires.
 *
 * @throws TypeError if the received value is not a back office
 * @throws Problem `invalid` for an invalid filter, which is an error in the test
 */
export function matchReceived(
  received: Received,
  request: RequestName,
  expected: ExpectedRequest = {},
): MatcherResult {
  if (typeof received?.journal?.verify !== 'function')
    throw new TypeError('toHaveReceived requires a back office: expect(office).toHaveReceived(…)');
  assertKnown(expected);
  const [wanted, counts] = verificationOf(request, expected);
  const failure = failureOf(() => received.journal.verify(wanted, counts));
  const unexpected = (): string =>
    failureOf(() => received.journal.verify(wanted, { times: 0 })) ?? `Expected not: ${request}`;
  return { pass: failure === undefined, message: () => failure ?? unexpected() };
}

/**
 * Asserts that the back office received matching requests (default: at least one). For runners without `expect`, such as
 * `node:test`: `expect(office).toHaveReceived(…)` of the others says the same. For no requests, pass `{ times: 0 }`.
 *
 * @example toHaveReceived(office, 'PUT /api/checkouts/:order_id', { times: 1, body: { paymentMethod: 1 } })
 * @throws AssertionError with the closest requests, in Node.js that of `node:assert`
 * @throws Problem `invalid` for an invalid filter
 */
export function toHaveReceived<Name extends RequestName>(
  office: Received,
  request: Name,
  expected?: ExpectedRequest<Name>,
): void {
  const result = matchReceived(office, request, expected);
  if (result.pass) return;
  const message = result.message();
  if (typeof process === 'undefined') {
    throw Object.assign(new Error(message), { name: 'AssertionError' });
  }
  const { AssertionError } = process.getBuiltinModule('node:assert');
  throw new AssertionError({ message, operator: 'toHaveReceived', stackStartFn: toHaveReceived });
}

/** The journal would name what a filter can have, without the expected number. */
function assertKnown(expected: ExpectedRequest): void {
  const { request: _, ...filter } = journalFilter({ steps: [] }).shape;
  const known = [...Object.keys(Expected.shape), ...Object.keys(filter)];
  const unknown = Object.keys(expected).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new Problem(
    'invalid',
    `toHaveReceived has no ${unknown.join(', ')}; known: ${known.join(', ')}`,
  );
}

/** Returns the message of a failed verification. */
function failureOf(verify: () => void): string | undefined {
  try {
    verify();
    return undefined;
  } catch (error) {
    if (error instanceof Problem && error.kind === 'refused') return error.message;
    throw error;
  }
}
