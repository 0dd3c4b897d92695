import * as z from 'zod';
import { foldCase } from '../../lib/fold-case.ts';

/** The values that a field can have, as far as a form for them needs it. */
interface ValueType {
  readonly kind?: string;
  readonly values?: string[];
}

/** Returns the type of a field as JSON Schema names it, and the values of an enumeration. */
export function describeValues(schema: z.core.$ZodType): ValueType {
  const inner = innerOf(schema);
  if (inner !== undefined) return describeValues(inner);
  const { def } = schema._zod;
  if (schema instanceof z.ZodEnum) return { kind: 'string', values: schema.options.map(String) };
  if (schema instanceof z.ZodNumber) return { kind: 'format' in def ? 'integer' : 'number' };
  if (schema instanceof z.ZodLiteral) return { kind: typeof schema.value };
  if (def.type === 'record') return { kind: 'object' };
  return jsonTypes.has(def.type) ? { kind: def.type } : {};
}

/** The types that have the same name in zod and in JSON Schema. */
const jsonTypes: ReadonlySet<string> = new Set(['string', 'boolean', 'array', 'object']);

/** Returns the schema that a wrapper allows to be missing, null or read-only. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly;
  return isWrapper ? schema.unwrap() : undefined;
}

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
