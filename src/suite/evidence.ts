import { isRead } from './calls.ts';
import type { Expectation } from './user-oracles.ts';
import type { ApiRequest, ApiResponse } from '../engine/rest/message.ts';
import type { ClientCall } from './sent-requests.ts';

/** By what oracles judge a run of a test. */
export class Evidence {
  /** What the test has said to be right under faults. */
  readonly expectations: Expectation[] = [];
  /** Errors that nobody has caught. */
  readonly uncaught: string[] = [];
  /** What code says by `console.error` and `console.warn`. */
  readonly logged: string[] = [];
  /** How often each write is performed, by its endpoint, URL and body. */
  readonly writes: Record<string, number> = {};
  /** How often each request is sent since that with the fault, by its endpoint, URL and body. */
  readonly repeated: Record<string, number> = {};
  /** The last response to each GET, by its URL. */
  readonly reads = new Map<string, string>();

  /** Notes a request after the one with the fault. */
  repeat(endpoint: string, request: ApiRequest): void {
    increase(this.repeated, endpoint, request);
  }

  /** Notes what a back office has done with a request. */
  receive(endpoint: string, request: ApiRequest, answer: ApiResponse): void {
    const { method, url } = request;
    if (method !== 'GET') {
      if (isPerformed(request, answer)) increase(this.writes, endpoint, request);
    } else if (answer.status === 200 && answer.body !== undefined) this.reads.set(url, answer.body);
  }

  /**
   * Notes that a client's request has ended.
   *
   * @param text its body; undefined if it cannot be told from others
   * @param status 0 if the request has failed, and undefined if its client has aborted it
   */
  async settle(
    call: ClientCall,
    text: Promise<string | undefined>,
    status: number | undefined,
  ): Promise<void> {
    call.isSettled = true;
    call.status ??= status;
    const body = await text;
    if (call.isTaken || body === undefined) return;
    const request = { url: call.url, body };
    if (call.isAfterHit) increase(this.repeated, call.endpoint, request);
    if (!isRead(call) && isSuccess(status)) increase(this.writes, call.endpoint, request);
  }
}

function increase(
  counts: Record<string, number>,
  endpoint: string,
  { url, body }: Pick<ApiRequest, 'url' | 'body'>,
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
  const key = `${endpoint} ${url} ${text}`;
  counts[key] = (counts[key] ?? 0) + 1;
}

/** Whether a request has been performed, whatever its client receives. */
function isPerformed({ headers }: ApiRequest, { status, connection }: ApiResponse): boolean {
  return connection === 'drop' ? headers['prefer']?.includes('after') === true : isSuccess(status);
}

function isSuccess(status = 0): boolean {
  return status >= 200 && status < 300;
}
