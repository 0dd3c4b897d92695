import * as z from 'zod';
import { notBlank, notValid } from './form.ts';

/** Text, without the blanks around it: 1 to 255 characters unless given otherwise. */
export function text(options: { blank?: string; min?: number; max?: number } = {}): z.ZodString {
  const { blank = notBlank, min = 1, max = 255 } = options;
  return anyText({ blank, min }).max(
    max,
    `This value is too long. It should have ${max} characters or less.`,
  );
}

/** Text of any length, at least one character unless given otherwise. */
export function anyText(options: { blank?: string; min?: number } = {}): z.ZodString {
  const { blank = notBlank, min = 1 } = options;
  return z
    .string({ error: blankMessage(blank) })
    .min(min, `This value is too short. It should have ${min} characters or more.`);
}

/** A whole number; as digits where it comes from a form. */
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

/** The id of a record; whether there is one is for the endpoint's `check`. */
export function reference(blank: string = notBlank): z.ZodInt {
  return z.int({ error: blankMessage(blank) });
}

/** True or false; `"1"`, `"true"`, `"on"` and `"0"`, `"false"`, `""` in a form. */
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

/** The message for a value that is not there, and the one for all other mistakes of kind. */
export function blankMessage(blank: string): (issue: { readonly input?: unknown }) => string {
  return (issue) => (issue.input === null || issue.input === undefined ? blank : notValid);
}
