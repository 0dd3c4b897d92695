import type { ServerResponse } from 'node:http';
import { Problem } from '../../lib/problem.ts';
import { problemResponse } from '../../rest/errors.ts';
import type { ApiResponse, DeferredResponse } from '../../rest/message.ts';
import { clientOf } from '../../sessions/rate-limit.ts';
import { closeAfterError, send, sendDelayed, type ResponseContext } from './send.ts';

/**
 * Sends a response, or the deferred one of a long poll, unless the client has disconnected by then.
 *
 * @param client address of the client, if it is known
 */
export type SendWhenReady = (
  response: ServerResponse,
  answer: ApiResponse,
  context: ResponseContext,
  client?: string,
) => void;

/**
 * @param maxWaiting maximum number of delayed responses at one time
 * @param maxPerClient maximum number of those for one client
 */
export function createSendWhenReady(maxWaiting: number, maxPerClient: number): SendWhenReady {
  let waiting = 0;
  const waitingByClient = new Map<string, number>();
  const count = (client: string, change: 1 | -1): void => {
    waiting += change;
    const own = (waitingByClient.get(client) ?? 0) + change;
    if (own === 0) waitingByClient.delete(client);
    else waitingByClient.set(client, own);
  };
  return (response, answer, context, address) => {
    const { deferred, delay } = answer;
    if (deferred === undefined && delay === undefined) return send(response, answer, context);
    // A client that has disconnected already causes no `close` event.
    if (response.closed) return;
    if (waiting >= maxWaiting) return send(response, problemResponse(tooMany(maxWaiting)), context);
    const client = clientOf(address);
    const own = waitingByClient.get(client) ?? 0;
    if (own >= maxPerClient) {
      return send(response, problemResponse(beyondShare(own, maxWaiting)), context);
    }
    count(client, 1);
    response.once('close', () => count(client, -1));
    if (deferred !== undefined) sendDeferred(response, deferred, context);
    else if (delay !== undefined) sendDelayed(response, answer, context, delay);
  };
}

function sendDeferred(
  response: ServerResponse,
  deferred: DeferredResponse,
  context: ResponseContext,
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
      if (!response.destroyed) send(response, answer, context);
    })
    .catch((error: unknown) => closeAfterError(response, error));
}

function tooMany(maxWaiting: number): Problem {
  return new Problem(
    'too many',
    `Limit of delayed responses (${maxWaiting}) reached. Retry in 1 s.`,
    soon,
  );
}

function beyondShare(own: number, maxWaiting: number): Problem {
  return new Problem(
    'too many',
    `This client has ${own} of the ${maxWaiting} delayed responses, its share. Retry in 1 s.`,
    soon,
  );
}

const soon = { headers: { 'retry-after': '1' } };
