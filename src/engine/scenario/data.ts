import * as z from 'zod';
import type { ApiDefinition } from '../definition/api.ts';
import { lazyRecord } from '../lib/lazy-object.ts';
import { memoized } from '../lib/memoized.ts';
import { Problem, type FieldIssue } from '../lib/problem.ts';
import {
  definitionsByName,
  tablesOf,
  type AnyDatabase,
  type AnyDefinition,
  type AnyTable,
  type Definitions,
} from '../store/database.ts';
import type { Row, Values } from '../store/row.ts';
import { brokenReferences, invalidRecords, nestIssues } from './issues.ts';

const assigned: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

/** Returns the schema of each table's records, by the table's name in scenarios. */
export const recordSchemas = memoized(
  (tables: Definitions): ReadonlyMap<string, z.ZodArray<z.ZodObject>> =>
    new Map(
      Object.values(tables).map(({ name, schema }) => [name, z.array(withOptionalFields(schema))]),
    ),
);

/** Creates the schema of the records of a scenario by table: inline, or the path of a JSON file. */
export function recordsFormat(tables: Definitions): z.ZodType {
  // An object schema reads the getters of its shape when it first parses.
  const shape = lazyRecord(definitionsByName(tables).keys(), (name) =>
    z.union([z.string(), recordSchemas(tables).get(name) ?? z.never()]).optional(),
  );
  return z.strictObject(shape);
}

/**
 * Inserts a scenario's records, already parsed, into their tables.
 *
 * @param isLater whether a table has more records later, so that references to them are not checked yet
 * @returns the issues between records: duplicate ids and unique keys, references that do not exist, and those that the
 *   checks of the API find
 */
export function loadRecords(
  db: AnyDatabase,
  api: ApiDefinition,
  scenario: ScenarioRecords,
  isLater: (table: string) => boolean,
): FieldIssue[] {
  const { data } = scenario;
  const tables = tablesOf(db).all();
  const loaded = tables.flatMap((table) => {
    const { name } = table.definition;
    const records = data.get(name);
    return records === undefined ? [] : [{ table, name, records }];
  });
  const duplicates = loaded.flatMap(({ table, name, records }) =>
    nestIssues(['data', name], insertAll(table, records)),
  );
  if (duplicates.length > 0) return duplicates;
  const broken = referenceIssues(db, scenario, (table) => !isLater(table));
  return [...broken, ...invalidRecords(db, api, (table) => ['data', table])];
}

/** The records of a scenario. */
export interface ScenarioRecords {
  readonly data: ReadonlyMap<string, readonly Values[]>;
  /** The names of the tables whose records come from the scenario that it extends. */
  readonly inherited?: ReadonlySet<string> | undefined;
}

/** A record, or a value of one, that a scenario inherits and leaves out, because it refers to a record that the scenario lacks. */
export interface LeftOut {
  readonly table: string;
  readonly id: number;
  /** That of the value, if the record itself stays. */
  readonly field?: string;
  /** `There is no order 105` */
  readonly reason: string;
}

/** `reviews 1, 2 (There is no order 105), favourite of users 3 (…)`: what each table lacks, and the reason for the first one. */
export function leftOutText(records: readonly LeftOut[]): string {
  const byTable = Map.groupBy(records, ({ table, field }) =>
    field === undefined ? table : `${field} of ${table}`,
  );
  return Array.from(byTable, ([table, all]) => {
    const ids = [...new Set(all.map(({ id }) => id))];
    const more = ids.length > 5 ? ` and ${ids.length - 5} more` : '';
    return `${table} ${ids.slice(0, 5).join(', ')}${more} (${all[0]?.reason})`;
  }).join(', ');
}

/** The references of a table that make a scenario leave out a record, or the value, if they are to what it lacks. */
function lenientFields(
  { inherited }: ScenarioRecords,
  { name, isAdded, added = new Set(), references = {} }: AnyDefinition,
): ReadonlySet<string> {
  if (inherited?.has(name) !== true) return new Set();
  return isAdded === true ? new Set(Object.keys(references)) : added;
}

/** Leaves out the inherited records of added tables, and values of added fields, that refer to a record that is not there. */
export function leaveOut(db: AnyDatabase, scenario: ScenarioRecords): LeftOut[] {
  const left: LeftOut[] = [];
  // What refers to records that are left out is left out, too.
  for (;;) {
    const broken = tablesOf(db)
      .all()
      .flatMap((table) => brokenRows(db, table, lenientFields(scenario, table.definition)));
    if (broken.length === 0) return left;
    for (const { table, row, issues } of broken) {
      const { name, isAdded } = table.definition;
      const { id, updated_at }: Values & Row = row;
      const of = { table: name, id };
      if (isAdded === true) {
        left.push({ ...of, reason: issues[0]?.message ?? '' });
        table.remove(id);
        continue;
      }
      const fields = issues.map(({ path: [field = ''], message: reason }) => ({ field, reason }));
      left.push(...fields.map((one) => ({ ...of, ...one })));
      const cleared = fields.map(({ field }) => [field, undefined] as const);
      table.change(id, { ...Object.fromEntries<unknown>(cleared), updated_at });
    }
  }
}

/** Returns the rows with references to records that are not there. */
function brokenRows(db: AnyDatabase, table: AnyTable, fields: ReadonlySet<string>) {
  if (fields.size === 0) return [];
  return table.all().flatMap((row) => {
    const issues = brokenReferences(db, table.definition, row).filter(({ path: [field = ''] }) =>
      fields.has(field),
    );
    return issues.length === 0 ? [] : [{ table, row, issues }];
  });
}

/** Returns an issue for each reference of a scenario's records to a record that does not exist. @param isChecked whether references to a table are checked */
export function referenceIssues(
  db: AnyDatabase,
  scenario: ScenarioRecords,
  isChecked: (table: string) => boolean,
): FieldIssue[] {
  const { data } = scenario;
  return tablesOf(db)
    .all()
    .flatMap(({ definition }) => {
      const { name, references = {} } = definition;
      const lenient = lenientFields(scenario, definition);
      const checked = Object.entries(references).filter(
        ([field, to = '']) => isChecked(to) && !lenient.has(field),
      );
      if (checked.length === 0) return [];
      const known = { references: Object.fromEntries(checked) };
      return (data.get(name) ?? []).flatMap((record, at) =>
        nestIssues(['data', name, at], brokenReferences(db, known, record)),
      );
    });
}

function insertAll(table: AnyTable, records: readonly Values[]): FieldIssue[] {
  try {
    table.addAll(records);
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
  return z.strictObject(Object.fromEntries(fields));
}
