import type { Promised } from './stores.ts';

/** What no test can try here, each with the reason. */
export const untested: Readonly<Record<string, string>> = {
  'makes an image of 120 MB': 'requires Docker',
};

export const ofDemos: readonly Promised[] = [
  [
    'The initial state is the same at every start.',
    ['cli/sessions', 'a demo gives each visitor a session and resets on its schedule'],
  ],
  [
    'One client may begin 20 % of the sessions',
    ['cli/client-limits', 'in a demo, one client can open 20 of the 100 sessions'],
    ['cli/client-limits', 'one client can have only its share of the delayed responses'],
    ['sessions/client-share', '%s and %s count as one client'],
    ['cli/greeting', 'the server warns once of a proxy that it does not trust'],
  ],
  [
    '`--rate` counts every request before its body is read',
    [
      'cli/client-limits',
      'a request beyond the rate gets its response before its body is complete',
    ],
    ['sessions/visitors', 'requests without a session are rate-limited by client address'],
  ],
  [
    'A visitor without a cookie can read the shop as it begins.',
    ['sessions/visitors', 'reads without a cookie create no session'],
    ['sessions/cookieless.slow', 'sees no request of another visitor in the journal'],
    ['sessions/cookieless.slow', 'a token requested by GET without a cookie'],
  ],
  [
    'Faults may set only these headers',
    ['faults/fault-headers', 'a fault can set headers that affect one response'],
    ['faults/fault-headers', 'a scenario with others is rejected'],
  ],
  [
    'sessions, snapshots, records, delayed responses, bodies, imports',
    ['cli/flood', 'thousands of session names open at most the maximum number of sessions'],
    ['cli/flood', 'records, rules, tokens and snapshots of a session are limited'],
    ['cli/flood', 'the number of delayed responses is limited'],
    ['cli/flood', 'a body is read up to its limit, for an import too'],
  ],
  [
    '| requests | 20 a second',
    [
      'sessions/visitors',
      'an export or an import counts as ten requests for the rate of a session',
    ],
    ['sessions/costs', 'each endpoint counts as the requests that the table of demos says'],
    ['cli/flood', 'a session is limited to its rate, and other sessions are not'],
  ],
  [
    '| the start that a reset or a file names |',
    ['sessions/visitor-files.slow', 'a visitor of a demo may name no other $part'],
  ],
  [
    '| the states of a trace that is imported |',
    [
      'sessions/visitor-files.slow',
      'a trace whose resets have hundreds of different states takes little memory',
    ],
    ['sessions/visitor-files.slow', 'repeated imports of traces exceed the records of a session'],
  ],
  [
    '| journal and history of a session |',
    ['office/history-bounds', 'the history of a session keeps at most 256 KiB of earlier rows'],
    ['cli/flood', 'a full journal keeps the last entries and counts the dropped ones'],
  ],
  ['| an exported test | 1 MiB |', ['office/exported-test.slow', 'is refused beyond 1 MiB']],
  [
    '| a stream of events that is not read |',
    ['mounts/events', '200 that are not read keep 64 kB each and end'],
  ],
  [
    '| other responses that are not read |',
    ['stores/unread', 'a client that sends many requests without reading is disconnected'],
  ],
  [
    '| a response that another server makes |',
    ['stores/unread', 'a client that reads nothing is disconnected'],
  ],
  [
    'No endpoint shows one visitor what another one has sent',
    ['sessions/privacy.slow', 'no endpoint shows a visitor of a demo what another one has sent'],
  ],
  [
    'Copied commands and HAR files do not name the session of a visitor',
    [
      'sessions/privacy.slow',
      'what a visitor of a demo copies or exports does not name the session',
    ],
  ],
  [
    'a fault that is not JSON carries `Content-Security-Policy: sandbox`',
    ['faults/fault-headers', 'is sandboxed'],
    ['dashboard/fault-page', 'cannot read an order of a visitor'],
  ],
  [
    '`--base-path /demo` serves everything below `/demo/`',
    ['cli/base-path', 'with --base-path, the store API, tokens and sessions are served below it'],
    ['cli/base-path', 'the prefix and the protocol in the headers of a proxy are trusted'],
    ['sessions/prefix', 'the journal stores URLs and bodies without the base path'],
  ],
  [
    'All starts within one week have the same bytes.',
    ['scenario/today', 'all times of one week open the same bytes, and the next week others'],
    ['scenario/today', 'a reset and a session move the scenario to the week of their time'],
    ['cli/greeting', '--today and --now are rejected together'],
  ],
  [
    '`to` is a path of the same host',
    [
      'control/link-target.slow',
      'any accepted target stays at its host or leads to a named origin',
    ],
  ],
  [
    '`snapshot=<name>` begins from a snapshot instead.',
    ['sessions/begin', 'a link hands out a snapshot that the owner has published'],
    ['sessions/begin', 'without private sessions, a link begins from a snapshot'],
  ],
  [
    'A browser that loads the link in advance gets status 204',
    [
      'sessions/led-here',
      'a browser that loads a link in advance begins no session on a server of a developer',
    ],
  ],
  [
    "a visitor's earlier session ends when the one that a link has begun is first used",
    ['sessions/begin', 'replaces the first one when it is used'],
    ['sessions/begin', 'a browser that loads a link in advance begins no session'],
    ['sessions/begin', 'a page of another site cannot change or end the shop of a visitor'],
  ],
  [
    'A router of your own needs the option `newName`',
    ['sessions/begin', 'a link works in every mode of sessions, and needs names for sessions'],
  ],
  [
    'A session ends when it was idle',
    ['sessions/session-end', 'an expired session shows a page to browsers once'],
    ['sessions/session-end', 'a session ends after its life, used or not'],
    ['sessions/session-end', 'a full house shows a page to browsers and JSON to programs'],
    ['sessions/session-end', 'health tells the session of a request without using it'],
  ],
  [
    'A page of yours shows all this in a banner',
    ['dashboard/demo-pages', 'the banner tells a page of another origin whose shop it uses'],
  ],
  [
    '`--watch` opens the file of a scenario anew',
    [
      'cli/watch.process',
      '--watch opens a changed scenario anew, and a wrong one leaves the former',
    ],
    ['cli/watch.process', '--watch follows the files that a scenario extends and reads'],
  ],
  [
    '`GET /_backlot/metrics` has counts and durations',
    ['sessions/metrics', 'metrics count requests by endpoint and status, sessions and evictions'],
  ],
  [
    '`GET /_backlot/health?ready` has status 503 while a server with `--demo` warms up',
    ['sessions/session-end', 'health?ready has status 503 until the server is ready'],
    [
      'cli/sessions',
      '--demo is ready when it is warm, and --today starts it in the last seven days',
    ],
  ],
  ['makes an image of 120 MB'],
  [
    '| host names |',
    ['mounts/hosts', '%s is rejected for a host name that is not allowed'],
    ['mounts/hosts', '--allowed-host can be repeated and accepts names, domains and *'],
  ],
  [
    '| store API, `/api` and `/oauth` |',
    ['mounts/cors', 'pages of any origin can send %s by default'],
    ['mounts/cors', 'with named origins, %s from another origin is rejected'],
  ],
  [
    '| control API, `/_backlot` |',
    ['mounts/origins', '%s is rejected from a page of another origin'],
    ['mounts/origins', 'a page of the loopback origin %s can use the control API'],
  ],
  [
    '| other machines |',
    ['cli/greeting', 'on a loopback address, the greeting lists no other machines'],
    ['cli/greeting', 'on all addresses, the greeting lists a URL for each'],
    ['sessions/visitors', 'a control API that is off rejects every request'],
  ],
];
