import type { ServerResponse } from 'node:http';
import type { HeldAnswer, Later } from '../control/hold.ts';
import { Problem } from '../problem.ts';
import { problemAnswer } from '../rest/errors.ts';
import { giveUp, send, type Way } from './http-send.ts';

/** Sends an answer, or the better one that there may be later, unless the client has gone by then. */
export type SendInTime = (response: ServerResponse, answer: HeldAnswer, way: Way) => void;

/** @param most how many answers are kept waiting at once; any number if not given */
export function createSendInTime(most = Infinity): SendInTime {
  let waiting = 0;
  return (response, answer, way) => {
    const { later, delay } = answer;
    if (later === undefined && delay === undefined) return send(response, answer, way);
    // Of a client that has gone already nobody will hear again.
    if (response.closed) return;
    if (waiting >= most) return send(response, problemAnswer(tooMany(most)), way);
    waiting += 1;
    response.once('close', () => void (waiting -= 1));
    if (later === undefined) send(response, answer, way);
    else sendLater(response, later, way);
  };
}

function sendLater(response: ServerResponse, later: Later, way: Way): void {
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
  );
}
