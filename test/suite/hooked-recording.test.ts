import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mocksIn } from '../../src/suite/node/mocked-modules.ts';
import { recordHooked } from '../../src/suite/hooked-recording.ts';
import type { Recording, TestRuns } from '../../src/suite/suite-runner.ts';
import type { OutsideCalls } from '../../src/suite/trials.ts';
import { temporaryFolder } from '../support/suite.ts';

const none: OutsideCalls = { loading: [], hooks: [] };

function ran(file: string, error?: string): TestRuns {
  const attempt = { ms: 1, error, texts: undefined };
  return {
    id: file,
    name: 'one',
    file,
    attempts: [attempt, attempt],
    subjects: [],
    plain: undefined,
  };
}

/** Returns a function that records files, of which one fails if its hooks run around each test. */
function recorder(outside: Recording['outside'], failing?: string) {
  const recorded: (readonly string[] | undefined)[] = [];
  const record = async (hooked?: readonly string[]): Promise<Recording> => {
    recorded.push(hooked);
    const files = hooked ?? Object.keys(outside);
    const tests = files.map((file) =>
      ran(file, hooked !== undefined && file === failing ? 'It exists.' : undefined),
    );
    return { tests, errors: [], outside };
  };
  return { recorded, record };
}

test('a suite whose hooks call nothing is recorded once, and what a file calls when it is loaded is told', async () => {
  const { recorded, record } = recorder({ a: { loading: ['GET /a'], hooks: [] }, b: none });
  const { hooked, untried } = await recordHooked(record);
  expect(recorded).toEqual([undefined]);
  expect(hooked).toEqual([]);
  expect(untried).toEqual([{ file: 'a', endpoint: 'GET /a', at: 'loading' }]);
});

test('hooks that call an API run around each test, unless a test fails so', async () => {
  const calls = { loading: [], hooks: ['POST /a'] };
  const { recorded, record } = recorder({ a: calls, b: none, c: calls }, 'c');
  const { tests, hooked, untried } = await recordHooked(record);
  expect(recorded).toEqual([undefined, ['a', 'c']]);
  expect(hooked).toEqual(['a']);
  expect(untried).toEqual([{ file: 'c', endpoint: 'POST /a', at: 'beforeAll' }]);
  expect(tests).toHaveLength(3);
  expect(tests.flatMap(({ attempts }) => attempts.map(({ error }) => error))).not.toContain(
    'It exists.',
  );
});

test('the modules that a file mocks by vitest and Jest are known, and whether it gives a client its fetch', () => {
  const file = join(temporaryFolder(), 'a.test.js');
  writeFileSync(
    file,
    `vi.mock('./api.js', () => ({}));
vi.mock(import("./hooks.js"));
jest.mock('axios');
jest.unstable_mockModule(\`./client.js\`, () => ({}));
vi.fn('none');
new Client({ url, fetch: vi.fn() });`,
  );
  const other = join(temporaryFolder(), 'b.test.js');
  writeFileSync(other, "import { fetch } from 'undici';");
  const mocks = mocksIn([file, other]);
  expect(mocks.get(file)).toEqual({
    mocks: ['./api.js', './hooks.js', 'axios', './client.js'],
    hasOwnFetch: true,
  });
  expect(mocks.get(other)).toEqual({ mocks: [], hasOwnFetch: false });
});
