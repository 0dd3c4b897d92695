import { jsonHeaders } from '../rest/errors.ts';
import type { ApiAnswer } from '../rest/message.ts';

/** What is done to one answer. */
export interface FaultEffect {
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Any value that JSON can carry. */
  readonly body?: unknown;
  /** Milliseconds. */
  readonly delay?: number | undefined;
  readonly connection?: 'drop' | undefined;
  readonly spoil?: 'malformed' | 'cut-off' | undefined;
  /** Whether what the request wrote is kept. */
  readonly after?: boolean | undefined;
}

/** Whether it changes the answer, not only when it comes. */
export function isChange({ status, connection, spoil }: FaultEffect): boolean {
  return status !== undefined || connection !== undefined || spoil !== undefined;
}

/** Whether it takes nothing of the endpoint's answer, so that the endpoint need not be asked. */
export function isReplacement({ status, connection, after }: FaultEffect): boolean {
  return after !== true && (status !== undefined || connection !== undefined);
}

/** What an answer becomes. */
export function applyEffect(answer: ApiAnswer, effect: FaultEffect): ApiAnswer {
  if (effect.connection === 'drop') return { status: 0, headers: {}, connection: 'drop' };
  const given = effect.status === undefined ? answer : answerOf(effect.status, effect);
  return effect.spoil === undefined ? given : spoilt(given, effect.spoil);
}

function answerOf(status: number, { headers, body }: FaultEffect): ApiAnswer {
  const own = Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (status === 204 || status === 205 || status === 304)
    return { status, headers: sandboxed(own) };
  const all = sandboxed({ ...jsonHeaders, ...own });
  const isJson = all['content-type']?.includes('json') ?? false;
  const value = body === undefined ? standardBody(status) : body;
  const text = typeof value === 'string' && !isJson ? value : JSON.stringify(value);
  return { status, headers: all, body: text };
}

/**
 * Lets a browser run no script of an answer that is not JSON: the script could read what else the origin serves, such as
 * the session of a visitor (https://www.w3.org/TR/CSP3/#directive-sandbox).
 */
function sandboxed(headers: Record<string, string>): Record<string, string> {
  const { 'content-type': type, 'content-security-policy': own } = headers;
  if (type === undefined || plainJson.test(type)) return headers;
  const policy = own === undefined ? 'sandbox' : `${own}, sandbox`;
  return { ...headers, 'content-security-policy': policy };
}

/** Of a type with anything else in it, a browser may take another part. */
const plainJson = /^application\/(?:[a-z\d.-]+\+)?json *(?:; *charset="?utf-?8"?)?$/i;

/** The error body of the interface. */
function standardBody(code: number): { readonly code: number; readonly message: string } {
  return { code, message: reasons[code] ?? (code < 500 ? 'Request refused' : 'Server failure') };
}

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

/** What a server prints in front of its answer where something went wrong in it is no JSON, wherever it ends. */
function spoilt(answer: ApiAnswer, how: 'malformed' | 'cut-off'): ApiAnswer {
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
