import * as z from 'zod';
import { isTimestamp } from './duration.ts';
import { isObject } from './json-value.ts';

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

/** Names of rule fields in earlier versions, and their present names. */
export const oldNames = { fitted: 'matched', spoil: 'corrupt' } as const;

/**
 * Makes a schema accept fields under their old names too, so that rules, scenario files and exports of earlier versions
 * can still be read. If a value has both names, the old one is an unknown field.
 */
export function acceptOldNames<Schema extends z.ZodObject>(schema: Schema): Schema {
  const renamed = Object.entries(oldNames).filter(
    ([old, name]) => name in schema.shape && !(old in schema.shape),
  );
  if (renamed.length === 0) return schema;
  // A preprocessing step would hide the shape, which forms and documents read.
  const { _zod: internals } = schema;
  const run = internals.run.bind(internals);
  internals.run = (payload, context) => {
    payload.value = renameFields(payload.value, renamed);
    return run(payload, context);
  };
  return schema;
}

function renameFields(value: unknown, renamed: readonly (readonly [string, string])[]): unknown {
  if (!isObject(value)) return value;
  const found = renamed.filter(
    ([old, name]) => Object.hasOwn(value, old) && !Object.hasOwn(value, name),
  );
  if (found.length === 0) return value;
  const names = new Map(found);
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [names.get(key) ?? key, field]),
  );
}
