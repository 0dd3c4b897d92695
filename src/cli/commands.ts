import { proxy, pull, recording, verification } from './remote-flags.ts';
import { serverFlags } from './server-flags.ts';
import { chaosFlags, mergeFlags, mocksFlags, mutateFlags } from './suite-flags.ts';
import {
  maxInteger,
  number,
  reportFile,
  text,
  threshold,
  type Flags,
  type ValuesOf,
} from './values.ts';

const { port, host, basePath, config, apiPath } = serverFlags;

/** A server that runs already. */
const running = {
  token: { kind: text('<token>'), help: 'token of the control API' },
  port: { ...port, heading: 'Without a URL', help: 'port of the server' },
  host: { ...host, help: 'address of the server' },
  basePath: { ...basePath, help: 'base path of the server' },
} satisfies Flags;

const session = { kind: text('<name>'), unset: 'the shared back office' } as const;

const brief = {
  conflicts: ['json'],
  help: 'print an entry as a brief response: what it changed, why not, what is next',
};

const tail = {
  brief,
  json: { help: 'print each entry with its changes as a line of JSON' },
  since: {
    kind: number(0, maxInteger, '<id>'),
    help: 'first print the entries after this one; 0 for all that are kept',
    unset: 'only new ones',
  },
  session: { ...session, help: 'session to follow' },
  ...running,
} satisfies Flags;

const explain = {
  at: {
    kind: number(0, maxInteger, '<entry>'),
    help: 'an order as it was after an entry of the history',
    unset: 'as it is',
  },
  brief,
  json: { help: 'print the explanation as a line of JSON' },
  session: { ...session, help: 'session to read' },
  ...running,
} satisfies Flags;

const open = {
  json: { help: 'print what was opened as a line of JSON' },
  session: { ...session, help: 'session to open it in' },
  ...running,
} satisfies Flags;

const merge = {
  config: {
    ...config,
    help: 'definition of the API whose added endpoints are listed, called or not',
  },
  min: { kind: threshold, help: 'minimum coverage; below it, the exit code is 1' },
  gaps: {
    kind: number(0, 10_000),
    help: 'gaps of each measure to list',
    default: '0',
  },
  ignore: {
    kind: text('<pattern>'),
    help: 'items that need not be met; repeatable',
    repeatable: true,
  },
  out: {
    kind: reportFile('.json', '.xml'),
    help: 'file for the merged report; its end says the format: .json, or .xml for JUnit; repeatable',
    repeatable: true,
  },
} satisfies Flags;

export interface CommandRow {
  readonly summary: string;
  /** The words after the command, for those that take some. */
  readonly words?: string;
  readonly flags: Flags;
}

/** Each command with the flags that it takes, besides `--help`. */
export const commands = {
  serve: {
    summary: 'start the server; the default command',
    flags: serverFlags,
  },
  init: {
    summary:
      'add Backlot to the project of this folder: a definition, a test for its test runner, and a script; files that are there stay',
    flags: {
      apiPath: {
        kind: apiPath.kind,
        help: 'path of the store API, such as /api/v1',
        unset: '/api',
      },
      skill: { help: 'add the skill for coding agents (default: asked in a terminal)' },
      dryRun: { help: 'print what it would write, and write nothing' },
    },
  },
  scenarios: {
    summary: 'list the built-in scenarios, and those of a definition',
    flags: { config },
  },
  states: {
    summary: 'list the states that can be opened by name, or the ways to open one',
    words: '[state]',
    flags: { config, port, host, basePath, apiPath },
  },
  open: {
    summary: 'open a state in a running server, and print what it has then',
    words: '<state> [url]',
    flags: open,
  },
  verify: {
    summary:
      'check whether the server at --against keeps the contract; exit code 0 if it does, 1 if not, 2 if it cannot be checked',
    flags: verification,
  },
  openapi: {
    summary: 'print the API as an OpenAPI 3.1 document',
    flags: {
      config,
      basePath,
      apiPath,
      only: {
        kind: text('<operation>'),
        help: "only this operation, such as 'POST /api/orders/', or all of a tag; repeatable",
        repeatable: true,
      },
    },
  },
  contract: {
    summary:
      'print the contract of endpoints in words: parameters, rules, errors, an example, what is next',
    words: '<endpoint>...',
    flags: { config, apiPath },
  },
  schema: {
    summary: 'print the JSON Schema of scenario files, for editors',
    flags: { config },
  },
  check: {
    summary:
      'check the definition of an API of your own: its scenarios, its examples, and that its code does the same each time; exit code 1 if there is an issue',
    flags: { config },
  },
  coverage: {
    summary: 'merge reports of contract coverage',
    words: 'merge <report.json>...',
    flags: merge,
  },
  mocks: {
    summary:
      'find out whether your mocks lie: run your tests once, and judge each response that they receive by an OpenAPI document; exit code 1 for each that the API would not send',
    words: '-- <command of your tests>',
    flags: mocksFlags,
  },
  mutate: {
    summary:
      'find out what your tests do not notice: run them with each field wrong that their code reads; exit code 1 if any survives',
    words: '-- <command of your tests>',
    flags: mutateFlags,
  },
  chaos: {
    summary:
      'find out which failure your pages do not survive: run your tests with one fault in one request at a time, or with responses in another order; exit code 1 if any page leaves its user in the dark',
    words: '-- <command of your tests>',
    flags: chaosFlags,
  },
  merge: {
    summary:
      'merge the reports of all shards of mutate or chaos; exit code 1 for findings, 2 if one is missing',
    words: '<report.json>...',
    flags: mergeFlags,
  },
  arazzo: {
    summary: 'print workflows as an Arazzo 1.0 document: all of them, or those that are named',
    words: '[workflow]...',
    flags: { config, port, host, basePath, apiPath },
  },
  proxy: {
    summary: 'forward requests to another server, and check them and its responses',
    flags: proxy,
  },
  tail: {
    summary: 'print what happens on a running server',
    words: '[url] [filter]...',
    flags: tail,
  },
  explain: {
    summary:
      'print why something of a running server is as it is: an order, stock, a state or an entry',
    words: '[url] <what> <id>',
    flags: explain,
  },
  replay: {
    summary:
      'send the requests of a recording (HAR) or a trace to a shop of its own, and print where its responses differ; exit code 1 if any does',
    words: '<recording|folder|trace>',
    flags: recording,
  },
  pull: {
    summary:
      'write the scenario of a server, or of a recording (HAR), with other persons if it is to be anonymised; exit code 1 if a text is left that may be about one',
    words: '<url|recording>',
    flags: pull,
  },
  completion: {
    summary: 'print the script with which a shell completes commands, flags and scenarios',
    words: '<bash|zsh|fish>',
    flags: {},
  },
  help: { summary: 'print this help, or that of a command', words: '[command]', flags: {} },
  version: { summary: 'print the version', flags: {} },
} satisfies Readonly<Record<string, CommandRow>>;

export type CommandName = keyof typeof commands;

/** The flags of a command with their values. */
export type Arguments<Name extends CommandName = 'serve'> = ValuesOf<
  (typeof commands)[Name]['flags']
> & {
  readonly help: boolean;
  /** The words after the command: `['checkout']`. */
  readonly names: readonly string[];
};
