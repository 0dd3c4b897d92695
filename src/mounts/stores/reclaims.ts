import { unref } from '../../engine/lib/timers.ts';

/** How many claims are sent at once: each has to be answered within the time limit of commands. */
const atOnce = 200;

/** Claims sessions again, as often as it takes until it is decided who owns them. */
export class Reclaims {
  /** Returns after which time in milliseconds to try again, if that is not decided. */
  readonly #claim: (name: string) => Promise<number | undefined>;
  readonly #names = new Set<string>();
  #isRunning = false;

  constructor(claim: (name: string) => Promise<number | undefined>) {
    this.#claim = claim;
  }

  add(names: Iterable<string>): void {
    for (const name of names) this.#names.add(name);
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#names.size > 0) {
      const pause = await this.#claimAll();
      if (this.#names.size === 0) break;
      await new Promise((resolve) => {
        unref(setTimeout(resolve, pause + 1));
      });
    }
    this.#isRunning = false;
  }

  /** Returns after which time to try again. */
  async #claimAll(): Promise<number> {
    const names = [...this.#names];
    let pause = Infinity;
    for (let at = 0; at < names.length; at += atOnce) {
      const tries = names.slice(at, at + atOnce).map(async (name) => {
        // A lease that is missing again meanwhile adds it again.
        this.#names.delete(name);
        const later = await this.#claim(name);
        if (later === undefined) return;
        this.#names.add(name);
        pause = Math.min(pause, later);
      });
      await Promise.all(tries);
    }
    return Number.isFinite(pause) ? pause : 0;
  }
}
