import { parseArgs } from 'node:util';
import { isHostName } from '../adapters/http/hosts.ts';
import { isOrigin } from '../adapters/http/origins.ts';
import { isBasePath } from '../lib/base-path.ts';
import { maxDelay } from '../models/fault-rule.ts';
import { parseDateTime } from '../lib/duration.ts';
import {
  parseSessionArguments,
  sessionOptions,
  type SessionArguments,
} from './session-arguments.ts';
import { UsageError } from './usage-error.ts';

export type Command = 'serve' | 'scenarios' | 'openapi' | 'help' | 'version';

export interface Arguments extends SessionArguments {
  readonly command: Command;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly host: string;
  /** Host names that are served beside that of `host`. */
  readonly allowedHosts: readonly string[];
  /** A name, or the path of a JSON file. */
  readonly scenario: string;
  readonly seed: number | undefined;
  readonly now: string | undefined;
  /** How long every answer takes, in milliseconds, from the first to the second. */
  readonly latency: readonly [from: number, to: number];
  readonly corsOrigin: string | readonly string[];
  /** What every path begins with: `/demo`; empty for nothing. */
  readonly basePath: string;
  readonly quiet: boolean;
}

const options = {
  port: { type: 'string' },
  host: { type: 'string' },
  scenario: { type: 'string' },
  seed: { type: 'string' },
  now: { type: 'string' },
  latency: { type: 'string' },
  'allowed-host': { type: 'string', multiple: true },
  'cors-origin': { type: 'string', multiple: true },
  'base-path': { type: 'string' },
  ...sessionOptions,
  quiet: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

const commands: readonly Command[] = ['serve', 'scenarios', 'openapi', 'help', 'version'];

/** @throws UsageError that names the flag and what it takes */
export function parseArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parsed(args);
  return {
    command: values.help ? 'help' : values.version ? 'version' : readCommand(positionals),
    port: readPort(values.port ?? '4000'),
    host: filled('host', values.host ?? '127.0.0.1'),
    scenario: filled('scenario', values.scenario ?? 'default'),
    seed: values.seed === undefined ? undefined : readSeed(values.seed),
    now: values.now === undefined ? undefined : readNow(values.now),
    latency: readLatency(values.latency ?? '0'),
    allowedHosts: (values['allowed-host'] ?? []).map(readHostName),
    corsOrigin: readOrigins(values['cors-origin'] ?? ['*']),
    basePath: readBasePath(values['base-path'] ?? '/'),
    quiet: values.quiet ?? false,
    ...parseSessionArguments(values),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message.replaceAll('\n', ' ') : '';
    if (!reason.startsWith('Unknown option')) throw new UsageError(reason.replace(/\.?$/, '.'));
    const flags = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`${reason.split('. ', 1)[0]}. The flags are ${flags.join(', ')}.`);
  }
}

function readCommand(positionals: readonly string[]): Command {
  const [name = 'serve', ...rest] = positionals;
  const command = commands.find((one) => one === name);
  if (command === undefined || rest.length > 0) {
    const unknown = command === undefined ? name : rest.join(' ');
    throw new UsageError(`Unknown command '${unknown}'. The commands are ${commands.join(', ')}.`);
  }
  return command;
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`--port takes a number from 0 to 65535, not '${text}'.`);
}

function readSeed(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`--seed takes a whole number, not '${text}'.`);
}

function readNow(text: string): string {
  const moment = parseDateTime(text);
  if (moment !== undefined) return moment;
  throw new UsageError(`--now takes a moment such as 2026-03-02T09:00:00Z, not '${text}'.`);
}

/** `200`, or `100-800` for a range. */
function readLatency(text: string): readonly [number, number] {
  const [, from, to = from] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text) ?? [];
  if (from !== undefined && Number(from) <= Number(to) && Number(to) <= maxDelay)
    return [Number(from), Number(to)];
  throw new UsageError(
    `--latency takes up to ${maxDelay} milliseconds such as 200, or a range such as 100-800, not '${text}'.`,
  );
}

function readHostName(text: string): string {
  if (isHostName(text)) return text;
  throw new UsageError(
    `--allowed-host takes a host name without scheme or port such as shop.test, .shop.test with its subdomains, or *; not '${text}'.`,
  );
}

function readOrigins(texts: readonly string[]): string | readonly string[] {
  const origins = texts.flatMap((text) => text.split(',')).map((origin) => origin.trim());
  const wrong = origins.find((origin) => origin !== '*' && !isOrigin(origin));
  if (wrong !== undefined) {
    throw new UsageError(
      `--cors-origin takes * or origins such as https://app.example, not '${wrong}'.`,
    );
  }
  if (!origins.includes('*')) return origins;
  if (origins.every((origin) => origin === '*')) return '*';
  throw new UsageError(
    '--cors-origin takes either * for any origin, or origins that alone may write, not both.',
  );
}

/** A slash at the end makes no difference. */
function readBasePath(text: string): string {
  const path = text.replace(/\/$/, '');
  if (isBasePath(path) && text !== '') return path;
  throw new UsageError(
    `--base-path takes a path that starts with /, such as /demo, of letters, digits and -._~!$&'()*+=:@ between the slashes, not '${text}'.`,
  );
}

function filled(flag: string, text: string): string {
  if (text.trim() !== '') return text;
  throw new UsageError(`--${flag} takes a value.`);
}
