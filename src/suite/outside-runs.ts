import type { OutsideCalls } from './trials.ts';
import { WatchedRun } from './watched-run.ts';

/** Watches what a file does outside of its tests. */
export class OutsideRuns {
  readonly #loading = new WatchedRun();
  readonly #hooks = new WatchedRun();
  readonly #keepsAll: boolean;
  /** The run in progress; undefined while a test runs. */
  current: WatchedRun | undefined = this.#loading;

  /** @param keepsAll whether all that is received is recorded */
  constructor(keepsAll = false) {
    this.#keepsAll = keepsAll;
  }

  beginHooks(): void {
    this.current = this.#hooks;
  }

  beginTest(): void {
    this.current = undefined;
  }

  /** What hooks do after a test concerns none. */
  endTest(): void {
    this.current = new WatchedRun();
  }

  get calls(): OutsideCalls {
    return {
      loading: endpointsOf(this.#loading),
      hooks: endpointsOf(this.#hooks),
      ...(this.#keepsAll && { received: [...this.#loading.received, ...this.#hooks.received] }),
    };
  }
}

function endpointsOf(run: WatchedRun): string[] {
  return [...new Set(run.plain(undefined).calls)];
}
