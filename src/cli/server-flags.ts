import { jsonLimits } from '../engine/lib/json-limits.ts';
import { weatherNames } from '../engine/faults/weather.ts';
import { demoLimits } from '../engine/sessions/demo.ts';
import {
  allOrigins,
  apiPath,
  basePath,
  choice,
  dateTime,
  hostName,
  idleTime,
  interval,
  latency,
  maxInteger,
  number,
  origins,
  storeUrl,
  text,
  type Flags,
} from './values.ts';

const count = number(1, maxInteger);
const bytes = number(1, maxInteger, '<bytes>');

const server = {
  port: {
    heading: 'Server flags',
    kind: number(0, 65_535),
    help: 'port to listen on; 0 selects a free one',
    default: '4000',
  },
  host: { kind: text('<address>'), help: 'address to listen on', default: '127.0.0.1' },
  allowedHost: {
    kind: hostName,
    help: 'host name to serve besides localhost and IP addresses: shop.test, .shop.test for a domain and its subdomains, * for every name; repeatable',
    repeatable: true,
  },
  scenario: {
    kind: text('<name|file>'),
    help: 'initial data and rules: a built-in scenario, or a file of JSON or TypeScript',
    default: 'default',
  },
  watch: {
    help: 'open the file of a scenario or of a definition anew when it changes, and what it imports; an invalid one changes nothing',
  },
  seed: {
    kind: number(0, 999_999_999_999_999),
    help: 'seed of generated passwords and tokens',
    unset: "the scenario's",
  },
  now: {
    kind: dateTime,
    help: 'start time of the clock, such as 2026-03-02T09:00:00Z',
    unset: "the scenario's",
  },
  today: {
    conflicts: ['now'],
    help: 'move the scenario by whole weeks, so that its start time is in the last seven days',
  },
  latency: {
    kind: latency,
    help: 'delay of every response in milliseconds: 200 or 2s, or 100-800 for a random delay',
    default: '0',
  },
  weather: {
    kind: choice('<name>', weatherNames),
    help: `named faults: ${weatherNames.join(', ')}`,
    unset: "the scenario's",
  },
  corsOrigin: {
    kind: origins,
    combine: allOrigins,
    help: 'origin whose pages can send requests; repeatable. Only pages of a named origin can use cookies and the control API, and pages of other origins cannot write',
    default: '*',
    repeatable: true,
  },
  basePath: { kind: basePath, help: 'prefix of every path, such as /demo', default: '/' },
  config: {
    kind: text('<file>'),
    help: 'definition of an API of your own',
    unset: 'backlot.config.ts, .js or .mjs of this folder, if there is one',
  },
  apiPath: {
    kind: apiPath,
    help: 'path of the store API, such as /api/v1',
    unset: 'that of the definition, or /api',
  },
  clock: {
    kind: choice('<frozen|ticking>', ['frozen', 'ticking']),
    help: 'frozen or ticking clock',
    default: 'frozen',
  },
  coverage: {
    kind: text('<file>'),
    help: 'count what requests meet of the contract, for GET /_backlot/coverage and, at the end, for this file',
    unset: 'off',
  },
  quiet: { help: 'do not log requests' },
} satisfies Flags;

const sessions = {
  sessions: {
    heading: 'Session flags (X-Backlot-Session, a cookie or /s/<name>/)',
    kind: choice('<mode>', ['optional', 'required', 'own']),
    help: 'what a request without a session gets: the shared back office (optional), an error (required), or a session of its own by cookie (own)',
    default: 'optional',
    demo: demoLimits.sessions,
  },
  maxSessions: {
    kind: count,
    help: 'maximum number of sessions at a time',
    unset: '1000',
    demo: String(demoLimits.maxSessions),
  },
  sessionIdle: {
    kind: idleTime,
    help: 'time without a request after which a session is deleted',
    unset: 'PT1H',
    demo: demoLimits.sessionIdle,
  },
  sessionLife: {
    kind: idleTime,
    help: 'time after which a session is deleted, used or not',
    unset: 'unlimited',
  },
  store: {
    kind: storeUrl,
    help: 'keep sessions in a store, so that they outlive the process: file:<folder>, or redis://<host>:6379/0 for several servers',
    unset: 'memory',
  },
} satisfies Flags;

const limits = {
  maxRows: {
    heading: 'Limits and demos',
    kind: count,
    help: 'maximum number of records that each session can add',
    unset: 'unlimited',
    demo: String(demoLimits.maxRows),
  },
  maxSnapshots: {
    kind: count,
    help: 'maximum number of snapshots in each session',
    unset: '1000',
    demo: String(demoLimits.maxSnapshots),
  },
  maxBody: {
    kind: bytes,
    help: 'maximum size of a request body',
    unset: String(jsonLimits.request.bytes),
    demo: String(demoLimits.maxBodyBytes),
  },
  maxControlBody: {
    kind: bytes,
    help: 'maximum size of a body for the control API',
    unset: String(jsonLimits.request.bytes),
    demo: String(demoLimits.maxControlBytes),
  },
  maxImport: {
    kind: bytes,
    help: 'maximum size of an export to import',
    unset: String(jsonLimits.import.bytes),
    demo: String(demoLimits.maxImportBytes),
  },
  maxWaiting: {
    kind: count,
    help: 'maximum number of delayed responses at a time',
    unset: 'unlimited',
    demo: String(demoLimits.maxWaiting),
  },
  clientShare: {
    kind: number(1, 100, '<percent>'),
    help: 'maximum share of --max-sessions and --max-waiting for one client address, in percent',
    unset: '100',
    demo: String(demoLimits.clientShare),
  },
  rate: {
    kind: count,
    help: 'maximum requests per second of each session, and of each client outside of sessions',
    unset: 'unlimited',
    demo: String(demoLimits.requestRate),
  },
  proxies: {
    kind: number(0, maxInteger),
    help: 'number of reverse proxies: their X-Forwarded-For, -Proto and -Prefix headers are trusted',
    default: '0',
  },
  resetEvery: {
    kind: interval,
    help: 'time between two resets of everything, such as PT12H',
    unset: 'never',
  },
  noControl: {
    conflicts: ['controlToken'],
    help: 'disable the control API under /_backlot/',
  },
  controlToken: { kind: text('<token>'), help: 'token required by the control API' },
  demo: { help: 'public demo: a session for each visitor, and every limit above set' },
} satisfies Flags;

/** The flags of `backlot serve`. */
export const serverFlags = {
  ...server,
  ...sessions,
  ...limits,
  version: { heading: 'Information', short: '-v', help: 'print the version' },
} satisfies Flags;
