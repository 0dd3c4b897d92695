import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { JSONReport, JSONReportSuite, JSONReportTestResult } from '@playwright/test/reporter';
import { isOfTests } from '../callers.ts';
import { msOf, SuiteError } from '../recorded-suite.ts';
import type { SuiteRunner, TestRuns } from '../suite-runner.ts';
import { plainRuns } from '../trial-runs.ts';
import type { Attempt, TestTrials, Trials } from '../trials.ts';
import { WatchedRun } from '../watched-run.ts';
import { installedRunner } from '../node/installed-runner.ts';
import { attachmentName, foreignServerIn, testId, trialsFile } from './run.ts';
import type { RunOutcome } from './run.ts';
import { suiteVariable } from '../node/session-runs.ts';

/** The first version of Playwright with `--test-list`. */
const leastVersion = '1.56';

/**
 * Opens the suite that a command of Playwright runs, with the Playwright and the configuration of a folder.
 *
 * @param words what follows `playwright`: `['test', 'checkout.spec.ts']`
 * @throws Error that says what is missing
 */
export function openPlaywrightSuite(words: readonly string[], folder: string): SuiteRunner {
  if (words[0] !== 'test') throw new Error(`its tests are run by 'playwright test'.`);
  return new PlaywrightSuite(cliOf(folder), words, folder);
}

class PlaywrightSuite implements SuiteRunner {
  readonly assertions = 'playwright';
  readonly #cli: string;
  readonly #words: readonly string[];
  readonly #folder: string;
  /** Where this process, the workers of Playwright and the servers of their sessions leave what they tell each other. */
  readonly #shared = mkdtempSync(join(tmpdir(), 'backlot-suite-'));
  #recorded: ReadonlyMap<string, TestRuns> = new Map();
  #child: ChildProcess | undefined;
  #isStopped = false;

  constructor(cli: string, words: readonly string[], folder: string) {
    this.#cli = cli;
    this.#words = words;
    this.#folder = folder;
  }

  async related(...[changes, say]: Parameters<SuiteRunner['related']>): Promise<string[]> {
    const { base, files, documents } = changes;
    const paths = files
      .filter((file) => !documents.includes(file))
      .map((file) => relative(this.#folder, file).replaceAll('\\', '/'));
    const ofPage = paths.find((path) => !isOfTests(path) && !isProse(path));
    if (ofPage !== undefined)
      say(
        `All tests are run: Playwright does not know which of them load ${ofPage}, which has changed.`,
      );
    const flags = ofPage === undefined ? ['--only-changed', base] : [];
    const report = await this.#run(1, { byTest: undefined }, ['--list', ...flags]);
    return [...new Set(report.suites.flatMap((suite) => filesOf(suite)))];
  }

  async record(...[files]: Parameters<SuiteRunner['record']>): ReturnType<SuiteRunner['record']> {
    const flags = files === undefined ? [] : ['--test-list', this.#listOf(files)];
    const report = await this.#run(plainRuns, { byTest: undefined }, flags);
    const tests = testsOf(report);
    this.#recorded = new Map(tests.map((one) => [one.id, one]));
    const errors = report.errors
      .map((error) => stripVTControlCharacters(error.message ?? ''))
      .filter((message) => tests.length > 0 || !message.includes('No tests found'));
    return { tests, errors };
  }

  async run(...[byTest, traces]: Parameters<SuiteRunner['run']>): Promise<readonly TestRuns[]> {
    const limited = Object.entries(byTest).map(([id, tried]): [string, TestTrials] => [
      id,
      { ...tried, limit: limitOf(this.#recorded.get(id)) },
    ]);
    const counts = limited.map(([, { trials }]) => trials.length);
    const list = this.#listOf(Object.keys(byTest).map(listed));
    const trials = { byTest: Object.fromEntries(limited), traces };
    const report = await this.#run(Math.max(...counts), trials, ['--test-list', list]);
    return testsOf(report).filter(({ id }) => id in byTest);
  }

  /** Writes the file of `--test-list`. */
  #listOf(lines: readonly string[]): string {
    const list = join(this.#shared, 'tests.txt');
    writeFileSync(list, [...new Set(lines)].join('\n'));
    return list;
  }

  /** @throws SuiteError if Playwright leaves no report, unless it was stopped while it started */
  async #run(
    repeats: number,
    trials: Trials,
    flags: readonly string[] = [],
  ): Promise<Pick<JSONReport, 'suites' | 'errors'>> {
    const [results, report] = ['results', 'report.json'].map((name) => join(this.#shared, name));
    writeFileSync(join(this.#shared, trialsFile), JSON.stringify(trials));
    rmSync(report!, { force: true });
    const own = ['--repeat-each', String(repeats), '--retries', '0', '--reporter', 'json'];
    // A changed response must not become a snapshot.
    const quiet = ['--update-snapshots', 'none', '--trace', 'off', '--output', results!];
    const child = spawn(process.execPath, [this.#cli, ...this.#words, ...own, ...quiet, ...flags], {
      cwd: this.#folder,
      env: {
        ...process.env,
        [suiteVariable]: this.#shared,
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        PLAYWRIGHT_FORCE_TTY: '0',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    let told = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => void (told += text));
    await once(child, 'close');
    this.#child = undefined;
    if (existsSync(report!)) return JSON.parse(readFileSync(report!, 'utf8')) as JSONReport;
    if (this.#isStopped) return { suites: [], errors: [] };
    throw new SuiteError(`Playwright did not run: ${told.trim().split('\n')[0] ?? ''}`);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const child = this.#child;
    if (child === undefined) return;
    child.kill('SIGINT');
    await once(child, 'close');
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.#shared, { recursive: true, force: true });
  }
}

/** Returns for how long the pages of a test may send and receive nothing, in milliseconds. */
function limitOf(test: TestRuns | undefined): number {
  return 1000 + Math.round(msOf(test));
}

/** Returns the line of a test in the file of `--test-list`, or that of its file, if a title cannot be in such a line. */
function listed(id: string): string {
  const [project = '', ...titles] = id.startsWith('[') ? id.split(' › ') : ['', ...id.split(' › ')];
  const isPlain = titles.every((title) => title === title.trim() && !/[›\n]/.test(title));
  const all = isPlain ? titles : titles.slice(0, 1);
  return [...(project === '' ? [] : [project]), ...all].join(' › ');
}

/** Whether no page loads a file. */
function isProse(path: string): boolean {
  return /\.(md|txt)$|(^|\/)(\.git\w+|licen[cs]e$)/i.test(path);
}

/** Returns the files of the tests in a group. */
function filesOf({ specs, suites = [] }: JSONReportSuite): string[] {
  return [...specs.map(({ file }) => file), ...suites.flatMap(filesOf)];
}

/** A result of a test, with what names the test. */
interface NamedResult {
  readonly id: string;
  readonly file: string;
  readonly name: string;
  readonly result: JSONReportTestResult;
}

/** Returns the tests of a report, each with what came out of its runs. @throws SuiteError for a server that was running before */
function testsOf({ suites }: Pick<JSONReport, 'suites'>): TestRuns[] {
  const results = suites.flatMap((suite) => resultsOf(suite, []));
  const issues = results.map(({ result }) => foreignServerIn(messageOf(result)));
  const issue = issues.find((text) => text !== undefined);
  if (issue !== undefined) throw new SuiteError(issue);
  return Array.from(
    Map.groupBy(results, ({ id }) => id),
    ([id, runs]) => {
      const { file, name } = runs[0]!;
      const outcomes = runs.flatMap(({ result }, at) => outcomeOf(result, at) ?? []);
      const attempts: Attempt[] = [];
      for (const { at, attempt } of outcomes) attempts[at] = attempt;
      const { subjects = [], plain } = outcomes.find(({ at }) => at === 0) ?? {};
      return { id, file, name, attempts, subjects, plain };
    },
  );
}

function resultsOf(suite: JSONReportSuite, groups: readonly string[]): NamedResult[] {
  const titles = [...groups, suite.title];
  const own = suite.specs.flatMap(({ title, tests }) =>
    tests.flatMap(({ projectName, results }) =>
      results.map((result) => ({
        id: testId(projectName, [...titles, title]),
        file: suite.file,
        name: [...titles.slice(1), title].join(' › '),
        result,
      })),
    ),
  );
  return own.concat((suite.suites ?? []).flatMap((one) => resultsOf(one, titles)));
}

/** Returns what came out of a run; undefined if it was skipped. Tests without Backlot leave nothing but their status. */
function outcomeOf(result: JSONReportTestResult, at: number): RunOutcome | undefined {
  const { attachments, status, duration: ms } = result;
  const body = attachments.find(({ name }) => name === attachmentName)?.body;
  if (body !== undefined) return JSON.parse(Buffer.from(body, 'base64').toString()) as RunOutcome;
  if (status === 'skipped') return undefined;
  const error = status === 'passed' ? undefined : messageOf(result);
  const plain = new WatchedRun().plain(undefined);
  return { at, attempt: { ms, error, texts: undefined }, subjects: [], plain };
}

function messageOf({ error }: JSONReportTestResult): string {
  return stripVTControlCharacters(error?.message ?? '');
}

/** Returns the program of the Playwright that a folder has. @throws Error */
function cliOf(folder: string): string {
  const manifest = installedRunner('@playwright/test', folder, leastVersion);
  return createRequire(manifest).resolve('@playwright/test/cli');
}
