import { expect, test } from 'vitest';
import { chaosSuite } from '../../src/suite/chaos.ts';
import type { SuiteRunner } from '../../src/suite/suite-runner.ts';
import type { Verdict } from '../../src/suite/trials.ts';
import { options, passed, quiet, runner, testRuns } from './fake-suite.ts';

/** Returns the verdicts on two tests, each of a file, as they are told, with what a caller does in the second one. */
async function toldOf(reason: string): Promise<string[]> {
  const plain = { ...quiet, calls: ['GET /todos'], statuses: [200], shown: undefined };
  const tests = ['a', 'b'].map((id) => testRuns({ id, name: id, file: `${id}.test.ts`, plain }));
  const silent = 'The caller says nothing: the test passes in spite of the fault.';
  const verdicts = new Map<string, Verdict>([
    ['a', { tone: 'red', reason: silent }],
    ['b', { tone: 'green', reason }],
  ]);
  const suite: SuiteRunner = {
    ...runner(tests),
    run: async (byTest) =>
      tests.map((one) => ({
        ...one,
        attempts: (byTest[one.id]?.trials ?? []).map(() => ({
          ...passed,
          verdict: verdicts.get(one.id),
        })),
      })),
  };
  const told: string[] = [];
  await chaosSuite(suite, {
    ...options,
    includes: (cell) => 'fault' in cell && cell.fault === 'drop',
    onResult: ({ test: { name }, verdict }) => told.push(`${name} ${verdict?.tone}`),
  });
  return told;
}

test('a test that passes in spite of a fault judges nothing where callers return errors as values', async () => {
  expect(await toldOf('The caller throws Error: Offline.')).toEqual(['b green', 'a red']);
  expect(await toldOf('The caller returns an error: Offline.')).toEqual(['b green', 'a grey']);
});
