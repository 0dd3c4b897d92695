import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { median, type Figure } from './report.ts';

const root = join(import.meta.dirname, '../..');
const files = 40;
const suiteRounds = 3;
const importRounds = 7;
/** What both suites import, linked from this project. */
const packages = ['msw', 'vitest', 'zod'];

/** What a test suite pays for the package as it is built, over plain MSW. */
export function suiteFigures(): Figure[] {
  const project = mkdtempSync(join(tmpdir(), 'backlot-suite-'));
  try {
    createProject(project, files);
    return [...importFigures(project), suiteFigure(project)];
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** Creates a project that has the built package installed, and two suites of the same test, one in each of some files. */
export function createProject(project: string, count: number): void {
  const backlot = join(project, 'node_modules/backlot');
  mkdirSync(backlot, { recursive: true });
  for (const name of ['package.json', 'fixtures', 'scenarios'])
    cpSync(join(root, name), join(backlot, name), { recursive: true });
  const script = join(root, 'tools/build.ts');
  const env = { ...process.env, OUT_DIR: join(backlot, 'dist') };
  execFileSync(process.execPath, [script, '--no-types'], { stdio: 'inherit', env });
  for (const name of packages) {
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
  }
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const sources = {
    backlot: join(root, 'test/readme/suite.test.ts'),
    plain: join(import.meta.dirname, 'suite-plain.txt'),
  };
  for (const [suite, source] of Object.entries(sources)) {
    for (let file = 1; file <= count; file++) {
      const copy = join(project, suite, `${file}.test.ts`);
      mkdirSync(dirname(copy), { recursive: true });
      cpSync(source, copy);
    }
  }
}

/** Runs both suites in turn, with isolated files, as vitest does by default. */
function suiteFigure(project: string): Figure {
  const run = (suite: string): number => {
    const start = performance.now();
    execFileSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', suite], {
      cwd: project,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return performance.now() - start;
  };
  for (const suite of ['plain', 'backlot']) run(suite);
  const rounds = Array.from({ length: suiteRounds }, () => ({
    plain: run('plain'),
    backlot: run('backlot'),
  }));
  const seconds = (suite: 'plain' | 'backlot'): string =>
    (median(rounds.map((round) => round[suite])) / 1000).toFixed(1);
  return {
    name: `${files} files with one test each, over plain MSW handlers`,
    value: median(rounds.map(({ plain, backlot }) => backlot / plain)),
    unit: 'x',
    limit: 1.2,
    detail: `${seconds('backlot')} s over ${seconds('plain')} s`,
  };
}

/** What a process does. */
const uses = {
  msw: `await import('msw/node');`,
  node: `await import('backlot/node');`,
  get: `
    const { createBackOffice } = await import('backlot');
    await (await createBackOffice().fetch('/api/orders/1')).text();
  `,
};

/** Compares the processor time of fresh processes, in turn. */
function importFigures(project: string): Figure[] {
  const rounds = Array.from({ length: importRounds }, () => ({
    msw: processorTime(project, uses.msw),
    node: processorTime(project, uses.node),
    get: processorTime(project, uses.get),
  }));
  const time = (use: keyof typeof uses): number => median(rounds.map((round) => round[use]));
  const figure = (name: string, use: keyof typeof uses, limit: number): Figure => ({
    name: `${name}, over msw/node alone`,
    value: time(use) / time('msw'),
    unit: 'x',
    limit,
    detail: `${time(use).toFixed(0)} ms over ${time('msw').toFixed(0)} ms`,
  });
  return [
    figure('import of backlot/node', 'node', 1.5),
    figure('import of backlot, with a first GET', 'get', 1.7),
  ];
}

/** Returns the milliseconds of processor time that a script takes in a process of its own, without the start of Node.js. */
function processorTime(project: string, source: string): number {
  const script = `
    const start = process.cpuUsage();
    ${source}
    const { user, system } = process.cpuUsage(start);
    console.log((user + system) / 1000);
  `;
  const options = ['--input-type=module', '--eval', script];
  return Number(execFileSync(process.execPath, options, { cwd: project, encoding: 'utf8' }));
}
