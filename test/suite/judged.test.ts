import { expect, test } from 'vitest';
import { chaosSuite } from '../../src/suite/chaos.ts';
import { assertionsText, isFinding, untriedSubjects } from '../../src/suite/mutate-text.ts';
import { mutateSuite } from '../../src/suite/mutate.ts';
import { mutationPage } from '../../src/suite/mutation-page.ts';
import { mutationTestReport } from '../../src/suite/mutation-report.ts';
import { raceSuite } from '../../src/suite/races.ts';
import type { SuiteRunner } from '../../src/suite/suite-runner.ts';
import type { Attempt, PlainRun, RecordedSubject } from '../../src/suite/trials.ts';
import {
  failed,
  linesOf,
  noticesAll,
  options,
  passed,
  quiet,
  read,
  runner,
  testRuns,
} from './fake-suite.ts';

const json: RecordedSubject = { subject: 'GET /todos 200', body: {}, changes: false, fields: [] };

test.each([
  [
    'fails',
    runner([testRuns({ attempts: [failed, failed] })]),
    "No test passes as it is. a.test.ts: 'one' fails: expected 2 to be 3.",
  ],
  [
    'has no test that can be loaded',
    runner([], ['Cannot find a module\n  at b.test.ts']),
    'The suite fails as it is: Cannot find a module.',
  ],
  [
    'passes only once',
    runner([testRuns({ attempts: [passed, failed] })]),
    "No test passes twice as it is. a.test.ts: 'one' passed once and failed once: expected 2 to be 3.",
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
    '1 test was run, and none received a JSON response of Backlot, or, with vitest and Jest, by fetch, XMLHttpRequest, node:http or undici.',
  );
  await expect(mutateSuite(runner([testRuns({ subjects: [json] })]), options)).rejects.toThrow(
    '1 test was run, and no code reads a field of a response.',
  );
  await expect(chaosSuite(still, options)).rejects.toThrow(
    '1 test was run, and none sends a request to Backlot, or, with vitest and Jest, by fetch, XMLHttpRequest, node:http or undici.',
  );
  await expect(chaosSuite(runner([testRuns({ subjects: [json] })]), options)).rejects.toThrow(
    '1 test was run, and they give clients a function in place of fetch, whose requests cannot be seen.',
  );
  await expect(raceSuite(still, options)).rejects.toThrow(
    '1 test was run, and none has requests under way at once.',
  );
});

test.each([
  [
    'mock modules',
    { mocks: ['./api.js', 'axios'] },
    "a.test.ts mocks './api.js', 'axios', and sends no request: what a mock returns is not changed.",
  ],
  [
    'give a client its fetch',
    { hasOwnFetch: true },
    'a.test.ts gives its client a function in place of fetch: mutate changes what it returns if the test makes it by new Response()',
  ],
])('a suite whose tests %s and receive nothing is told so', async (_, mocking, text) => {
  for (const judge of [mutateSuite, chaosSuite])
    await expect(judge(runner([testRuns(mocking)]), options)).rejects.toThrow(text);
});

test('a response of 3,400 fields has over 10,000 mutants, of which the report says how many were left out', async () => {
  const body = Object.fromEntries(Array.from({ length: 3400 }, (_, at) => [`total_${at}`, at]));
  const tests = [testRuns({ subjects: [read('GET /todos 200', body)] })];
  const report = await mutateSuite(runner(tests, [], noticesAll), { ...options, max: 5 });
  expect(report.results.filter(isFinding)).toHaveLength(5);
  expect(linesOf(report)).toContain(
    '0 noticed of 5 that a page shows: 0 %. 1 test, 5 of 10,200 mutants in 0.0 s.',
  );
  expect(linesOf(report)).toContain('Left out: 10,195 mutants.');
  const [{ mutants } = { mutants: [] }] = Object.values(mutationTestReport(report, '1').files);
  expect(mutants.filter(({ status }) => status === 'Pending')).toHaveLength(10_195);
});

test('tests that fail, files that cannot be loaded and flaky tests are named, and the others are judged', async () => {
  const subjects = [read('GET /todos 200', { total: 1 })];
  const suite = runner(
    [
      testRuns({ subjects }),
      testRuns({ id: '2', name: 'two', attempts: [failed, failed] }),
      testRuns({ id: '3', name: 'three', attempts: [passed, failed] }),
    ],
    ['Cannot find a module\n  at b.test.ts'],
  );
  const report = await mutateSuite(suite, options);
  expect(report.results.filter(isFinding)).toHaveLength(3);
  expect(linesOf(report).slice(-3)).toEqual([
    "a.test.ts 'two' fails as it is, and judges nothing. expected 2 to be 3.",
    "a.test.ts 'three' is flaky: it came out differently twice, and judges nothing.",
    'Outside of tests: Cannot find a module.',
  ]);
});

test('a response of which nothing was tried is named last', async () => {
  const subjects = [read('GET /todos 200', { total: 1 }), read('GET /users 200', { total: 1 })];
  const report = await mutateSuite(runner([testRuns({ subjects })]), { ...options, max: 1 });
  expect(untriedSubjects(report.results)).toEqual(['GET /users 200']);
  expect(linesOf(report).at(-1)).toBe('Nothing was tried of 1 of 2 responses: GET /users 200.');
});

test('a record that is created is not replaced by that which was created before', async () => {
  const subjects = ['POST /todos 201', 'GET /todos/:id 200'].map((subject) => ({
    ...read(subject, { total: 1 }),
    changes: true,
  }));
  const suite = runner([testRuns({ subjects })], [], noticesAll);
  await mutateSuite(suite, options);
  const older = suite.tried.filter((id) => id.endsWith('older record'));
  expect(older).toEqual(['GET /todos/:id 200 older record']);
});

test('the assertion that is proposed holds for the right value alone', async () => {
  const none = { ...passed, texts: undefined };
  const shown = { ...passed, texts: ['2', 'Stars: 2', 'A mug with 2 stars'] };
  const subjects = [read('GET /todos/:id 200', { stars: 2, tags: ['new', 'old'] })];
  const told = async (attempt: Attempt): Promise<string[]> => {
    const suite = runner([testRuns({ subjects, attempts: [attempt, attempt] })], [], noticesAll);
    const { results } = await mutateSuite(suite, options);
    return assertionsText(results.filter(isFinding), (_, text) => text)
      .split('\n')
      .slice(1);
  };
  expect(await told(none)).toEqual([
    '  assert what becomes of stars of GET /todos/:id 200: 2 // notices 3',
    '  assert what becomes of tags of GET /todos/:id 200: 2 items // notices 3',
  ]);
  expect(await told(shown)).toEqual([
    '  expect(document.body.textContent).toContain("Stars: 2"); // notices 7',
  ]);
});

test('the page of a report has the words of the command and its score, and escapes what comes from tests', async () => {
  const subjects = [read('GET /<b>/200', { total: 1, name: 'Mug' })];
  const suite = runner([testRuns({ name: '<i>one</i>', subjects })], [], ({ id }) =>
    /everything wrong|total/.test(id),
  );
  const report = await mutateSuite(suite, options);
  const page = mutationPage(report);
  expect(page).toContain(
    '<b>3 noticed of 6 that a page shows: 50 %. 1 test, 6 mutants in 0.0 s.</b>',
  );
  expect(page).toContain('<code>GET /&lt;b&gt;/200</code>');
  expect(page).not.toMatch(/<i>|<script/);
});

test('the cell with which a file does not come to its end is red, and the other tests of the file run again', async () => {
  const plain = { ...quiet, calls: ['GET /todos'], statuses: [200] };
  const tests = ['one', 'two', 'three'].map((name) => testRuns({ id: name, name, plain }));
  const suite: SuiteRunner = {
    ...runner(tests),
    /** The process ends while the second test has a malformed response, and nothing is known of that test and of later ones. */
    run: async (byTest) => {
      const ends = byTest['two']?.trials.some(({ id }) => id.endsWith(': malformed')) === true;
      return tests.map((one, at) => ({
        ...one,
        attempts: (byTest[one.id]?.trials ?? []).flatMap(() =>
          ends && at > 0 ? [] : [{ ...passed, verdict: { tone: 'green', reason: '' } as const }],
        ),
      }));
    },
  };
  const { results } = await chaosSuite(suite, options);
  const red = results.filter(({ verdict }) => verdict?.tone !== 'green');
  expect(results).toHaveLength(21);
  expect(red.map(({ id, verdict }) => [id, verdict])).toEqual([
    [
      'a.test.ts: two: GET /todos: malformed',
      {
        tone: 'red',
        reason: 'The page never answers again: it computes for ever, or has ended its process.',
      },
    ],
  ]);
});

/** Returns a run whose page shows a text. */
function showing(text: string): Attempt {
  return { ...passed, texts: ['Work', text] };
}

test('a text that differs each time is no change of the page', async () => {
  const one = testRuns({
    subjects: [read('GET /todos 200', { total: 1 })],
    attempts: [showing('kristina@shop.test'), showing('ada@shop.test')],
  });
  const suite = runner([one]);
  const run: SuiteRunner['run'] = async (byTest) =>
    (await suite.run(byTest)).map((runs) => ({
      ...runs,
      attempts: runs.attempts.map(() => showing('zoe@shop.test')),
    }));
  const report = await mutateSuite({ ...suite, run }, options);
  expect(report.results.filter(isFinding)).toEqual([]);
});

test('a suite in which no test that passes receives a response names those that fail', async () => {
  const red = testRuns({ id: '2', name: 'two', attempts: [failed, failed] });
  await expect(mutateSuite(runner([testRuns(), red]), options)).rejects.toThrow(
    "1 other test failed without a trial, such as 'two' of a.test.ts: expected 2 to be 3.",
  );
});

function calling(endpoint: string): PlainRun {
  return { ...quiet, calls: [endpoint], statuses: [200] };
}

test('with a limit, chaos tells what was found, also of cells behind those that were left out', async () => {
  const slow: Attempt = { ...passed, ms: 5000 };
  const told: string[] = [];
  let now = 0;
  const suite = runner([
    testRuns({ file: 'a.test.ts', plain: calling('POST /todos'), attempts: [slow, slow] }),
    testRuns({ id: '2', file: 'b.test.ts', plain: calling('GET /users') }),
  ]);
  await chaosSuite(suite, {
    milliseconds: () => (now += 1000),
    budget: 3000,
    onResult: ({ id }) => told.push(id),
  });
  expect(told).toContain('b.test.ts: one: GET /users: drop');
});
