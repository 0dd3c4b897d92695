import { getOrCreate } from '../../lib/maps.ts';

/**
 * Has long work wait for other long work, so that everything else is answered in between: one piece in each turn of the
 * event loop, of one client after another.
 */
export class Turns {
  /** By client. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isTaken = false;

  /** Does the work at once, unless other work is in this turn or waits. */
  take(client: string, work: () => void): void {
    if (this.#isTaken) {
      getOrCreate(this.#waiting, client, () => []).push(work);
      return;
    }
    this.#isTaken = true;
    setImmediate(this.#next);
    work();
  }

  readonly #next = (): void => {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#isTaken = false;
      return;
    }
    const [client, [work, ...others]] = first;
    this.#waiting.delete(client);
    if (others.length > 0) this.#waiting.set(client, others);
    setImmediate(this.#next);
    work?.();
  };
}
