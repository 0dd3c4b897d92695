import type { FindingKind, Report, SentRequest } from '../../engine/definition/drift.ts';
import { truncate, beginningOf } from '../../engine/lib/problem.ts';
import { isObject } from '../../engine/lib/json-value.ts';
import { encodeControls, escapeControls } from '../../engine/lib/printable.ts';

/** One difference between a response and the contract. */
export interface Finding {
  readonly kind: FindingKind;
  /** The endpoint: `GET /api/orders/:order_id/`. */
  readonly endpoint: string;
  /** The summary of the endpoint row, with its step: `Read an order or a cart`. */
  readonly row: string;
  /** Whether a definition has added the endpoint to the contract. */
  readonly extension?: true;
  /** The place in the response: `status`, `header location`, `body.items[0].total`. */
  readonly at: string;
  readonly expected: string;
  readonly received: string;
  /** The request: `GET /api/orders/3/`. */
  readonly request: string;
  /** A command that shows the difference. Credentials are a variable: `$TOKEN`. */
  readonly curl: string;
}

/** Maximum length of a value of a response, and of another text of a finding, which may contain such values. */
const [maxShown, maxText] = [160, 1000];

/** Returns a finding of an exchange. */
export function findingOf(
  about: Pick<Finding, 'endpoint' | 'row' | 'extension' | 'request' | 'curl'>,
  ...[kind, at, expected, received]: Parameters<Report>
): Finding {
  return {
    ...about,
    kind,
    at: truncate(at, maxText),
    expected: truncate(expected, maxText),
    received: shown(received),
  };
}

/** Formats a value of a response for a finding, on one line. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  let count = 0;
  // Each value takes a character at least, so no more of them are shown. All that a server sent could take megabytes.
  const start = (_: string, inner: unknown): unknown => {
    if (count++ > maxShown) return undefined;
    if (typeof inner === 'string') return beginningOf(inner, maxShown);
    return Array.isArray(inner) ? inner.slice(0, maxShown) : inner;
  };
  return truncate(JSON.stringify(value, start), maxShown);
}

/**
 * Reports the first difference in each branch of two JSON values.
 *
 * @param isCompared whether an expected value is compared (default: each is)
 */
export function reportDifferences(
  expected: unknown,
  received: unknown,
  report: Report,
  isCompared: (value: unknown) => boolean = () => true,
  path: readonly PropertyKey[] = [],
): void {
  if (Object.is(expected, received)) return;
  if (
    isObject(expected) &&
    isObject(received) &&
    Array.isArray(expected) === Array.isArray(received)
  ) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(received)]))
      reportDifferences(expected[name], received[name], report, isCompared, [...path, name]);
  } else if (isCompared(expected)) report('error', bodyPath(path), shown(expected), received);
}

/** Returns a path in a body: `body.items[0].total`. */
export function bodyPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) =>
      typeof key === 'number' || /^\d+$/.test(String(key))
        ? `${text}[${String(key)}]`
        : /^\w+$/.test(String(key))
          ? `${text}.${String(key)}`
          : `${text}[${JSON.stringify(String(key))}]`,
    'body',
  );
}

/** Returns a curl command for a request. Values of credentials are replaced by `$TOKEN`. */
export function curlOf(origin: string, { method, url, headers = {}, body }: SentRequest): string {
  const parts = ['curl', '-i', '-g'];
  if (method === 'HEAD') parts.push('--head');
  else if (method !== 'GET') parts.push('-X', method);
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || uninteresting.has(name)) continue;
    if (name === 'authorization') {
      parts.push('-H', `"Authorization: ${value.split(' ')[0] ?? 'Bearer'} $TOKEN"`);
    } else parts.push('-H', quoted(`${name}: ${secretHeaders.has(name) ? '…' : value}`));
  }
  if (body !== undefined && body !== '')
    parts.push('-d', quoted(escapeControls(withoutSecrets(body))));
  parts.push(quoted(encodeControls(`${origin}${withoutSecrets(url)}`)));
  return parts.join(' ');
}

const uninteresting = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'user-agent',
]);
const secretHeaders = new Set(['cookie', 'x-backlot-token']);

/** Replaces the values of passwords, secrets and tokens in a body or a URL. */
function withoutSecrets(text: string): string {
  return text
    .replaceAll(/("(?:password|client_secret|refresh_token)":")(?:[^"\\]|\\.)*"/g, '$1$SECRET"')
    .replaceAll(/((?:^|[?&])(?:password|client_secret|refresh_token)=)[^&]*/g, '$1$SECRET');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Converts a timestamp of a response: `2026-03-02T09:00:00+0000`. */
export function unixSeconds(timestamp: string): number {
  return Date.parse(timestamp.replace(/(\d\d)(\d\d)$/, '$1:$2')) / 1000;
}
