import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { closeChaos } from '../../src/cli/chaos.ts';
import { Baseline } from '../../src/cli/baseline.ts';
import { closeMutate } from '../../src/cli/mutate.ts';
import { writeShard, type ShardFile } from '../../src/cli/shard-file.ts';
import { chaosSuite } from '../../src/suite/chaos.ts';
import { mutateSuite } from '../../src/suite/mutate.ts';
import type { SuiteOptions } from '../../src/suite/recorded-suite.ts';
import type { Shard } from '../../src/suite/shard.ts';
import type { SuiteRunner } from '../../src/suite/suite-runner.ts';
import { options, passed, quiet, read, runner, testRuns } from './fake-suite.ts';
import { runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/suite.ts';

const command = ['vitest', 'run'];

/** Changes to the working directory for a test, because chaos writes to it. */
function enterFolder(): string {
  const folder = temporaryFolder();
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  return folder;
}

/** Four responses of three tests: one is not looked at, and of one each mutant is noticed. */
const tests = ['a', 'b', 'c'].map((id) =>
  testRuns({
    id,
    name: `shows ${id}`,
    file: `${id}.test.ts`,
    subjects: [
      read('GET /todos 200', { total: 1, name: 'Mug', done: true }),
      read(`PUT /${id} 200`, { total: 1, name: 'Mug', done: true }),
    ],
    plain: {
      ...quiet,
      calls: [`GET /${id}`, `PUT /${id}`, `GET /${id}`],
      statuses: [200, 200, 200],
    },
  }),
);

function mutants(): ReturnType<typeof runner> {
  return runner(tests, [], ({ id }) => !id.startsWith('PUT /a') && !id.includes('name'));
}

/** A suite in which `c` returns errors, and `b` passes in spite of faults: only all cells say what its verdict is. */
function cells(): SuiteRunner {
  const reasons: Readonly<Record<string, string>> = {
    a: 'The caller throws Error: Offline.',
    b: 'The caller says nothing: the test passes in spite of the fault.',
    c: 'The caller returns an error: Offline.',
  };
  return {
    ...runner(tests),
    run: async (byTest) =>
      tests.map((one) => ({
        ...one,
        attempts: (byTest[one.id]?.trials ?? []).map(({ id }) => ({
          ...passed,
          verdict: {
            tone: one.id === 'c' || id.endsWith('503') ? 'green' : 'red',
            // Fewer than those of `c` in all, and more in some shards.
            reason: one.id === 'a' && id.includes('GET') ? 'Nothing.' : reasons[one.id]!,
          } as const,
        })),
      })),
  };
}

async function fileOf(
  name: 'mutate' | 'chaos',
  shard: Shard,
  more?: Partial<SuiteOptions>,
): Promise<ShardFile> {
  const head = { version: 1, shard, command } as const;
  const all = { ...options, shard, ...more };
  return name === 'mutate'
    ? { ...head, backlot: 'mutate shard', report: await mutateSuite(mutants(), all) }
    : { ...head, backlot: 'chaos shard', report: await chaosSuite(cells(), all) };
}

/** Does what prints, and prints nothing. */
function closeQuietly(work: () => number): void {
  using printed = vi.spyOn(console, 'log').mockReturnValue();
  work();
  expect(printed).toHaveBeenCalled();
}

function withoutTime(text = ''): string {
  return text.replace(/"ended": ".*"/, '');
}

async function errorOf(...names: readonly string[]): Promise<string> {
  return (await runCommand('merge', ...names)).err;
}

/** Writes the reports of the shards of a run. Returns their names. */
async function write(name: 'mutate' | 'chaos', total: number): Promise<string[]> {
  const names = Array.from({ length: total }, (_, at) => `${name}-${at + 1}.json`);
  for (const [at, file] of names.entries())
    writeShard(await fileOf(name, { index: at + 1, total }), [file]);
  return names;
}

test.each([1, 2, 3, 7])('the report of %i shards of mutate is that of one run', async (total) => {
  const folder = enterFolder();
  const closing = { baseline: new Baseline('mutate', undefined), command, failOn: undefined };
  const report = await mutateSuite(mutants(), options);
  closeQuietly(() => closeMutate(report, { ...closing, out: ['one.json', 'one.html'] }));
  const files = await write('mutate', total);
  const { code, out } = await runCommand(
    'merge',
    ...files,
    '--out',
    'all.json',
    '--out',
    'all.html',
  );
  expect(code).toBe(1);
  expect(out).toContain('✗ PUT /a 200: no test looks at this response');
  for (const end of ['json', 'html'])
    expect(readFileSync(join(folder, `all.${end}`))).toEqual(
      readFileSync(join(folder, `one.${end}`)),
    );
});

test.each([1, 2, 3, 7])('the report of %i shards of chaos is that of one run', async (total) => {
  const folder = enterFolder();
  const closing = {
    baseline: new Baseline('chaos', undefined),
    command,
    failOn: undefined,
  };
  const report = await chaosSuite(cells(), options);
  closeQuietly(() => closeChaos(report, { ...closing, out: ['one.json', 'one.html'] }));
  const files = await write('chaos', total);
  const { code } = await runCommand('merge', ...files, '--out', 'all.json', '--out', 'all.html');
  expect(code).toBe(1);
  const [one, all] = ['one', 'all'].map((name) =>
    readFileSync(join(folder, `${name}.json`), 'utf8'),
  );
  expect(withoutTime(all)).toBe(withoutTime(one));
  expect(all).toContain('does not read the error that the caller may return');
  expect(readFileSync(join(folder, 'all.html'))).toEqual(readFileSync(join(folder, 'one.html')));
});

test.each(['mutate', 'chaos'] as const)(
  'the shards of %s try each trial of the plan once, also under a maximum',
  async (name) => {
    for (const total of [2, 3, 7]) {
      const shards = Array.from({ length: total }, (_, at) => ({ index: at + 1, total }));
      const files = await Promise.all(shards.map((shard) => fileOf(name, shard, { max: 9 })));
      const places = files.flatMap(({ report }) => report.part.places);
      const [{ report }] = files as [ShardFile];
      expect(places.toSorted((one, other) => one - other)).toEqual([...report.part.plan.keys()]);
      const results = files.flatMap((one): readonly object[] => one.report.results);
      const left = results.filter((one) =>
        'status' in one ? one.status === 'Pending' : !('verdict' in one && one.verdict),
      );
      expect(left).toHaveLength(report.part.plan.length - 9);
    }
  },
);

test.each([
  [[1, 2], 'the report of shard 3/3 is missing, and a part has no score'],
  [[1], 'the report of shard 2/3, 3/3 is missing'],
  [[1, 2, 3, 2], 'mutate-2.json and mutate-2.json are both of shard 2/3'],
])('shards %j of 3 have no score', async (chosen, text) => {
  enterFolder();
  const files = await write('mutate', 3);
  const { code, out, err } = await runCommand('merge', ...chosen.map((at) => files[at - 1]!));
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(text);
});

test('reports of other commands, runs and numbers of shards are not merged', async () => {
  enterFolder();
  const [first = ''] = await write('mutate', 2);
  const [cell = ''] = await write('chaos', 2);
  const shard = { index: 2, total: 2 };
  const file = (await fileOf('mutate', shard)) as ShardFile & { backlot: 'mutate shard' };
  const { report } = file;
  const others: Readonly<Record<string, ShardFile>> = {
    'command.json': { ...file, command: ['vitest'] },
    'tests.json': { ...file, report: { ...report, tests: report.tests.slice(1) } },
    'plan.json': {
      ...file,
      report: { ...report, part: { ...report.part, plan: report.part.plan.toReversed() } },
    },
    'place.json': { ...file, report: { ...report, part: { ...report.part, places: [0] } } },
    'total.json': { ...file, shard: { index: 2, total: 4 } },
  };
  for (const [name, content] of Object.entries(others)) writeShard(content, [name]);
  writeFileSync('text.json', '{"backlot":"coverage"}');
  expect(await errorOf()).toContain('merge requires the reports of all shards');
  expect(await errorOf('none.json')).toContain('Cannot read none.json: ENOENT');
  expect(await errorOf('text.json')).toContain('text.json is no report of a shard');
  expect(await errorOf(first, cell)).toContain(
    'of a mutate shard, and chaos-1.json of a chaos shard',
  );
  expect(await errorOf(first, 'total.json')).toContain(
    'is one of 2 shards, and total.json one of 4',
  );
  expect(await errorOf(first, 'command.json')).toContain(
    'their commands of the tests are not the same',
  );
  expect(await errorOf(first, 'tests.json')).toContain(
    `only one has a verdict of 'shows a' of a.test.ts`,
  );
  expect(await errorOf(first, 'plan.json')).toContain('their plans are not the same');
  expect(await errorOf(first, 'place.json')).toMatch(/they have \d+ trials of \d+/);
});
