/** A figure: its name, the measured value and its limit. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'x' | 'ms' | 'µs' | 'MiB' | 'KiB' | '%' | 'B' | 'B/s' | 'ms/s' | 'requests';
  readonly limit?: number;
  /** The values of a ratio: `92 µs over 61 µs`. */
  readonly detail?: string;
}

export function line({ name, value, unit, limit, detail = '' }: Figure): string {
  const held = limit === undefined ? ' ' : value <= limit ? '✓' : '✗';
  const bound = limit === undefined ? '' : `≤ ${limit} ${unit}`;
  return `${held} ${name.padEnd(58)} ${`${value.toFixed(2)} ${unit}`.padStart(12)}  ${bound.padEnd(12)} ${detail}`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Times two functions in turn, so that a slower machine affects both. */
export function compare(
  a: () => void,
  b: () => void,
  { rounds = 15, times = 200 }: { rounds?: number; times?: number } = {},
): { a: number; b: number; ratio: number } {
  const timed = (work: () => void): number => {
    const start = performance.now();
    for (let time = 0; time < times; time++) work();
    return ((performance.now() - start) / times) * 1000;
  };
  for (let warm = 0; warm < 3; warm++) {
    timed(a);
    timed(b);
  }
  const pairs = Array.from({ length: rounds }, () => ({ a: timed(a), b: timed(b) }));
  return {
    a: median(pairs.map((pair) => pair.a)),
    b: median(pairs.map((pair) => pair.b)),
    ratio: median(pairs.map((pair) => pair.a / pair.b)),
  };
}
