import { isHostName } from '../mounts/server/host-names.ts';
import { isBasePath } from '../mounts/server/hosts.ts';
import { isOrigin } from '../mounts/server/origins.ts';
import { isApiPath } from '../engine/lib/api-path.ts';
import { isForwardDuration, parseDateTime, secondsIn } from '../engine/lib/duration.ts';
import { maxDelay, parseDelay } from '../engine/lib/milliseconds.ts';
import { formatAlternatives } from '../engine/lib/names.ts';
import type { Shard } from '../suite/shard.ts';

/** A command line that cannot be run. The message states what is wrong and the fix. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A kind of flag value. */
export interface ValueKind<Value> {
  /** The value in `--help`: `<number>`. */
  readonly placeholder: string;
  /** Completes the error message "--port must be …". */
  readonly expected: string;
  /** Returns undefined for text that is not such a value. */
  readonly parse: (text: string) => Value | undefined;
  /** The values, if they have names. */
  readonly names?: readonly string[];
}

/** One command-line flag. Without a kind, it takes no value. */
export interface Flag<Value = unknown> {
  readonly help: string;
  readonly kind?: ValueKind<Value>;
  /** The value if the flag is not used, as it would be typed. */
  readonly default?: string;
  /** The value under `--demo`, as it would be typed. */
  readonly demo?: string;
  /** The effect of leaving out a flag that has no default value: `unlimited`. */
  readonly unset?: string;
  readonly short?: string;
  /** Whether the flag can be used several times. */
  readonly repeatable?: boolean;
  /** Returns the one value of all uses of a repeatable flag. */
  combine?(values: readonly unknown[]): unknown;
  /** Names of flags that cannot be used with this one. */
  readonly conflicts?: readonly string[];
  /** The heading in `--help` of this flag and of those after it. */
  readonly heading?: string;
}

export type Flags = Readonly<Record<string, Flag>>;

/** `allowedHost` → `--allowed-host` */
export function flagName(key: string): string {
  return `--${key.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}`;
}

export function text(placeholder: string): ValueKind<string> {
  return {
    placeholder,
    expected: 'a non-empty value without leading --',
    parse: (value) => (value.trim() === '' || value.startsWith('--') ? undefined : value),
  };
}

/** A whole number within these bounds, both included. */
export function number(min: number, max: number, placeholder = '<number>'): ValueKind<number> {
  const upper = max < maxInteger ? `from ${min} to ${max}` : `of at least ${min}`;
  return {
    placeholder,
    expected: `a whole number ${upper}`,
    parse(value) {
      const parsed = /^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : Number.NaN;
      return parsed >= min && parsed <= max ? parsed : undefined;
    },
  };
}

/** The largest number of 12 digits: more than any memory holds. */
export const maxInteger = 999_999_999_999;

export function choice<const Name extends string>(
  placeholder: string,
  names: readonly Name[],
): ValueKind<Name> {
  return {
    placeholder,
    names,
    expected: `one of ${names.join(', ')}`,
    parse: (value) => names.find((name) => name === value),
  };
}

/** An ISO 8601 date-time (UTC without an offset), as a timestamp of the shop. */
export const dateTime: ValueKind<string> = {
  placeholder: '<date-time>',
  expected: 'a date-time such as 2026-03-02T09:00:00Z',
  parse: parseDateTime,
};

/** An ISO 8601 duration of at least one second. */
export const idleTime: ValueKind<string> = {
  placeholder: '<duration>',
  expected: 'a duration of at least one second, such as PT30M',
  parse: (value) => (isForwardDuration(value, 1) ? value : undefined),
};

/** An ISO 8601 duration, in seconds. Timers of Node.js wait for at most 24 days. */
export const interval: ValueKind<number> = {
  placeholder: '<duration>',
  expected: 'a duration from PT1S to P24D',
  parse(value) {
    const seconds = isForwardDuration(value) ? secondsIn(value) : 0;
    return seconds >= 1 && seconds <= 24 * 86_400 ? seconds : undefined;
  },
};

/** A delay in milliseconds (`200`) or as a duration (`2s`), or a range of delays (`100-800`). */
export const latency: ValueKind<readonly [from: number, to: number]> = {
  placeholder: '<ms|from-to>',
  expected: `a delay of at most ${maxDelay} milliseconds such as 200 or 2s, or a range such as 100-800`,
  parse(value) {
    const [from, to = from, ...others] = value.split('-').map(millisecondsIn);
    if (from === undefined || to === undefined || others.length > 0) return undefined;
    return from <= to && to <= maxDelay ? [from, to] : undefined;
  },
};

function millisecondsIn(value: string): number | undefined {
  return /^\d{1,6}$/.test(value) ? Number(value) : parseDelay(value);
}

export const hostName: ValueKind<string> = {
  placeholder: '<name>',
  expected:
    'a host name without scheme or port such as shop.test, .shop.test for a domain and its subdomains, or *',
  parse: (value) => (isHostName(value) ? value : undefined),
};

/** One or more origins, separated by commas. */
export const origins: ValueKind<readonly string[]> = {
  placeholder: '<origin|*>',
  expected: '* or origins such as https://app.example',
  parse(value) {
    const all = value.split(',').map((origin) => origin.trim());
    return all.every((origin) => origin === '*' || isOrigin(origin)) ? all : undefined;
  },
};

/** Returns `*`, or the origins of all uses of a flag. @throws UsageError for both */
export function allOrigins(uses: readonly (readonly string[])[]): '*' | readonly string[] {
  const all = uses.flat();
  if (!all.includes('*')) return all;
  if (all.every((origin) => origin === '*')) return '*';
  throw new UsageError('--cors-origin must be either * or a list of origins, not both.');
}

/** A path without a trailing slash: `/demo`; `/` gives an empty one. */
export const basePath: ValueKind<string> = {
  placeholder: '<path>',
  expected:
    "a path that starts with /, such as /demo, of letters, digits and -._~!$&'()*+=:@ between the slashes",
  parse(value) {
    const path = value.replace(/\/$/, '');
    return value !== '' && isBasePath(path) ? path : undefined;
  },
};

/** The URL of the store API. */
export const apiPath: ValueKind<string> = {
  placeholder: '<path>',
  expected: "a path like /api/v1, or '' for none; /_backlot, /oauth and /s are taken",
  parse: (value) => (isApiPath(value) ? value : undefined),
};

/** The place of a store: a folder, or a Redis server. */
export const storeUrl: ValueKind<string> = {
  placeholder: '<url>',
  expected: 'file:<folder> or redis://<host>:<port>/<number>',
  parse: (value) => (/^file:.|^rediss?:\/\/./.test(value) ? value : undefined),
};

/** The URL of a server, without credentials, query and fragment. */
export const serverUrl: ValueKind<URL> = {
  placeholder: '<url>',
  expected:
    'an http or https URL without user, query and fragment, such as https://shop.test/backend',
  parse(value) {
    const url = URL.parse(value);
    const isServer = url !== null && /^https?:$/.test(url.protocol);
    if (!isServer || `${url.username}${url.password}${url.search}${url.hash}` !== '') return;
    return url;
  },
};

/** A duration: `60s`, `500ms`. */
export const milliseconds: ValueKind<number> = {
  placeholder: '<duration>',
  expected: 'a duration such as 60s or 500ms',
  parse: (value) => {
    const [, amount, unit] = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s|m)$/.exec(value) ?? [];
    const ms = Number(amount) * (unit === 'm' ? 60_000 : unit === 's' ? 1000 : 1);
    return ms > 0 ? ms : undefined;
  },
};

/** Maximum number of shards of a run. */
export const maxShards = 100;

/** A part of a run: `2/4`. */
export const shard: ValueKind<Shard> = {
  placeholder: '<shard>',
  expected: `a part of at most ${maxShards}, such as 2/4`,
  parse(value) {
    const [, index, total] = /^([1-9]\d{0,2})\/([1-9]\d{0,2})$/.exec(value)?.map(Number) ?? [];
    if (index === undefined || total === undefined || index > total) return undefined;
    return total > maxShards ? undefined : { index, total };
  },
};

/** A percentage, or a negative number of items. */
export const threshold: ValueKind<number> = {
  placeholder: '<percent>',
  expected: 'a percentage, or a negative number of items',
  parse: (value) =>
    /^-?\d+(\.\d+)?$/.test(value) && Number(value) <= 100 ? Number(value) : undefined,
};

/** The file of a report, whose name says the format. */
export function reportFile(...ends: readonly string[]): ValueKind<string> {
  return {
    placeholder: '<file>',
    expected: `a name that ends in ${formatAlternatives(ends)}`,
    parse: (value) => (ends.some((end) => value.endsWith(end)) ? value : undefined),
  };
}

/** The value of a flag. */
type ValueOf<Row> = Row extends { readonly combine: (values: never) => infer Value }
  ? Value
  : Row extends { readonly kind: ValueKind<infer Value> }
    ? Row extends { readonly repeatable: true }
      ? readonly Value[]
      : Row extends { readonly default: string }
        ? Value
        : Value | undefined
    : boolean;

/** The values of flags. */
export type ValuesOf<Rows> = {
  // `--no-control` sets `control` to false.
  readonly [Name in keyof Rows as Name extends 'noControl' ? 'control' : Name]: ValueOf<Rows[Name]>;
};
