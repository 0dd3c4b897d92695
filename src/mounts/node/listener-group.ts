import type { Interception } from './lazy-interception.ts';
import { Listeners, type Listener } from './listeners.ts';

/** Listeners that share interceptions, which are open while there is at least one listener. */
export class ListenerGroup {
  readonly listeners = new Listeners();
  readonly #interceptions: readonly Interception[];

  constructor(intercept: (listeners: Listeners) => readonly Interception[]) {
    this.#interceptions = intercept(this.listeners);
  }

  add(listener: Listener): void {
    try {
      for (const interception of this.#interceptions) interception.open();
    } catch (error) {
      this.remove(listener);
      throw error;
    }
    this.listeners.add(listener);
  }

  remove(listener: Listener): void {
    this.listeners.remove(listener);
    if (this.listeners.size > 0) return;
    for (const interception of this.#interceptions) interception.close();
  }
}
