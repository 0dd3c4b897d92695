/** Receives the share of long work that is done, from 0 to 1. */
export type OnProgress = (share: number) => void;

/** The number of steps of a loop from one report to the next. */
const interval = 256;

/** Reports the share of a loop that is done, now and then. Called with the number of each step, from 0. */
export function reportStep(onProgress: OnProgress | undefined, step: number, steps: number): void {
  if (step % interval === 0) onProgress?.(step / steps);
}

/**
 * Divides work into parts that run one after the other.
 *
 * @param weights the approximate time that each part takes, in any unit
 * @returns a function for each part, which receives the share of that part
 */
export function divideProgress(
  onProgress: OnProgress | undefined,
  weights: readonly number[],
): readonly (OnProgress | undefined)[] {
  if (onProgress === undefined) return [];
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let start = 0;
  return weights.map((weight) => {
    const before = start;
    start += weight;
    return (share) => onProgress((before + share * weight) / total);
  });
}
