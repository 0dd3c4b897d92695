import { expect, test } from 'vitest';
import { findingText, isFinding } from '../../src/suite/mutate-text.ts';
import { mutateSuite } from '../../src/suite/mutate.ts';
import type { SuiteRunner } from '../../src/suite/suite-runner.ts';
import type { Attempt, RecordedSubject } from '../../src/suite/trials.ts';
import {
  failed,
  linesOf,
  noticesAll,
  options,
  passed,
  read,
  runner,
  testRuns,
} from './fake-suite.ts';

test('a response that no test looks at is one finding, and one of its mutants is tried', async () => {
  const body = { total: 1, name: 'Mug', tags: ['new'] };
  const suite = runner([testRuns({ subjects: [read('GET /todos 200', body)] })]);
  const report = await mutateSuite(suite, options);
  expect(suite.tried).toEqual([
    'GET /todos 200 everything wrong',
    'GET /todos 200 total: one more',
  ]);
  expect(report.results.filter(isFinding).map(findingText)).toEqual([
    'GET /todos 200: no test looks at this response',
  ]);
  expect(linesOf(report)).toContain(
    'Not judged, because no test looks at the response: 10 mutants.',
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
    'PUT /todos/:id 200 total: one more',
    'GET /todos 200 everything wrong',
    'GET /todos 200 total: one more',
    'PUT /todos/:id 200 total: missing field',
    'GET /todos 200 total: missing field',
  ]);
});

test('the mutant with which a file does not come to its end judges nothing, and the other tests of the file run again', async () => {
  const tests = ['total', 'name', 'stars'].map((name) =>
    testRuns({ id: name, name, subjects: [read(`GET /${name} 200`, { [name]: 1 })] }),
  );
  const suite: SuiteRunner = {
    ...runner(tests),
    /** The process ends while the second test has a field less, and nothing is known of that test and of later ones. */
    run: async (byTest) => {
      const ends = byTest['name']?.trials.some(({ id }) => id.endsWith('missing field')) === true;
      return tests.map((one, at) => ({
        ...one,
        attempts: (byTest[one.id]?.trials ?? []).flatMap(() => (ends && at > 0 ? [] : [failed])),
      }));
    },
  };
  const report = await mutateSuite(suite, options);
  const others = report.results.filter(({ status }) => status !== 'Killed');
  expect(others.map(({ id, status }) => [id, status])).toEqual([
    ['GET /name 200 name: missing field', 'RuntimeError'],
  ]);
  expect(linesOf(report)).toContain('Lost, because the run did not come to an end: 1 mutant.');
});

test('of a round that a limit interrupts, what came out until then counts', async () => {
  const tests = ['one', 'two'].map((name) =>
    testRuns({ id: name, subjects: [read(`GET /${name} 200`, { done: true })] }),
  );
  const interrupt = new AbortController();
  const suite: SuiteRunner = {
    ...runner(tests),
    run: async (byTest) => {
      interrupt.abort();
      const [first, second] = tests.map((one) => ({
        ...one,
        attempts: (byTest[one.id]?.trials ?? []).map(() => failed),
      }));
      return [first!, { ...second!, attempts: second!.attempts.slice(1) }];
    },
  };
  const { results } = await mutateSuite(suite, { ...options, signal: interrupt.signal });
  expect(results.map(({ status }) => status)).toEqual(['Killed', 'Killed', 'Killed', 'Pending']);
});

test('a mutant that no test received is not judged, though the test failed, until another file receives it', async () => {
  const field = { path: ['done'], value: true, members: [] };
  const subjects: RecordedSubject[] = [
    { subject: 'GET /todos 200', body: { done: true }, changes: false, fields: [field] },
  ];
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
    const left = linesOf(report)
      .join('\n')
      .match(/Not applied.*: (.*)\./)?.[1];
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
