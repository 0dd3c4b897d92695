import { Problem } from './problem.ts';

/** Beyond it, whole numbers are no longer exact: https://tc39.es/ecma262/#sec-number.max_safe_integer */
export const maxExact = Number.MAX_SAFE_INTEGER;

/** Whether a number is beyond those that a file can hold. */
export function isInexact(value: number): boolean {
  return value > maxExact || value < -maxExact;
}

/** A count after one more. At the highest number, it stays there. */
export function increment(count: number): number {
  return Math.min(count + 1, maxExact);
}

/** @throws Problem `refused` for a record with a number that is not exact */
export function assertExact(table: string, values: Readonly<Record<string, unknown>>): void {
  for (const field in values) {
    const value = values[field];
    if (typeof value === 'number' && isInexact(value)) throw inexactProblem(table, field, value);
  }
}

export function inexactProblem(table: string, field: string, value: number): Problem {
  return new Problem(
    'refused',
    `${table}: ${field} would be ${value}; it must be at most ${maxExact}, the highest exact number.`,
  );
}
