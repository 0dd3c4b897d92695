import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { recordHooked } from '../hooked-recording.ts';
import { SuiteError } from '../recorded-suite.ts';
import type { Changes } from '../since.ts';
import type { Recording, SuiteRunner, TestRuns } from '../suite-runner.ts';
import { thrownErrorOf } from '../thrown-error.ts';
import type { Trials } from '../trials.ts';
import { installedRunner } from '../node/installed-runner.ts';
import { mocksIn } from '../node/mocked-modules.ts';
import { roundVariable, type JestResult, type JestRound } from './runner.ts';

/** The first version of Jest whose runner `runner.ts` wraps. */
const leastVersion = '29';

/**
 * Opens the suite that a command of Jest runs, with the Jest and the configuration of a folder.
 *
 * @param words what follows `jest`: `['test/checkout.test.js']`
 * @param nodeOptions options of Node.js: `['--experimental-vm-modules']`
 * @param paths known paths of an API that is not one of Backlot: `/api/orders/:order_id`
 * @throws Error that says what is missing
 */
export function openJestSuite(
  words: readonly string[],
  folder: string,
  nodeOptions: readonly string[] = [],
  paths: readonly string[] = [],
): SuiteRunner {
  const manifest = installedRunner('jest', folder, leastVersion);
  const script = join(dirname(manifest), 'bin/jest.js');
  const args = [...nodeOptions, script, ...words, ...flags];
  return new JestSuite(args, folder, circusOf(manifest), paths);
}

const runnerFile = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? './runner.ts' : '../jest-suite-runner.js',
    import.meta.url,
  ),
);

/** Flags after those of the user, which they replace. */
const flags = [
  `--testRunner=${runnerFile}`,
  // A changed response must not become a snapshot.
  '--ci',
  '--updateSnapshot=false',
  '--watch=false',
  '--watchAll=false',
  '--bail=0',
  '--coverage=false',
  '--passWithNoTests',
  '--silent',
  '--reporters=default',
  // A test with something wrong may go on for ever.
  '--forceExit',
];

/** Returns the file of the runner that a Jest comes with. */
function circusOf(manifest: string): string {
  return ['@jest/core', 'jest-config', 'jest-circus/runner'].reduce(
    (from, name) => createRequire(from).resolve(name),
    manifest,
  );
}

class JestSuite implements SuiteRunner {
  readonly #args: readonly string[];
  readonly #folder: string;
  readonly #circus: string;
  #paths: readonly string[];
  readonly #temporary = mkdtempSync(join(tmpdir(), 'backlot-jest-'));
  /** The file of each test, by its id. */
  readonly #files = new Map<string, string>();
  /** The files to run (default: those of the command). */
  #chosen: readonly string[] | undefined;
  /** The files whose hooks run around each test. */
  #hooked: readonly string[] = [];
  #rounds = 0;
  #child: ChildProcess | undefined;

  constructor(args: readonly string[], folder: string, circus: string, paths: readonly string[]) {
    this.#args = args;
    this.#folder = folder;
    this.#circus = circus;
    this.#paths = paths;
  }

  async related({ files }: Changes): Promise<readonly string[]> {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...this.#args, '--listTests', '--json', '--findRelatedTests', ...files],
      { cwd: this.#folder, maxBuffer: maxList },
    ).catch((error: unknown) => {
      throw new SuiteError(`Jest cannot list tests: ${reasonIn(thrownErrorOf(error).message)}`);
    });
    const related = JSON.parse(stdout) as readonly string[];
    return related.map((file) => this.#pathOf(file));
  }

  async record(...[files]: Parameters<SuiteRunner['record']>): ReturnType<SuiteRunner['record']> {
    this.#chosen = files;
    const { hooked, paths, ...recorded } = await recordHooked(
      (again) => this.#record(again),
      this.#paths,
    );
    this.#hooked = hooked;
    this.#paths = paths;
    return recorded;
  }

  recordOnce(): Promise<Recording> {
    return this.#record(undefined, true);
  }

  /** @param hooked the files to run, with their hooks around each test (default: all, as they are) */
  async #record(hooked?: readonly string[], isOnce = false): Promise<Recording> {
    const chosen = hooked ?? this.#chosen;
    const files = chosen === undefined ? [] : ['--runTestsByPath', ...this.#fullPaths(chosen)];
    const { results, reason } = await this.#run(files, { byTest: undefined, hooked, isOnce });
    for (const { file, tests } of results) for (const { id } of tests) this.#files.set(id, file);
    const errors = results.flatMap((one) => one.errors);
    return {
      tests: this.#testsOf(results),
      errors: results.length === 0 && reason !== undefined ? [reason] : errors,
      outside: Object.fromEntries(
        results.map(({ file, outside }) => [this.#pathOf(file), outside]),
      ),
    };
  }

  async run(...[byTest, traces]: Parameters<SuiteRunner['run']>): Promise<readonly TestRuns[]> {
    const files = new Set(Object.keys(byTest).map((id) => this.#files.get(id) ?? ''));
    const trials = { byTest, traces, hooked: this.#hooked };
    const { results } = await this.#run(['--runTestsByPath', ...files], trials);
    return this.#testsOf(results).filter(({ id }) => id in byTest);
  }

  #pathOf(file: string): string {
    return relative(this.#folder, file).replaceAll('\\', '/');
  }

  #fullPaths(paths: readonly string[] = []): string[] {
    return paths.map((path) => resolve(this.#folder, path));
  }

  #testsOf(results: readonly JestResult[]): TestRuns[] {
    const mocks = mocksIn(results.map(({ file }) => file));
    return results.flatMap(({ file, tests }) => {
      return tests.map((test) => ({ ...test, file: this.#pathOf(file), ...mocks.get(file) }));
    });
  }

  /** Runs Jest once. Returns what came out, in the order of the files, and what Jest has printed if it has failed. */
  async #run(
    more: readonly string[],
    trials: Trials,
  ): Promise<{ readonly results: readonly JestResult[]; readonly reason: string | undefined }> {
    const folder = join(this.#temporary, String((this.#rounds += 1)));
    mkdirSync(folder);
    const hooked = this.#fullPaths(trials.hooked);
    const round: JestRound = {
      trials: { ...trials, hooked, paths: this.#paths },
      circus: this.#circus,
    };
    writeFileSync(join(folder, 'round.json'), JSON.stringify(round));
    const child = spawn(process.execPath, [...this.#args, ...more], {
      cwd: this.#folder,
      env: { ...process.env, [roundVariable]: folder },
      stdio: ['ignore', 'ignore', 'pipe'],
      // In a group, which ends with all of its workers.
      detached: hasGroups,
    });
    this.#child = child;
    let printed = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => void (printed += text));
    const [code] = (await once(child, 'close')) as [number | null];
    const results = globSync('*.result.json', { cwd: folder }).map(
      (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as JestResult,
    );
    return {
      results: results.toSorted((one, other) => (one.file < other.file ? -1 : 1)),
      reason: code === 0 ? undefined : reasonIn(printed),
    };
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    if (hasGroups) process.kill(-child.pid, 'SIGKILL');
    else child.kill();
    await once(child, 'close');
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.#temporary, { recursive: true, force: true });
  }
}

/** Maximum size of a list of files, in bytes. */
const maxList = 64 * 1_048_576;

/** Whether a process may lead a group of processes. */
const hasGroups = process.platform !== 'win32';

/** Returns what Jest says when it cannot run, in one line. */
function reasonIn(printed: string): string {
  return stripVTControlCharacters(printed)
    .replaceAll(/[\s●]+/g, ' ')
    .trim()
    .slice(0, 300);
}
