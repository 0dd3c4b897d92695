import * as z from 'zod';
import { isObject } from '../lib/json-value.ts';

/** A value coerced to the types of a schema, and whether it has parameters that the schema does not know. */
export interface Coerced {
  readonly value: unknown;
  readonly extra: boolean;
}
export type Coerce = (sent: unknown) => Coerced;

/**
 * Returns a function that coerces values to the types of a schema, so that forms (text only) and JSON have the same
 * result. Digits become integers; `"1"`, `"true"` and `"on"` become true; a number becomes text if the schema expects
 * text. Blanks become null, or undefined if a field is optional but not nullable. Other values are unchanged; the schema
 * rejects them.
 *
 * @param partial never coerces a blank to undefined: a PATCH would leave the field unchanged
 */
export function coercion(schema: z.core.$ZodType, partial = false): Coerce {
  if (schema instanceof z.ZodOptional) return optional(schema.unwrap());
  if (schema instanceof z.ZodNullable) return coercion(schema.unwrap());
  if (schema instanceof z.ZodObject) return block(schema.shape, partial);
  if (schema instanceof z.ZodRecord) return numbered(coercion(schema.valueType));
  if (schema instanceof z.ZodArray) return list(coercion(schema.element));
  if (schema instanceof z.ZodBoolean) return plain(toBoolean);
  if (schema instanceof z.ZodNumber) return plain(toNumber);
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return plain(toText);
  throw new TypeError(
    `Failed to coerce a parameter: a schema of type ${schema._zod.def.type} is not supported`,
  );
}

function plain(convert: (sent: unknown) => unknown): Coerce {
  return (sent) => ({ value: convert(sent), extra: false });
}

function optional(inner: z.core.$ZodType): Coerce {
  const coerce = coercion(inner);
  const clears = inner instanceof z.ZodNullable;
  return (sent) => {
    if (clears && sent !== undefined) return coerce(sent);
    if (isAbsent(sent) && !(inner instanceof z.ZodBoolean && sent === '')) return absent;
    const coerced = coerce(sent);
    return coerced.value === null ? absent : coerced;
  };
}

const absent: Coerced = { value: undefined, extra: false };

function isAbsent(sent: unknown): boolean {
  return sent === undefined || sent === null || sent === '';
}

/** Coerces a nested block. A missing block is treated as an empty one, and so is `[]`, the empty array of PHP. */
function block(shape: z.ZodRawShape, partial: boolean): Coerce {
  const fields = new Map(Object.entries(shape).map(([name, field]) => [name, coercion(field)]));
  const blocks = partial ? [] : [...fields].filter(([name]) => shape[name] instanceof z.ZodObject);
  return (sent) => {
    const isEmpty = Array.isArray(sent) ? sent.length === 0 : isAbsent(sent);
    const parameters = isEmpty ? {} : sent;
    if (!isObject(parameters) || Array.isArray(parameters)) return { value: sent, extra: false };
    const values: Record<string, unknown> = {};
    let extra = false;
    for (const name of Object.keys(parameters)) {
      const coerced = fields.get(name)?.(parameters[name]);
      if (coerced?.extra ?? true) extra = true;
      if (coerced !== undefined && !(partial && coerced.value === undefined)) {
        values[name] = coerced.value;
      }
    }
    for (const [name, field] of blocks) values[name] ??= field(undefined).value;
    return { value: values, extra };
  };
}

/** Coerces blocks by number, sent as `[…]`, as `{"0": …}` or with bracket keys. */
function numbered(coerce: Coerce): Coerce {
  return (sent) => {
    if (isAbsent(sent)) return { value: null, extra: false };
    if (!isObject(sent)) return { value: sent, extra: false };
    const values: Record<string, unknown> = {};
    let extra = false;
    for (const [name, entry] of Object.entries(sent)) {
      const coerced = coerce(entry);
      if (coerced.extra) extra = true;
      values[name] = coerced.value;
    }
    return { value: values, extra };
  };
}

/** Coerces a list, sent as `[1,2]`, `locales[]=1&locales[]=2` or `locales[0]=1&locales[1]=2`. Removes duplicates. */
function list(coerce: Coerce): Coerce {
  return (sent) => {
    if (sent === null || sent === undefined) return { value: null, extra: false };
    if (sent === '') return { value: [], extra: false };
    const entries = Array.isArray(sent) ? sent : numberedEntries(sent);
    if (entries === undefined) return { value: sent, extra: false };
    return { value: [...new Set(entries.map((entry) => coerce(entry).value))], extra: false };
  };
}

function numberedEntries(sent: unknown): unknown[] | undefined {
  if (!isObject(sent)) return undefined;
  return Object.keys(sent).every((name) => /^\d*$/.test(name))
    ? Object.values(sent).flat()
    : undefined;
}

function toText(sent: unknown): unknown {
  if (sent === undefined || sent === null) return null;
  if (typeof sent === 'number' && Number.isFinite(sent)) return String(sent);
  if (typeof sent !== 'string') return sent;
  const text = sent.trim();
  return text === '' ? null : text;
}

function toNumber(sent: unknown): unknown {
  const text = typeof sent === 'string' ? toText(sent) : sent;
  if (text === undefined || text === null) return null;
  return typeof text === 'string' && /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

const booleans = new Map<unknown, boolean>([
  ['1', true],
  ['true', true],
  ['on', true],
  [1, true],
  ['0', false],
  ['false', false],
  ['', false],
  [0, false],
]);

function toBoolean(sent: unknown): unknown {
  return sent === undefined ? null : (booleans.get(sent) ?? sent);
}
