import * as z from 'zod';

/** The longest delay of a response: ten minutes, in milliseconds. */
export const maxDelay = 600_000;

/** A number of milliseconds, or `2s`, `1.5s` or `500ms`, as in the header `Prefer`. */
export const Milliseconds = z.union([
  z.int().min(0).max(maxDelay),
  z
    .string()
    .refine(
      (text) => parseDelay(text) !== undefined,
      `Expected milliseconds, or a duration of at most ${maxDelay / 1000}s such as 2s or 500ms`,
    ),
]);
type Milliseconds = z.output<typeof Milliseconds>;

/** Returns the number of milliseconds of a number or of a valid text. */
export function millisecondsOf(value: Milliseconds): number {
  return typeof value === 'number' ? value : (parseDelay(value) ?? 0);
}

/** Returns the milliseconds of `2s`, `1.5s` or `500ms`; undefined for any other text. */
export function parseDelay(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s)$/.exec(text) ?? [];
  const delay = Math.round(Number(amount) * (unit === 's' ? 1000 : 1));
  return delay <= maxDelay ? delay : undefined;
}
