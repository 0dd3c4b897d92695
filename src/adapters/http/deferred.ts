import type { ServerResponse } from 'node:http';
import { clientOf } from '../../sessions/client.ts';
import type { MaybeDeferred, DeferredResponse } from '../../control/long-poll.ts';
import { Problem } from '../../lib/problem.ts';
import { problemResponse } from '../../rest/errors.ts';
import { giveUp, send, type ResponseContext } from './send.ts';

/**
 * Sends an answer, or the better one that there may be later, unless the client has gone by then.
 *
 * @param client the address of the client, if it is known
 */
export type SendInTime = (
  response: ServerResponse,
  answer: MaybeDeferred,
  way: ResponseContext,
  client?: string,
) => void;

/**
 * @param most how many answers are kept waiting at once
 * @param mostOfOne how many of those one client may have
 */
export function createSendInTime(most: number, mostOfOne: number): SendInTime {
  let waiting = 0;
  const ofClients = new Map<string, number>();
  const count = (client: string, change: 1 | -1): void => {
    waiting += change;
    const own = (ofClients.get(client) ?? 0) + change;
    if (own === 0) ofClients.delete(client);
    else ofClients.set(client, own);
  };
  return (response, answer, way, address) => {
    const { later, delay } = answer;
    if (later === undefined && delay === undefined) return send(response, answer, way);
    // Of a client that has gone already nobody will hear again.
    if (response.closed) return;
    if (waiting >= most) return send(response, problemResponse(tooMany(most)), way);
    const client = clientOf(address);
    const own = ofClients.get(client) ?? 0;
    if (own >= mostOfOne) return send(response, problemResponse(tooManyOfOne(own, most)), way);
    count(client, 1);
    response.once('close', () => count(client, -1));
    if (later === undefined) send(response, answer, way);
    else sendLater(response, later, way);
  };
}

function sendLater(response: ServerResponse, later: DeferredResponse, way: ResponseContext): void {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), later.within);
  response.once('close', () => {
    clearTimeout(timer);
    end.abort();
  });
  later
    .answer(end.signal)
    .then((one) => {
      clearTimeout(timer);
      if (!response.destroyed) send(response, one, way);
    })
    .catch((error: unknown) => giveUp(response, error));
}

function tooMany(most: number): Problem {
  return new Problem(
    'too many',
    `There are ${most} answers that are kept waiting already, the most that there can be here.`,
    soon,
  );
}

function tooManyOfOne(own: number, most: number): Problem {
  return new Problem(
    'too many',
    `This client has ${own} of the ${most} delayed responses, its share. Retry in 1 s.`,
    soon,
  );
}

const soon = { headers: { 'retry-after': '1' } };
