import { isObject, valueAt } from '../lib/json-value.ts';
import { jsonHeaders } from '../rest/errors.ts';
import type { ApiResponse } from '../rest/message.ts';
import { formatCount, type FieldIssue } from '../lib/problem.ts';

/**
 * Creates the response of a fault.
 *
 * @param body any JSON value (default: the error body of the store API); a string is sent unchanged if the content type
 *   is not JSON
 */
export function createResponse(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body: unknown = standardBody(status),
): ApiResponse {
  const own = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (isBodiless(status)) return { status, headers: sandbox(own) };
  const all = sandbox({ ...jsonHeaders, ...own });
  const isJson = all['content-type']?.includes('json') ?? false;
  const text = typeof body === 'string' && !isJson ? body : JSON.stringify(body);
  return { status, headers: all, body: text };
}

/** Whether responses with a status never have a body. */
export function isBodiless(status: unknown): boolean {
  return status === 204 || status === 205 || status === 304;
}

/** Makes a body unparsable as a PHP server does, which prints a warning before it, or sends only its first half. */
export function corruptBody(answer: ApiResponse, how: 'malformed' | 'cut-off'): ApiResponse {
  const { body } = answer;
  if (body === undefined) return answer;
  return {
    ...answer,
    body:
      how === 'malformed'
        ? `<b>Warning</b>: headers already sent\n${body}`
        : body.slice(0, Math.floor(body.length / 2)),
  };
}

/** The error body of the store API. */
function standardBody(code: number): { readonly code: number; readonly message: string } {
  return { code, message: reasons[code] ?? (code < 500 ? 'Request refused' : 'Server failure') };
}

/** Reason phrases (RFC 9110, section 15). The package `statuses` would add more than 1 kB to the browser bundle. */
export const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  423: 'Locked',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/**
 * The headers that a fault may set on a server that anyone can add faults to. None of these headers affects another
 * response of the origin, as `set-cookie`, `clear-site-data` or a long-lived `cache-control` in a shared cache would, or
 * redirects the client. A trailing `*` matches the rest of a name.
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

/** Returns the issues of a fault's headers on a server that limits them. */
export function limitedHeaderIssues(rule: object): FieldIssue[] {
  const headers = valueAt(rule, ['headers']);
  const names = isObject(headers) ? Object.keys(headers) : [];
  const others = names.filter((name) => !isAllowed(name.toLowerCase()));
  if (others.length === 0) return [];
  const message = `Faults cannot set ${others.join(', ')} on this server. Allowed headers: ${allowed.join(', ')}.`;
  return [{ path: ['headers'], message }];
}

/** Returns the issues of a fault's headers on any server. */
export function headerIssues(headers: Readonly<Record<string, string>>): FieldIssue[] {
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
 * Disables scripts in a response that is not JSON. In a browser, a script could read other responses of the origin, such
 * as the session of a visitor (https://www.w3.org/TR/CSP3/#directive-sandbox).
 */
export function sandbox(headers: Record<string, string>): Record<string, string> {
  const { 'content-type': type, 'content-security-policy': own } = headers;
  if (type === undefined || plainJson.test(type)) return headers;
  const policy = own === undefined ? 'sandbox' : `${own}, sandbox`;
  return { ...headers, 'content-security-policy': policy };
}

/** A content type that every browser handles as JSON. With other parameters, browsers may detect another type. */
const plainJson = /^application\/(?:[a-z\d.-]+\+)?json *(?:; *charset="?utf-?8"?)?$/i;

const maxHeaders = 100;

/** Headers that describe how a body is sent. Node.js throws if some of them contradict what it sends. */
const framing: ReadonlySet<string> = new Set(['content-length', 'trailer', 'transfer-encoding']);

function isAllowed(name: string): boolean {
  return allowed.some((one) =>
    one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one,
  );
}

/** Whether a name and a value are valid by RFC 9110, section 5. */
function isHeader(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\xa0-\xff]*$/.test(value);
}
