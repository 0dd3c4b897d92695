import { isObject, valueAt } from '../engine/lib/json-value.ts';

/** The keys that lead to values in JSON: `['items', '[]', 'total']` is the total of each item. */
export type FieldPath = readonly string[];

/** Stands in a path for each element of a list. */
export const eachItem = '[]';

/** A way to make a field wrong, and its name in a report. */
export const mutators = {
  missing: 'Missing field',
  null: 'Null',
  text: 'Other text',
  member: 'Other member',
  'new member': 'New member',
  currency: 'Other currency',
  boolean: 'Other boolean',
  'plus one': 'One more',
  'minus one': 'One less',
  'next day': 'Next day',
  empty: 'Empty list',
  'item less': 'One item less',
  'item more': 'One item more',
  'other field': 'Error at another field',
  errors: 'Errors beside data',
  older: 'Older record',
  control: 'Everything wrong',
} as const;
export type Mutator = keyof typeof mutators;

/** One wrong field of the responses of an endpoint. */
export interface Mutation {
  readonly path: FieldPath;
  readonly mutator: Mutator;
  /** The text or the member that takes the place of the value, or the field of GraphQL that fails. */
  readonly replacement?: string | undefined;
  /** What is added to a number (default: 1, or a day to a time). */
  readonly amount?: number | undefined;
  /** The mutations that make up a control. */
  readonly parts?: readonly Mutation[] | undefined;
}

/** What is known of a field. */
export interface FieldRules {
  /** The members of its enumeration, if it has one. */
  readonly members?: readonly string[];
  /** Whether a document says so, which may get another member later. */
  readonly isDocumented?: boolean;
  /** Whether a document allows a mutation (default: it allows each). */
  readonly allows?: (mutation: Mutation) => boolean;
}

/**
 * Returns the ways in which a field can be wrong: values of its kind first, the worst of all, and then the loss of it. In an
 * error tree, only its messages can be: objects stand for fields without errors.
 *
 * @param value what it was in a response
 */
export function mutationsOf(
  path: FieldPath,
  value: unknown,
  { members = [], isDocumented = false, allows = () => true }: FieldRules = {},
): Mutation[] {
  const of = (mutator: Mutator, replacement?: string): Mutation => ({
    path,
    mutator,
    ...(replacement !== undefined && { replacement }),
  });
  // Tests of what is sent answer with an empty object.
  if (isObject(value) && Object.keys(value).length === 0) return [];
  const wrong = wrongValues(path, value, members).flatMap((one) => {
    const [mutator] = one;
    // The first value that is allowed, if there is one.
    const others = alternatives(mutator, value).map((other) => of(...other));
    const added = isDocumented ? [of('new member', newMember(value))] : [];
    if (mutator === 'member') return [of(...one), ...added];
    // An enumeration of one member has no other.
    if (mutator === 'text' && isDocumented) return added;
    return [of(...one), ...others].find(allows) ?? of(...one);
  });
  const canBeMissing = path.length > 0 && path.at(-1) !== eachItem && !isErrorTree(path);
  return canBeMissing ? [...wrong, of('missing')] : wrong;
}

/**
 * Returns a mutation that makes all that is read of a response wrong at once: what no test notices of it, no test notices of a
 * field. No two values are wrong in the same way, so that sums and comparisons fail, too.
 *
 * @param mutations those of the response, the first of a field before its others
 */
export function controlOf(mutations: readonly Mutation[]): Mutation {
  const first = Map.groupBy(mutations, ({ path }) => fieldText(path)).values();
  const parts = Array.from(first, ([one], at): Mutation => {
    const { mutator, replacement } = one!;
    if (mutator === 'plus one') return { ...one!, amount: at + 1 };
    return mutator === 'text' ? { ...one!, replacement: `${replacement} ${at}` } : one!;
  });
  return { path: [], mutator: 'control', parts };
}

/** Whether a field is a part of the errors by field in a response, which are not a list of its own. */
function isErrorTree(path: FieldPath): boolean {
  return path[0] === 'errors' && (path.length > 1 || path.at(-1) === 'errors');
}

/** Returns other wrong values of the same kind, for a field of a format or with bounds. */
function alternatives(mutator: Mutator, value: unknown): readonly WrongValue[] {
  if (mutator === 'plus one') return [['minus one']];
  if (mutator !== 'text' || typeof value !== 'string') return [];
  const last = value.endsWith('0') ? '1' : '0';
  const others = [`${value.slice(0, -1)}${last}`, `x${value.slice(1)}`, `other.${value}`];
  return others.map((other) => ['text', other]);
}

/** Returns a member that no code can know yet, written as a known one. */
function newMember(known: unknown): string {
  const text = String(known);
  return text === text.toUpperCase() ? `${text}_NEW` : `${text}_new`;
}

type WrongValue = readonly [mutator: Mutator, replacement?: string];

function wrongValues(
  path: FieldPath,
  value: unknown,
  members: readonly string[],
): readonly WrongValue[] {
  const name = path.findLast((key) => key !== eachItem) ?? '';
  if (value === null || value === undefined) return [];
  if (typeof value === 'boolean') return [['boolean']];
  if (typeof value === 'number') return [[dayIn(value) === 0 ? 'plus one' : 'next day'], ['null']];
  if (Array.isArray(value)) {
    if (value.length === 0) return [];
    return isErrorTree(path) ? [['empty']] : [['empty'], ['item less'], ['item more']];
  }
  if (isObject(value))
    return name === 'children' && Object.values(value).some(hasOwnErrors) ? [['other field']] : [];
  if (typeof value !== 'string') return [];
  // A fixture without a text leaves a test nothing to assert.
  if (value === '') return [['null']];
  if (/^\d{4}-\d\d-\d\d/.test(value)) return [['next day'], ['null']];
  if (/currency/i.test(name) && /^[A-Z]{3}$/.test(value))
    return [['currency', value === 'USD' ? 'EUR' : 'USD'], ['null']];
  const after = members[(members.indexOf(value) + 1) % members.length];
  if (after !== undefined && after !== value) return [['member', after], ['null']];
  // A text that contains the right one would pass an assertion that the page contains it.
  return [['text', `${value.slice(0, -1)} (wrong)`], ['null']];
}

/** Returns a body with a wrong field, or the same body if it has no such field. */
export function mutate(body: unknown, mutation: Mutation): unknown {
  const { path, parts } = mutation;
  return parts === undefined ? changeAt(body, path, mutation) : parts.reduce(mutate, body);
}

function changeAt(value: unknown, [key, ...rest]: FieldPath, mutation: Mutation): unknown {
  if (key === undefined) return changed(value, mutation);
  if (key === eachItem)
    return Array.isArray(value) ? value.map((item) => changeAt(item, rest, mutation)) : value;
  if (!isObject(value) || !Object.hasOwn(value, key)) return value;
  if (rest.length === 0 && mutation.mutator === 'missing') {
    const { [key]: _missing, ...others } = value;
    return others;
  }
  return { ...value, [key]: changeAt(value[key], rest, mutation) };
}

function changed(value: unknown, { mutator, replacement, amount = 1 }: Mutation): unknown {
  switch (mutator) {
    case 'null':
    case 'missing':
      return null;
    case 'text':
    case 'member':
    case 'new member':
    case 'currency':
      return typeof value === 'string' ? replacement : value;
    case 'boolean':
      return value !== true;
    case 'plus one':
      if (typeof value !== 'number') return value;
      return value + amount === value ? 0 : value + amount;
    case 'minus one':
      return typeof value === 'number' ? value - 1 : value;
    case 'next day':
      if (typeof value === 'number') return value + dayIn(value);
      return typeof value === 'string' ? nextDay(value) : value;
    case 'empty':
      return [];
    case 'item less':
      return Array.isArray(value) ? value.slice(0, -1) : value;
    case 'item more':
      return Array.isArray(value) ? value.concat(value.slice(-1)) : value;
    case 'other field':
      return isObject(value) ? atOtherField(value) : value;
    case 'errors':
      return isObject(value) ? besideErrors(value, replacement ?? '') : value;
    case 'older':
    case 'control':
      return value;
  }
}

/** Returns a day in the unit of a number of the size of a time since 1970: milliseconds or seconds; 0 for another number. */
function dayIn(value: number): number {
  if (!Number.isInteger(value)) return 0;
  if (value >= 1e12 && value < 1e13) return 86_400_000;
  return value >= 1e9 && value < 1e10 ? 86_400 : 0;
}

/** Returns the response of GraphQL to an operation of which one field fails. */
function besideErrors(body: object, field: string): unknown {
  const data = valueAt(body, ['data']);
  const errors = [{ message: 'Internal server error', path: [field] }];
  return isObject(data) && Object.hasOwn(data, field)
    ? { ...body, errors, data: { ...data, [field]: null } }
    : body;
}

/** `2026-12-31T10:00:00Z` → `2027-01-01T10:00:00Z`; the format stays. */
function nextDay(text: string): string {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(day.getTime())) return text;
  day.setUTCDate(day.getUTCDate() + 1);
  return `${day.toISOString().slice(0, 10)}${text.slice(10)}`;
}

/** Moves the errors of the first field that has any to a field that the client did not send. */
function atOtherField(children: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const name = Object.keys(children).find((key) => hasOwnErrors(children[key]));
  if (name === undefined) return children;
  const { [name]: moved, ...others } = children;
  return { ...others, [name]: {}, [`other_${name}`]: moved };
}

function hasOwnErrors(tree: unknown): boolean {
  return isObject(tree) && Array.isArray(tree['errors']) && tree['errors'].length > 0;
}

/** `total: one more`: a name without values, which differ from run to run. */
export function mutationName({ path, mutator }: Mutation): string {
  const kind = mutators[mutator].toLowerCase();
  if (mutator === 'older' || mutator === 'control') return kind;
  return `${fieldText(path) || 'body'}: ${kind}`;
}

const maxValue = 60;

/** `total: 9900 → 9901`, `items[].total: missing`; without values if they are long. */
export function mutationText(mutation: Mutation, value?: unknown): string {
  const { path, mutator, replacement } = mutation;
  if (mutator === 'errors') return `errors, and data.${replacement ?? ''}: null`;
  if (mutator === 'older') return 'the record as it was at first';
  if (mutator === 'control') return 'no test looks at this response';
  if (mutator === 'missing') return `${fieldText(path)}: missing`;
  if (isObject(value) || Array.isArray(value)) return mutationName(mutation);
  const [from, to] = [value, replacement ?? changed(value, mutation)].map((one) =>
    JSON.stringify(one),
  );
  const isLong = `${from}${to}`.length > 2 * maxValue;
  return isLong ? mutationName(mutation) : `${fieldText(path)}: ${from} → ${to}`;
}

/** `items[].total` */
export function fieldText(path: FieldPath): string {
  return path.join('.').replaceAll(`.${eachItem}`, eachItem);
}
