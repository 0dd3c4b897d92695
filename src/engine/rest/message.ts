import type { Problem } from '../lib/problem.ts';
import type { Delivery } from './delivery.ts';

/** The fields of a multipart body: name and value, in the order sent. */
export type FormEntries = readonly (readonly [name: string, value: string])[];

/** A body as it was received, for an endpoint that reads it itself: all of it at once would keep others waiting. */
export interface ReceivedFile {
  readonly chunks: readonly Uint8Array[];
  /** Milliseconds since its first byte was expected. */
  readonly elapsed: number;
  /** Its content, of a host that has read it before. */
  readonly content?: unknown;
}

/** The URL of a request, parsed, with the session that the request names. */
export interface RequestTarget {
  /** The path of the session in front of `path`: `/s/ada`; empty if the URL names no session. */
  readonly prefix: string;
  /** Name of the session: from the path, else the header, else the cookie. It may be any text. */
  readonly session: string | undefined;
  /** `/api/users/` */
  readonly path: string;
  /** Without the question mark: `page=2`. */
  readonly query: string;
}

/** A request in plain values, so that a host can create one without a `Request`. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query string: `/api/users/?page=2`. An origin is ignored. */
  readonly url: string;
  /** The same URL, if the host has parsed it. */
  readonly target?: RequestTarget | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body as text; for `multipart/form-data`, the entries that the mount parsed. */
  readonly body?: string | FormEntries | undefined;
  /** The body of a request to an endpoint that reads it itself, by a host that has not read it. */
  readonly file?: ReceivedFile | undefined;
  /** Whether other code has parsed the form of the body: a parameter that was sent twice is a list then. */
  readonly isParsedForm?: boolean | undefined;
  /** The IP address of the client, if known. */
  readonly client?: string | undefined;
  /** The reason why the body could not be read: too large, or invalid multipart. */
  readonly unreadable?: Problem | undefined;
  /** Is told what becomes of the response, by a host that waits for delays and holds. Without one, it is sent at once. */
  readonly delivery?: Delivery | undefined;
}

export interface ApiResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; undefined if the status has no body. */
  readonly body?: string;
  /** For HEAD: the body of the GET response, whose length is the `Content-Length`. */
  readonly bodyOfGet?: string;
  /** Delay before the response is sent, in milliseconds. */
  readonly delay?: number;
  /** The names that faults hold the response under. It is sent when all of them are released. */
  readonly hold?: readonly string[];
  /** Closes the connection without a response; `status` is 0. */
  readonly connection?: 'drop';
  /** Events that follow the body, for hosts that can keep a response open. Others send the body only. */
  readonly events?: EventStream;
  /** The response of a long poll, or one that faults hold, for hosts that can wait; others send this one. */
  readonly deferred?: DeferredResponse;
}

/** Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export interface EventStream {
  /** Calls a listener with each event. Returns the function that stops it. */
  subscribe(listener: (event: StreamedEvent) => void): () => void;
  /** Is aborted when no more events follow, because another back office has taken its place. Clients connect again. */
  readonly signal?: AbortSignal;
}

export interface StreamedEvent {
  /** Sent as `Last-Event-ID` by a client that connects again. */
  readonly id: number;
}

/** The later response of a long poll, or the released one after a hold. */
export interface DeferredResponse {
  /** Maximum wait, in milliseconds. */
  readonly timeout: number;
  /** Resolves with the response, or with the current one when the signal aborts. Never rejects. */
  answer(signal: AbortSignal): Promise<ApiResponse>;
}

/** Changes a response, and the deferred one. */
export function mapResponse(
  answer: ApiResponse,
  change: (answer: ApiResponse) => ApiResponse,
): ApiResponse {
  const { deferred } = answer;
  if (deferred === undefined) return change(answer);
  const { timeout } = deferred;
  const later = async (signal: AbortSignal): Promise<ApiResponse> =>
    change(await deferred.answer(signal));
  return { ...change(answer), deferred: { timeout, answer: later } };
}

/** A header of every response, so that browsers do not guess its content type. */
export const noSniff = { 'x-content-type-options': 'nosniff' };

/** Moves the body of a response to HEAD into `bodyOfGet`, for `Content-Length`. */
export function headless(request: Pick<ApiRequest, 'method'>, answer: ApiResponse): ApiResponse {
  if (request.method !== 'HEAD' || answer.body === undefined) return answer;
  const { body, ...rest } = answer;
  return { ...rest, bodyOfGet: body };
}

export const noticeHeader = 'x-backlot-notice';

const maxNames = 10;
const maxNameLength = 60;

/** Adds a header that names the ignored query parameters. */
export function withIgnored(answer: ApiResponse, names: readonly string[]): ApiResponse {
  if (names.length === 0) return answer;
  const shown = names.slice(0, maxNames).map(encodeName).join(', ');
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  const notice = `Ignored unknown query parameters: ${shown}${more}.`;
  return withHeaders(answer, { [noticeHeader]: notice });
}

/** Adds headers to a response. An existing notice is appended to an added one. */
export function withHeaders(
  answer: ApiResponse,
  added: ApiResponse['headers'] | undefined,
): ApiResponse {
  if (added === undefined) return answer;
  const headers = { ...answer.headers, ...added };
  const { [noticeHeader]: notice } = answer.headers;
  const { [noticeHeader]: addedNotice } = added;
  if (notice !== undefined && addedNotice !== undefined) {
    headers[noticeHeader] = `${addedNotice} ${notice}`;
  }
  return { ...answer, headers };
}

/** Encodes a name, which may be any text, in the ASCII characters that a header allows. */
function encodeName(name: string): string {
  return encodeURIComponent(name.replaceAll('(proto)', '__proto__')).slice(0, maxNameLength);
}

/**
 * Returned by a handler if its value may still change while the client waits: https://www.rfc-editor.org/rfc/rfc6202#section-2
 * Hosts that can wait send the value of `wait`, others that of `current`.
 */
export class LongPoll<Value> {
  /** Maximum wait, in milliseconds. */
  readonly timeout: number;
  /** Returns the current value, or throws a Problem. */
  readonly current: () => Value;
  /** Resolves with the value, or rejects with a Problem when the signal aborts. */
  readonly wait: (signal: AbortSignal) => Promise<Value>;

  constructor({ timeout, current, wait }: Pick<LongPoll<Value>, 'timeout' | 'current' | 'wait'>) {
    this.timeout = timeout;
    this.current = current;
    this.wait = wait;
  }
}
