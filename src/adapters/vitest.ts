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

/** Which requests are expected, beside their endpoint: what they carried, how they were answered, how many. */
export type ExpectedRequest<Name extends RequestName = string> = Omit<
  Exclude<JournalFilterInput, string>,
  'request' | 'query' | 'body'
> &
  Expected & {
    /** Parameters that the query has, beside others. */
    readonly query?: Name extends EndpointName ? Parameters<QueryOf<Name>> : Loose;
    /** Parameters that the body has, beside others. */
    readonly body?: Name extends EndpointName ? Parameters<BodyOf<Name>> : Loose;
  };

type Loose = Readonly<Record<string, unknown>>;

/** The names that the contract knows, nested or with brackets; what stands there is compared as the endpoint reads it. */
type Parameters<Values> = { readonly [Name in NameIn<Values> | `${string}[${string}`]?: unknown };
type NameIn<Values> = Values extends object ? keyof Values & string : never;

/** `'PUT /api/checkouts/:order_id'`, or with the ids in place, `'PUT /api/checkouts/3'`. */
export type RequestName = EndpointName | (string & {});

declare module 'vitest' {
  // A matcher has to be declared as vitest declares its own.
  interface Matchers<R extends void | Promise<void>, T> {
    /**
     * The back office was sent such requests: one or more, if nothing else is said.
     *
     * @example expect(office).toHaveReceived('PUT /api/checkouts/:order_id', { times: 1, body: { paymentMethod: 1 } })
     */
    toHaveReceived: T extends Received
      ? <Name extends RequestName>(request: Name, expected?: ExpectedRequest<Name>) => R
      : never;
  }
}

/** What can be asked what it received. */
type Received = Pick<NodeBackOffice, 'journal'>;

expect.extend({
  toHaveReceived(received: Received, request: RequestName, expected: ExpectedRequest = {}) {
    const { times, atLeast, atMost, ...filter } = expected;
    const wanted = { ...filter, request };
    const counts = { times, atLeast, atMost };
    const refusal = refusalOf(() => received.journal.verify(wanted, withoutBlanks(counts)));
    const denial = (): string =>
      refusalOf(() => received.journal.verify(wanted, { times: 0 })) ?? `Expected not: ${request}`;
    return { pass: refusal === undefined, message: () => refusal ?? denial() };
  },
});

/** What the journal says where it was otherwise. A filter that no request can fit is a mistake of the test. */
function refusalOf(verify: () => void): string | undefined {
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

/** What `test.extend` gets from this module: a back office for each test, and how it is opened. */
export interface OfficeFixtures {
  /** How the back office of a test is opened: `test.override({ officeOptions: { scenario: 'empty' } })`. */
  officeOptions: MountOptions & ListenOptions;
  /** A back office for this test alone. It answers what the test and the hooks that ask for it send, and nobody else. */
  office: NodeBackOffice;
}

/** `test` of vitest with a back office for each test; tests of a file can run at the same time. */
export const test = base.extend<OfficeFixtures>({
  officeOptions: {},
  // Vitest runs what comes before the first await in the context of the test, which `enter` needs.
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
 * A hook and the test after it have nothing in common but their context, so what a hook entered the test has to enter
 * anew: whoever takes the back office out of the context does.
 */
function enterAtEachUse(context: object, office: NodeBackOffice): void {
  Object.defineProperty(context, 'office', {
    configurable: true,
    enumerable: true,
    get() {
      if (office.listening()) office.enter();
      return office;
    },
    // Vitest puts it there itself; it is there.
    set() {},
  });
}
