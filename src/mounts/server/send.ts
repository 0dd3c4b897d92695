import type { ServerResponse } from 'node:http';
import { noSniff, type ApiResponse, type DeferredResponse } from '../../engine/rest/message.ts';
import type { Delivery } from '../../engine/rest/delivery.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { problemResponse } from '../../engine/rest/errors.ts';
import { writeEvents } from './event-batches.ts';
import type { DelayLimit } from './delay-limit.ts';
import { minCompressed, sendCompressed } from './compress.ts';
import { bytesOf } from './encode.ts';
import { endUnlessAllRead } from './unread.ts';

/** The headers that the mount adds to a response. */
export interface ResponseContext {
  readonly headers: Readonly<Record<string, string>>;
}

/** For responses that need no additional headers. */
export const noHeaders: ResponseContext = { headers: {} };

/** Sends a response with its `Content-Length`, so that the body is not sent in chunks. Ignores the delay. */
export function send(
  response: ServerResponse,
  answer: ApiResponse,
  { headers }: ResponseContext,
): void {
  const { status, connection } = answer;
  if (connection === 'drop') {
    closeConnection(response);
    return;
  }
  const all: Record<string, string> = { ...answer.headers, ...headers, ...noSniff };
  const { body: text = answer.bodyOfGet } = answer;
  if (text === undefined) {
    response.writeHead(status, all).end();
    return;
  }
  if (text.length >= minCompressed && sendCompressed(response, answer, text, all)) return;
  const body = text.length < minEncodedLength ? text : bytesOf(answer, text);
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  all['content-length'] = String(length);
  response.writeHead(status, all);
  // Node omits the body of a response to HEAD.
  response.end(body);
  if (response.writableLength > 0) endUnlessAllRead(response, length);
}

/** Sends a response after a delay in milliseconds, unless the client has disconnected by then. */
export function sendDelayed(
  response: ServerResponse,
  answer: ApiResponse,
  context: ResponseContext,
  delay: number,
  delivery?: Delivery,
): void {
  const timer = setTimeout(() => {
    // An error that a timer throws would end the process.
    try {
      send(response, answer, context);
      delivery?.end();
    } catch (error) {
      closeAfterError(response, error);
    }
  }, delay);
  response.once('close', () => clearTimeout(timer));
}

/** Closes the connection of a response that cannot be sent. The client does not receive the reason. */
export function closeAfterError(response: ServerResponse, error: unknown): void {
  // oxlint-disable-next-line no-console -- the log of last resort
  console.error('Failed to send a response:', error);
  closeConnection(response);
}

/** Closes the connection. The socket is that of the request, because a pipelined response has none yet. */
export function closeConnection(response: ServerResponse): void {
  response.req.socket.destroy();
}

/** Node sends a short text in one piece with the headers, which is faster than sending bytes. */
const minEncodedLength = 1024;

/**
 * Sends a response, or the deferred one of a long poll or a hold, unless the client has disconnected by then.
 *
 * @param sending.client address of the client, if it is known
 */
export type SendWhenReady = (
  response: ServerResponse,
  answer: ApiResponse,
  context: ResponseContext,
  sending?: { readonly client?: string | undefined; readonly delivery?: Delivery },
) => void;

export function createSendWhenReady(countDelayed: DelayLimit): SendWhenReady {
  return (response, answer, context, { client, delivery } = {}) => {
    const { deferred, delay, events } = answer;
    if (deferred === undefined && events === undefined && delay === undefined)
      return send(response, answer, context);
    // A client that has disconnected already causes no `close` event.
    if (response.closed) return delivery?.leave();
    try {
      response.once('close', countDelayed(client));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const instead = problemResponse(error);
      delivery?.end(instead);
      return send(response, instead, context);
    }
    // Without effect once the response was sent.
    response.once('close', () => delivery?.leave());
    if (events !== undefined) {
      response.writeHead(answer.status, { ...answer.headers, ...context.headers, ...noSniff });
      const stop = writeEvents(answer.body ?? '', events, {
        write: (text, written) => void response.write(text, written),
        end: () => void response.end(),
        destroy: () => void response.destroy(),
      });
      response.once('close', stop);
    } else if (deferred !== undefined) sendDeferred(response, deferred, context, delivery);
    else if (delay !== undefined) sendDelayed(response, answer, context, delay, delivery);
  };
}

function sendDeferred(
  response: ServerResponse,
  deferred: DeferredResponse,
  context: ResponseContext,
  delivery: Delivery | undefined,
): void {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), deferred.timeout);
  response.once('close', () => {
    clearTimeout(timer);
    end.abort();
  });
  deferred
    .answer(end.signal)
    .then((answer) => {
      clearTimeout(timer);
      if (response.destroyed) return;
      if (answer.delay !== undefined)
        return sendDelayed(response, answer, context, answer.delay, delivery);
      send(response, answer, context);
      delivery?.end();
    })
    .catch((error: unknown) => closeAfterError(response, error));
}
