import { isForwardDuration, secondsIn } from '../lib/duration.ts';
import { UsageError } from './usage-error.ts';

const clocks = ['frozen', 'ticking'] as const;
const ways = ['optional', 'required', 'own'] as const;

/** What a server lets its visitors do: its sessions, its limits and who may steer it. */
export interface SessionArguments {
  readonly clock: (typeof clocks)[number];
  readonly sessions: (typeof ways)[number];
  readonly maxSessions: number | undefined;
  /** ISO 8601 */
  readonly sessionIdle: string | undefined;
  readonly maxRows: number | undefined;
  readonly maxSnapshots: number | undefined;
  readonly maxBodyBytes: number | undefined;
  readonly maxControlBytes: number | undefined;
  readonly maxImportBytes: number | undefined;
  /** Percent of all sessions and delayed responses. */
  readonly clientShare: number | undefined;
  /** Answers that are kept waiting. */
  readonly maxWaiting: number | undefined;
  /** Requests a second. */
  readonly requestRate: number | undefined;
  /** Proxies in front of the server, whose word is taken for where requests come from. */
  readonly proxies: number;
  /** Seconds; none, never. */
  readonly resetEvery: number | undefined;
  readonly control: boolean;
  readonly controlToken: string | undefined;
  readonly demo: boolean;
}

export const sessionOptions = {
  clock: { type: 'string' },
  sessions: { type: 'string' },
  'max-sessions': { type: 'string' },
  'session-idle': { type: 'string' },
  'max-rows': { type: 'string' },
  'max-snapshots': { type: 'string' },
  'max-body': { type: 'string' },
  'max-control-body': { type: 'string' },
  'max-import': { type: 'string' },
  'max-waiting': { type: 'string' },
  'client-share': { type: 'string' },
  rate: { type: 'string' },
  proxies: { type: 'string' },
  'reset-every': { type: 'string' },
  'no-control': { type: 'boolean' },
  'control-token': { type: 'string' },
  demo: { type: 'boolean' },
} as const;

type Values = { readonly [Name in keyof typeof sessionOptions]?: string | boolean | undefined };

/**
 * What visitors of a public server need: a shop of their own each, and no way to fill the memory. Whoever writes as much
 * as they can into as many sessions as there can be, and keeps it all in snapshots, comes to less than 1 GiB.
 */
const forVisitors: Values = {
  sessions: 'own',
  'max-sessions': '100',
  'session-idle': 'PT30M',
  'max-rows': '300',
  'max-snapshots': '2',
  'max-body': '8192',
  'max-control-body': '8192',
  'max-import': '786432',
  'max-waiting': '1000',
  'client-share': '20',
  rate: '20',
};

/** @throws UsageError that names the flag and what it takes */
export function parseSessionArguments(given: Values): SessionArguments {
  const demo = given.demo === true;
  const values: Values = demo ? { ...forVisitors, ...given } : given;
  const count = (flag: keyof Values): number | undefined => readCount(flag, values[flag]);
  const token = values['control-token'];
  if (token === '') throw new UsageError('--control-token takes a value.');
  if (token !== undefined && values['no-control'] === true) {
    throw new UsageError(
      '--no-control switches off what --control-token protects; remove one of the two.',
    );
  }
  return {
    clock: oneOf('clock', values.clock ?? 'frozen', clocks),
    sessions: oneOf('sessions', values.sessions ?? 'optional', ways),
    maxSessions: count('max-sessions'),
    sessionIdle: readIdle(values['session-idle']),
    maxRows: count('max-rows'),
    maxSnapshots: count('max-snapshots'),
    maxBodyBytes: count('max-body'),
    maxControlBytes: count('max-control-body'),
    maxImportBytes: count('max-import'),
    maxWaiting: count('max-waiting'),
    clientShare: readShare(values['client-share']),
    requestRate: count('rate'),
    proxies: readCount('proxies', values.proxies, 0) ?? 0,
    resetEvery: readInterval(values['reset-every']),
    control: values['no-control'] !== true,
    controlToken: typeof token === 'string' ? token : undefined,
    demo,
  };
}

function oneOf<const Name extends string>(
  flag: string,
  text: string | boolean,
  names: readonly Name[],
): Name {
  const name = names.find((one) => one === text);
  if (name !== undefined) return name;
  throw new UsageError(`--${flag} takes ${names.join(' or ')}, not '${text}'.`);
}

function readCount(
  flag: string,
  text: string | boolean | undefined,
  least = 1,
): number | undefined {
  if (text === undefined) return undefined;
  const count = typeof text === 'string' && /^(0|[1-9]\d{0,11})$/.test(text) ? Number(text) : -1;
  if (count >= least) return count;
  throw new UsageError(`--${flag} takes a whole number from ${least} on, not '${text}'.`);
}

function readShare(text: string | boolean | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (typeof text === 'string' && /^(100|[1-9]\d?)$/.test(text)) return Number(text);
  throw new UsageError(`--client-share takes a percentage from 1 to 100, not '${text}'.`);
}

function readDuration(flag: string, text: string | boolean | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (typeof text === 'string' && isForwardDuration(text)) return text;
  throw new UsageError(`--${flag} takes a duration such as PT30M or PT12H, not '${text}'.`);
}

/** What is idle at once would begin anew at every request. */
function readIdle(text: string | boolean | undefined): string | undefined {
  const duration = readDuration('session-idle', text);
  if (duration === undefined || secondsIn(duration) >= 1) return duration;
  throw new UsageError(`--session-idle takes a duration of a second or more, not '${text}'.`);
}

/** Timers of Node can wait for 24 days. */
function readInterval(text: string | boolean | undefined): number | undefined {
  const duration = readDuration('reset-every', text);
  if (duration === undefined) return undefined;
  const seconds = secondsIn(duration);
  if (seconds >= 1 && seconds <= 24 * 86_400) return seconds;
  throw new UsageError(`--reset-every takes a duration from PT1S to P24D, not '${text}'.`);
}
