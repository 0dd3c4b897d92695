import type { MachineName } from '../checkout/machines/machine.ts';
import type { ShopEndpoint } from '../resources/endpoint.ts';
import { withoutPlaceholders } from '../rest/json.ts';
import { noCounts, type CoverageCounts } from './counts.ts';
import type { Coverage, CoveredExchange, CoverageRecorder } from './recorder.ts';

/**
 * Loads the recorder at the first thing to count, which loads the contract. So a process that opens no back office does
 * not load it. What happens before it is loaded is counted afterwards, in the same order.
 */
export class DeferredCoverage implements CoverageRecorder {
  readonly #load: () => Promise<Coverage>;
  #loading: Promise<void> | undefined;
  #coverage: Coverage | undefined;
  #waiting: ((coverage: Coverage) => void)[] = [];

  constructor(load: () => Promise<Coverage>) {
    this.#load = load;
  }

  record(exchange: CoveredExchange): void {
    if (this.#coverage !== undefined) this.#coverage.record(exchange);
    else this.#defer((coverage) => coverage.record(exchange));
  }

  readValue(row: ShopEndpoint, value: unknown): void {
    if (this.#coverage !== undefined) return this.#coverage.readValue(row, value);
    const shown = withoutPlaceholders(value);
    this.#defer((coverage) => coverage.readValue(row, shown));
  }

  transition(machine: MachineName, name: string, to: string): void {
    if (this.#coverage !== undefined) this.#coverage.transition(machine, name, to);
    else this.#defer((coverage) => coverage.transition(machine, name, to));
  }

  /** Returns what was counted since the last call. Rejects if the recorder cannot be loaded. */
  async takeCounts(): Promise<CoverageCounts> {
    await this.#loading;
    return this.#coverage?.counts({ reset: true }) ?? noCounts;
  }

  #defer(call: (coverage: Coverage) => void): void {
    this.#waiting.push(call);
    this.#loading ??= this.#countWaiting();
    // Reported by `takeCounts`.
    this.#loading.catch(() => undefined);
  }

  async #countWaiting(): Promise<void> {
    const coverage = await this.#load();
    for (const call of this.#waiting) call(coverage);
    this.#waiting = [];
    this.#coverage = coverage;
  }
}
