import { wait } from '../wait.ts';

/** How long a session that is in use is not given up, and how long one that was given up is not claimed again, in milliseconds. */
const [maxUse, handOver] = [1000, 3];

export interface RequestedOptions {
  /** Whether a request is in progress on a session. */
  readonly isInUse: (name: string) => boolean;
  readonly release: (name: string) => Promise<void>;
}

/** The sessions that other servers have requested, until they are released. */
export class Requested {
  readonly #options: RequestedOptions;
  /** What ends when a session is released. */
  readonly #releases = new Map<string, Promise<void>>();

  constructor(options: RequestedOptions) {
    this.#options = options;
  }

  has(name: string): boolean {
    return this.#releases.has(name);
  }

  add(name: string): void {
    if (this.has(name)) return;
    const release = this.#release(name).finally(() => this.#releases.delete(name));
    this.#releases.set(name, release);
  }

  /** Resolves when this server may claim a session again. */
  async released(name: string): Promise<void> {
    await this.#releases.get(name);
  }

  async #release(name: string): Promise<void> {
    const end = performance.now() + maxUse;
    // Later requests wait, and the other server requests it again.
    while (this.#options.isInUse(name)) {
      if (performance.now() >= end) return;
      await wait(1);
    }
    await this.#options.release(name);
    // The other server claims it first.
    await wait(handOver);
  }
}
