/** An object of a JSON document. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object or a list. */
export function isObject(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Returns the value at a path of own properties, such as `['shippingAddress', 'city']`; undefined if there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

/** Returns an object with other values at the same names. */
export function mapValues<Value, Result>(
  object: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, change(value, name)]),
  );
}

/** Removes fields with the value undefined, so that a change leaves them unchanged. */
export function definedOnly<Fields extends object>(fields: Fields): Defined<Fields> {
  const defined: Defined<Fields> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) defined[name] = value;
  }
  return defined;
}

type Defined<Fields> = {
  [Name in keyof Fields]?: NonNullable<Fields[Name]> | (Fields[Name] & null);
};

/** Returns values with another one at a path, or without any there if it is undefined. */
export function withValue(values: JsonObject, path: readonly string[], value: unknown): JsonObject {
  const [name = '', ...rest] = path;
  const inner = values[name];
  const changed = rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value);
  const all = Object.entries({ ...values, [name]: changed });
  return Object.fromEntries(all.filter(([, one]) => one !== undefined));
}

/** Returns the value of a JSON text; undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
