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
