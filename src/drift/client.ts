import type { ReceivedResponse } from './exchange.ts';
import type { SentRequest } from './finding.ts';

/** The server cannot be checked. The message states why, in one sentence. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

export interface ClientOptions {
  /** Where the API is mounted: `http://127.0.0.1:4000`, `https://shop.example/backend`. */
  readonly url: string;
  /** Sends the requests (default: the global `fetch`). */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Maximum time for one response, in milliseconds (default: 10,000). */
  readonly timeout?: number | undefined;
  /** Maximum size of one body, in bytes (default: 32 MiB). */
  readonly maxBytes?: number | undefined;
  /** Receives the number of requests with each of them. */
  readonly onRequest?: ((count: number) => void) | undefined;
}

/** Sends requests to the server to check, and reads whole responses. */
export interface Client {
  readonly origin: string;
  /** The path in front of `/api`: empty, or `/backend`. */
  readonly prefix: string;
  /** `Bearer …`, which is sent with every request that has no `authorization` of its own. */
  authorization: string | undefined;
  /** Number of requests sent. */
  readonly count: () => number;
  /**
   * @param request `url` without the prefix
   * @throws Unreachable if there is no whole response in time
   */
  send(request: SentRequest): Promise<ReceivedResponse>;
}

const maxBytesDefault = 33_554_432;

export function createClient(options: ClientOptions): Client {
  const { timeout = 10_000, maxBytes = maxBytesDefault } = options;
  const send = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init));
  const { origin, pathname } = new URL(options.url);
  const prefix = pathname.replace(/\/+$/, '');
  let count = 0;
  const client: Client = {
    origin,
    prefix,
    authorization: undefined,
    count: () => count,
    async send({ method, url, headers = {}, body }) {
      count++;
      options.onRequest?.(count);
      const line = `${method} ${url.split('?')[0] ?? url}`;
      const { authorization } = client;
      const all = { ...(authorization !== undefined && { authorization }), ...headers };
      const signal = AbortSignal.timeout(timeout);
      try {
        const response = await within(
          signal,
          send(`${origin}${prefix}${url}`, {
            method,
            headers: all,
            redirect: 'manual',
            signal,
            ...(body !== undefined && { body }),
          }),
        );
        const text = await readText(response, maxBytes, signal);
        if (text === undefined) {
          throw new Unreachable(`The body of ${line} is larger than ${maxBytes} bytes.`);
        }
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: text,
        };
      } catch (error) {
        if (error instanceof Unreachable) throw error;
        throw new Unreachable(
          signal.aborted
            ? `${origin} did not respond to ${line} within ${timeout / 1000} s.`
            : `${origin} did not respond to ${line}: ${reasonOf(error)}.`,
        );
      }
    },
  };
  return client;
}

/** Rejects when the signal aborts, even if the sender ignores the signal. */
function within<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}

/** Reads a body as text; undefined if it is longer than the maximum. */
async function readText(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    // One after the other, because a stream has one reader.
    const { done, value } = await within(signal, reader.read());
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxBytes) {
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** `fetch failed` has the reason in its cause: `connect ECONNREFUSED 127.0.0.1:4000`. */
function reasonOf(error: unknown): string {
  const { message = String(error), cause } = error as { message?: string; cause?: unknown };
  const inner =
    cause instanceof Error ? cause.message || String((cause as { code?: string }).code) : '';
  return (inner === '' ? message : inner).replace(/\.$/, '');
}
