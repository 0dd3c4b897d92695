import { jsonHeaders } from '../rest/errors.ts';
import type { ApiAnswer } from '../rest/message.ts';
import { sandbox } from './fault-headers.ts';

/**
 * Creates the response of a fault.
 *
 * @param body any JSON value (default: the error body of the store API); a string is sent as it is if the content type
 *   is not JSON
 */
export function createResponse(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body: unknown = standardBody(status),
): ApiAnswer {
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
export function isBodiless(status: number | undefined): boolean {
  return status === 204 || status === 205 || status === 304;
}

/** Makes a body unparsable as a PHP server does, which prints a warning before it, or sends only its first half. */
export function corruptBody(answer: ApiAnswer, how: 'malformed' | 'cut-off'): ApiAnswer {
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
const reasons: Readonly<Record<number, string>> = {
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
