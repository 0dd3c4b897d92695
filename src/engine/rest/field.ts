import * as z from 'zod';
import { notBlank, notValid } from './form.ts';

/** Marks what an extension of an API added. */
export const extensionMark = 'x-backlot-extension';

/** Marks a field whose values are secret. */
export const secretMark = 'x-backlot-secret';

/** @property label what messages call it: `First name` (default: `This value`) */
interface TextOptions {
  readonly label?: string;
  readonly blank?: string;
  readonly min?: number;
}

/** A trimmed string (default: 1 to 255 characters). */
export function text(options: TextOptions & { max?: number } = {}): z.ZodString {
  const { label, max = 255 } = options;
  return anyText(options).max(
    max,
    label === undefined
      ? `This value is too long. It should have ${max} characters or less.`
      : `${label} must not be longer than ${max} characters.`,
  );
}

/** A trimmed string without a maximum length (default minimum: 1 character). */
export function anyText(options: TextOptions = {}): z.ZodString {
  const { label, min = 1 } = options;
  const { blank = label === undefined ? notBlank : `Please enter ${label.toLowerCase()}.` } =
    options;
  return z
    .string({ error: blankMessage(blank) })
    .min(
      min,
      label === undefined
        ? `This value is too short. It should have ${min} characters or more.`
        : `${label} must be at least ${min} characters long.`,
    );
}

/** An integer; forms send it as digits. */
export function integer(
  options: { blank?: string; min?: number; tooSmall?: string } = {},
): z.ZodInt {
  const { blank = notBlank, min, tooSmall } = options;
  const schema = z.int({ error: blankMessage(blank) });
  return min === undefined
    ? schema
    : schema.min(min, tooSmall ?? `This value should be ${min} or more.`);
}

/** A number with or without decimals. */
export function decimal(options: {
  blank?: string;
  min?: number;
  tooSmall?: string;
  max?: number;
}): z.ZodNumber {
  const { blank = notBlank, min = 0, tooSmall = notValid, max } = options;
  const schema = z.number({ error: blankMessage(blank) }).min(min, tooSmall);
  return max === undefined ? schema : schema.max(max, notValid);
}

/** The id of a record of a table. The endpoint's `check` tests whether the record exists. */
export function reference(table: string, blank: string = notBlank): z.ZodInt {
  return z.int({ error: blankMessage(blank) }).register(referred, { table });
}

/** The tables to whose records schemas refer, and the field by which they do (default: id). */
export const referred = z.registry<{ table: string; by?: string }>();

/** A boolean; `"1"`, `"true"`, `"on"` or `"0"`, `"false"`, `""` in a form. */
export function flag(): z.ZodBoolean {
  return z.boolean({ error: notValid });
}

export function oneOf<const Value extends string>(
  values: readonly Value[],
): z.ZodEnum<{ [One in Value]: One }> {
  return z.enum(values, { error: blankMessage(notBlank) });
}

export function listOf<Item extends z.ZodType>(item: Item): z.ZodArray<Item> {
  return z.array(item, { error: notValid });
}

/** Returns the error of a schema: `blank` for a missing value, `notValid` for a value of another type. */
export function blankMessage(blank: string): (issue: { readonly input?: unknown }) => string {
  return (issue) => (issue.input === null || issue.input === undefined ? blank : notValid);
}
