import {
  ASYMMETRIC_MATCHERS_OBJECT,
  chai,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
} from '@vitest/expect';
import { toHaveReceived } from 'backlot/testing';

// As vitest makes its `expect`.
chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);
chai.use((_, { addMethod }: { addMethod: typeof chai.util.addMethod }) => {
  addMethod(
    chai.Assertion.prototype,
    'toHaveReceived',
    function received(this: Chai.AssertionStatic, ...args: unknown[]) {
      const office = chai.util.flag(this, 'object') as never;
      toHaveReceived(office, ...(args as [never, never]));
    },
  );
});

/** Asks again until an expectation is met, for a second. */
function poll(read: () => unknown): object {
  return new Proxy(
    {},
    {
      get:
        (_, matcher: string) =>
        async (...expected: unknown[]) => {
          const end = performance.now() + 1000;
          for (;;) {
            try {
              return (
                chai.expect(await read()) as never as Record<string, (...all: unknown[]) => void>
              )[matcher]!(...expected);
            } catch (error) {
              if (performance.now() > end) throw error;
            }
            await new Promise((resolve) => setTimeout(resolve, 10));
          }
        },
    },
  );
}

export const expect = Object.assign(
  (value: unknown) => chai.expect(value),
  (globalThis as never as Record<symbol, object>)[ASYMMETRIC_MATCHERS_OBJECT as never],
  { poll },
);
