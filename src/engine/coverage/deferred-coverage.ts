import type { ApiDefinition } from '../definition/api.ts';
import { noCounts, type CoverageCounts } from './counts.ts';
import type { Coverage, CoveredExchange, CoverageRecorder } from './recorder.ts';

/**
 * Gets a recorder, which has the contract, at the first thing to count. So a process that opens no back office does not
 * load the contract. What happens before the recorder is loaded is counted afterwards, in the same order.
 */
export class DeferredCoverage implements CoverageRecorder {
  readonly #load: () => Coverage | Promise<Coverage>;
  #loading: Promise<void> | undefined;
  #coverage: Coverage | undefined;
  #queued: ((coverage: Coverage) => void)[] = [];

  constructor(load: () => Coverage | Promise<Coverage>) {
    this.#load = load;
  }

  record(exchange: CoveredExchange, api: ApiDefinition): void {
    const coverage = this.#loaded();
    if (coverage !== undefined) coverage.record(exchange, api);
    else this.#queued.push((later) => later.record(exchange, api));
  }

  transition(machine: string, name: string, to: string): void {
    const coverage = this.#loaded();
    if (coverage !== undefined) coverage.transition(machine, name, to);
    else this.#queued.push((later) => later.transition(machine, name, to));
  }

  /** Returns the counts since the last call. Rejects if the recorder cannot be loaded. */
  async takeCounts(): Promise<CoverageCounts> {
    await this.#loading;
    return this.#coverage?.counts({ reset: true }) ?? noCounts;
  }

  #loaded(): Coverage | undefined {
    if (this.#coverage !== undefined || this.#loading !== undefined) return this.#coverage;
    const coverage = this.#load();
    if (!(coverage instanceof Promise)) return (this.#coverage = coverage);
    this.#loading = this.#countQueued(coverage);
    // Reported by `takeCounts`.
    this.#loading.catch(() => undefined);
    return undefined;
  }

  async #countQueued(loading: Promise<Coverage>): Promise<void> {
    const coverage = await loading;
    for (const call of this.#queued) call(coverage);
    this.#queued = [];
    this.#coverage = coverage;
  }
}
