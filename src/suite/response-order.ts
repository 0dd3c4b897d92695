import type { ApiRequest, ApiResponse } from '../engine/rest/message.ts';
import { isSameCall, type Call } from './calls.ts';

/**
 * Times are counted in turns of the event loop, each of some milliseconds, so that a busy machine makes none of them shorter.
 * Responses are sent when no request has followed for so many turns.
 */
const quietTurns = 10;
/** The same for pages in another process, whose user needs some turns for each input. */
const remoteQuietTurns = 40;
/** So many, if requests are awaited whose responses have a place in the order. */
const missingTurns = 100;
/** Turns in which a page shows one response before the next one is sent. */
const shownTurns = 4;
/** Turns after which a page that never stops to send requests is judged. */
const maxTurns = 400;

/** Milliseconds of a turn. */
const turnMs = 5;

/** For how long a response is held at most, in milliseconds: longer than a test takes. */
export const maxHold = 600_000;

/** A test may leave fake timers behind. */
const setRealTimeout = setTimeout;

/** Resolves after a turn of the event loop. */
function nextTurn(): Promise<void> {
  return new Promise((done) => {
    setRealTimeout(done, turnMs);
  });
}

interface HeldResponse {
  readonly call: Call;
  readonly send: () => void;
}

/**
 * Holds each response until no request follows, so that all requests that do not wait for one another are under way at once,
 * and sends the responses of such a group in an order.
 */
export class ResponseOrder {
  /** The requests that were under way at once, in the order in which they were sent. */
  readonly groups: (readonly Call[])[] = [];
  /** Whether all responses were held that the order names, and sent in it. */
  isKept = false;
  readonly #order: readonly Call[];
  readonly #quietTurns: number;
  #held: HeldResponse[] = [];
  #isSending = false;
  /** Turns since the last request. */
  #idle = 0;
  #isOver = false;

  /**
   * @param order the calls of one group; empty for the order of requests, which the responses of all other groups have
   * @param isRemote whether the page is in another process
   */
  constructor(order: readonly Call[], isRemote: boolean) {
    this.#order = order;
    this.#quietTurns = isRemote ? remoteQuietTurns : quietTurns;
  }

  /** Whether the response to a call has a place in the order. */
  isNamed(call: Call): boolean {
    return this.#order.length === 0 || this.#order.some((one) => isSameCall(one, call));
  }

  /** Defers the response to a call, if it has no wait of its own. A client that aborts its request ends the wait. */
  hold(call: Call, { delivery }: ApiRequest, answer: ApiResponse): ApiResponse {
    const ownWait = answer.deferred ?? answer.delay ?? answer.events;
    if (this.#isOver || delivery === undefined || ownWait !== undefined) return answer;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const send = (): void => resolve(undefined);
    this.#held.push({ call, send });
    this.#idle = 0;
    if (!this.#isSending) void this.#send();
    const wait = async (signal: AbortSignal): Promise<ApiResponse> => {
      signal.addEventListener('abort', send);
      if (signal.aborted) send();
      await promise;
      return answer;
    };
    return { ...answer, deferred: { timeout: maxHold, answer: wait } };
  }

  /**
   * Resolves when all responses are sent, and no request has followed. From then on, none is held.
   *
   * @param passFakeTime passes so many milliseconds for a page whose timers are fake
   */
  async settle(passFakeTime?: (ms: number) => Promise<void>): Promise<void> {
    let idle = 0;
    for (let turns = 0; turns < maxTurns && idle < this.#quietTurns; turns += 1) {
      await nextTurn();
      await passFakeTime?.(turnMs);
      idle = this.#isSending ? 0 : idle + 1;
    }
    this.#isOver = true;
    for (const { send } of this.#held) send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#held.length > 0 && !this.#isOver) {
      for (; this.#idle < this.#neededTurns(); this.#idle += 1) await nextTurn();
      const group = this.#held;
      this.#held = [];
      if (group.length > 1) this.groups.push(group.map(({ call }) => call));
      for (const { send } of this.#ordered(group)) {
        send();
        await this.#turns(shownTurns);
      }
    }
    this.#isSending = false;
  }

  #neededTurns(): number {
    const held = this.#namedIn(this.#held).length;
    return held > 0 && held < this.#order.length ? missingTurns : this.#quietTurns;
  }

  /** Returns the responses that the order names, in this order. */
  #namedIn(held: readonly HeldResponse[]): HeldResponse[] {
    return this.#order.flatMap((call) => held.find((one) => isSameCall(one.call, call)) ?? []);
  }

  #ordered(group: readonly HeldResponse[]): readonly HeldResponse[] {
    const named = this.#namedIn(group);
    if (named.length === 0 || named.length < this.#order.length) return group;
    this.isKept = true;
    return [...named, ...group.filter((one) => !named.includes(one))];
  }

  async #turns(count: number): Promise<void> {
    for (let turn = 0; turn < count; turn += 1) await nextTurn();
  }
}
