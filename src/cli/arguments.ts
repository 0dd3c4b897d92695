import { readFileSync } from 'node:fs';
import { Command, CommanderError, Help, Option } from 'commander';
import { flagGroups, type FlagValues } from './flags.ts';
import type { Flag } from './values.ts';

/** A command line that cannot be run. The message states what is wrong and the fix. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const commands = {
  serve: 'start the server; the default command',
  scenarios: 'list the built-in scenarios',
  verify:
    'check whether the server at --against keeps the contract; exit code 0 if it does, 1 if not, 2 if it cannot be checked',
  openapi: 'print the API as an OpenAPI 3.1 document',
  coverage: 'merge reports of contract coverage: coverage merge a.json b.json --min 80',
  arazzo: 'print workflows as an Arazzo 1.0 document: all of them, or those that are named',
  proxy: 'forward requests to another server, and check them and its responses',
  tail: 'print what happens on a running server: tail http://127.0.0.1:4000 is:rejected step:purchase order:105',
  help: 'print this help',
  version: 'print the version',
} as const;

export interface Arguments extends Omit<FlagValues, 'corsOrigin'> {
  readonly command: keyof typeof commands;
  /** The words after the command: `['checkout']`. */
  readonly names: readonly string[];
  /** `*`, or the origins whose pages can send requests. */
  readonly corsOrigin: '*' | readonly string[];
}

/** @throws UsageError that names the flag and the values that it accepts */
export function parseArguments(args: readonly string[]): Arguments {
  let command = 'serve' as keyof typeof commands;
  let names: readonly string[] = [];
  const program = createProgram((name, others) => {
    command = name;
    names = others;
  });
  try {
    program.parse(args, { from: 'user' });
  } catch (error) {
    throw error instanceof CommanderError ? new UsageError(sentencesOf(error.message)) : error;
  }
  const values = program.opts<FlagValues>();
  if (!values.control && values.controlToken !== undefined) {
    throw new UsageError('--no-control and --control-token cannot be used together.');
  }
  if (command === 'proxy' && values.to === undefined) {
    throw new UsageError('proxy requires the server to forward to: --to https://shop.test.');
  }
  if (values.today && values.now !== undefined) {
    throw new UsageError('--today and --now cannot be used together.');
  }
  if (values.store === undefined && (values.advertise !== undefined || values.durable)) {
    throw new UsageError('--advertise and --durable require --store.');
  }
  const origins = values.corsOrigin.flat();
  if (origins.includes('*') && origins.some((origin) => origin !== '*')) {
    throw new UsageError('--cors-origin must be either * or a list of origins, not both.');
  }
  return {
    ...values,
    names,
    corsOrigin: origins.includes('*') ? '*' : origins,
    command: values.help ? 'help' : values.version ? 'version' : command,
  };
}

/** @param columns the width of the terminal, if there is one */
export function usage(columns = 80): string {
  return createProgram(() => undefined)
    .configureHelp({ helpWidth: columns, optionDescription: ({ description }) => description })
    .helpInformation()
    .trimEnd();
}

/** Returns the version in package.json, two folders above both the sources and the build. */
export function version(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version: found } = JSON.parse(file) as { version: string };
  return found;
}

/**
 * Formats rows of two columns. The second column is wrapped.
 *
 * @param columns the width of the terminal; if undefined, nothing is wrapped
 */
export function formatRows(
  rows: readonly (readonly [name: string, text: string])[],
  columns = Infinity,
): string[] {
  const help = Object.assign(new Help(), { helpWidth: columns });
  const width = Math.max(...rows.map(([name]) => help.displayWidth(name)));
  return rows.map(([name, text]) => help.formatItem(name, width, text, help));
}

function createProgram(
  select: (name: keyof typeof commands, names: readonly string[]) => void,
): Command {
  const program = new Command('backlot')
    .description('An in-memory mock of a store back office')
    .usage('[command] [flags]')
    .helpOption(false)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .allowExcessArguments()
    .action(() => {
      const [unknown] = program.args;
      if (unknown === undefined) return;
      const names = Object.keys(commands).join(', ');
      throw new UsageError(`Unknown command '${unknown}'. The commands are ${names}.`);
    });
  for (const [name, description] of Object.entries(commands)) {
    program
      .command(name)
      .usage(' ')
      .description(description)
      .helpOption(false)
      .action((_, { args }: Command) => select(name as keyof typeof commands, args));
  }
  const demo: Record<string, unknown> = {};
  for (const [heading, flags] of Object.entries<Readonly<Record<string, Flag>>>(flagGroups)) {
    for (const [name, flag] of Object.entries(flags)) {
      const option = optionOf(name, flag).helpGroup(`${heading}:`);
      if (name === 'demo') option.implies(demo);
      if (flag.demo !== undefined) demo[name] = flag.kind?.parse(flag.demo);
      program.addOption(option);
    }
  }
  return program;
}

/** Returns a flag as an option of commander. */
function optionOf(name: string, flag: Flag): Option {
  const { kind, short, repeatable = false } = flag;
  const long = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const names = short === undefined ? long : `${short}, ${long}`;
  const option = new Option(
    kind === undefined ? names : `${names} ${kind.placeholder}`,
    describe(flag),
  );
  if (kind === undefined) return option.negate ? option : option.default(false);
  const parse = (text: string): unknown => {
    const value = kind.parse(text);
    if (value === undefined) {
      throw new UsageError(`${long} must be ${kind.expected}, not '${text}'.`);
    }
    return value;
  };
  const initial = flag.default === undefined ? [] : [parse(flag.default)];
  if (!repeatable) return option.default(initial[0]).argParser(parse);
  // The first use of the flag replaces the default.
  return option
    .default(initial)
    .argParser((text, values: unknown) => [
      ...(values === initial || !Array.isArray(values) ? [] : (values as unknown[])),
      parse(text),
    ]);
}

/** Returns the help text of a flag, with its defaults. */
function describe({ help, default: initial, unset, demo }: Flag): string {
  const notes = [
    ...(initial !== undefined || unset !== undefined ? [`default: ${initial ?? unset}`] : []),
    ...(demo === undefined ? [] : [`--demo: ${demo}`]),
  ];
  return notes.length === 0 ? help : `${help} (${notes.join('; ')})`;
}

/** `error: unknown option '--prot'\n(Did you mean --port?)` → `Unknown option '--prot'. Did you mean --port?` */
function sentencesOf(message: string): string {
  return message
    .replace(/^error: (.)/, (_, first: string) => first.toUpperCase())
    .replace(/\n\((.*)\)$/, '. $1')
    .replace(/(?<![.?])$/, '.');
}
