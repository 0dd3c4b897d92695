import { jsonLimits } from '../lib/json-limits.ts';
import { isObject, valueAt } from '../lib/json-value.ts';
import * as z from 'zod';
import type { ApiDefinition } from '../definition/api.ts';
import { formatCount, Problem, type FieldIssue } from '../lib/problem.ts';
import { issuesOf } from '../lib/schema-issues.ts';
import { unknownKeys } from '../lib/unknown-keys.ts';
import { definitionsByName } from '../store/database.ts';
import { assertNoIssues } from './issues.ts';

/** The fields that records of all tables have. */
export const FileRecord = z.looseObject({ id: z.int().positive().describe('Id of the record') });

/** Limits of a record, above what any record needs. The body of a fault has the limit of a request body. */
const maxFields = 100;
const maxRecordValues = 5000;

/** Maximum number of invalid records in a message. Further ones are counted. */
const maxIssues = 100;

/** Returns the number of records in a file. */
export function recordsIn(file: unknown): number {
  return listsOf(file).reduce((sum, { list }) => sum + list.length, 0);
}

/**
 * Checks the records of a document before a schema does, which would report every issue of a hundred thousand records.
 *
 * @param file has records by table: an export, or changes
 * @param subject names the document in messages
 * @throws Problem `malformed` for tables and fields of another definition, `invalid` for records without an id or with too
 * many values
 */
export function assertRecords(
  file: { readonly tables?: unknown },
  { tables }: Pick<ApiDefinition, 'tables'>,
  subject = 'back office file',
): void {
  const issues: FieldIssue[] = [];
  const lists = listsOf(file);
  const known = definitionsByName(tables);
  const unknown = new Set<string>();
  let more = 0;
  for (const { path, table, list } of lists) {
    const definition = known.get(table)?.[1];
    const fields = definition?.schema.shape ?? {};
    for (const [at, record] of list.entries()) {
      const isWhole = isRecord(record);
      if (!isWhole && issues.length >= maxIssues) more += 1;
      else if (!isWhole) issues.push(issueOf(record, [...path, String(at)]));
      else if (definition !== undefined && unknown.size <= maxIssues)
        for (const key in record)
          if (!Object.hasOwn(fields, key)) unknown.add(`${definition.name}.${key}`);
    }
  }
  assertNoIssues(subject, issues, more);
  const others = Object.keys(tablesOf(file)).filter((name) => !known.has(name));
  const different = [
    ...(others.length > 0 ? [unknownKeys(others, [...known.keys()], 'table')] : []),
    ...(unknown.size > 0 ? [unknownKeys([...unknown], [], 'field')] : []),
  ];
  if (different.length > 0) throw new Problem('malformed', different.join('. '));
}

function tablesOf(file: unknown): Readonly<Record<string, unknown>> {
  const tables = valueAt(file, ['tables']);
  return isObject(tables) ? tables : {};
}

interface RecordList {
  readonly table: string;
  /** In the file. */
  readonly path: readonly string[];
  readonly list: readonly unknown[];
}

function listsOf(file: unknown): RecordList[] {
  return Object.entries(tablesOf(file)).flatMap(([name, table]) =>
    ['rows', 'gone'].flatMap((part) => {
      const list = valueAt(table, [part]);
      return Array.isArray(list) ? [{ table: name, path: ['tables', name, part], list }] : [];
    }),
  );
}

function isRecord(record: unknown): record is object {
  if (!isObject(record)) return false;
  const { id } = record;
  return Number.isSafeInteger(id) && Number(id) > 0 && excessOf(record) === undefined;
}

/** Returns the limit that a record exceeds, if any. */
function excessOf(fields: Readonly<Record<string, unknown>>): Excess | undefined {
  let [count, size] = [0, 0];
  for (const name in fields) {
    count += 1;
    if (name !== 'body' && isObject(fields[name])) size += countValues(fields[name]);
  }
  const body = isObject(fields['body']) ? countValues(fields['body']) : 0;
  if (count > maxFields) return { path: [], count, max: maxFields };
  if (size > maxRecordValues) return { path: [], count: size, max: maxRecordValues };
  const { values: max } = jsonLimits.request;
  return body > max ? { path: ['body'], count: body, max } : undefined;
}

/** Returns the number of values in a parsed JSON value. */
function countValues(tree: object): number {
  let count = 0;
  const left: object[] = [tree];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    for (const value of Object.values(node)) {
      count += 1;
      if (isObject(value)) left.push(value);
    }
  }
  return count;
}

interface Excess {
  readonly path: readonly string[];
  readonly count: number;
  readonly max: number;
}

function issueOf(record: unknown, path: readonly string[]): FieldIssue {
  const { error } = FileRecord.safeParse(record);
  const [first] = error === undefined ? [] : issuesOf(FileRecord, error, record);
  if (first !== undefined) return { path: [...path, ...first.path], message: first.message };
  const {
    path: below = [],
    count = 0,
    max = 0,
  } = (isObject(record) ? excessOf(record) : undefined) ?? {};
  return {
    path: [...path, ...below],
    message: `There are ${formatCount(count)} values, at most ${formatCount(max)} are accepted.`,
  };
}
