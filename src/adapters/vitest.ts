import { expect, test as base } from 'vitest';
import { Problem } from '../lib/problem.ts';
import type { BodyOf, EndpointName, QueryOf } from '../contract.ts';
import type { Expected } from '../journal/verify.ts';
import type { JournalFilterInput } from '../journal/journal-filter.ts';
import {
  createBackOffice,
  type ListenOptions,
  type MountOptions,
  type NodeBackOffice,
} from './node.ts';

export type { NodeBackOffice } from './node.ts';

/** The expected requests to an endpoint: their parameters, their responses and their number. */
export type ExpectedRequest<Name extends RequestName = string> = Omit<
  Exclude<JournalFilterInput, string>,
  'request' | 'query' | 'body'
> &
  Expected & {
    /** Parameters of the query; others are allowed. */
    readonly query?: Name extends EndpointName ? Parameters<QueryOf<Name>> : Loose;
    /** Parameters of the body; others are allowed. */
    readonly body?: Name extends EndpointName ? Parameters<BodyOf<Name>> : Loose;
  };

type Loose = Readonly<Record<string, unknown>>;

/** The parameter names of the contract, nested or in bracket notation. Values are compared after decoding. */
type Parameters<Values> = { readonly [Name in NameIn<Values> | `${string}[${string}`]?: unknown };
type NameIn<Values> = Values extends object ? keyof Values & string : never;

/** `'PUT /api/checkouts/:order_id'`, or with the ids in place, `'PUT /api/checkouts/3'`. */
export type RequestName = EndpointName | (string & {});

declare module 'vitest' {
  // The declaration must have the type parameters of vitest's own.
  interface Matchers<R extends void | Promise<void>, T> {
    /**
     * Asserts that the back office received matching requests (default: at least one).
     *
     * @example expect(office).toHaveReceived('PUT /api/checkouts/:order_id', { times: 1, body: { paymentMethod: 1 } })
     */
    toHaveReceived: T extends Received
      ? <Name extends RequestName>(request: Name, expected?: ExpectedRequest<Name>) => R
      : never;
  }
}

/** A back office whose journal can be verified. */
type Received = Pick<NodeBackOffice, 'journal'>;

expect.extend({
  toHaveReceived(received: Received, request: RequestName, expected: ExpectedRequest = {}) {
    const { times, atLeast, atMost, ...filter } = expected;
    const wanted = { ...filter, request };
    const counts = { times, atLeast, atMost };
    const failure = failureOf(() => received.journal.verify(wanted, withoutBlanks(counts)));
    const unexpected = (): string =>
      failureOf(() => received.journal.verify(wanted, { times: 0 })) ?? `Expected not: ${request}`;
    return { pass: failure === undefined, message: () => failure ?? unexpected() };
  },
});

/** Returns the message of a failed verification. Throws for an invalid filter, which is an error in the test. */
function failureOf(verify: () => void): string | undefined {
  try {
    verify();
    return undefined;
  } catch (error) {
    if (error instanceof Problem && error.kind === 'refused') return error.message;
    throw error;
  }
}

function withoutBlanks(counts: Record<keyof Expected, number | undefined>): Expected {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}

/** The fixtures of `test`: a back office for each test, and its options. */
export interface OfficeFixtures {
  /** Options of the back office: `test.override({ officeOptions: { scenario: 'empty' } })`. */
  officeOptions: MountOptions & ListenOptions;
  /** An isolated back office. It receives only the requests of the test and of hooks that use this fixture. */
  office: NodeBackOffice;
}

/** The `test` function of vitest with a back office for each test. Tests can run concurrently. */
export const test = base.extend<OfficeFixtures>({
  officeOptions: {},
  // Vitest runs the code before the first await in the asynchronous context of the test, which `enter` requires.
  office: async ({ officeOptions, task }, use) => {
    const { onUnhandledRequest, clients, ...options } = officeOptions;
    using office = createBackOffice(options);
    office.listen({
      ...(onUnhandledRequest !== undefined && { onUnhandledRequest }),
      ...(clients !== undefined && { clients }),
    });
    office.enter();
    enterAtEachUse(task.context, office);
    await use(office);
  },
});

/**
 * A hook and its test share the test context but not the asynchronous context. So every read of the back office from the
 * test context enters it again.
 */
function enterAtEachUse(context: object, office: NodeBackOffice): void {
  Object.defineProperty(context, 'office', {
    configurable: true,
    enumerable: true,
    get() {
      if (office.listening()) office.enter();
      return office;
    },
    // Vitest assigns the fixture itself; the getter already returns it.
    set() {},
  });
}
