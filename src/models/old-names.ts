import type * as z from 'zod';

/** Fields of rules by the names that they had in earlier versions. */
export const oldNames = { fitted: 'matched', spoil: 'corrupt' } as const;

/**
 * Makes a schema accept fields under their old names too, so that rules, scenario files and exports of earlier versions
 * can still be read. If a value has both names, the old one is an unknown field.
 */
export function acceptOldNames<Schema extends z.ZodObject>(schema: Schema): Schema {
  const renamed = Object.entries(oldNames).filter(
    ([old, name]) => name in schema.shape && !(old in schema.shape),
  );
  if (renamed.length === 0) return schema;
  // A preprocessing step would hide the shape, which forms and documents read.
  const { _zod: internals } = schema;
  const run = internals.run.bind(internals);
  internals.run = (payload, context) => {
    payload.value = renameFields(payload.value, renamed);
    return run(payload, context);
  };
  return schema;
}

function renameFields(value: unknown, renamed: readonly (readonly [string, string])[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const found = renamed.filter(
    ([old, name]) => Object.hasOwn(value, old) && !Object.hasOwn(value, name),
  );
  if (found.length === 0) return value;
  const names = new Map(found);
  return Object.fromEntries(
    Object.entries(value).map(([key, field]: [string, unknown]) => [names.get(key) ?? key, field]),
  );
}
