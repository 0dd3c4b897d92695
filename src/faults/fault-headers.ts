import type { FaultRule } from '../models/fault-rule.ts';
import type { FieldProblem } from '../lib/problem.ts';

/**
 * What a fault may set on a server that anyone can add faults to. None of these headers affects another response of the
 * origin, as `set-cookie`, `clear-site-data` or a long-lived `cache-control` in a shared cache would, or sends the client
 * elsewhere. A `*` stands for the rest of a name.
 */
const allowed = [
  'allow',
  'content-language',
  'content-type',
  'deprecation',
  'etag',
  'last-modified',
  'ratelimit*',
  'retry-after',
  'server-timing',
  'sunset',
  'www-authenticate',
  'x-ratelimit-*',
  'x-request-id',
];

const exact: ReadonlySet<string> = new Set(allowed);
const starts = allowed.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));

/** What is wrong with the headers of a fault where only some may be set. */
export function limitedHeaderIssues({ headers }: Pick<FaultRule, 'headers'>): FieldProblem[] {
  const others = Object.keys(headers ?? {}).filter((name) => !isAllowed(name.toLowerCase()));
  if (others.length === 0) return [];
  const message = `Faults cannot set ${others.join(', ')} on this server. Allowed headers: ${allowed.join(', ')}.`;
  return [{ path: ['headers'], message }];
}

function isAllowed(name: string): boolean {
  return exact.has(name) || starts.some((start) => name.startsWith(start));
}
