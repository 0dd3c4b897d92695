import { expect, test } from 'vitest';
import { chaosSuite } from '../../src/suite/chaos.ts';
import {
  assertionsText,
  findingText,
  isFinding,
  summaryText,
  untriedSubjects,
} from '../../src/suite/mutate-text.ts';
import { mutateSuite, type MutateReport } from '../../src/suite/mutate.ts';
import { mutationPage } from '../../src/suite/mutation-page.ts';
import { mutationTestReport } from '../../src/suite/mutation-report.ts';
import { raceSuite } from '../../src/suite/races.ts';
import type { SuiteRunner } from '../../src/suite/suite-runner.ts';
import type { Attempt, RecordedSubject } from '../../src/suite/trials.ts';
import {
  noticesAll,
  options,
  passed,
  quiet,
  read,
  runner,
  testRuns,
} from '../support/fake-suite.ts';

/** Returns the lines that the command prints of a report, without styles. */
function linesOf(report: MutateReport): string[] {
  return summaryText(report, (_, text) => text, 100).split('\n');
}

const failed: Attempt = { ...passed, error: 'expected 2 to be 3\n  at a.test.ts:3' };
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
  await expect(raceSuite(still, options)).rejects.toThrow(
    '1 test was run, and none has requests under way at once.',
  );
});

test('a suite whose tests mock modules and send no request is told which modules these are', async () => {
  const mocking = runner([testRuns({ mocks: ['./api.js', 'axios'] })]);
  for (const judge of [mutateSuite, chaosSuite])
    await expect(judge(mocking, options)).rejects.toThrow(
      "a.test.ts mocks './api.js', 'axios', and sends no request: what a mock returns is not changed.",
    );
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

test('a response that no test looks at is one finding, and its mutants are not tried', async () => {
  const body = { total: 1, name: 'Mug', tags: ['new'] };
  const suite = runner([testRuns({ subjects: [read('GET /todos 200', body)] })]);
  const report = await mutateSuite(suite, options);
  expect(suite.tried).toEqual(['GET /todos 200 everything wrong']);
  expect(report.results.filter(isFinding).map(findingText)).toEqual([
    'GET /todos 200: no test looks at this response',
  ]);
  expect(linesOf(report)).toContain(
    'Not tried, because no test looks at the response: 10 mutants.',
  );
});

test('one mutant of each response is tried before the second of one, those of writes first', async () => {
  const suite = runner(
    [
      testRuns({
        subjects: [
          read('GET /todos 200', { total: 1, name: 'Mug' }),
          read('PUT /todos/:id 200', { name: 'Mug', total: 1 }),
        ],
      }),
    ],
    [],
    noticesAll,
  );
  await mutateSuite(suite, options);
  expect(suite.tried.slice(0, 6)).toEqual([
    'PUT /todos/:id 200 everything wrong',
    'GET /todos 200 everything wrong',
    'PUT /todos/:id 200 total: one more',
    'GET /todos 200 total: one more',
    'PUT /todos/:id 200 total: missing field',
    'GET /todos 200 total: missing field',
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
    '  expect(response.stars).toBe(2); // GET /todos/:id 200 // notices 3',
    '  expect(response.tags).toHaveLength(2); // GET /todos/:id 200 // notices 4',
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
      'two: GET /todos: malformed',
      {
        tone: 'red',
        reason: 'The page never answers again: it computes for ever, or has ended its process.',
      },
    ],
  ]);
});

test('a mutant that no test received is not judged, though the test failed, until another file receives it', async () => {
  const field = { path: ['done'], value: true, members: [] };
  const subjects: RecordedSubject[] = [{ ...json, body: { done: true }, fields: [field] }];
  const files = ['a.test.ts', 'b.test.ts'].map((file) => testRuns({ id: file, file, subjects }));
  const receivedIn = async (received: readonly string[]): Promise<string[]> => {
    const suite: SuiteRunner = {
      ...runner(files),
      run: async (byTest) =>
        files.map((one) => ({
          ...one,
          attempts: (byTest[one.id]?.trials ?? []).map(() => ({
            ...failed,
            isApplied: received.includes(one.file),
          })),
        })),
    };
    const report = await mutateSuite(suite, options);
    const left = summaryText(report, (_, text) => text, 80).match(/Not applied.*: (.*)\./)?.[1];
    return report.results.map(({ status, by }) => `${status} ${by?.file ?? left ?? ''}`);
  };
  expect(await receivedIn(['b.test.ts'])).toEqual(['Killed b.test.ts', 'Killed b.test.ts']);
  expect(await receivedIn([])).toEqual(['NoCoverage 2 mutants', 'NoCoverage 2 mutants']);
});

test('with a limit, what was found is told, also of mutants behind those that were left out', async () => {
  const slow: Attempt = { ...passed, ms: 5000 };
  const todos = [read('GET /todos 200', { total: 1 })];
  const users = [read('GET /users 200', { total: 1 })];
  const told: string[] = [];
  let now = 0;
  const suite = runner([
    testRuns({ file: 'a.test.ts', subjects: todos, attempts: [slow, slow] }),
    testRuns({ id: '2', file: 'b.test.ts', subjects: users }),
  ]);
  const { results } = await mutateSuite(suite, {
    milliseconds: () => (now += 1000),
    budget: 3000,
    onResult: ({ id }) => told.push(id),
  });
  const left = results.filter(({ status }) => status === 'Pending');
  expect(left.map(({ subject }) => subject)).toEqual(['GET /todos 200', 'GET /todos 200']);
  expect(told.filter((id) => id.startsWith('GET /users'))).toHaveLength(3);
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
