import { expect, test as base } from 'vitest';
import { Problem } from '../problem.ts';
import type { EndpointName } from '../contract.ts';
import type { Expected } from '../control/verify.ts';
import type { JournalFilterInput } from '../control/journal-filter.ts';
import {
  createBackOffice,
  type ListenOptions,
  type MountOptions,
  type NodeBackOffice,
} from './node.ts';

export type { NodeBackOffice } from './node.ts';

/** Which requests are expected, beside their endpoint: what they carried, how they were answered, how many. */
export type ExpectedRequest = Omit<Exclude<JournalFilterInput, string>, 'request'> & Expected;

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
      ? (request: RequestName, expected?: ExpectedRequest) => R
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

export interface OfficeFixtures {
  /** How the back office of a test is opened: `test.override({ officeOptions: { scenario: 'empty' } })`. */
  officeOptions: MountOptions & ListenOptions;
  /** A back office for this test alone, which answers the requests of this test, and nobody else's. */
  office: NodeBackOffice;
}

/** `test` of vitest with a back office for each test; tests of a file can run at the same time. */
export const test = base.extend<OfficeFixtures>({
  officeOptions: {},
  // Vitest runs what comes before the first await in the context of the test, which `enter` needs.
  office: async ({ officeOptions }, use) => {
    const { onUnhandledRequest, clients, ...options } = officeOptions;
    using office = createBackOffice(options);
    office.listen({
      ...(onUnhandledRequest !== undefined && { onUnhandledRequest }),
      ...(clients !== undefined && { clients }),
    });
    office.enter();
    await use(office);
  },
});
