import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
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
export async function openJestSuite(
  words: readonly string[],
  folder: string,
  nodeOptions: readonly string[] = [],
  paths: readonly string[] = [],
): Promise<SuiteRunner> {
  const manifest = installedRunner('jest', folder, leastVersion);
  const program = [...nodeOptions, join(dirname(manifest), 'bin/jest.js')];
  const mayChoose = words.some((word) => !word.startsWith('-'));
  const { patterns } = mayChoose ? await configOf(program, words, folder) : noConfig;
  return new JestSuite({ program, words, patterns }, folder, circusOf(manifest), paths);
}

/** The command of a suite. */
interface JestCommand {
  /** Options of Node.js, and the script of Jest. */
  readonly program: readonly string[];
  readonly words: readonly string[];
  /** The words that choose files of tests. */
  readonly patterns: readonly string[];
}

/** What Jest reads of a command and of the configuration. */
interface JestConfig {
  readonly patterns: readonly string[];
  /** The folders in which it knows files. */
  readonly roots: readonly string[];
  /** The ends of their names: `ts`. */
  readonly extensions: readonly string[];
}

const noConfig: JestConfig = { patterns: [], roots: [], extensions: [] };

/** Asks Jest. What it cannot read is told when it runs. */
async function configOf(
  program: readonly string[],
  words: readonly string[],
  folder: string,
): Promise<JestConfig> {
  const args = [...program, ...words, '--showConfig'];
  const options = { cwd: folder, maxBuffer: maxList };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    const { globalConfig, configs } = JSON.parse(stdout) as ShownConfig;
    return {
      patterns: globalConfig.nonFlagArgs.map(String),
      roots: configs.flatMap(({ roots }) => roots),
      extensions: configs.flatMap(({ moduleFileExtensions }) => moduleFileExtensions),
    };
  } catch {
    return noConfig;
  }
}

interface ShownConfig {
  readonly globalConfig: { readonly nonFlagArgs: readonly (string | number)[] };
  readonly configs: readonly {
    readonly roots: readonly string[];
    readonly moduleFileExtensions: readonly string[];
  }[];
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
  readonly #command: JestCommand;
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

  constructor(command: JestCommand, folder: string, circus: string, paths: readonly string[]) {
    this.#command = command;
    this.#folder = folder;
    this.#circus = circus;
    this.#paths = paths;
  }

  async related({ files }: Changes): Promise<readonly string[]> {
    const { program, words, patterns } = this.#command;
    const { roots, extensions } = await configOf(program, words, this.#folder);
    // Jest knows no importers of other files: of another package of a workspace, for example.
    const others = files
      .filter((file) => extensions.includes(extname(file).slice(1)))
      .filter((file) => !roots.some((root) => isWithin(root, file)))
      .flatMap((file) => folderBeside(this.#folder, file) ?? []);
    const all = others.length === 0 ? [] : [...roots, ...new Set(others)];
    const flagsOfRoots = all.map((root) => `--roots=${root}`);
    const related = await this.#list([...flagsOfRoots, '--findRelatedTests', ...files], false);
    if (patterns.length + all.length === 0) return related;
    const chosen = new Set(await this.#list([], true));
    return related.filter((file) => chosen.has(file));
  }

  async #list(more: readonly string[], hasPatterns: boolean): Promise<string[]> {
    const args = [...this.#argsOf(hasPatterns), '--listTests', '--json', ...more];
    const options = { cwd: this.#folder, maxBuffer: maxList };
    const { stdout } = await promisify(execFile)(process.execPath, args, options).catch(
      (error: unknown) => {
        throw new SuiteError(`Jest cannot list tests: ${reasonIn(thrownErrorOf(error).message)}`);
      },
    );
    const files = JSON.parse(stdout) as readonly string[];
    return files.map((file) => this.#pathOf(file));
  }

  /** @param hasPatterns whether the command chooses the files of tests */
  #argsOf(hasPatterns: boolean): string[] {
    const { program, words, patterns } = this.#command;
    const chosen = [...words];
    if (!hasPatterns) for (const pattern of patterns) chosen.splice(chosen.lastIndexOf(pattern), 1);
    return [...program, ...chosen, ...flags];
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
    const files = chosen && this.#fullPaths(chosen);
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
    const { results } = await this.#run([...files], trials);
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

  /**
   * Runs Jest once.
   *
   * @param files those of the tests (default: those of the command)
   * @returns what came out, in the order of the files, and what Jest has printed if it has failed
   */
  async #run(
    files: readonly string[] | undefined,
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
    const more = files === undefined ? [] : ['--runTestsByPath', ...files];
    const child = spawn(process.execPath, [...this.#argsOf(files === undefined), ...more], {
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

/** Returns the largest folder that has a file, but not another folder. */
function folderBeside(folder: string, file: string): string | undefined {
  const parent = dirname(file);
  return isWithin(parent, folder) ? undefined : (folderBeside(folder, parent) ?? parent);
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.replace(/[\\/]?$/, sep));
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
