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

/** Returns values with another one at a path, or without any there if it is undefined. */
export function withValue(
  values: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> {
  const { [name]: inner, ...others } = values;
  if (rest.length === 0) return value === undefined ? others : { ...values, [name]: value };
  return { ...values, [name]: withValue(isObject(inner) ? inner : {}, rest, value) };
}

/** Returns a copy of values without those at some paths. */
export function withoutValues(
  values: JsonObject,
  paths: readonly (readonly string[])[],
): JsonObject {
  const copy = structuredClone(values);
  for (const path of paths) {
    const block = valueAt(copy, path.slice(0, -1));
    if (isObject(block)) Reflect.deleteProperty(block, path.at(-1)!);
  }
  return copy;
}

/** Returns the value of a JSON text; undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
