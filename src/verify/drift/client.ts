import { addressOf, namedPath, trimSlashes } from '../../engine/lib/api-path.ts';
import { definedOnly } from '../../engine/lib/json-value.ts';
import { truncate } from '../../engine/lib/problem.ts';
import { ForeignTextError, jsonExcess, jsonLimits } from '../../engine/lib/json-limits.ts';
import { readText, within } from '../../engine/lib/read-text.ts';
import type { ReceivedResponse, SentRequest } from '../../engine/definition/drift.ts';

/** The server cannot be checked. The message states why, in one sentence. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

export interface ClientOptions {
  /** The URL of the API: `http://127.0.0.1:4000`, `https://shop.example/backend`, `https://shop.example/api/v1`. */
  readonly url: string;
  /** The path of the API (default: that of the URL from `/api` on, or `/api`). */
  readonly apiPath?: string | undefined;
  /** Sends the requests (default: the global `fetch`). */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Maximum time for one response, in milliseconds (default: 10,000). */
  readonly timeout?: number | undefined;
  /** Maximum time for the whole check, in milliseconds (default: 10 minutes). */
  readonly maxTime?: number | undefined;
  /** Receives the number of requests with each of them. */
  readonly onRequest?: ((count: number) => void) | undefined;
}

/** The location of an API on a server. */
export interface Place {
  /** The path in front of that of the API. */
  readonly prefix: string;
  readonly apiPath: string;
}

/**
 * Splits the path of a URL: `/backend/api/v1` is the API `/api/v1` behind `/backend`.
 *
 * @param apiPath the path of the API, if it is known
 */
export function placeOf(pathname: string, apiPath?: string): Place {
  const path = trimSlashes(pathname);
  const at = apiPath === undefined ? path.search(/\/api(?=\/|$)/) : path.lastIndexOf(apiPath);
  const isEnd = at !== -1 && (apiPath === undefined || at + apiPath.length === path.length);
  return {
    prefix: isEnd ? path.slice(0, at) : path,
    apiPath: apiPath ?? (isEnd ? path.slice(at) : namedPath),
  };
}

const { bytes: maxBytes } = jsonLimits.response;

/** Sends requests to the server to check, and reads whole responses. */
export class Client {
  readonly origin: string;
  /** The path in front of that of the API: empty, or `/backend`. */
  readonly prefix: string;
  /** The path of the API: `/api/v1`. */
  readonly apiPath: string;
  /** `Bearer …`, which is sent with every request that has no `authorization` of its own. */
  authorization: string | undefined;
  /** Aborted when the last request must have its response. */
  deadline: AbortSignal;
  /** Number of requests sent. */
  count = 0;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    const { origin, pathname } = new URL(options.url);
    const { prefix, apiPath } = placeOf(pathname, options.apiPath);
    this.origin = origin;
    this.prefix = prefix;
    this.apiPath = apiPath;
    this.deadline = AbortSignal.timeout(options.maxTime ?? maxTimeByDefault);
    this.#options = options;
  }

  /**
   * @param request `url` as the contract has it: `/api/orders/`
   * @throws Unreachable if there is no whole response in time
   */
  async send({ method, url, headers = {}, body }: SentRequest): Promise<ReceivedResponse> {
    const { timeout = 10_000, maxTime = maxTimeByDefault, onRequest } = this.#options;
    const { fetch: send = fetch } = this.#options;
    const { origin, prefix, apiPath, authorization, deadline } = this;
    const tooLong = new Unreachable(
      `The check of ${origin} took more than ${maxTime / 1000} s. Check one resource at a time (--only), or allow more time (--max-time).`,
    );
    onRequest?.(++this.count);
    const line = `${method} ${truncate(url.split('?')[0] ?? url)}`;
    if (deadline.aborted) throw tooLong;
    const all = definedOnly({ authorization, ...headers });
    const signal = AbortSignal.any([deadline, AbortSignal.timeout(timeout)]);
    try {
      const target = `${origin}${prefix}${addressOf(apiPath, url)}`;
      const init = { method, headers: all, redirect: 'manual', signal } as const;
      const sent = send(target, body === undefined ? init : { ...init, body });
      return await received(await within(signal, sent), line, signal);
    } catch (error) {
      if (error instanceof Unreachable) throw error;
      if (deadline.aborted) throw tooLong;
      const why = signal.aborted ? ` within ${timeout / 1000} s` : `: ${reasonOf(error)}`;
      throw new Unreachable(`${origin} did not respond to ${line}${why}.`);
    }
  }
}

const maxTimeByDefault = 600_000;

/** @throws Unreachable if the body is too large */
async function received(
  response: Response,
  line: string,
  signal: AbortSignal,
): Promise<ReceivedResponse> {
  const name = `The body of ${line}`;
  const body = await readText({ response, name, signal }, maxBytes).catch((error: unknown) => {
    throw error instanceof ForeignTextError ? new Unreachable(`${error.message}.`) : error;
  });
  const excess = jsonExcess(body);
  if (excess !== undefined) throw new Unreachable(`${name} ${excess}.`);
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

/** `fetch failed` has the reason in its cause: `connect ECONNREFUSED 127.0.0.1:4000`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return truncate(String(error));
  const { message, cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const inner = cause instanceof Error ? cause.message || code : '';
  return truncate(inner || message).replace(/\.$/, '');
}
