import { readFileSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Baseline } from '../../src/cli/baseline.ts';
import { closeChaos } from '../../src/cli/chaos.ts';
import { closeMutate } from '../../src/cli/mutate.ts';
import { chaosSuite } from '../../src/suite/chaos.ts';
import { workflowCommands } from '../../src/suite/findings-report.ts';
import type { ReportedFinding } from '../../src/suite/findings.ts';
import { mutateSuite } from '../../src/suite/mutate.ts';
import type { TestRuns } from '../../src/suite/suite-runner.ts';
import { noticesAll, options, quiet, read, runner, testRuns } from './fake-suite.ts';
import { temporaryFolder } from '../support/suite.ts';

/** A test that reads fields at lines of a page, and asserts none of them. */
const body = {
  total: 1,
  title: 'Mug',
  state: 'a',
  count: 2,
  name: 'b',
  tax: 3,
  price: 4,
  stars: 5,
};
const subject = read('GET /todos 200', body);
const recorded = testRuns({
  name: 'shows | <b>todos</b>',
  subjects: [
    {
      ...subject,
      fields: subject.fields.map((field, line) => ({
        ...field,
        at: { file: 'src/page.ts', line: line + 1 },
      })),
    },
  ],
  plain: {
    ...quiet,
    calls: ['GET /todos'],
    statuses: [200],
    lines: [{ file: 'src/list.ts', line: 9 }],
  },
});

/** Does work in a folder of its own, and returns what it prints and its result. */
function printedBy<Value>(work: () => Value): {
  readonly lines: readonly string[];
  readonly value: Value;
} {
  using printed = vi.spyOn(console, 'log').mockReturnValue();
  const value = work();
  return { value, lines: printed.mock.calls.flat().map(String) };
}

function enterFolder(): void {
  const before = process.cwd();
  process.chdir(temporaryFolder());
  onTestFinished(() => process.chdir(before));
}

const command = ['vitest', 'run'];

async function mutantsIn(out: readonly string[], failOn?: 'new', known?: string) {
  const report = await mutateSuite(runner([recorded], [], noticesAll), options);
  const baseline = new Baseline('mutate', known);
  return printedBy(() => closeMutate(report, { baseline, out, command, failOn }));
}

test('GitHub Actions shows the seven worst findings at the lines that read the fields, and reports only', async () => {
  enterFolder();
  vi.stubEnv('GITHUB_STEP_SUMMARY', 'summary.md');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { lines, value } = await mutantsIn(['github']);
  expect(value).toBe(0);
  const told = lines.filter((line) => line.startsWith('::'));
  expect(told).toHaveLength(7);
  expect(told[0]).toBe(
    '::warning file=src/page.ts,line=1,title=Backlot%3A GET /todos 200 total%3A 1 → 2::No test notices it. The page shows “Work” no longer at the end of \'shows | <b>todos</b>\'.%0AWhat would notice: expect(document.body.textContent).toContain("Work");',
  );
  expect(told.map((line) => /line=(\d+)/.exec(line)?.[1])).not.toContain(undefined);
  expect(told.filter((line) => line.includes('more finding'))).toEqual([told[6]]);
  expect(told[6]).toMatch(/%0A1 more finding in the summary of this step\.$/);
  const summary = readFileSync('summary.md', 'utf8');
  expect(summary).toContain('### Backlot mutate');
  expect(summary.match(/src\/page\.ts:\d/g)).toHaveLength(8);
  expect(summary).toContain('shows &#124; &#60;b&#62;todos&#60;/b&#62; (a.test.ts)');
  await mutantsIn(['github']);
  expect(readFileSync('summary.md', 'utf8')).toBe(summary + summary);
  expect((await mutantsIn(['github'], 'new')).value).toBe(1);
  expect((await mutantsIn(['all.md'])).value).toBe(1);
});

test('findings that a baseline has are no annotations, and fail nothing', async () => {
  enterFolder();
  const { results } = await mutateSuite(runner([recorded], [], noticesAll), options);
  const findings = results.map(({ id }) => id).filter((id) => !id.includes('total'));
  writeFileSync('known.json', JSON.stringify({ backlot: 'mutate', version: 1, findings }));
  const { lines, value } = await mutantsIn(['github'], 'new', 'known.json');
  expect(lines.filter((line) => line.startsWith('::'))).toEqual([
    expect.stringContaining('line=1,'),
  ]);
  expect(value).toBe(1);
});

/** Returns two tests whose responses have values of a seed. */
function testsOf(seed: number): TestRuns[] {
  return ['a', 'b'].map((name) => {
    const values = {
      total: seed,
      title: `Mug ${seed}`,
      at: `2026-03-0${seed}T09:00:00Z`,
      tags: [`t${seed}`],
    };
    const subjects = [read(`GET /${name}/:id 200`, values)];
    const plain = { ...quiet, calls: [`GET /${name}/:id`], statuses: [200] };
    return testRuns({ id: `${seed} ${name}`, name, file: `${name}.test.ts`, subjects, plain });
  });
}

/** Tries the mutants of tests, with the known ones in a file. */
async function closed(tests: readonly TestRuns[]) {
  const report = await mutateSuite(runner(tests, [], noticesAll), options);
  const baseline = new Baseline('mutate', 'known.json');
  const closing = { baseline, out: [], command, failOn: undefined };
  return {
    ids: report.results.map(({ id }) => id),
    ...printedBy(() => closeMutate(report, closing)),
  };
}

test('a baseline holds with other values, other ids of tests, and in another order', async () => {
  enterFolder();
  const first = await closed(testsOf(1));
  expect(first.value).toBe(0);
  const second = await closed(testsOf(2).toReversed());
  expect(second.lines.at(-1)).toMatch(/^\d\d findings are known by known\.json, 0 are new\.$/);
  expect(second.value).toBe(0);
  expect(second.ids).toEqual(first.ids);
});

test('texts cannot end a workflow command, or begin another one', () => {
  const finding: ReportedFinding = {
    id: 'a',
    title: 'a: b, c%\r\n::error::d',
    text: '100 %\n::error::x',
    at: { file: 'src/a,b:c.ts', line: 3 },
    test: undefined,
  };
  expect(workflowCommands({ command: 'mutate', summary: '', findings: [finding] })).toEqual([
    '::warning file=src/a%2Cb%3Ac.ts,line=3,title=Backlot%3A a%3A b%2C c%25%0D%0A%3A%3Aerror%3A%3Ad::100 %25%0A::error::x',
  ]);
});

test('survivors are written as Markdown, JUnit and SARIF, by the name of a file', async () => {
  enterFolder();
  await mutantsIn(['all.md', 'all.xml', 'all.sarif']);
  expect(readFileSync('all.md', 'utf8')).toContain('| GET /todos 200 total: 1 → 2 |');
  const junit = readFileSync('all.xml', 'utf8');
  expect(junit).toContain(
    '<testcase classname="GET /todos 200" name="total: 1 → 2"><failure message="The page shows',
  );
  const sarif = JSON.parse(readFileSync('all.sarif', 'utf8')) as {
    readonly runs: readonly { readonly results: readonly object[] }[];
  };
  expect(sarif.runs[0]?.results).toHaveLength(8);
  expect(sarif.runs[0]?.results[0]).toMatchObject({
    ruleId: 'backlot/mutate',
    locations: [
      { physicalLocation: { artifactLocation: { uri: 'src/page.ts' }, region: { startLine: 1 } } },
    ],
    partialFingerprints: { 'backlot/v1': 'GET /todos 200 total: one more' },
  });
});

test('red cells are written as annotations, Markdown and SARIF, at the line that sends the request', async () => {
  enterFolder();
  const suite = runner([recorded]);
  const report = await chaosSuite(
    {
      ...suite,
      run: async (byTest) =>
        (await suite.run(byTest)).map((one) => ({
          ...one,
          attempts: one.attempts.map((attempt) => ({
            ...attempt,
            verdict: { tone: 'red', reason: 'The page is empty.' },
          })),
        })),
    },
    options,
  );
  const baseline = new Baseline('chaos', undefined);
  const out = ['github', 'all.md', 'all.sarif'];
  const closing = { baseline, out, command, failOn: undefined };
  const { lines, value } = printedBy(() => closeChaos(report, closing));
  expect(value).toBe(0);
  expect(lines.filter((line) => line.startsWith('::'))).toEqual([
    '::warning file=src/list.ts,line=9,title=Backlot%3A GET /todos under drop%2C malformed%2C cut off%2C 503%2C 401%2C 429%2C slow::The page is empty.',
  ]);
  expect(readFileSync('all.md', 'utf8')).toContain(
    '| The page is empty. | src/list.ts:9 | shows &#124;',
  );
  expect(readFileSync('all.sarif', 'utf8')).toContain('"ruleId": "backlot/chaos"');
});
