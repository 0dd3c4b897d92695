import type { OutsideCalls } from './trials.ts';
import { WatchedRun } from './watcher.ts';

/** Watches what a file does outside of its tests. */
export class OutsideRuns {
  readonly #loading = new WatchedRun();
  readonly #hooks = new WatchedRun();
  /** The run in progress; undefined while a test runs. */
  current: WatchedRun | undefined = this.#loading;

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
    return { loading: endpointsOf(this.#loading), hooks: endpointsOf(this.#hooks) };
  }
}

function endpointsOf(run: WatchedRun): string[] {
  return [...new Set(run.plain(undefined).calls)];
}
