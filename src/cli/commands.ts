import { serverFlags } from './server-flags.ts';
import { chaosFlags, knownFindings, mutateFlags } from './suite-flags.ts';
import {
  choice,
  maxInteger,
  number,
  reportFile,
  serverUrl,
  text,
  threshold,
  type Flags,
  type ValuesOf,
} from './values.ts';

const {
  port,
  host,
  allowedHost,
  corsOrigin,
  basePath,
  config,
  apiPath,
  quiet,
  noControl,
  controlToken,
} = serverFlags;

/** The path of the API of another server. */
const remoteApiPath = {
  kind: apiPath.kind,
  help: 'path of its store API',
  unset: 'that of the URL from /api on, or /api',
} as const;

/** The definition of another server. */
const remoteConfig = { ...config, help: 'definition of the API that it has' };

const verification = {
  against: {
    kind: text('<url>'),
    help: 'server to check: the URL in front of /api, or up to its end',
  },
  config: remoteConfig,
  apiPath: remoteApiPath,
  readOnly: { help: 'send only requests that read; this is the default' },
  write: {
    conflicts: ['readOnly'],
    help: 'also run workflows that write, and delete what they made; what the API cannot delete stays',
  },
  only: {
    kind: text('<resource>'),
    help: 'resource to check, such as orders; repeatable',
    repeatable: true,
  },
  settings: {
    kind: text('<file>'),
    help: 'JSON file with settings that the server must have; the others are found out and printed',
  },
  user: {
    kind: text('<name:password>'),
    conflicts: ['token'],
    help: 'user to get a token for',
  },
  client: {
    kind: text('<id:secret>'),
    help: 'OAuth client to get a token with',
    default: 'demo_client:secret_demo_client',
  },
  token: {
    kind: text('<token>'),
    help: 'access token, in place of --user',
  },
  reporter: {
    kind: choice('<format>', ['text', 'json', 'junit']),
    help: 'format of the report: text, json or junit',
    default: 'text',
  },
  timeout: {
    kind: number(1, 3600, '<seconds>'),
    help: 'maximum time for one response',
    default: '10',
  },
  maxTime: {
    kind: number(1, 86_400, '<seconds>'),
    help: 'maximum time for the whole check',
    default: '600',
  },
} satisfies Flags;

const recording = {
  scenario: {
    kind: text('<name|file>'),
    help: 'shop as the recording begins; auto for the records that its reads show',
    default: 'default',
  },
  settings: {
    kind: text('<file>'),
    help: 'JSON file with settings of the server that was recorded, in addition to those of the scenario',
  },
  config: remoteConfig,
  apiPath: { ...remoteApiPath, help: 'path of the store API in the recording', unset: '/api' },
  reporter: verification.reporter,
  baseline: knownFindings,
} satisfies Flags;

const proxy = {
  to: {
    kind: serverUrl,
    help: 'server to forward to: the URL in front of /api, or up to its end',
  },
  config: remoteConfig,
  apiPath: remoteApiPath,
  port,
  host,
  allowedHost,
  corsOrigin,
  quiet,
  noControl,
  controlToken,
} satisfies Flags;

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
    help: 'gaps of each measure to list, with a line that closes each',
    default: '0',
  },
  ignore: {
    kind: text('<pattern>'),
    help: 'items that need not be met; repeatable',
    repeatable: true,
  },
  out: {
    kind: reportFile,
    help: 'file for the merged report; its end says the format: .json, .html or .ctrf.json; repeatable',
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
