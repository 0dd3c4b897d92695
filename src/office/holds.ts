import { releaseFaults } from '../faults/fault-rules.ts';
import type { RuledShop } from '../faults/select-faults.ts';
import { Problem } from '../lib/problem.ts';
import { redactUrl } from '../journal/redaction.ts';
import { maxDelay } from '../models/fault-rule.ts';
import { problemResponse } from '../rest/errors.ts';
import type { ApiRequest, ApiResponse } from '../rest/message.ts';

/** A request whose response a fault holds. */
export interface HeldRequest {
  /** The name that releases it. */
  readonly name: string;
  readonly method: string;
  /** Path and query, without secrets. */
  readonly url: string;
  /** Time at which it was held, by the clock of the back office. */
  readonly since: string;
}

interface Held extends HeldRequest {
  readonly release: () => void;
}

/** The responses that faults hold until their names are released. It uses no timer. */
export class Holds {
  readonly #shop: RuledShop;
  readonly #max: number;
  /** Oldest first. */
  readonly #held = new Set<Held>();

  /** @param max maximum number of responses held at one time */
  constructor(shop: RuledShop, max: number) {
    this.#shop = shop;
    this.#max = max;
  }

  list(): readonly HeldRequest[] {
    return Array.from(this.#held, ({ name, method, url, since }) => ({ name, method, url, since }));
  }

  /**
   * Sends the held responses of a name. The faults of this name hold no later ones.
   *
   * @returns the number of responses
   */
  release(name: string): number {
    releaseFaults(this.#shop.db, name);
    return this.#release((held) => held.name === name);
  }

  /** Sends all held responses, and returns their number. Later ones are held again. */
  releaseAll(): number {
    return this.#release(() => true);
  }

  /** Returns a function that does work and then sends all held responses. */
  releaseAfter<Values extends unknown[]>(
    work: (...values: Values) => void,
  ): (...values: Values) => void {
    return (...values) => {
      work(...values);
      this.releaseAll();
    };
  }

  /** Defers a response that faults hold. Hosts that cannot wait send it at once. */
  defer(answer: ApiResponse, request: ApiRequest): ApiResponse {
    const { hold: names = [], ...released } = answer;
    if (this.#held.size + names.length > this.#max) return problemResponse(this.#tooMany());
    const wait = async (signal: AbortSignal): Promise<ApiResponse> => {
      await Promise.all([...new Set(names)].map((name) => this.#wait(name, request, signal)));
      return released;
    };
    return { ...answer, deferred: { timeout: maxDelay, answer: wait } };
  }

  /** Resolves when the name is released, or when the signal aborts. */
  #wait(name: string, { method, url }: ApiRequest, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const release = (): void => {
        this.#held.delete(held);
        signal.removeEventListener('abort', release);
        resolve();
      };
      const held = { name, method, url: redactUrl(url), since: this.#shop.clock.now(), release };
      this.#held.add(held);
      signal.addEventListener('abort', release);
    });
  }

  #release(isReleased: (held: Held) => boolean): number {
    const released = [...this.#held].filter(isReleased);
    for (const held of released) held.release();
    return released.length;
  }

  #tooMany(): Problem {
    return new Problem(
      'too many',
      `Limit of held responses (${this.#max}) reached. Release some of them first.`,
    );
  }
}
