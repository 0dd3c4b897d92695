/**
 * Returns a function like `create` that creates the value of each key once and keeps it as long as the key lives.
 */
export function memoized<Key extends object, Value>(
  create: (key: Key) => Value,
): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    let value = values.get(key);
    if (value === undefined) values.set(key, (value = create(key)));
    return value;
  };
}

/** Returns a function that creates a value when it is first called. */
export function once<Value extends object>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= create());
}
