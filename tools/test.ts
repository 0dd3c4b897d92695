/**
 * `npm test`: what one runs before each commit. With the word `all`: what that leaves out. With `long`: all runs of each
 * property, the tests with the tag `long`, and the projects and tools of other people.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environment, root, run } from './run.ts';

/** What a command runs: scripts of package.json one after the other, and at the same time the chosen tests. */
interface Suite {
  readonly says: string;
  readonly scripts: readonly string[];
  readonly chosen: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const quick = ['core', 'node', 'studio'];

const suites: Readonly<Record<string, Suite>> = {
  quick: {
    says: 'Checking format and types, and testing the core, the hosts and the studio.',
    scripts: ['format:check', 'types'],
    chosen: [...quick.map((name) => `--project=${name}`), '--tags-filter=!long'],
  },
  all: {
    says: 'Checking lint and the package, and running the tests that npm test leaves out.',
    scripts: ['lint', 'package', 'lines'],
    chosen: [...[...quick, '*long'].map((name) => `--project=!${name}`), '--tags-filter=!long'],
  },
  long: {
    says: 'Running all tests with all runs of each property, and the projects and tools of other people.',
    scripts: ['test:projects', 'test:tools', 'test:site'],
    chosen: [],
    env: { RUNS: '1' },
  },
};

/** Runs a suite. The first script that fails ends its tests. @throws Error with what the script printed */
async function test(name: string): Promise<void> {
  const suite = suites[name];
  if (suite === undefined) throw new Error(`'${name}' not found. Use one of all, long.`);
  console.log(suite.says);
  const flags = ['--configLoader', 'native', '--config', 'test/vitest.config.ts'];
  const tests = spawn('vitest', ['run', ...flags, ...suite.chosen], {
    cwd: root,
    env: { ...environment, TESTS: name, ...suite.env },
    stdio: 'inherit',
  });
  const ended = once(tests, 'exit');
  // Ctrl+C reaches the tests, too, which end the programs that they have started.
  process.on('SIGINT', () => undefined);
  let printed = '';
  try {
    for (const script of suite.scripts) printed += await run('npm', ['run', '-s', script]);
  } catch (error) {
    tests.kill('SIGINT');
    await ended;
    throw error;
  }
  const [code] = (await ended) as [number | null];
  if (name !== 'quick') console.log(printed);
  if (code !== 0) process.exitCode = 1;
  else if (name === 'all' && process.env['CONTRACT_COVERAGE'] !== undefined)
    console.log(await run('node', ['tools/contract-coverage.ts']));
}

try {
  await test(process.argv[2] ?? 'quick');
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
