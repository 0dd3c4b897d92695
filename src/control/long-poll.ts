import { Problem } from '../lib/problem.ts';
import { LongPoll } from '../rest/long-poll.ts';
import type { ApiAnswer } from '../rest/message.ts';

/** Maximum number of long polls that wait at one back office. */
const maxWaiting = 32;

/** Counts the long polls that wait, and limits their number for each key. */
export class LongPolls {
  readonly #waiting = new WeakMap<object, number>();

  /**
   * @param key whose long polls are limited together
   * @throws Problem `too many`
   */
  open<Value>(key: object, poll: LongPoll<Value>): LongPoll<Value> {
    if (this.#waitingAt(key) >= maxWaiting) {
      throw new Problem(
        'too many',
        `Limit of waiting requests (${maxWaiting}) reached. Retry when one of them has ended.`,
      );
    }
    const wait = async (signal: AbortSignal): Promise<Value> => {
      this.#waiting.set(key, this.#waitingAt(key) + 1);
      try {
        return await poll.wait(signal);
      } finally {
        this.#waiting.set(key, this.#waitingAt(key) - 1);
      }
    };
    return new LongPoll({ timeout: poll.timeout, current: poll.current, wait });
  }

  #waitingAt(key: object): number {
    return this.#waiting.get(key) ?? 0;
  }
}

/** Changes a response, and the deferred one of a long poll. */
export function mapAnswer(answer: ApiAnswer, change: (answer: ApiAnswer) => ApiAnswer): ApiAnswer {
  const { deferred } = answer;
  if (deferred === undefined) return change(answer);
  const { timeout } = deferred;
  const later = async (signal: AbortSignal): Promise<ApiAnswer> =>
    change(await deferred.answer(signal));
  return { ...change(answer), deferred: { timeout, answer: later } };
}
