import * as z from 'zod';
import { Problem, type FieldIssue } from '../lib/problem.ts';
import { definitions, tableNames, type Database, type TableName } from '../models/database.ts';
import { acceptOldNames } from '../models/fields.ts';
import { nestIssues, brokenReferences, invalidRules, misplacedProvinces } from './issues.ts';

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;

/** A table's name in scenarios and fixture files: `payment_methods`. */
export type DataName = Snake<TableName>;

type Assigned = 'id' | 'created_at' | 'updated_at';
const assigned: ReadonlySet<string> = new Set<Assigned>(['id', 'created_at', 'updated_at']);
type Optional<Fields, Names> = Omit<Fields, Names & keyof Fields> &
  Partial<Pick<Fields, Names & keyof Fields>>;

/** A record in a scenario: the fields of its model. If it has no id or timestamps, the table assigns them. */
export type RecordInput<Name extends TableName> = Optional<
  z.input<(typeof definitions)[Name]['schema']>,
  Assigned
>;

/** Records by table: inline, or the path of a JSON file relative to the scenario. */
export type DataInput = { [Name in TableName as Snake<Name>]?: string | RecordInput<Name>[] };
export type DataOutput = { [Name in DataName]?: string | object[] };

/** The schema of each table's records, by the table's name in scenarios. Created when first read. */
export function recordSchemas(): ReadonlyMap<string, z.ZodArray<z.ZodObject>> {
  return (createdSchemas ??= new Map(
    tableNames.map((name) => [
      definitions[name].name,
      z.array(withOptionalFields(definitions[name].schema)),
    ]),
  ));
}

let createdSchemas: ReturnType<typeof recordSchemas> | undefined;

/** An object schema reads the getters of its shape when it first parses. */
const tables: Record<string, z.ZodType> = {};
for (const { name } of Object.values(definitions)) {
  Object.defineProperty(tables, name, {
    enumerable: true,
    get: () => z.union([z.string(), recordSchemas().get(name) ?? z.never()]).optional(),
  });
}

export const Data = z.strictObject(tables) as z.ZodType<DataOutput, DataInput>;

/**
 * Inserts a scenario's records, already parsed, into their tables.
 *
 * @returns the issues between records: duplicate ids and unique keys, references that do not exist, provinces of
 *   another country, rules that can never apply
 */
export function loadRecords(
  db: Database,
  data: ReadonlyMap<string, readonly object[]>,
): FieldIssue[] {
  const loaded = tableNames.flatMap((name) => {
    const table = db[name].definition.name;
    const records = data.get(table);
    return records === undefined ? [] : [{ name, table, records }];
  });
  const duplicates = loaded.flatMap(({ name, table, records }) =>
    nestIssues(['data', table], insertAll(db, name, records)),
  );
  if (duplicates.length > 0) return duplicates;
  const broken = loaded.flatMap(({ name, table, records }) =>
    records.flatMap((record, at) =>
      nestIssues(
        ['data', table, at],
        [...brokenReferences(db, name, record), ...misplacedProvinces(db, name, record)],
      ),
    ),
  );
  return [...broken, ...invalidRules(db, (table) => ['data', table])];
}

function insertAll(db: Database, name: TableName, records: readonly object[]): FieldIssue[] {
  try {
    // The compiler cannot relate `name` to the type of its records; the table's schema has parsed them.
    db[name].addAll(records as readonly never[]);
    return [];
  } catch (error) {
    if (error instanceof Problem) return [{ path: [], message: error.message }];
    throw error;
  }
}

function withOptionalFields(schema: z.ZodObject): z.ZodObject {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  const fields = Object.entries(shape).map(
    ([name, field]) => [name, assigned.has(name) ? z.optional(field) : field] as const,
  );
  return acceptOldNames(z.strictObject(Object.fromEntries(fields)));
}
