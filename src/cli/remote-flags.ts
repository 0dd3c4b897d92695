import { serverFlags } from './server-flags.ts';
import { knownFindings } from './suite-flags.ts';
import { choice, number, serverUrl, text, type Flags } from './values.ts';

const {
  seed,
  port,
  host,
  allowedHost,
  corsOrigin,
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

export const verification = {
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

export const recording = {
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
  trace: {
    kind: text('<file.html>'),
    help: 'file for a trace of the replay, which marks the differences; .json for JSON',
  },
} satisfies Flags;

export const pull = {
  out: {
    short: '-o',
    kind: text('<scenario.json>'),
    help: 'file of the scenario',
    unset: 'the standard output',
  },
  anonymise: { help: 'replace what is about persons' },
  seed: {
    kind: seed.kind,
    help: 'seed of what replaces it; the same seed makes the same file (default: 1)',
  },
  replace: {
    kind: text('<table.field>'),
    help: 'another field to replace, such as products.description; repeatable',
    repeatable: true,
  },
  keep: {
    kind: text('<table.field>'),
    help: 'field that is about no person, whatever it looks like; repeatable',
    repeatable: true,
  },
  config: remoteConfig,
  apiPath: remoteApiPath,
  user: verification.user,
  client: verification.client,
  token: verification.token,
  timeout: verification.timeout,
  maxTime: { ...verification.maxTime, help: 'maximum time for all requests' },
} satisfies Flags;

export const proxy = {
  to: {
    kind: serverUrl,
    help: 'server to forward to: the URL in front of /api, or up to its end',
  },
  record: {
    kind: text('<file.har>'),
    help: 'file for a recording (HAR) of what passes, without secrets',
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
