import { formatCount, type FieldProblem } from '../lib/problem.ts';

/**
 * The headers that a fault may set on a server that anyone can add faults to. None of these headers affects another
 * response of the origin, as `set-cookie`, `clear-site-data` or a long-lived `cache-control` in a shared cache would, or
 * sends the client elsewhere. A `*` stands for the rest of a name.
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

const allowedNames: ReadonlySet<string> = new Set(allowed);
const allowedPrefixes = allowed
  .filter((name) => name.endsWith('*'))
  .map((name) => name.slice(0, -1));

/** Returns what is wrong with the headers of a fault on a server that limits them. */
export function limitedHeaderIssues({
  headers,
}: {
  readonly headers?: Readonly<Record<string, string>> | undefined;
}): FieldProblem[] {
  const others = Object.keys(headers ?? {}).filter((name) => !isAllowed(name.toLowerCase()));
  if (others.length === 0) return [];
  const message = `Faults cannot set ${others.join(', ')} on this server. Allowed headers: ${allowed.join(', ')}.`;
  return [{ path: ['headers'], message }];
}

/** Returns what is wrong with the headers of a fault on any server. */
export function headerIssues(headers: Readonly<Record<string, string>>): FieldProblem[] {
  const names = Object.keys(headers);
  if (names.length > maxHeaders) {
    const message = `${formatCount(names.length)} headers were sent, at most ${maxHeaders} are accepted.`;
    return [{ path: ['headers'], message }];
  }
  return names.flatMap((name) => {
    const path = ['headers', name];
    if (!isHeader(name, headers[name] ?? '')) {
      return [{ path, message: 'This is not a valid header name and value.' }];
    }
    if (!framing.has(name.toLowerCase())) return [];
    return [{ path, message: 'A fault cannot set this header: the server sets it for each body.' }];
  });
}

/**
 * Lets a browser run no script in a response that is not JSON: the script could read what else the origin serves, such
 * as the session of a visitor (https://www.w3.org/TR/CSP3/#directive-sandbox).
 */
export function sandbox(headers: Record<string, string>): Record<string, string> {
  const { 'content-type': type, 'content-security-policy': own } = headers;
  if (type === undefined || plainJson.test(type)) return headers;
  const policy = own === undefined ? 'sandbox' : `${own}, sandbox`;
  return { ...headers, 'content-security-policy': policy };
}

/** A content type that every browser takes for JSON. With anything else in it, a browser may see another type. */
const plainJson = /^application\/(?:[a-z\d.-]+\+)?json *(?:; *charset="?utf-?8"?)?$/i;

const maxHeaders = 100;

/** Headers that describe how a body is sent. Node.js throws if some of them contradict what it sends. */
const framing: ReadonlySet<string> = new Set(['content-length', 'trailer', 'transfer-encoding']);

function isAllowed(name: string): boolean {
  return allowedNames.has(name) || allowedPrefixes.some((prefix) => name.startsWith(prefix));
}

/** Whether a name and a value are as RFC 9110, section 5, allows. */
function isHeader(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\xa0-\xff]*$/.test(value);
}
