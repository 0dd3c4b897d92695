import { readFileSync } from 'node:fs';

/**
 * Starts a stopwatch that stands still while this process, or another one, waits for a processor, because a busy machine
 * keeps no time. Only Linux tells.
 *
 * @param pids of other processes
 * @returns the function that returns the milliseconds since the start
 */
export function startStopwatch(...pids: readonly (number | undefined)[]): () => number {
  const files = ['thread-self', ...pids].map((one) => `/proc/${one}/schedstat`);
  const now = (): number => files.reduce((time, file) => time - waitedIn(file), performance.now());
  const began = now();
  return () => now() - began;
}

/** Returns the milliseconds that a thread has waited for a processor: https://docs.kernel.org/scheduler/sched-stats.html */
function waitedIn(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
