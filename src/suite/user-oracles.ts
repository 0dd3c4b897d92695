import type { Call } from './calls.ts';
import type { FaultName } from './fault-names.ts';

/** The request that has a fault. */
export interface FaultedRequest extends Call {
  readonly method: string;
  /** Path and query: `/api/orders/121`. */
  readonly url: string;
}

/** A run of a test with a fault in one of its requests, when the test function has ended or failed. */
export interface FaultedRun {
  readonly fault: FaultName;
  readonly request: FaultedRequest;
}

/** What a page has done with a fault. */
export interface JudgedRun extends FaultedRun {
  /** What the page shows: texts, values of fields, `href …`, `disabled …`; undefined without a document. */
  readonly texts: readonly string[] | undefined;
  /** The message of the error with which the test has failed, if it has. */
  readonly error: string | undefined;
}

/** What `expectUnder` takes: a fault of `npx backlot chaos`, or several, in any request or in those of an endpoint. */
export type Under =
  | FaultName
  | {
      readonly fault: FaultName | readonly FaultName[];
      /** How the name of its endpoint begins, as for `--only`: `PUT /api/checkouts` (default: any request). */
      readonly request?: string;
    };

/** Judges a run. @returns the reason if it is red */
export type Oracle = (run: JudgedRun) => string | undefined | Promise<string | undefined>;

/** What a test says of a fault. It has failed if it throws. */
export type Check = (run: FaultedRun) => unknown;

/** What a test has said to be right under some faults. */
export interface Expectation {
  readonly faults: readonly FaultName[];
  /** How the names of endpoints begin; empty for any. */
  readonly requests: readonly string[];
  readonly check: Check;
}

interface UserOracles {
  /** By their names. */
  readonly oracles: Map<string, Oracle>;
  /** Receives the expectations of tests while `chaos` runs them. */
  onExpectation?: ((expectation: Expectation) => void) | undefined;
}

const symbol = Symbol.for('backlot.oracles');

/**
 * A property of the global object, because tests and what runs them load different copies of the library.
 *
 * @param host the global object of the tests
 */
export function userOracles(host: object = globalThis): UserOracles {
  const global: { [symbol]?: UserOracles } = host;
  return (global[symbol] ??= { oracles: new Map() });
}
