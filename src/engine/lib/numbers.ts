import { Problem } from './problem.ts';

/** The highest number up to which all integers are exact: https://tc39.es/ecma262/#sec-number.max_safe_integer */
export const maxExact = Number.MAX_SAFE_INTEGER;

/** Returns the count plus one, at most `maxExact`. */
export function increment(count: number): number {
  return Math.min(count + 1, maxExact);
}

/** @throws Problem `refused` if a number of the record is beyond `maxExact` */
export function assertExact(table: string, values: Readonly<Record<string, unknown>>): void {
  for (const field in values) {
    const value = values[field];
    if (typeof value === 'number' && Math.abs(value) > maxExact)
      throw new Problem(
        'refused',
        `${table}: ${field} would be ${value}; it must be at most ${maxExact}, the highest exact number.`,
      );
  }
}

/**
 * An exact fraction. Binary numbers cannot represent decimals such as a rate of 0.07 or a weight of 1.1. So factors are
 * converted from the decimal as written, and a result is rounded once, at the end.
 */
export interface Fraction {
  readonly top: bigint;
  /** Positive. */
  readonly bottom: bigint;
}

export const zero: Fraction = { top: 0n, bottom: 1n };
export const one: Fraction = { top: 1n, bottom: 1n };

/** Converts a number to the fraction of its shortest decimal: `exactly(0.07)` is 7/100. */
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

/** Divides a fraction by a positive one. */
export function quotient(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.bottom, bottom: a.bottom * b.top };
}

/** Returns the nearest integer. Rounds half away from zero. */
export function rounded({ top, bottom }: Fraction): number {
  const size = top < 0n ? -top : top;
  const nearest = (2n * size + bottom) / (2n * bottom);
  return Number(top < 0n ? -nearest : nearest);
}
