import { Problem } from './problem.ts';

/** Beyond it, whole numbers are no longer exact: https://tc39.es/ecma262/#sec-number.max_safe_integer */
export const maxExact = Number.MAX_SAFE_INTEGER;

/** A count after one more. At the highest number, it stays there. */
export function increment(count: number): number {
  return Math.min(count + 1, maxExact);
}

/** @throws Problem `refused` for a record with a number that is not exact */
export function assertExact(table: string, values: Readonly<Record<string, unknown>>): void {
  for (const field in values) {
    const value = values[field];
    if (typeof value === 'number' && Math.abs(value) > maxExact)
      throw inexactProblem(table, field, value);
  }
}

export function inexactProblem(table: string, field: string, value: number): Problem {
  return new Problem(
    'refused',
    `${table}: ${field} would be ${value}; it must be at most ${maxExact}, the highest exact number.`,
  );
}

/**
 * An exact fraction. A rate of 0.07 or a weight of 1.1 is a decimal that no binary number holds, so whatever is
 * multiplied or divided here is taken as the decimal that was written, and rounded once, at the end.
 */
export interface Fraction {
  readonly top: bigint;
  /** Positive. */
  readonly bottom: bigint;
}

export const zero: Fraction = { top: 0n, bottom: 1n };
export const one: Fraction = { top: 1n, bottom: 1n };

/** The decimal that a number stands for: `exactly(0.07)` is 7/100. */
export function exactly(value: number): Fraction {
  if (Number.isSafeInteger(value)) return { top: BigInt(value), bottom: 1n };
  const [digits = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', decimals = ''] = digits.split('.');
  const shift = Number(exponent) - decimals.length;
  const top = BigInt(whole + decimals);
  return shift < 0
    ? { top, bottom: 10n ** BigInt(-shift) }
    : { top: top * 10n ** BigInt(shift), bottom: 1n };
}

export function sum(a: Fraction, b: Fraction): Fraction {
  if (a.bottom === b.bottom) return { top: a.top + b.top, bottom: a.bottom };
  return { top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom };
}

export function product(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.top, bottom: a.bottom * b.bottom };
}

/** The divisor is positive. */
export function quotient(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.bottom, bottom: a.bottom * b.top };
}

/** The nearest whole number; half goes away from zero. */
export function rounded({ top, bottom }: Fraction): number {
  const size = top < 0n ? -top : top;
  const nearest = (2n * size + bottom) / (2n * bottom);
  return Number(top < 0n ? -nearest : nearest);
}
