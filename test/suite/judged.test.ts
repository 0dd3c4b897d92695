import { expect, test } from 'vitest';
import { chaosSuite } from '../../src/suite/chaos.ts';
import { isFinding, summaryText } from '../../src/suite/mutate-text.ts';
import { mutateSuite } from '../../src/suite/mutate.ts';
import { mutationTestReport } from '../../src/suite/mutation-report.ts';
import { raceSuite } from '../../src/suite/races.ts';
import type { SuiteRunner, TestRuns } from '../../src/suite/suite-runner.ts';
import type { Attempt, PlainRun, RecordedSubject } from '../../src/suite/trials.ts';

const options = { milliseconds: () => 0 };
const passed: Attempt = { ms: 1, error: undefined, texts: ['Work'] };
const quiet: PlainRun = { calls: [], outside: [], shown: ['Work'], writes: {} };

function testRuns(runs: Partial<TestRuns> = {}): TestRuns {
  const attempts = [passed, passed];
  return { id: '1', name: 'one', file: 'a.test.ts', attempts, subjects: [], plain: quiet, ...runs };
}

/** A runner whose pages show something else under each trial, and whose tests notice nothing. */
function runner(tests: readonly TestRuns[], errors: readonly string[] = []): SuiteRunner {
  return {
    record: async () => ({ tests, errors }),
    run: async (byTest) =>
      tests.map((one) => ({
        ...one,
        attempts: (byTest[one.id]?.trials ?? []).map(() => ({ ...passed, texts: [] })),
      })),
    stop: async () => undefined,
    close: async () => undefined,
  };
}

const failed: Attempt = { ...passed, error: 'expected 2 to be 3\n  at a.test.ts:3' };
const json: RecordedSubject = { subject: 'GET /todos 200', body: {}, changes: false, fields: [] };

test.each([
  [
    'fails',
    runner([testRuns({ attempts: [failed, failed] })]),
    "a.test.ts: 'one' fails as it is: expected 2 to be 3. Make the suite pass first.",
  ],
  [
    'fails outside of its tests',
    runner([testRuns()], ['Cannot find a module\n  at b.test.ts']),
    'The suite fails as it is: Cannot find a module.',
  ],
  [
    'passes only once',
    runner([testRuns({ attempts: [passed, failed] })]),
    "a.test.ts: 'one' passed once and failed once as it is, like each test that was run: expected 2 to be 3.",
  ],
  ['has no tests', runner([]), 'There are no tests.'],
  [
    'runs none of its tests',
    runner([testRuns({ attempts: [] }), testRuns({ attempts: [] })]),
    'None of 2 tests was run.',
  ],
])('a suite that %s cannot be judged', async (_, suite, text) => {
  for (const judge of [mutateSuite, chaosSuite, raceSuite])
    await expect(judge(suite, options)).rejects.toThrow(text);
});

test('a suite without what a command changes cannot be judged', async () => {
  const still = runner([testRuns()]);
  await expect(mutateSuite(still, options)).rejects.toThrow(
    '1 test was run, and none received a JSON response of Backlot, or, with vitest, by fetch or XMLHttpRequest.',
  );
  await expect(mutateSuite(runner([testRuns({ subjects: [json] })]), options)).rejects.toThrow(
    '1 test was run, and no code reads a field of a response.',
  );
  await expect(chaosSuite(still, options)).rejects.toThrow(
    '1 test was run, and none sends a request to Backlot, or, with vitest, by fetch or XMLHttpRequest.',
  );
  await expect(raceSuite(still, options)).rejects.toThrow(
    '1 test was run, and none has requests under way at once.',
  );
});

test('a response of 3,400 fields has over 10,000 mutants, of which the report says how many were left out', async () => {
  const names = Array.from({ length: 3400 }, (_, at) => `total_${at}`);
  const fields = names.map((name, value) => ({ path: [name], value, members: [] }));
  const body = Object.fromEntries(names.map((name, value) => [name, value]));
  const suite = runner([testRuns({ subjects: [{ ...json, body, fields }] })]);
  const report = await mutateSuite(suite, { ...options, max: 5 });
  expect(report.results.filter(isFinding)).toHaveLength(5);
  const text = summaryText(report, (_, one) => one, 100);
  expect(text).toContain('1 test, 5 mutants in 0.0 s.');
  expect(text).toContain('\nLeft out: 10,195 mutants.');
  const [{ mutants } = { mutants: [] }] = Object.values(mutationTestReport(report, '1').files);
  expect(mutants.filter(({ status }) => status === 'Pending')).toHaveLength(10_195);
});
