import * as z from 'zod';
import { blankMessage, extensionMark, referred } from '../rest/field.ts';
import { notValid, type Form } from '../rest/form.ts';
import {
  changedFields,
  changeFields,
  withParts,
  type Change,
  type Changed,
} from './changed-schema.ts';
import type { RecordUuids } from './record-uuids.ts';

/** Converts an id of a table. Other values are returned as they are. */
export type ConvertId = (table: string, id: unknown) => unknown;

/** Writes ids as UUIDs. */
export function outsideOf(uuids: RecordUuids): ConvertId {
  return (table, id) => (typeof id === 'number' ? uuids.uuidOf(table, id) : id);
}

/** Reads UUIDs. No record has the id 0, which those of no record are. */
export function insideOf(uuids: RecordUuids): ConvertId {
  return (table, id) => (typeof id === 'string' ? (uuids.idOf(table, id) ?? 0) : id);
}

/** The tables whose records have UUIDs. */
export interface IdTables {
  /** Those to which names refer: `order`, `order_id`, and the parameters of requests. */
  readonly names: ReadonlyMap<string, string>;
  readonly isShown: (table: string) => boolean;
}

/** Returns the schema of ids in requests or, without one to begin from, of those in responses. */
export function uuidSchema(from?: z.ZodNumber): z.ZodType {
  const { description } = (from && z.globalRegistry.get(from)) ?? {};
  const blank = from?.safeParse(undefined).error?.issues[0]?.message;
  const text = z.string(blank === undefined ? {} : { error: blankMessage(blank) });
  const schema = text.check(z.uuid({ error: notValid }));
  return schema.meta({ ...(description && { description }), [extensionMark]: true });
}

/** Returns a form that accepts UUIDs, with what converts ids in its values; undefined if it has no such parameter. */
export function idForm(
  form: Form<unknown>,
  isPartial: boolean,
  tables: IdTables,
): { readonly form: Form<unknown>; readonly convert: Change<ConvertId> } | undefined {
  const { criteria, sorting } = form.schema.shape;
  const filters = sorting && criteria instanceof z.ZodOptional ? criteria.unwrap() : undefined;
  const isList = filters instanceof z.ZodObject;
  const changed = changedFields<ConvertId>(isList ? filters : form.schema, (field, name) => {
    // All parameters of a partial form are optional.
    const own = isPartial && field instanceof z.ZodOptional ? field.unwrap() : field;
    return idSchema(own, name, tables);
  });
  const fields = new Map(changed.map(([name, { schema }]) => [name, schema]));
  const extended = changed.length === 0 ? undefined : form.with?.(Object.fromEntries(fields), []);
  const change = changeFields(
    isList ? [['criteria', { schema: filters, change: changeFields(changed) }]] : changed,
  );
  return extended && change && { form: extended, convert: change };
}

/** @param isOwn whether the parameter is of an extension, whose references say their tables */
function idSchema(
  schema: z.core.$ZodType,
  name: string | undefined,
  tables: IdTables,
  isOwn = false,
): Changed<ConvertId> | undefined {
  const own = isOwn || z.globalRegistry.get(schema)?.[extensionMark] === true;
  if (!(schema instanceof z.ZodNumber))
    return withParts(schema, (part, field = name) => idSchema(part, field, tables, own));
  const table = referred.get(schema)?.table ?? (own ? undefined : tables.names.get(name ?? ''));
  if (table === undefined || !tables.isShown(table)) return undefined;
  return {
    schema: uuidSchema(schema).register(referred, { table }),
    change: (value, each) => each(table, value),
  };
}

/** Returns the fields of a view of a table that are ids: its own, and the references of an extension. */
export function idFields(view: z.ZodObject, key: string, { isShown }: IdTables) {
  const tables: IdTables = { names: new Map(), isShown };
  return changedFields<ConvertId>(view, (field, name) => {
    if (name === 'id' && isShown(key))
      return { schema: uuidSchema(), change: (value, each) => each(key, value) };
    return field instanceof z.ZodObject ? undefined : idSchema(field, name, tables);
  });
}
