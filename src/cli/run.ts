import { Problem } from '../engine/lib/problem.ts';
import {
  commandOf,
  overview,
  parseArguments,
  usage,
  version,
  type CommandLine,
} from './arguments.ts';
import type { Arguments, CommandName } from './commands.ts';
import { loadApi } from './config.ts';
import { listScenarios } from './scenarios.ts';
import { serve } from './serve.ts';
import { printIssue, widthOf } from './terminal.ts';
import { UsageError } from './values.ts';
import { describeApis, finish } from '../engine/sessions/control-api.ts';
import { scenarioJsonSchema } from '../engine/scenario/json-schema.ts';
import { withPrefix } from '../engine/rest/openapi-prefix.ts';
import { sliceOf } from '../engine/rest/openapi-slice.ts';
import { provideParts } from '../shop/open-store-office.ts';

type Handlers = {
  /** Returns the exit code, or something else than a number for 0. */
  readonly [Name in CommandName]: (args: Arguments<Name>, stop?: AbortSignal) => unknown;
};

/** The function of each command, which receives its flags. */
const handlers: Handlers = {
  async serve(args, stop) {
    if (args.version) console.log(version());
    else await serve(args, stop);
  },
  init: async (args) => (await import('./init/init.ts')).init(args),
  scenarios: async (flags) =>
    console.log(listScenarios(widthOf(process.stdout), await loadApi(flags))),
  states: async (args) => (await import('./states.ts')).printStates(args),
  open: async (args) => (await import('./states.ts')).open(args),
  verify: async (args) => (await import('./verify.ts')).verify(args),
  async openapi({ basePath, only, ...flags }) {
    const api = await loadApi(flags);
    const document = withPrefix(finish(describeApis(api, version())), basePath, api.path);
    console.log(
      only.length === 0
        ? JSON.stringify(document, null, 2)
        : JSON.stringify(sliceOf(document, only, api.path)),
    );
  },
  contract: async (args) => (await import('./contract.ts')).printContract(args),
  async schema(flags) {
    console.log(JSON.stringify(scenarioJsonSchema(await loadApi(flags)), null, 2));
  },
  check: async (args) => (await import('./check.ts')).check(args),
  coverage: async (args) => (await import('./coverage.ts')).mergeFiles(args),
  chaos: async (args) => (await import('./chaos.ts')).chaos(args),
  mocks: async (args) => (await import('./mocks.ts')).mocks(args),
  mutate: async (args) => (await import('./mutate.ts')).mutate(args),
  merge: async (args) => (await import('./merge.ts')).merge(args),
  arazzo: async (args) => (await import('./arazzo.ts')).printArazzo(args),
  proxy: async (args, stop) => (await import('./proxy.ts')).proxy(args, stop),
  tail: async (args, stop) => (await import('./tail/tail.ts')).tail(args, stop),
  explain: async (args) => (await import('./explain.ts')).explain(args),
  replay: async (args) => (await import('./replay.ts')).replay(args),
  pull: async (args) => (await import('./pull.ts')).pull(args),
  completion: async ({ names }) =>
    console.log((await import('./completion.ts')).completionScript(names)),
  help: ({ names: [name] }) => printHelp(commandOf(name === undefined ? [] : [name])),
  version: () => console.log(version()),
};

/**
 * Runs a command line.
 *
 * @param stop ends a server or a `tail`, as SIGINT and SIGTERM do
 * @returns the exit code: 0 for success, 1 for coverage below a minimum or if `verify` finds a difference, 2 for a command
 * line or scenario that cannot be run
 */
export async function run(words: readonly string[], stop?: AbortSignal): Promise<number> {
  provideParts();
  try {
    const line = commandOf(words);
    return await runCommand<CommandName>(line, handlers[line.name], stop);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof Problem)) throw error;
    printIssue(error.message);
    return 2;
  }
}

async function runCommand<Name extends CommandName>(
  line: CommandLine & { readonly name: Name },
  handle: Handlers[Name],
  stop: AbortSignal | undefined,
): Promise<number> {
  const values = parseArguments(line.args, line.name);
  const code: unknown = values.help ? printHelp(line) : await handle(values, stop);
  return typeof code === 'number' ? code : 0;
}

/** Prints the help of a command, or the list of commands if the line names none. */
function printHelp({ name, isNamed }: CommandLine): void {
  const width = widthOf(process.stdout);
  console.log(isNamed ? usage(name, width) : overview(width));
}
