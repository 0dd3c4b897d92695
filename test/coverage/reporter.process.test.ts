import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ContractCoverageOptions, CoverageReport } from '../../src/mounts/vitest/coverage.ts';

const root = join(import.meta.dirname, '../..');
const source = (path: string): string => JSON.stringify(join(root, 'src', path));

/** Creates a project with two test files of one request each, and a reporter for each of the options. */
function project(options: readonly ContractCoverageOptions[]): string {
  const path = mkdtempSync(join(tmpdir(), 'backlot-reporter-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const config = `import Reporter from ${source('mounts/vitest/coverage.ts')};
export default {
  test: {
    globals: true,
    maxWorkers: 1,
    // Opening a back office from sources takes long on a busy machine. The tests here have a limit of their own.
    testTimeout: 0,
    reporters: [
      'default',
      ...(process.env.BLOB ? [['blob', { outputFile: process.env.BLOB }]] : []),
      ...${JSON.stringify(options)}.map((one) => new Reporter(one)),
    ],
  },
};`;
  writeFileSync(join(path, 'vitest.config.mjs'), config);
  // Vitest keeps its cache of modules there, and clears it when the lock file that it finds there is another.
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
  for (const resource of ['zones', 'channels']) {
    const content = `import { createBackOffice } from ${source('mounts/node.ts')};
test('lists ${resource}', async () => {
  await createBackOffice().fetch('/api/${resource}/');
});`;
    writeFileSync(join(path, `${resource}.test.ts`), content);
  }
  return path;
}

let runner: { readonly child: ChildProcess; readonly lines: AsyncIterator<string> } | undefined;

beforeAll(() => {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run-vitest.ts')], {
    env: { PATH, HOME, NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  runner = { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
});

afterAll(async () => {
  const { child } = runner!;
  child.stdin?.end();
  await once(child, 'exit');
});

/** Runs vitest in a project. */
async function run(
  path: string,
  options: { shard?: string; mergeReports?: string; blob?: string } = {},
): Promise<{ code: number; out: string }> {
  runner?.child.stdin?.write(`${JSON.stringify({ root: path, ...options })}\n`);
  const line = await runner?.lines.next();
  return JSON.parse(line?.value as string) as { code: number; out: string };
}

function readReport(path: string, folder = 'coverage/backlot'): CoverageReport {
  return JSON.parse(readFileSync(join(path, folder, 'coverage.json'), 'utf8')) as CoverageReport;
}

const zones = 'statuses: GET /api/zones/ 200';
const channels = 'statuses: GET /api/channels/ 200';

test('each reporter of a run writes the files that its options name, and only a threshold that is not reached fails the run', async () => {
  const path = project([
    {},
    {
      reporters: ['junit', 'json'],
      directory: 'out',
      ignore: ['* 503'],
      thresholds: { statuses: 0.1, transitions: -27 },
    },
    { reporters: [], thresholds: { statuses: 50, steps: 0, transitions: -2 } },
  ]);
  const { code, out } = await run(path);
  expect(code, out).toBe(1);
  expect(out.match(/Contract coverage of \d+ requests/g)).toEqual([
    'Contract coverage of 2 requests',
  ]);
  expect(readdirSync(join(path, 'coverage/backlot')).toSorted()).toEqual(['coverage.json']);
  expect(readReport(path).counts.items).toMatchObject({ [zones]: 1, [channels]: 1 });
  expect(readdirSync(join(path, 'out')).toSorted()).toEqual(['coverage.json', 'junit.xml']);
  const { all } = readReport(path, 'out').summary;
  const junit = readFileSync(join(path, 'out/junit.xml'), 'utf8');
  const tests = all.total + all.ignored;
  expect(junit).toContain(`<testsuites tests="${tests}" failures="${all.total - all.met}">`);
  expect(junit.split('<skipped/>')).toHaveLength(all.ignored + 1);
  expect(out.match(/\w+ (is|lacks) .*threshold.*/g)).toEqual([
    expect.stringMatching(/^statuses is [\d.]+%, below the threshold of 50%\./),
    expect.stringMatching(/^transitions lacks 27 items, above the threshold of 2\./),
  ]);
});

test(
  'shards are merged by vitest, and the thresholds are those of all of them',
  { tags: 'long' },
  async () => {
    const thresholds = { transitions: -27, statuses: 0.3 };
    const path = project([{ reporters: ['json'], thresholds }]);
    for (const shard of ['1', '2']) {
      const ended = await run(path, {
        shard: `${shard}/2`,
        blob: join(path, `blobs/${shard}.json`),
      });
      expect(ended).toMatchObject({ code: 0 });
      expect(readReport(path).requests).toBe(1);
    }
    const ended = await run(path, { mergeReports: join(path, 'blobs') });
    expect(ended).toMatchObject({ code: 0 });
    expect(readReport(path)).toMatchObject({
      requests: 2,
      counts: { items: { [zones]: 1, [channels]: 1 } },
    });
  },
);
