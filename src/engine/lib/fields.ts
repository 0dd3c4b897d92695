import * as z from 'zod';
import { isTimestamp } from './duration.ts';

/** A positive integer, ascending per table, never reused. */
export const Id = z.int().positive();

/** `2026-03-02T09:00:00+0000`: UTC, whole seconds. All have the same format, so they sort as text. */
export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/, {
    error: 'expected a time like 2026-03-02T09:00:00+0000',
    abort: true,
  })
  .refine(isTimestamp, 'expected a date and a time that exist');

/** An amount in minor units (cents). */
export const Money = z.int();

/** Times of creation and of the last change, which the table sets. */
export const stamps = { created_at: Timestamp, updated_at: Timestamp };

/** Settings of an action, a rule or a calculator: flat, with keys that depend on its type. */
export const Configuration = z.record(
  z.string(),
  z.union([z.number(), z.boolean(), z.string(), z.array(z.int()).readonly()]),
);
export type Configuration = z.output<typeof Configuration>;
