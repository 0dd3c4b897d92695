import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBackOffice } from '../../src/adapters/node.ts';
import { Coverage } from '../../src/coverage/recorder.ts';
import { median, type Figure } from './report.ts';
import { createProject, files } from './suite.bench.ts';

const rounds = 15;
const testsPerRound = 40;

const suitePairs = 7;

/** What contract coverage adds to a suite, in CPU time, because a machine may have other work. */
export async function coverageFigures(): Promise<Figure[]> {
  return [...(await requestFigures()), suiteFigure()];
}

/** Tests in one process, without a test runner: set-up, six requests, and a page. */
async function requestFigures(): Promise<Figure[]> {
  const coverage = new Coverage();
  await cpuOf(() => runTests(coverage));
  const offs: number[] = [];
  const ons: number[] = [];
  for (let round = 0; round < rounds; round++) {
    offs.push(await cpuOf(() => runTests(undefined)));
    ons.push(await cpuOf(() => runTests(coverage)));
  }
  const shares = offs.map((off, at) => ((ons[at]! - off) / off) * 100);
  // The least time has the least disturbance.
  const added = Math.min(...ons) - Math.min(...offs);
  return [
    {
      name: 'CPU that coverage adds to a request',
      value: added / (testsPerRound * requestsPerTest),
      unit: 'µs',
    },
    { name: 'of the CPU of tests in one process', value: median(shares), unit: '%' },
  ];
}

/** Runs a suite of README's test by vitest, with and without the reporter in turn. */
function suiteFigure(): Figure {
  const project = mkdtempSync(join(tmpdir(), 'backlot-coverage-suite-'));
  try {
    createProject(project);
    const cpu = (...reporters: readonly string[]): number => {
      const flags = ['dot', ...reporters].map((name) => `--reporter=${name}`).join(' ');
      const command = `"${process.execPath}" node_modules/vitest/vitest.mjs run backlot ${flags} >&2; times`;
      const said = execFileSync('sh', ['-c', command], {
        cwd: project,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      return secondsOfChildren(said);
    };
    cpu();
    const pairs = Array.from({ length: suitePairs }, () => ({
      off: cpu(),
      on: cpu('backlot/vitest/coverage'),
    }));
    return {
      name: `of the CPU of vitest, ${files} files with README's test`,
      value: median(pairs.map(({ off, on }) => (on / off - 1) * 100)),
      unit: '%',
      detail: `median of ${suitePairs} pairs, ${median(pairs.map(({ off }) => off)).toFixed(1)} s each`,
    };
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
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
