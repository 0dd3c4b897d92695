import * as z from 'zod';

/**
 * Returns the parts of a view that shows fields as records have them, after the id: they make the schema of a view, its
 * value, and the fields by which a list can be sorted.
 */
export function shownFields<Shape extends z.ZodRawShape, const Name extends keyof Shape & string>(
  schema: z.ZodObject<Shape>,
  ...fields: readonly Name[]
) {
  const names: readonly ('id' | Name)[] = ['id', ...fields];
  return {
    names,
    /** Returns the fields of the schema of a view, with those that follow them. In a spread, types lose their order. */
    shape<More extends z.ZodRawShape>(more: More) {
      const id = { id: z.int() };
      return Object.assign(id, pick(schema.shape, fields), more);
    },
    of: <One extends { readonly [Field in 'id' | Name]?: unknown }>(record: One) =>
      pick(record, names),
  };
}

/** Returns these fields, without those that are undefined. */
function pick<Whole extends object, Name extends keyof Whole>(
  whole: Whole,
  names: readonly Name[],
): { [Field in keyof Whole as Field extends Name ? Field : never]: Whole[Field] } {
  const picked: Partial<Whole> = {};
  for (const name of names) {
    const value = whole[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked as Whole;
}

/** Returns the times of a record. */
export function stampsOf(record: { readonly created_at: string; readonly updated_at: string }) {
  return { created_at: record.created_at, updated_at: record.updated_at };
}
