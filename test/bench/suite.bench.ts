import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { median, type Figure } from './report.ts';

const root = join(import.meta.dirname, '../..');
const files = 40;
const suiteRounds = 3;
const importRounds = 11;
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
  cpSync(join(root, 'package.json'), join(backlot, 'package.json'));
  const script = join(root, 'tools/build.ts');
  const env = { ...process.env, OUT_DIR: join(backlot, 'dist') };
  execFileSync(process.execPath, [script], { stdio: 'inherit', env });
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
    limit: 1.15,
    detail: `${seconds('backlot')} s over ${seconds('plain')} s`,
  };
}

/** Milliseconds in a fresh process. */
interface ImportTimes {
  readonly import: number;
  readonly office: number;
}

function importFigures(project: string): Figure[] {
  const timesOf = (entry: string): ImportTimes =>
    JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '--eval', timedImport, entry], {
        cwd: project,
        encoding: 'utf8',
      }),
    ) as ImportTimes;
  for (const entry of ['msw/node', 'backlot/node']) timesOf(entry);
  const rounds = Array.from({ length: importRounds }, () => ({
    msw: timesOf('msw/node'),
    backlot: timesOf('backlot/node'),
  }));
  return [
    {
      name: 'import of backlot/node',
      value: median(rounds.map(({ backlot }) => backlot.import)),
      unit: 'ms',
      limit: 200,
    },
    {
      name: 'import of backlot/node, over msw/node alone',
      value: median(rounds.map(({ backlot, msw }) => backlot.import - msw.import)),
      unit: 'ms',
      limit: 120,
    },
    {
      name: 'the first back office of a process',
      value: median(rounds.map(({ backlot }) => backlot.office)),
      unit: 'ms',
      limit: 30,
    },
  ];
}

const timedImport = `
  const start = performance.now();
  const { createBackOffice } = await import(process.argv[1]);
  const imported = performance.now();
  createBackOffice?.();
  const opened = performance.now();
  console.log(JSON.stringify({ import: imported - start, office: opened - imported }));
`;
