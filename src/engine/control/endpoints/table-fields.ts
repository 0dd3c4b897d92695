import * as z from 'zod';
import { foldCase } from '../../lib/fold-case.ts';
import { unwrapped } from '../../lib/schema-parts.ts';

/** The values that a field can have, as far as a form for them needs it. */
interface ValueType {
  readonly kind?: string;
  readonly values?: string[];
}

/** Returns the type of a field as JSON Schema names it, and the values of an enumeration. */
export function describeValues(schema: z.core.$ZodType): ValueType {
  const inner = unwrapped(schema);
  const { def } = inner._zod;
  if (inner instanceof z.ZodEnum) return { kind: 'string', values: inner.options.map(String) };
  if (inner instanceof z.ZodNumber) return { kind: 'format' in def ? 'integer' : 'number' };
  if (inner instanceof z.ZodLiteral) return { kind: typeof inner.value };
  if (def.type === 'record') return { kind: 'object' };
  return jsonTypes.has(def.type) ? { kind: def.type } : {};
}

/** The types that have the same name in zod and in JSON Schema. */
const jsonTypes: ReadonlySet<string> = new Set(['string', 'boolean', 'array', 'object']);

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
