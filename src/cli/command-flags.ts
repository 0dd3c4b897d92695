import { choice, maxInteger, number, serverUrl, text, type Flags } from './values.ts';

/** Flags of `backlot verify`. */
export const verification = {
  against: { kind: text('<url>'), help: 'server to check: the URL in front of /api' },
  readOnly: { help: 'send only requests that read; this is the default' },
  write: {
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
  user: { kind: text('<name:password>'), help: 'user to get a token for' },
  client: {
    kind: text('<id:secret>'),
    help: 'OAuth client to get a token with',
    default: 'demo_client:secret_demo_client',
  },
  token: {
    kind: text('<token>'),
    help: 'access token, in place of --user; of tail: token of the control API',
  },
  reporter: {
    kind: choice('<format>', ['text', 'json', 'junit']),
    help: 'format of the report',
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

/** Flags of `backlot proxy`. */
export const proxy = {
  to: {
    kind: serverUrl,
    help: 'server to forward to: the URL in front of /api',
  },
} satisfies Flags;

/** Flags of `backlot tail`. */
export const tail = {
  json: { help: 'print each entry with its changes as a line of JSON' },
  since: {
    kind: number(0, maxInteger, '<id>'),
    help: 'first print the entries after this one; 0 for all that are kept',
    unset: 'only new ones',
  },
  session: {
    kind: text('<name>'),
    help: 'session to follow',
    unset: 'the shared back office',
  },
} satisfies Flags;
