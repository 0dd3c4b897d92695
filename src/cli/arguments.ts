import { builtInNames } from '../engine/scenario/built-in.ts';
import { storeApi } from '../shop/store-api.ts';
import { hintOf } from '../engine/lib/unknown-keys.ts';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { Command, CommanderError, Help, Option } from 'commander';
import { commands, type Arguments, type CommandName, type CommandRow } from './commands.ts';
import { examples, type Examples } from './examples.ts';
import { isShellCommand, wrapText } from './terminal.ts';
import { flagName, UsageError, type Flag } from './values.ts';

/** A command line, divided at its command. */
export interface CommandLine {
  readonly name: CommandName;
  /** Whether the line names it. */
  readonly isNamed: boolean;
  /** All words and flags but the command. */
  readonly args: readonly string[];
}

/**
 * Finds the command: the first word that is not the value of a flag. Without one, it is `serve`.
 *
 * @throws UsageError for a word that is no command
 */
export function commandOf(args: readonly string[]): CommandLine {
  const flags = Object.values(commands).flatMap((one) => Object.entries<Flag>(one.flags));
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (isCommand(word)) return { name: word, isNamed: true, args: args.toSpliced(at, 1) };
    if (!word.startsWith('-')) {
      const names = Object.keys(commands);
      throw new UsageError(
        `Unknown command '${word}'.${flagHint(word) ?? hintOf(word, names)} The commands are ${names.join(', ')}.`,
      );
    }
    const [, flag] =
      [...flags, helpEntry].find(
        ([name, { short }]) => flagName(name) === word.split('=')[0] || short === word,
      ) ?? [];
    if (flag === undefined) break;
    if (flag.kind !== undefined && !word.includes('=')) at++;
  }
  return { name: 'serve', isNamed: false, args };
}

/** Returns the flag that a word is the value of: npm keeps flags that do not follow a `--`, and passes on their values. */
function flagHint(word: string): string | undefined {
  const after = 'In a script of npm, flags follow `--`: `npm start -- ';
  if (/^\d+$/.test(word)) return ` Did you mean --port ${word}? ${after}--port ${word}\`.`;
  const isScenario = builtInNames(storeApi).includes(word) || word.endsWith('.json');
  return isScenario ? ` Did you mean --scenario ${word}? ${after}--scenario ${word}\`.` : undefined;
}

function isCommand(word: string): word is CommandName {
  return Object.hasOwn(commands, word);
}

/**
 * Parses what follows a command.
 *
 * @throws UsageError that names the flag and the values that it accepts, or the command that has the flag
 */
export function parseArguments<Name extends CommandName>(
  args: readonly string[],
  name: Name,
): Arguments<Name> {
  const program = createProgram(name);
  try {
    program.parse(args, { from: 'user' });
  } catch (error) {
    throw error instanceof CommanderError ? usageErrorOf(error, name) : error;
  }
  const values = program.opts<Arguments<Name>>();
  for (const [key, flag] of Object.entries<Flag>(commands[name].flags)) {
    const uses: unknown = program.getOptionValue(key);
    if (flag.combine && Array.isArray(uses)) Object.assign(values, { [key]: flag.combine(uses) });
  }
  return { ...values, names: program.args };
}

/**
 * Returns the help of one command.
 *
 * @param columns the width of the terminal, if there is one
 */
export function usage(name: CommandName, columns = 80): string {
  return helpText(createProgram(name), examples[name], columns);
}

/** Returns the list of the commands. @param columns the width of the terminal, if there is one */
export function overview(columns = 80): string {
  const program = createCommand(
    'backlot',
    'An in-memory mock of a store back office',
    '[command] [flags]',
  );
  for (const [name, { summary }] of Object.entries(commands)) {
    program.command(name).usage(' ').description(summary).helpOption(false);
  }
  const more = [
    '`backlot serve --help` prints the flags of the server.',
    '`backlot <command> --help` prints those of a command.',
  ];
  return `${helpText(program, examples.serve, columns)}\n\n${wrapText(more.join('\n'), columns)}`;
}

function helpText(program: Command, lines: Examples = [], columns: number): string {
  const help = program
    .configureHelp({
      helpWidth: columns,
      minWidthToWrap: 1,
      formatItem,
      optionDescription: ({ description }) => description,
    })
    .helpInformation()
    .trimEnd();
  const rows = formatRows(
    lines.map(([line, about]) => [`npx backlot ${line}`, about]),
    columns,
  );
  return [wrapText(help, columns), ...(rows.length > 0 ? ['', 'Examples:', ...rows] : [])].join(
    '\n',
  );
}

/** Returns the URL of a file of the package, whose root is two folders above both the sources and the build. */
export function inPackage(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}

/** Returns the version in package.json. */
export function version(): string {
  const file = readFileSync(inPackage('package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(file)).version;
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
  const help = Object.assign(new Help(), { helpWidth: columns, minWidthToWrap: 1 });
  const width = Math.max(...rows.map(([name]) => help.displayWidth(name)));
  return rows.map(([name, text]) => formatItem(name, width, text, help));
}

/** Formats rows as `formatRows` does, without the indent of two columns that those of `--help` have. */
export function listRows(...[rows, columns = Infinity]: Parameters<typeof formatRows>): string[] {
  return formatRows(rows, columns + 2).map((row) => row.replaceAll(/^ {2}/gm, ''));
}

/** The least width of a second column. */
const leastColumn = 24;

/** Formats a row of two columns; if the second one does not fit beside the first, it is below it. */
function formatItem(name: string, width: number, text: string, help: Help): string {
  const columns = help.helpWidth ?? Infinity;
  const isWhole = isShellCommand(text);
  const parts = isWhole ? [text] : text.split(' ');
  const widest = Math.max(leastColumn, ...parts.map((part) => help.displayWidth(part)));
  if (columns - width - 4 >= widest)
    return Help.prototype.formatItem.call(help, name, width, text, help);
  const below = isWhole ? text : help.boxWrap(text, Math.max(leastColumn, columns - 6));
  return `  ${name}\n${below.replaceAll(/^/gm, '      ')}`;
}

const helpEntry: readonly [name: string, flag: Flag] = [
  'help',
  { short: '-h', help: 'print this help' },
];

function createProgram(name: CommandName): Command {
  const { summary, words, flags }: CommandRow = commands[name];
  const program = createCommand(
    `backlot ${name}`,
    summary,
    [...(words === undefined ? [] : [words]), '[flags]'].join(' '),
  )
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .allowExcessArguments(words !== undefined)
    .action(() => undefined);
  const demo: Record<string, unknown> = {};
  let group = 'Flags:';
  for (const [key, flag] of [...Object.entries<Flag>(flags), helpEntry]) {
    if (flag.heading !== undefined) group = `${flag.heading}:`;
    const option = optionOf(key, flag).helpGroup(group);
    if (key === 'demo') option.implies(demo);
    if (flag.demo !== undefined) demo[key] = flag.kind?.parse(flag.demo);
    program.addOption(option);
  }
  return program;
}

function createCommand(name: string, summary: string, words: string): Command {
  return new Command(name).description(summary).usage(words).helpOption(false).helpCommand(false);
}

/** Returns a flag as an option of commander. */
function optionOf(name: string, flag: Flag): Option {
  const { kind, short, repeatable = false, conflicts = [] } = flag;
  const long = flagName(name);
  const names = short === undefined ? long : `${short}, ${long}`;
  const option = new Option(
    kind === undefined ? names : `${names} ${kind.placeholder}`,
    describe(flag),
  ).conflicts([...conflicts]);
  if (kind === undefined) return option.negate ? option : option.default(false);
  const parse = (text: string): unknown => {
    const value = kind.parse(text);
    if (value === undefined) {
      const like = hintOf(text, kind.names ?? []);
      throw new UsageError(`${long} must be ${kind.expected}, not '${text}'.${like}`);
    }
    return value;
  };
  const initial = flag.default === undefined ? [] : [parse(flag.default)];
  if (!repeatable) return option.default(initial[0]).argParser(parse);
  // The first use of the flag replaces the default.
  return option
    .default(initial)
    .argParser<unknown[]>((text, values) => [...(values === initial ? [] : values), parse(text)]);
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
function usageErrorOf({ message, code }: CommanderError, name: CommandName): UsageError {
  const text = message
    .replace(
      /^error: option '(--[\w-]+)(?: [^']*)?' cannot be used with option '(--[\w-]+)(?: [^']*)?'$/,
      '$1 and $2 cannot be used together',
    )
    .replace(/^error: (.)/, (_, first: string) => first.toUpperCase())
    .replace(/\n\((.*)\)$/, '. $1')
    .replace(/(?<![.?])$/, '.');
  const lists = `\`backlot ${name} --help\` lists what ${name} takes.`;
  if (code === 'commander.excessArguments') return new UsageError(`${text} ${lists}`);
  const unknown = /'(--[\w-]+)/.exec(message)?.[1];
  const owners = Object.entries(commands)
    .filter(([, { flags }]) => Object.keys(flags).some((flag) => flagName(flag) === unknown))
    .map(([owner]) => owner);
  if (code !== 'commander.unknownOption' || owners.length === 0) return new UsageError(text);
  return new UsageError(
    `${text} It is an option of ${owners.join(', ')}, not of ${name}. ${lists}`,
  );
}
