import type { Response } from 'express';
import type { HeldAnswer, Later } from '../control/hold.ts';
import { Problem } from '../problem.ts';
import { problemAnswer } from '../rest/errors.ts';
import type { ApiAnswer } from '../rest/message.ts';

/** Sends an answer, or the better one that there may be later, unless the client has gone by then. */
export type SendInTime = (
  response: Response,
  answer: HeldAnswer,
  send: (answer: ApiAnswer) => void,
) => void;

/** @param most how many answers are kept waiting at once; any number if not given */
export function createSendInTime(most = Infinity): SendInTime {
  let waiting = 0;
  return (response, answer, send) => {
    const { later, delay } = answer;
    if (later === undefined && delay === undefined) return send(answer);
    // Of a client that has gone already nobody will hear again.
    if (response.closed) return;
    if (waiting >= most) return send(problemAnswer(tooMany(most)));
    waiting += 1;
    response.once('close', () => void (waiting -= 1));
    if (later === undefined) send(answer);
    else sendLater(response, later, send);
  };
}

function sendLater(response: Response, later: Later, send: (answer: ApiAnswer) => void): void {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), later.within);
  response.once('close', () => {
    clearTimeout(timer);
    end.abort();
  });
  void later.answer(end.signal).then((one) => {
    clearTimeout(timer);
    if (!response.destroyed) send(one);
  });
}

function tooMany(most: number): Problem {
  return new Problem(
    'too many',
    `There are ${most} answers that are kept waiting already, the most that there can be here.`,
  );
}
