import { Problem } from '../lib/problem.ts';
import type { ApiAnswer } from '../rest/message.ts';

/** An answer that says what is so now, and perhaps that there may soon be a better one. */
export interface MaybeDeferred extends ApiAnswer {
  /** There where it is worth waiting; who cannot wait sends the answer as it is. */
  readonly later?: DeferredResponse;
}

export interface DeferredResponse {
  /** How long it is worth waiting, in milliseconds. */
  readonly within: number;
  /** The answer once there is a better one, or, when the signal aborts, as it is then. Never rejects. */
  answer(signal: AbortSignal): Promise<ApiAnswer>;
}

/** What an endpoint waits for. */
export interface Wait<Result> {
  /** In milliseconds. */
  readonly within: number;
  /** Says what is so until then. */
  readonly refuse: () => void;
  /** Rejects by a Problem when the signal aborts. */
  readonly until: (signal: AbortSignal) => Promise<Result>;
}

/** How an endpoint waits, which is there only when it returns: it is left by a Problem, and asked again with the result. */
export type LongPoll<Result> = (wait: Wait<Result>) => Result;

/** So many requests of one back office can wait at once. */
const mostWaiting = 32;

/** Lets endpoints wait, so many at a time for each key. */
export class LongPolls<Result> {
  readonly #waiting = new WeakMap<object, number>();

  /**
   * Answers at once, and says how the answer can be waited for where an endpoint wants to wait.
   *
   * @param key of whom there are only so many waiting at once; asked when somebody waits
   */
  answer(key: () => object, answerWith: (hold: LongPoll<Result>) => ApiAnswer): MaybeDeferred {
    let waiting: Wait<Result> | undefined;
    const answer = answerWith((wait) => {
      this.#refuseMore(key());
      waiting = wait;
      wait.refuse();
      throw new Problem('refused', 'It is not so yet.');
    });
    if (waiting === undefined) return answer;
    const { within, until } = waiting;
    const wait = (signal: AbortSignal) => this.#counted(key(), until(signal));
    return { ...answer, later: { within, answer: (signal) => answered(wait(signal), answerWith) } };
  }

  async #counted(key: object, result: Promise<Result>): Promise<Result> {
    const count = (change: number): void =>
      void this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + change);
    count(1);
    try {
      return await result;
    } finally {
      count(-1);
    }
  }

  #refuseMore(key: object): void {
    if ((this.#waiting.get(key) ?? 0) < mostWaiting) return;
    throw new Problem(
      'too many',
      `There are ${mostWaiting} requests waiting already, the most that can; let some of them end first.`,
    );
  }
}

/** Asks anew, now that there is a result. */
async function answered<Result>(
  waited: Promise<Result>,
  answerWith: (hold: LongPoll<Result>) => ApiAnswer,
): Promise<ApiAnswer> {
  const [outcome] = await Promise.allSettled([waited]);
  return answerWith(() => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
