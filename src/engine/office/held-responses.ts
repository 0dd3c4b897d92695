import { releaseFaults } from '../faults/fault-rules.ts';
import type { RuledShop } from '../faults/select-faults.ts';
import { Problem } from '../lib/problem.ts';
import { redactUrl } from '../journal/redaction.ts';
import { maxDelay } from '../lib/milliseconds.ts';
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

/** The responses that faults hold until their names are released. It uses no timer. */
export class HeldResponses {
  readonly #shop: RuledShop;
  readonly #max: number;
  /** The functions that send the responses, oldest first. */
  readonly #held = new Map<HeldRequest, () => void>();

  /** @param max maximum number of responses held at one time */
  constructor(shop: RuledShop, max: number) {
    this.#shop = shop;
    this.#max = max;
  }

  list(): readonly HeldRequest[] {
    return [...this.#held.keys()];
  }

  /**
   * Sends the held responses of a name. The faults of this name hold no later ones.
   *
   * @returns the number of responses
   */
  release(name: string): number {
    releaseFaults(this.#shop.db, name);
    return this.#send(this.list().filter((held) => held.name === name));
  }

  /** Sends all held responses, and returns their number. Later ones are held again. */
  releaseAll(): number {
    return this.#send(this.list());
  }

  /** Does work, and sends the responses of names that no fault holds any more after it. */
  sendReleasedBy(work: () => void): void {
    const before = this.#holding();
    work();
    const after = this.#holding();
    this.#send(this.list().filter(({ name }) => before.has(name) && !after.has(name)));
  }

  /** Returns a function that does work and then sends all held responses. */
  releaseAfter<Value>(work: (value: Value) => void): (value: Value) => void {
    return (value) => {
      work(value);
      this.releaseAll();
    };
  }

  /** Defers a response that faults hold. Hosts that cannot wait send it at once. */
  defer(answer: ApiResponse, request: ApiRequest): ApiResponse {
    if (this.#held.size >= this.#max) {
      const message = `Limit of held responses (${this.#max}) reached.`;
      return problemResponse(new Problem('too many', message));
    }
    const { hold, ...released } = answer;
    const wait = async (signal: AbortSignal): Promise<ApiResponse> => {
      await Promise.all(Array.from(new Set(hold), (name) => this.#wait(name, request, signal)));
      if (released.delay !== undefined) request.delivery?.delay();
      return released;
    };
    return { ...answer, deferred: { timeout: maxDelay, answer: wait } };
  }

  /** Resolves when the name is released, or when the signal aborts. */
  async #wait(name: string, { method, url }: ApiRequest, signal: AbortSignal): Promise<void> {
    const held = { name, method, url: redactUrl(url), since: this.#shop.clock.now() };
    await new Promise<unknown>((resolve) => {
      this.#held.set(held, () => resolve(undefined));
      signal.addEventListener('abort', resolve);
      if (signal.aborted) resolve(undefined);
    });
    this.#held.delete(held);
  }

  /** Returns the names that faults hold. */
  #holding(): ReadonlySet<string | undefined> {
    const { faultRules } = this.#shop.db;
    const rules = faultRules.page(0, faultRules.count());
    return new Set(rules.filter(({ released }) => released !== true).map(({ hold }) => hold));
  }

  #send(released: readonly HeldRequest[]): number {
    for (const held of released) {
      this.#held.get(held)?.();
      this.#held.delete(held);
    }
    return released.length;
  }
}
