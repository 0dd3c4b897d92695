import { Window } from 'happy-dom';
import { expect, onTestFinished, test } from 'vitest';
import { RepeatedTest, TrialRuns } from '../../src/suite/trial-runs.ts';
import type { PlainRun } from '../../src/suite/trials.ts';
import { quiet } from './fake-suite.ts';

const call = { endpoint: 'POST /todos', nth: 1 };
const plain: PlainRun = {
  ...quiet,
  calls: [call.endpoint],
  statuses: [201],
  shown: ['Add', 'Added'],
};

interface End {
  /** When the page says something, in milliseconds. */
  readonly saysAfter: number;
  readonly error: string | undefined;
  readonly leavesPage?: boolean;
}

/** Returns the verdict on a test with a page whose request has a fault. */
async function verdictOn({
  saysAfter,
  error,
  leavesPage = true,
}: End): Promise<string | undefined> {
  const window = new Window();
  onTestFinished(() => window.happyDOM.close());
  const { document } = window;
  const trial = { id: 'one', fault: 'drop after', isOutside: true, ...call } as const;
  const byTest = { '1': { trials: [trial], wait: 250, limit: 1000, plain } };
  const runs = new TrialRuns({ byTest }, async () => '', window as unknown as typeof globalThis);
  const repeated = new RepeatedTest(runs, '1', { name: 'one', file: 'a.test.ts' });
  repeated.begin(0);
  document.body.innerHTML = '<button>Add</button>';
  repeated.watched!.sendFromClient({ ...call, method: 'POST', url: '/todos' });
  setTimeout(() => {
    document.body.innerHTML += '<p>It could not be added.</p>';
  }, saysAfter);
  if (!leavesPage) document.body.innerHTML = '';
  await repeated.judge(error);
  repeated.end(error);
  return repeated.recorded.attempts[0]?.verdict?.reason;
}

const error = 'expected [] to include "Added"';

test('a page may say what went wrong a little after its test has failed', async () => {
  const reason = await verdictOn({ saysAfter: 60, error });
  expect(reason).toBe('The page says “It could not be added.”.');
});

test('a page that says nothing is not waited for', async () => {
  const reason = await verdictOn({ saysAfter: 5000, error });
  expect(reason).toBe('The page says nothing: it still shows “Add”.');
});

test('a page that a test takes away before it passes is no empty one', async () => {
  const end = { saysAfter: 5000, leavesPage: false };
  expect(await verdictOn({ ...end, error: undefined })).toBe(
    'The page goes on as without the fault.',
  );
  expect(await verdictOn({ ...end, error })).toBe('The page is empty.');
});

test('a caller may log an error a little after its test has passed', async () => {
  const trial = { id: 'one', fault: 'malformed', isOutside: true, ...call } as const;
  const ofCaller = { ...plain, shown: undefined, read: [call.endpoint] };
  const byTest = { '1': { trials: [trial], wait: 250, limit: 1000, plain: ofCaller } };
  const runs = new TrialRuns({ byTest }, async () => '');
  const repeated = new RepeatedTest(runs, '1', { name: 'one', file: 'a.test.ts' });
  repeated.begin(0);
  const run = repeated.watched!;
  run.sendFromClient({ ...call, method: 'POST', url: '/todos' });
  setTimeout(() => run.evidence.logged.push('Cannot load the todos'), 10);
  await repeated.judge(undefined);
  repeated.end(undefined);
  expect(repeated.recorded.attempts[0]?.verdict?.reason).toBe(
    'The caller logs “Cannot load the todos.”, and throws nothing.',
  );
});
