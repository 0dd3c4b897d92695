import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactly, product, quotient, rounded, sum } from '../../src/engine/lib/numbers.ts';

test.each([
  [0.5, 1],
  [0.49999, 0],
  [1.5, 2],
  [2.5, 3],
  [-0.5, -1],
  [-0.49999, 0],
  [-1.5, -2],
  [-2.5, -3],
  [0, 0],
  [-0, 0],
])('%d is rounded to %d', (value, whole) => {
  expect(rounded(exactly(value))).toBe(whole);
});

test.each([
  [1.005, 100, 101],
  [1.115, 100, 112],
  [0.285, 100, 29],
  [-1.005, 100, -101],
  [0.07, 50, 4],
  [1e-7, 5_000_000, 1],
  [1.5e21, 1, 1.5e21],
])('%d times %d is rounded as the decimal it stands for: %d', (a, b, whole) => {
  expect(rounded(product(exactly(a), exactly(b)))).toBe(whole);
});

test('a product with a decimal equals the product of integers', () => {
  const decimal = fc.record({ digits: fc.nat(99_999), places: fc.integer({ min: 0, max: 5 }) });
  fc.assert(
    fc.property(fc.integer({ min: -1e9, max: 1e9 }), decimal, (amount, { digits, places }) => {
      const scale = 10 ** places;
      const rate = Number(`${digits}e-${places}`);
      const size = Math.abs(amount) * digits;
      fc.pre(size < Number.MAX_SAFE_INTEGER / 2);
      const rest = size % scale;
      const nearest = (size - rest) / scale + (2 * rest >= scale ? 1 : 0);
      expect(rounded(product(exactly(amount), exactly(rate)))).toBe(
        Math.sign(amount) * nearest || 0,
      );
    }),
  );
});

test('ten tenths add up to one', () => {
  const tenths = Array.from({ length: 10 }, () => exactly(0.1));
  expect(rounded(product(tenths.reduce(sum), exactly(1_000_000)))).toBe(1_000_000);
});

test('a division is exact until it is rounded', () => {
  const third = quotient(exactly(1), exactly(3));
  expect(rounded(product(third, exactly(3)))).toBe(1);
  expect(rounded(product(third, exactly(1.5)))).toBe(1);
  expect(rounded(product(third, exactly(1.4999)))).toBe(0);
});
