import './node/require-node.ts';
import { expect, test as base } from 'vitest';
import { createBackOffice, type NodeBackOffice } from './node.ts';
import { withTables, type TypedOptions, type WithTables } from '../engine/office/typed-office.ts';
import { assertOptions } from '../engine/lib/unknown-keys.ts';
import { officeOptionNames, type OfficeOptions } from './vitest/office-options.ts';
import { preload } from './node/preload.ts';
import { matchReceived, type OfficeMatchers } from './node/received.ts';
import { saveTraceAs } from './node/save-trace.ts';
import { traceTest } from './vitest/trace.ts';

export type { NodeBackOffice } from './node.ts';
export type { OfficeOptions } from './vitest/office-options.ts';

export type { ExpectedRequest, RequestName } from './node/received.ts';

declare module 'vitest' {
  // Vitest 5 gives `Matchers` two type parameters, and earlier versions one: without any, the declaration fits both.
  // oxlint-disable-next-line typescript/no-empty-object-type -- a declaration can only be merged with an interface
  interface Matchers extends OfficeMatchers<void> {}
}

// In the pools that use `node:vm`, vitest 4 cannot require ES modules.
if (process.env['VITEST_VM_POOL'] !== undefined) await preload();

expect.extend({ toHaveReceived: matchReceived });

/** The fixtures of `test`: a back office for each test, and its options. */
export interface OfficeFixtures {
  /** Options of the back office: `test.override({ officeOptions: { scenario: 'empty' } })`. */
  officeOptions: OfficeOptions;
  /**
   * An isolated back office. It receives only the requests of the test and of its hooks. Each test has one, whether it names this
   * fixture or not, except in browser mode.
   */
  office: NodeBackOffice;
}

/** The fixtures, with the tables of an extended API. */
export interface TestFixtures<Tables> extends Omit<OfficeFixtures, 'office'> {
  office: WithTables<NodeBackOffice, Tables>;
}

/**
 * The `test` function of vitest with a back office for each test. Tests can run concurrently, except in browser mode, where
 * all requests of a page go to one back office.
 */
export const test = createTest();

/**
 * Returns `test` with other options of the back office: `createTest({ api })` for an API of your own, whose tables
 * `office.db` has.
 */
export function createTest<Tables = unknown>(given: OfficeOptions & TypedOptions<Tables> = {}) {
  return base.extend<TestFixtures<Tables>>({
    officeOptions: given,
    office: [
      // Vitest runs the code before the first await in the asynchronous context of the test, which `enter` requires.
      async ({ officeOptions, task }, use) => {
        assertOptions('officeOptions', officeOptions, officeOptionNames);
        const { onUnhandledRequest, clients, handlers, workerUrl: _, ...others } = officeOptions;
        const { trace = 'on-failure', ...options } = others;
        using office = createBackOffice({ history: trace !== 'off', ...options });
        traceTest(office, task.context, trace, saveTraceAs);
        office.listen({
          ...(onUnhandledRequest !== undefined && { onUnhandledRequest }),
          ...(clients !== undefined && { clients }),
          handlers,
        });
        office.enter();
        enterAtEachUse(task.context, office);
        await use(withTables(office, given));
      },
      // For tests that do not name it, too: none of their requests reaches the network.
      { auto: true },
    ],
  });
}

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
