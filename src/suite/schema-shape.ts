import { validate } from '@cfworker/json-schema';
import { isObject, valueAt, type JsonObject } from '../engine/lib/json-value.ts';
import { truncate } from '../engine/lib/problem.ts';
import type { ApiDocument, Schema } from './api-document.ts';
import { eachItem, type FieldPath } from './mutations.ts';

/** What can differ between a value and the schema of a document. */
export type DifferenceKind = 'missing' | 'type' | 'member' | 'value' | 'unknown';

/** A difference between a value and the schemas that describe it. */
export interface Difference {
  readonly kind: DifferenceKind;
  readonly path: FieldPath;
  /** `number`, `one of "open", "paid"` */
  readonly expected: string;
  readonly received: unknown;
}

/** Maximum number of differences of one response. */
const maxDifferences = 200;

/** Returns each difference between a value and a schema, one of each kind and place. */
export function differencesIn(value: unknown, schema: Schema, document: ApiDocument): Difference[] {
  return distinct(compare(value, [schema], placeIn(document)));
}

/** Returns the first differences, one of each kind and place; items of a list are one place. */
export function distinct(differences: Iterable<Difference>): Difference[] {
  const found = new Map<string, Difference>();
  for (const one of differences) {
    if (found.size >= maxDifferences) break;
    const key = `${one.kind} ${one.path.join('\0')}`;
    if (!found.has(key)) found.set(key, one);
  }
  return [...found.values()];
}

/** Returns the texts that the enumeration of a field has. @param path of the field in a value */
export function membersAt(
  value: unknown,
  path: FieldPath,
  schema: Schema,
  document: ApiDocument,
): string[] {
  const place = placeIn(document);
  let [at, schemas] = [value, [schema]];
  const simple = (): Schema[] => schemas.flatMap((one) => simplify(one, at, place));
  for (const key of path) {
    const isItem = key === eachItem;
    schemas = isItem
      ? simple().flatMap(itemsOf)
      : simple()
          .map((one) => fieldOf(one, key))
          .filter((one) => typeof one === 'object');
    at = valueAt(at, [isItem ? 0 : key]);
  }
  const members = simple().flatMap(({ schema: { enum: all } }) => [all].flat());
  return members.filter((one) => typeof one === 'string');
}

/** Where a value is. */
interface Place {
  readonly document: ApiDocument;
  readonly path: FieldPath;
  /** The schemas around it that describe the same value. */
  readonly seen: readonly JsonObject[];
  /** The choices of schemas by the values for which they were made. */
  readonly choices: Map<JsonObject, Map<unknown, readonly Schema[]>>;
}

function placeIn(document: ApiDocument): Place {
  return { document, path: [], seen: [], choices: new Map() };
}

/** @param schemas all of which describe the value */
function* compare(value: unknown, schemas: readonly Schema[], place: Place): Generator<Difference> {
  const simple = schemas.flatMap((one) => simplify(one, value, place));
  const wrong = simple.map(({ schema }) => wrongIn(value, schema)).find((one) => one !== undefined);
  if (wrong !== undefined) yield { ...wrong, path: place.path, received: value };
  if (wrong?.kind === 'type' || !isObject(value)) return;
  if (Array.isArray(value)) {
    const items = simple.flatMap((one) => itemsOf(one));
    const inside = { ...place, path: [...place.path, eachItem] };
    for (const item of value) yield* compare(item, items, inside);
  } else yield* compareFields(value, simple, place);
}

function* compareFields(
  value: JsonObject,
  schemas: readonly Schema[],
  place: Place,
): Generator<Difference> {
  const names = new Set([...Object.keys(value), ...schemas.flatMap(requiredIn)]);
  const isOpen = !schemas.some(hasFields);
  for (const name of names) {
    const path = [...place.path, name];
    const known = schemas.map((one) => fieldOf(one, name));
    const fields = known.filter((one) => typeof one === 'object');
    const received = value[name];
    if (Object.hasOwn(value, name)) {
      const isKnown = fields.length > 0 || known.includes('any');
      if (!isKnown && (!isOpen || known.includes('none')))
        yield { kind: 'unknown', path, expected: 'no such field', received };
      else yield* compare(received, fields, { ...place, path });
    } else if (!fields.some((one) => isWriteOnly(one, place.document))) {
      yield { kind: 'missing', path, expected: typesOf(fields, place.document), received };
    }
  }
}

/** Whether a schema names fields. Without any, an object may have all. */
function hasFields({ schema: { properties } }: Schema): boolean {
  return isObject(properties) && Object.keys(properties).length > 0;
}

function hasChoices({ schema: { anyOf, oneOf } }: Schema): boolean {
  return anyOf !== undefined || oneOf !== undefined;
}

function requiredIn({ schema: { required } }: Schema): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

/** Returns what a schema says of a field: its schema, that there may be any or none of its name, or nothing. */
function fieldOf({ schema, file }: Schema, name: string): Schema | 'any' | 'none' | undefined {
  const { properties, patternProperties, additionalProperties: others } = schema;
  const pattern = Object.keys(isObject(patternProperties) ? patternProperties : {}).find((one) =>
    expressionOf(one)?.test(name),
  );
  const own =
    isObject(properties) && Object.hasOwn(properties, name)
      ? properties[name]
      : pattern === undefined
        ? others
        : valueAt(patternProperties, [pattern]);
  if (isObject(own)) return { schema: own, file };
  return own === undefined ? undefined : own === false ? 'none' : 'any';
}

function expressionOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

/** Returns the schemas of the items of a list. */
function itemsOf({ schema: { items }, file }: Schema): Schema[] {
  return isObject(items) && !Array.isArray(items) ? [{ schema: items, file }] : [];
}

function isWriteOnly(one: Schema, document: ApiDocument): boolean {
  return document.resolve(one).schema['writeOnly'] === true;
}

/** `string`, `object or null`, or `a field`: what a document says of a field that is missing. */
function typesOf(schemas: readonly Schema[], document: ApiDocument): string {
  const types = schemas.flatMap((one) => typesIn(one, document));
  return types.length === 0 ? 'a field' : [...new Set(types)].join(' or ');
}

/** How deep choices of types within choices are told. */
const maxChoices = 3;

function typesIn(one: Schema, document: ApiDocument, depth = 0): string[] {
  const { schema, file } = document.resolve(one);
  const { type, allOf, anyOf, oneOf } = schema;
  const parts = depth < maxChoices ? [allOf, anyOf, oneOf].flat().filter(isObject) : [];
  return [
    ...[type].flat().filter((name) => typeof name === 'string'),
    ...parts.flatMap((part) => typesIn({ schema: part, file }, document, depth + 1)),
  ];
}

/**
 * Returns the schemas that describe a value together, without references and choices: of `anyOf` and `oneOf`, those that it fits, or
 * else the closest one. A document may allow more than one of `oneOf`: its authors think of fields that it does not require.
 */
function simplify(one: Schema, value: unknown, place: Place): Schema[] {
  const { schema, file } = one;
  const { document, seen } = place;
  // `nullable` is of OpenAPI 3.0, `x-nullable` of tools for Swagger 2.
  const isNull = value === null && (schema['nullable'] === true || schema['x-nullable'] === true);
  if (isNull || seen.includes(schema)) return [];
  const around = { ...place, seen: [...seen, schema] };
  const within = (inner: Schema): Schema[] => simplify(inner, value, around);
  const parts = (key: string): Schema[] => {
    const list = schema[key];
    return (Array.isArray(list) ? list : [])
      .filter(isObject)
      .map((part) => ({ schema: part, file }));
  };
  const target =
    typeof schema['$ref'] === 'string' ? within(document.resolve({ schema, file })) : [];
  const chosen = chosenIn(one, value, place, () =>
    ['anyOf', 'oneOf'].flatMap((key) => choose(parts(key), one, value, around)),
  );
  return [one, ...target, ...parts('allOf').flatMap(within), ...chosen];
}

/** Makes a choice once: the fields of an option may have choices, too, and an option may refer to what it is one of. */
function chosenIn(
  { schema }: Schema,
  value: unknown,
  { choices }: Place,
  make: () => readonly Schema[],
): readonly Schema[] {
  const made = choices.get(schema) ?? new Map<unknown, readonly Schema[]>();
  choices.set(schema, made);
  if (!made.has(value)) {
    made.set(value, []);
    made.set(value, make());
  }
  return made.get(value)!;
}

/** Returns the simple schemas of the options that a value fits. */
function choose(
  options: readonly Schema[],
  { schema, file }: Schema,
  value: unknown,
  place: Place,
): Schema[] {
  const named = namedOption(options, schema, value);
  // What a schema is an option of says nothing more.
  const others = options.filter(
    (option) => !place.seen.includes(place.document.resolve(option).schema),
  );
  const possible = named === undefined ? others : [named];
  const tried = possible.map((option) => {
    const found = [...compare(value, [option], { ...place, path: [], seen: [] })];
    return { option, cost: found.reduce((sum, one) => sum + costOf(one), 0) };
  });
  const least = Math.min(...tried.map(({ cost }) => cost));
  const closest = tried.filter(({ cost }) => cost === least);
  const fitting = least === 0 ? closest : closest.slice(0, 1);
  return fitting.flatMap(({ option }) => {
    const simple = simplify(option, value, place);
    const says = simple.some((part) => hasFields(part) || hasChoices(part));
    return says ? simple : [...simple, { schema: anyFields, file }];
  });
}

/** A value of another type than an option is hardly of it, nor is one with another member, which often says what it is. */
function costOf({ kind, path }: Difference): number {
  if (kind === 'unknown') return 0;
  if (kind === 'type' && path.length === 0) return 10_000;
  return kind === 'member' ? 100 : 1;
}

/** Stands for an option that names no fields: others of the same value must not forbid them. */
const anyFields = { additionalProperties: true };

/** Returns the option that the discriminator of a schema names. */
function namedOption(
  options: readonly Schema[],
  { discriminator }: JsonObject,
  value: unknown,
): Schema | undefined {
  const property = valueAt(discriminator, ['propertyName']);
  const name = typeof property === 'string' ? valueAt(value, [property]) : undefined;
  if (typeof name !== 'string') return undefined;
  const mapped = valueAt(discriminator, ['mapping', name]);
  const reference = typeof mapped === 'string' ? mapped : `/${name}`;
  return options.find(
    ({ schema: { $ref } }) => typeof $ref === 'string' && $ref.endsWith(reference),
  );
}

/** The keywords that say something of a value itself, with what a difference from each of them is. */
const keywords = [
  'type',
  'enum',
  'const',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];

/** Formats about which documents and servers agree. */
const formats = ['date-time', 'date', 'email', 'uuid', 'ipv4', 'ipv6', 'uri'];

/** Returns the first keyword of a schema that does not allow a value. */
function wrongIn(
  value: unknown,
  schema: JsonObject,
): Pick<Difference, 'kind' | 'expected'> | undefined {
  for (const keyword of keywords) {
    const expected = schema[keyword];
    const rule = expected === undefined ? undefined : ruleOf(keyword, expected, schema);
    if (rule !== undefined && !validate(value, rule, '2020-12', {}).valid)
      return { kind: kindOf(keyword), expected: expectation(keyword, expected) };
  }
  return undefined;
}

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

function ruleOf(keyword: string, expected: unknown, schema: JsonObject): JsonObject | undefined {
  const isExclusive = schema[exclusiveOf[keyword] ?? ''] === true;
  if (typeof expected === 'boolean' && keyword.startsWith('exclusive')) return undefined;
  if (keyword === 'type' && ![expected].flat().every((one) => types.includes(String(one))))
    return undefined;
  if (keyword === 'pattern' && expressionOf(String(expected)) === undefined) return undefined;
  if (keyword === 'format' && !formats.includes(String(expected))) return undefined;
  // OpenAPI 3.0 has `exclusiveMinimum: true` beside `minimum`.
  return { [isExclusive ? exclusiveOf[keyword]! : keyword]: expected };
}

const exclusiveOf: Readonly<Record<string, string>> = {
  minimum: 'exclusiveMinimum',
  maximum: 'exclusiveMaximum',
};

function kindOf(keyword: string): DifferenceKind {
  if (keyword === 'type') return 'type';
  return keyword === 'enum' || keyword === 'const' ? 'member' : 'value';
}

function expectation(keyword: string, expected: unknown): string {
  switch (keyword) {
    case 'type':
      return (Array.isArray(expected) ? expected : [expected]).join(' or ');
    case 'enum':
      return `one of ${(Array.isArray(expected) ? expected : []).map(shown).join(', ')}`;
    case 'const':
      return shown(expected);
    case 'format':
      return String(expected);
    default:
      return `${keyword} ${typeof expected === 'string' ? expected : shown(expected)}`;
  }
}

/** Returns a value of a document or a response, cut to what fits into a line. */
export function shown(value: unknown): string {
  return truncate(JSON.stringify(value) ?? 'nothing', 80);
}
