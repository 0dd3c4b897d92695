/**
 * Returns a function like `create` that creates the value of each key once and keeps it as long as the key lives.
 *
 * @param create must not return undefined
 */
export function memoized<Key extends object, Value>(
  create: (key: Key) => Value,
): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    const value = values.get(key) ?? create(key);
    values.set(key, value);
    return value;
  };
}

/** Returns a function that creates a value when it is first called. */
export function once<Value extends object>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= create());
}
