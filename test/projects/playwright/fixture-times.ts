import type {
  FullResult,
  Reporter,
  TestCase,
  TestResult,
  TestStep,
} from '@playwright/test/reporter';
import { loadavg } from 'node:os';

/** Prints how long the fixtures of Backlot take, as Playwright measures its steps. */
export default class FixtureTimes implements Reporter {
  readonly #times = new Map<string, number[]>();

  onStepEnd(_test: TestCase, _result: TestResult, step: TestStep): void {
    const isOffice =
      step.category === 'fixture' && /\b(office|extraHTTPHeaders|storageState)\b/.test(step.title);
    const phase = step.parent?.title ?? '';
    if (isOffice && phase.endsWith('Hooks')) this.#add(`${phase}: ${step.title}`, step.duration);
  }

  #add(key: string, time: number): void {
    this.#times.set(key, [...(this.#times.get(key) ?? []), time]);
  }

  onEnd({ status, duration }: FullResult): void {
    for (const [key, times] of this.#times) {
      const sorted = times.toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.floor(sorted.length * share)]?.toFixed(2);
      console.log(
        `measured: ${key}: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, ${times.length} times`,
      );
    }
    const [load = 0] = loadavg();
    console.log(
      `measured: ${status} in ${Math.round(duration / 1000)} s, CPU load ${load.toFixed(1)}`,
    );
  }
}
