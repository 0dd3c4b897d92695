import * as z from 'zod';
import { foldCase } from '../../lib/fold-case.ts';
import { memoized } from '../../lib/memoized.ts';

/** The values that a field can have, as far as a form for them needs it. */
interface ValueType {
  readonly kind?: string;
  readonly values?: string[];
}

/** Returns the type of a field as JSON Schema names it, and the values of an enumeration. */
export const describeValues = memoized((schema: z.core.$ZodType): ValueType => {
  const field = z.toJSONSchema(schema, { unrepresentable: 'any' });
  const types = (field.anyOf ?? [field]).filter((one) => one.type !== 'null');
  const [{ type: kind, enum: values } = {}] = types;
  if (typeof kind !== 'string' || types.length > 1) return {};
  return { kind, ...(values !== undefined && { values: values.map(String) }) };
});

/** Returns whether a text is a value. With `*`, the case of letters does not matter. */
export function matcher(value: string): (shown: string) => boolean {
  if (!value.includes('*')) return (shown) => shown === value;
  const parts = foldCase(value).split('*');
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  const inner = parts.slice(1, -1);
  return (shown) => {
    const lower = foldCase(shown);
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
