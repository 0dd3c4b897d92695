import * as z from 'zod';
import { valueAt } from '../lib/json-value.ts';
import { fieldsOf, unwrapped } from '../lib/schema-parts.ts';

/** A path to a field: `['address', 'city']`. */
export type Path = readonly string[];

/** Returns the schema of a field, or undefined if there is no such field. */
export function schemaAt(
  schema: z.core.$ZodType | undefined,
  path: Path,
): z.core.$ZodType | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return schema;
  const inner = schema && unwrapped(schema);
  if (inner instanceof z.ZodRecord) return schemaAt(inner.valueType, rest);
  const fields = fieldsOf(inner);
  return Object.hasOwn(fields, name) ? schemaAt(fields[name], rest) : undefined;
}

/** Returns the path of a field, or of the list that it is in. */
export function listOrField(schema: z.core.$ZodType | undefined, path: Path): Path {
  const at = path.findIndex((_, end) => {
    const outer = schemaAt(schema, path.slice(0, end));
    return outer !== undefined && unwrapped(outer) instanceof z.ZodArray;
  });
  return at === -1 ? path : path.slice(0, at);
}

/** Returns the paths of what was sent and has no schema. */
export function extraPaths(schema: z.core.$ZodType | undefined, sent: unknown): Path[] {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return [];
  return Object.entries(sent).flatMap(([name, value]) => {
    const field = schemaAt(schema, [name]);
    return field === undefined
      ? [[name]]
      : fieldsBelow(field)
        ? extraPaths(field, value).map((path) => [name, ...path])
        : [];
  });
}

function fieldsBelow(schema: z.core.$ZodType): boolean {
  const inner = unwrapped(schema);
  return inner instanceof z.ZodObject || inner instanceof z.ZodRecord;
}

/** Returns the schemas in one, by their names: fields, or what each item of a list or a map has. */
export function partsOf(
  schema: z.core.$ZodType | undefined,
): readonly (readonly [name: string, schema: z.core.$ZodType])[] {
  const inner = schema && unwrapped(schema);
  if (inner instanceof z.ZodRecord) return [['*', inner.valueType]];
  return inner instanceof z.ZodArray ? [['*', inner.element]] : Object.entries(fieldsOf(inner));
}

/** Returns the messages of a schema: that for no value, and those of its checks. An empty text is no value. */
export function messagesOf(schema: z.core.$ZodType): string[] {
  const isOptional = schema._zod.optin === 'optional';
  const checks = checksOf(schema).filter((one) => one.check !== 'min_length' || limitOf(one) !== 1);
  const all = isOptional ? checks : [unwrapped(schema)._zod.def, ...checks];
  return all.map(messageOf).filter((message) => message !== '');
}

/** Returns which rule of a schema has this message: `at least 2 characters`. */
export function ruleIn(schema: z.core.$ZodType, message: string): string | undefined {
  const failed = checksOf(schema).find((check) => messageOf(check) === message);
  return failed && (limitsOf([failed], unitOf(schema)) ?? wordsOf(schema));
}

type Check = z.core.$ZodCheckDef;

function checksOf(schema: z.core.$ZodType): Check[] {
  return (unwrapped(schema)._zod.def.checks ?? []).map((one) => one._zod.def);
}

/** The messages of checks depend on no issue. */
function messageOf({ error }: Pick<Check, 'error'>): string {
  const message = isFunction(error) ? error({}) : undefined;
  return typeof message === 'string' ? message : '';
}

function isFunction(value: unknown): value is (given: object) => unknown {
  return typeof value === 'function';
}

/** Returns the number of a limit: of the length of a text, or of a number itself. */
function limitOf(check: Check | undefined): number | undefined {
  const numbers = ['minimum', 'maximum', 'value'].map((name) => valueAt(check, [name]));
  return numbers.find((one) => typeof one === 'number');
}

/** Returns the unit in which limits count the length of a value. */
function unitOf(schema: z.core.$ZodType): string {
  return unwrapped(schema) instanceof z.ZodArray ? ' items' : ' characters';
}

/** Whether code decides what a schema accepts, too. */
export function isRefined(schema: z.core.$ZodType): boolean {
  return checksOf(schema).some(
    (check) => check.check === 'custom' && nameIn(messageOf(check)) === undefined,
  );
}

/** `2 to 255 characters`, `at least 1` */
function limitsOf(checks: readonly Check[], lengths: string): string | undefined {
  const limit = (name: string) => limitOf(checks.find(({ check }) => check === name));
  const min = limit('min_length') ?? limit('greater_than');
  const max = limit('max_length') ?? limit('less_than');
  const unit = checks.some(({ check }) => check.endsWith('_length')) ? lengths : '';
  if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}`;
  if (min !== undefined) return `at least ${min}${min === 1 ? unit.replace(/s$/, '') : unit}`;
  return max === undefined ? undefined : `at most ${max}${unit}`;
}

/** Describes the values that a schema accepts: `text of 2 to 255 characters`, `an email address`. */
export function wordsOf(schema: z.core.$ZodType): string {
  const inner = unwrapped(schema);
  const checks = checksOf(inner);
  const name = checks.flatMap((check) => nameIn(messageOf(check)) ?? [])[0];
  if (name !== undefined) return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`;
  const pattern = checks
    .map((check) => valueAt(check, ['pattern']))
    .find((one) => one instanceof RegExp);
  if (pattern !== undefined) return `text that matches ${pattern}`;
  const limits = limitsOf(checks, unitOf(inner));
  if (limits === undefined) return typeOf(inner);
  return `${typeOf(inner)}${inner instanceof z.ZodString ? ' of' : ','} ${limits}`;
}

/** Returns the noun for a rejected value in a message: `email address`, `credit card number`. */
function nameIn(message: string): string | undefined {
  const [, ...names] =
    /^This value is not a valid (.+)\.$|^The (.+) you entered is invalid\.$/.exec(message) ?? [];
  return names.find((name) => name !== undefined);
}

function typeOf(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodEnum) return schema.options.join(', ').replace(/, ([^,]*)$/, ' or $1');
  if (schema instanceof z.ZodBoolean) return 'true or false';
  if (schema instanceof z.ZodNumber) {
    // The property `format` is of a part of zod that pages load with the contract only.
    const isWhole = 'format' in schema.def && schema.def.format === 'safeint';
    return isWhole ? 'a whole number' : 'a number';
  }
  if (schema instanceof z.ZodString) return 'text';
  if (schema instanceof z.ZodArray) return `a list, each ${wordsOf(schema.element)}`;
  if (schema instanceof z.ZodRecord) return 'blocks by number';
  return `a block with ${Object.keys(fieldsOf(schema)).join(', ') || 'no fields'}`;
}

/** Returns the first of some values that a schema accepts. */
export function firstValid(schema: z.core.$ZodType, values: readonly unknown[]): unknown {
  return values.find((value) => value !== undefined && z.safeParse(schema, value).success);
}

/** Returns a value that a schema accepts, if its own words give one. @param now by the clock */
export function valueOf(schema: z.core.$ZodType, now: string): unknown {
  const inner = unwrapped(schema);
  const least = checksOf(schema)
    .map(limitOf)
    .find((limit) => limit !== undefined);
  if (inner instanceof z.ZodEnum) return inner.options[0];
  if (inner instanceof z.ZodBoolean) return true;
  if (inner instanceof z.ZodNumber) return firstValid(inner, [1, least]);
  if (inner instanceof z.ZodString) return firstValid(inner, ['x'.repeat(least ?? 1), now]);
  if (inner instanceof z.ZodArray) return firstValid(inner, [[], [valueOf(inner.element, now)]]);
  if (inner instanceof z.ZodRecord) return { 0: valueOf(inner.valueType, now) };
  const required = Object.entries(fieldsOf(inner)).filter(
    ([, one]) => !(one instanceof z.ZodOptional),
  );
  return Object.fromEntries(required.map(([name, one]) => [name, valueOf(one, now)]));
}
