import * as z from 'zod';

type LazyObject<Shape extends z.ZodRawShape, Config extends z.core.$ZodObjectConfig> = z.ZodObject<
  z.core.util.Writeable<Shape>,
  Config
>;

/**
 * Creates a schema like `z.object`, whose fields are created when they are first read: a test file reads few of a thousand
 * schemas.
 */
export function lazyObject<
  Shape extends z.ZodRawShape,
  Config extends z.core.$ZodObjectConfig = z.core.$strip,
>(shape: () => Shape, rest?: Pick<z.core.$ZodObjectDef, 'catchall'>): LazyObject<Shape, Config> {
  let fields: Shape | undefined;
  return new z.ZodObject({
    type: 'object',
    // zod calls a getter when it first needs the shape, as those of its own `pick` and `partial`.
    get shape() {
      return (fields ??= shape());
    },
    ...rest,
  }) as LazyObject<Shape, Config>;
}

/** Creates a schema like `z.strictObject`, whose fields are created when they are first read. */
export function lazyStrictObject<Shape extends z.ZodRawShape>(shape: () => Shape) {
  return lazyObject<Shape, z.core.$strict>(shape, strict);
}

/** Returns an object whose values are made when they are first read. */
export function lazyRecord<Value, Key extends string = string>(
  keys: Iterable<Key>,
  make: (key: Key) => Value,
): Record<Key, Value> {
  const record: Partial<Record<Key, Value>> = {};
  for (const key of keys) {
    let value: Value | undefined;
    Object.defineProperty(record, key, { enumerable: true, get: () => (value ??= make(key)) });
  }
  return record as Record<Key, Value>;
}

const strict = { catchall: z.never() };
