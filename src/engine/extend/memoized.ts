/** Returns a function that makes a value when it is first called. */
export function memoized<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
