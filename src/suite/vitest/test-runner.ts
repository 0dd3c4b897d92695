import * as vitest from 'vitest';
import type { RunnerTestCase } from 'vitest';

/** The class that runs tests, which vitest 3 has elsewhere. */
export const TestRunner = 'TestRunner' in vitest ? vitest.TestRunner : await runnerOfVitest3();

async function runnerOfVitest3(): Promise<typeof vitest.TestRunner> {
  // No literals, because the bundler of a project resolves these.
  const [runners, suite] = ['vitest/runners', 'vitest/suite'];
  const { VitestTestRunner } = (await import(runners)) as {
    VitestTestRunner: typeof vitest.TestRunner;
  };
  const { getFn, getHooks } = (await import(suite)) as {
    getFn: typeof vitest.TestRunner.getTestFn;
    getHooks: typeof vitest.TestRunner.getSuiteHooks;
  };
  return class extends VitestTestRunner {
    static override getTestFn = getFn;
    static override getSuiteHooks = getHooks;
  };
}

/** `checkout > pays` */
export function fullNameOf({ fullTestName, name, suite }: RunnerTestCase): string {
  // Undefined before vitest 4.
  if (fullTestName !== undefined) return fullTestName;
  const names = [name];
  for (let one = suite; one !== undefined; one = one.suite) names.unshift(one.name);
  return names.join(' > ');
}
