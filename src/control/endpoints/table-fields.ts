import * as z from 'zod';

/** The values that a field can have, as far as a form for them needs it. */
interface ValueType {
  readonly type?: string;
  readonly values?: string[];
}

const valueTypes = new WeakMap<z.core.$ZodType, ValueType>();

/** Returns the type of a field as JSON Schema names it, and the values of an enumeration. */
export function describeValues(schema: z.core.$ZodType): ValueType {
  const known = valueTypes.get(schema);
  if (known !== undefined) return known;
  const { type, enum: values } = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' });
  const described = {
    ...(typeof type === 'string' && { type }),
    ...(values !== undefined && { values: values.map(String) }),
  };
  valueTypes.set(schema, described);
  return described;
}

/** Returns whether a text is a value. With `*`, the case of letters does not matter. */
export function matcher(value: string): (shown: string) => boolean {
  if (!value.includes('*')) return (shown) => shown === value;
  const parts = value.toLowerCase().split('*');
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  const inner = parts.slice(1, -1);
  return (shown) => {
    const lower = shown.toLowerCase();
    if (!lower.startsWith(first) || !lower.endsWith(last)) return false;
    let from = first.length;
    for (const part of inner) {
      const at = lower.indexOf(part, from);
      if (at === -1) return false;
      from = at + part.length;
    }
    return from <= lower.length - last.length;
  };
}
