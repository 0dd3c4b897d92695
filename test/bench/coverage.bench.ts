import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBackOffice } from '../../src/mounts/node.ts';
import { Coverage } from '../../src/engine/coverage/recorder.ts';
import { median, type Figure } from './report.ts';
import { createProject } from './suite.bench.ts';

const rounds = 31;
const warmUps = 10;
const testsPerRound = 40;

/** Many short runs, because the speed of a machine that others use changes within a minute. */
const suitePairs = Number(process.env['PAIRS'] ?? 40);
const files = 10;
/** In each file of the long suite. */
const testsPerFile = 25;

/** What contract coverage adds to a suite, in CPU time, because a machine may have other work. */
export async function coverageFigures(): Promise<Figure[]> {
  return [...(await requestFigures()), ...suiteFigures()];
}

/** Tests in one process, without a test runner: set-up, six requests, and a page. */
async function requestFigures(): Promise<Figure[]> {
  const coverage = new Coverage();
  for (let round = 0; round < warmUps; round++) {
    await runTests(undefined);
    await runTests(coverage);
  }
  const offs: number[] = [];
  const ons: number[] = [];
  for (let round = 0; round < rounds; round++) {
    offs.push(await cpuOf(() => runTests(undefined)));
    ons.push(await cpuOf(() => runTests(coverage)));
  }
  const shares = offs.map((off, at) => ((ons[at]! - off) / off) * 100);
  // What two runs without coverage differ by: less than that cannot be seen.
  const noise = offs.slice(1).map((off, at) => (off / offs[at]! - 1) * 100);
  // The least time has the least disturbance.
  const added = Math.min(...ons) - Math.min(...offs);
  return [
    {
      name: 'CPU that coverage adds to a request',
      value: added / (testsPerRound * requestsPerTest),
      unit: 'µs',
    },
    {
      name: 'of the CPU of tests in one process',
      value: median(shares),
      unit: '%',
      detail: `two runs without coverage differ by ${median(noise.map(Math.abs)).toFixed(1)} %`,
    },
  ];
}

/** Runs suites by vitest, with and without the reporter in turn. */
function suiteFigures(): Figure[] {
  const project = mkdtempSync(join(tmpdir(), 'backlot-coverage-suite-'));
  try {
    createProject(project, files);
    createLongSuite(project);
    const suites = [
      ['backlot', `${files} files with README's test`],
      ['long', `${files} files of ${testsPerFile} such tests`],
    ] as const;
    return suites
      .filter(([suite]) => suite.startsWith(process.env['SUITE'] ?? ''))
      .flatMap(([suite, title]) => figuresOf(project, suite, title));
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

function figuresOf(project: string, suite: string, title: string): Figure[] {
  const off = (): Cost => costOf(project, suite, 'dot');
  const on = (): Cost => costOf(project, suite, 'dot', 'backlot/vitest/coverage');
  off();
  const pairs = Array.from({ length: suitePairs }, (_, at) => {
    // Each goes first in half of the pairs.
    if (at % 2 === 0) return { off: off(), on: on() };
    const first = on();
    return { off: off(), on: first };
  });
  return (['cpu', 'time'] as const).map((measure) => {
    const added = pairs.map((pair) => pair.on[measure] - pair.off[measure]);
    const each = mean(pairs.map((pair) => pair.off[measure]));
    const percent = (seconds: number): number => (seconds / each) * 100;
    return {
      name: `of the ${measure === 'cpu' ? 'CPU' : 'time'} of vitest, ${title}`,
      value: percent(mean(added)),
      unit: '%',
      limit: 2,
      detail: `${suitePairs} pairs, ${each.toFixed(1)} s each, standard error ${percent(standardError(added)).toFixed(1)} %`,
    };
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** How far the mean of a sample is from the true mean, about. */
function standardError(values: readonly number[]): number {
  const center = mean(values);
  const variance = mean(values.map((value) => (value - center) ** 2));
  return Math.sqrt(variance / (values.length - 1));
}

/** A suite of the size that projects have: README's test, several times in each file. */
function createLongSuite(project: string): void {
  const source = readFileSync(join(project, 'backlot/1.test.ts'), 'utf8');
  const repeated = source.replace(
    /\btest\('([^']+)'/,
    `test.for([...Array(${testsPerFile}).keys()])('$1, %i'`,
  );
  const content = repeated.replace('async ({ office })', 'async (_, { office })');
  mkdirSync(join(project, 'long'));
  for (let file = 1; file <= files; file++)
    writeFileSync(join(project, 'long', `${file}.test.ts`), content);
}

/** Seconds. */
interface Cost {
  readonly cpu: number;
  readonly time: number;
}

function costOf(project: string, suite: string, ...reporters: readonly string[]): Cost {
  const flags = reporters.map((name) => `--reporter=${name}`).join(' ');
  const command = `"${process.execPath}" node_modules/vitest/vitest.mjs run ${suite} ${flags} >&2 && times`;
  const start = performance.now();
  const said = execFileSync('sh', ['-c', command], {
    cwd: project,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return { cpu: secondsOfChildren(said), time: (performance.now() - start) / 1000 };
}

/** Reads the second line of `times`: `0m1.50s 0m0.25s`, user and system. */
function secondsOfChildren(said: string): number {
  const [line = ''] = said.trim().split('\n').slice(-1);
  return [...line.matchAll(/(\d+)m([\d.]+)s/g)]
    .map(([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds))
    .reduce((total, one) => total + one, 0);
}

const requestsPerTest = 7;

async function runTests(coverage: Coverage | undefined): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  for (let test = 0; test < testsPerRound; test++) {
    const office = createBackOffice({ coverage });
    const { id } = office.given.anOrder({ at: 'shipping' });
    const put = (body: object) =>
      office.fetch(`/api/checkouts/${id}`, { method: 'PUT', headers, body: JSON.stringify(body) });
    await office.fetch(`/api/checkouts/${id}`);
    await put({ paymentMethod: 99 });
    await put({ paymentMethod: 1 });
    await office.fetch(`/api/checkouts/${id}`, { method: 'PUT' });
    await office.fetch(`/api/orders/${id}/`);
    await office.fetch('/api/orders/?limit=20');
    await office.fetch('/api/nowhere');
  }
}

/** Returns the CPU time of this process for some work, in microseconds. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
