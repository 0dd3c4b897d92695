import { basename } from 'node:path';
import { printable } from '../engine/lib/printable.ts';
import { thrownMessage } from '../engine/lib/thrown.ts';
import { openJestSuite } from '../suite/jest/suite.ts';
import { openPlaywrightSuite } from '../suite/playwright/suite.ts';
import { openVitestSuite } from '../suite/vitest/suite.ts';
import type { ApiDocument } from '../suite/api-document.ts';
import { NothingPlanned, SuiteError, type SuiteOptions } from '../suite/recorded-suite.ts';
import type { Shard } from '../suite/shard.ts';
import type { SuiteRunner } from '../suite/suite-runner.ts';
import { assertReports } from './findings-files.ts';
import { changesSince } from './since.ts';
import { createSuiteProgress } from './suite-progress.ts';
import { printIssue, type ProgressLine } from './terminal.ts';
import { UsageError } from './values.ts';

/** A reader of YAML is loaded for it. */
async function readDocument(source: string): Promise<ApiDocument> {
  return (await import('./api-document.ts')).readApiDocument(source);
}

/** Flags of the commands that run a suite. */
interface SuiteArguments {
  /** The command of the suite. */
  readonly names: readonly string[];
  readonly test: readonly string[];
  readonly budget: number | undefined;
  readonly max: number | undefined;
  readonly since: string | undefined;
  readonly shard: Shard | undefined;
  readonly openapi: string | undefined;
  readonly out: readonly string[];
}

/** Does what a command does with a suite. @returns the exit code */
export type SuiteWork = (
  suite: SuiteRunner,
  options: SuiteOptions,
  progress: ProgressLine,
  document: ApiDocument | undefined,
) => Promise<number>;

/**
 * Runs a suite for a command, until the user interrupts it: then, what was found is told.
 *
 * @param onNothing writes reports without results, because nothing has changed
 * @returns the exit code; 2 for a suite that cannot be judged
 * @throws UsageError for a command line that cannot be run
 */
export async function withSuite(
  name: 'mutate' | 'chaos' | 'mocks',
  { names, test, budget, max, since, shard, openapi, out }: SuiteArguments,
  work: SuiteWork,
  onNothing: () => void = () => {},
): Promise<number> {
  assertReports(out);
  if (shard !== undefined && (out.length === 0 || !out.every((file) => file.endsWith('.json'))))
    throw new UsageError(
      `--shard requires a file for backlot merge: --out shard-${shard.index}.json`,
    );
  const changes =
    since === undefined ? undefined : await changesSince(since, process.cwd(), openapi);
  const unchanged = (why: string): number => {
    console.log(`${printable(why)} since ${printable(since ?? '')}: nothing was tried.`);
    onNothing();
    return 0;
  };
  if (changes !== undefined && changes.files.length + changes.endpoints.length === 0)
    return unchanged('Nothing has changed');
  const document = openapi === undefined ? undefined : await readDocument(openapi);
  const suite = await openSuite(name, names, document?.paths ?? []);
  const interrupted = new AbortController();
  let interruptedAt = Infinity;
  const onInterrupt = (): void => {
    if (milliseconds() - interruptedAt > atOnce) process.exit(2);
    interruptedAt = Math.min(interruptedAt, milliseconds());
    interrupted.abort();
    void suite.stop();
  };
  for (const signal of signals) process.on(signal, onInterrupt);
  const progress = createSuiteProgress(name);
  const includesTest = testFilter(test);
  try {
    const { signal } = interrupted;
    const { endpoints = [] } = changes ?? {};
    const print = (line: string): void => progress.print(printable(line));
    const related = changes?.files.length ? await suite.related(changes, print) : [];
    const scope = changes && { files: related, endpoints };
    if (scope !== undefined && scope.files.length + endpoints.length === 0) {
      progress.end();
      return unchanged('No test and no module of one has changed');
    }
    const options = { milliseconds, includesTest, budget, max, scope, shard, signal };
    return await work(suite, options, progress, document);
  } catch (error) {
    if (!(error instanceof SuiteError)) throw error;
    progress.end();
    if (changes !== undefined && error instanceof NothingPlanned)
      return unchanged('No test has a response of what has changed');
    printIssue(printable(error.message));
    return 2;
  } finally {
    progress.end();
    for (const signal of signals) process.off(signal, onInterrupt);
    await suite.close();
  }
}

/** Returns a function that chooses tests by parts of their names: those with one of them, and without each that `!` begins. */
function testFilter(parts: readonly string[]): (test: { readonly name: string }) => boolean {
  const out = parts.filter((part) => part.startsWith('!')).map((part) => part.slice(1));
  const within = parts.filter((part) => !part.startsWith('!'));
  return ({ name }) =>
    !out.some((part) => name.includes(part)) &&
    (within.length === 0 || within.some((part) => name.includes(part)));
}

/** They end a run: those of Ctrl+C, and of programs that stop others. */
const signals = ['SIGINT', 'SIGTERM'] as const;

/** Programs such as `timeout` and npm send a signal twice at once. Only a later one ends the process. In milliseconds. */
const atOnce = 1000;

function milliseconds(): number {
  return performance.now();
}

/** The command of a suite. */
interface SuiteCommand {
  /** What follows the name of the program. */
  readonly words: readonly string[];
  readonly folder: string;
  /** The paths of the API, by which requests that no back office answers are named: `/lists/{list}`. */
  readonly paths: readonly string[];
  /** What follows `node`, if the command begins with it. */
  readonly nodeOptions: readonly string[];
}

/** Opens suites of each program that runs tests, by its name. */
const runners: Readonly<
  Record<string, (command: SuiteCommand) => SuiteRunner | Promise<SuiteRunner>>
> = {
  vitest: ({ words, folder, paths }) => openVitestSuite(words, folder, paths),
  jest: ({ words, folder, nodeOptions, paths }) => openJestSuite(words, folder, nodeOptions, paths),
  playwright: ({ words, folder }) => openPlaywrightSuite(words, folder),
};

/** @throws UsageError for a command that runs no tests that it knows */
async function openSuite(
  name: string,
  command: readonly string[],
  paths: readonly string[],
): Promise<SuiteRunner> {
  const launcher = command.slice(0, launcherLength(command));
  const [path, ...words] = command.slice(launcher.length);
  const example = `backlot ${name} -- vitest run`;
  if (path === undefined)
    throw new UsageError(`${name} requires the command of your tests: ${example}`);
  const program = basename(path).replace(/\.[cm]?js$/, '');
  const open = Object.hasOwn(runners, program) ? runners[program] : undefined;
  if (open === undefined) {
    const names = Object.keys(runners).join(', ');
    throw new UsageError(`${name} runs the tests of ${names}, not '${path}': ${example}`);
  }
  try {
    return await open({
      words,
      folder: process.cwd(),
      paths,
      nodeOptions: launcher[0] === 'node' ? launcher.slice(1) : [],
    });
  } catch (error) {
    throw new UsageError(`Cannot start ${program}: ${printable(thrownMessage(error))}`);
  }
}

/** Returns the number of words before the program: `npx`, `pnpm exec`, `node --experimental-vm-modules`. */
function launcherLength(command: readonly string[]): number {
  const [first = '', second = ''] = command;
  if (first === 'node') return command.findIndex((word, at) => at > 0 && !word.startsWith('-'));
  if (/^(npx|bunx|yarn)$/.test(first)) return 1;
  return /^(npm|pnpm)$/.test(first) ? (/^(exec|dlx)$/.test(second) ? 2 : 1) : 0;
}
