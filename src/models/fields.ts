import * as z from 'zod';
import { isTimestamp } from '../lib/duration.ts';

/** A positive integer, ascending per table, never reused. */
export const Id = z.int().positive();

/** `2026-03-02T09:00:00+0000`: UTC, whole seconds. All have one shape, so they compare as text. */
export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/, {
    error: 'expected a time like 2026-03-02T09:00:00+0000',
    abort: true,
  })
  .refine(isTimestamp, 'expected a date and a time that exist');

/** An amount in minor units (cents). */
export const Money = z.int();

/** A currency code of three capital letters. */
export const CurrencyCode = z.string().regex(/^[A-Z]{3}$/, 'expected a code like EUR');

/** Both times that a record carries; the table sets them. */
export const stamps = { created_at: Timestamp, updated_at: Timestamp };

/** Settings of an action, a rule or a calculator: flat, keys by type. */
export const Configuration = z.record(
  z.string(),
  z.union([z.number(), z.boolean(), z.string(), z.array(z.int()).readonly()]),
);
export type Configuration = z.output<typeof Configuration>;
