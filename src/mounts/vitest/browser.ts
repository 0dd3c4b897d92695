import { expect, test as base } from 'vitest';
import { givenFor } from '../../shop/given/given.ts';
import { startWorker, type WorkerBackOffice } from '../browser.ts';
import { assertOptions } from '../../engine/lib/unknown-keys.ts';
import { officeOptionNames, type OfficeOptions } from './office-options.ts';
import { matchReceived } from '../node/received.ts';
import { saveInPage } from './page-trace.ts';
import { traceTest } from './trace.ts';
import type { NodeBackOffice } from '../node.ts';
import type { TestFixtures } from '../vitest.ts';
import { withTables, type TypedOptions } from '../../engine/office/typed-office.ts';

expect.extend({ toHaveReceived: matchReceived });

let current: WorkerBackOffice | undefined;

/** Replaces `vitest.ts` in the browser mode of vitest: a back office for each test, which answers the page. */
export const test = createTest();

/** Replaces that of `vitest.ts`. */
export function createTest<Tables = unknown>(given: OfficeOptions & TypedOptions<Tables> = {}) {
  return base.extend<TestFixtures<Tables>>({
    officeOptions: given,
    office: async ({ officeOptions, task }, use) => {
      if (current !== undefined) throw new Error(isTaken);
      assertOptions('officeOptions', officeOptions, officeOptionNames);
      const { onUnhandledRequest: _, clients: _clients, ...others } = officeOptions;
      const { trace = 'on-failure', ...options } = others;
      const office = (current = await startWorker({ history: trace !== 'off', ...options }));
      traceTest(office, task.context, trace, saveInPage);
      try {
        await use(withTables(asInNode(office), given));
      } finally {
        current = undefined;
        office.releaseAll();
        await office.stop();
      }
    },
  });
}

const isTaken =
  'Failed to open a back office: another test of this page still has one, and all requests of a page go to one. Do not run its tests concurrently.';

/** The functions that the back office of a test has in Node.js. Here, all requests of the page go to it. */
function asInNode(office: WorkerBackOffice): NodeBackOffice {
  const close = (): void => void office.stop();
  return Object.assign(office, {
    given: givenFor(office),
    listen() {
      throw new Error('Failed to listen: this back office already listens');
    },
    listening: () => current === office,
    close,
    enter: () => {},
    within: <Result>(work: () => Result) => work(),
    dispatcher() {
      throw new Error('Failed to make a dispatcher: a page sends no requests by undici');
    },
    [Symbol.dispose]: close,
  });
}
