import * as z from 'zod';
import { definitions, tableNames, type TableName } from '../models/database.ts';
import { acceptOldNames } from '../models/old-names.ts';

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;

/** A table's name in scenarios and fixture files: `payment_methods`. */
export type DataName = Snake<TableName>;

type Given = 'id' | 'created_at' | 'updated_at';
const given: ReadonlySet<string> = new Set<Given>(['id', 'created_at', 'updated_at']);
type Optional<Fields, Names> = Omit<Fields, Names & keyof Fields> &
  Partial<Pick<Fields, Names & keyof Fields>>;

/** A record as a scenario may write it: any field of the model; ids and times that are not given, the table gives. */
export type RecordInput<Name extends TableName> = Optional<
  z.input<(typeof definitions)[Name]['schema']>,
  Given
>;

/** Records by table: in place, or the path of a JSON file relative to the scenario. */
export type DataInput = { [Name in TableName as Snake<Name>]?: string | RecordInput<Name>[] };
export type DataOutput = { [Name in DataName]?: string | object[] };

/** What the records of a table have to be like, by the table's name in scenarios. */
export const recordLists: ReadonlyMap<string, z.ZodArray<z.ZodObject>> = new Map(
  tableNames.map((name) => [definitions[name].name, z.array(recordOf(definitions[name].schema))]),
);

const lists: Record<string, z.ZodType> = Object.fromEntries(
  Array.from(recordLists, ([name, records]) => [name, z.union([z.string(), records]).optional()]),
);

export const Data = z.strictObject(lists) as z.ZodType<DataOutput, DataInput>;

function recordOf(schema: z.ZodObject): z.ZodObject {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  const fields = Object.entries(shape).map(
    ([name, field]) => [name, given.has(name) ? z.optional(field) : field] as const,
  );
  return acceptOldNames(z.strictObject(Object.fromEntries(fields)));
}
