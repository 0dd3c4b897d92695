import * as z from 'zod';
import { definitions, tableNames } from '../models/database.ts';
import { capped, formatCount, Problem, truncate, type FieldProblem } from '../lib/problem.ts';
import { maxValues, countValues } from '../rest/json-size.ts';
import { issuesOf } from '../rest/issues.ts';
import { assertNoIssues } from '../scenario/issues.ts';

/** A record of a file, as far as every table has the same. */
export const FileRecord = z.looseObject({ id: z.int().positive() });

/** Tables by their names in a file. */
export const tablesByName = new Map(tableNames.map((name) => [definitions[name].name, name]));

/** More fields than any record has, and more values in them. The body of a fault has the limit of a body of its own. */
const mostFields = 100;
const mostInRecord = 5000;

/** How many records are described that are wrong. The others are counted. */
const mostDescribed = 100;

type Table = Readonly<Partial<Record<'rows' | 'gone', unknown>>>;

/** How many records the tables of a file have. */
export function recordsIn(file: unknown): number {
  return listsOf(file).reduce((sum, { list }) => sum + list.length, 0);
}

/**
 * Looks through the tables of a file before a schema does, which would describe every mistake of a hundred thousand.
 *
 * @throws Problem `malformed` for names that no table has, `invalid` for records without an id or with too many values
 */
export function checkRecords(file: unknown): void {
  refuseUnknown(Object.keys(tablesOf(file)).filter((name) => !tablesByName.has(name)));
  const wrong: FieldProblem[] = [];
  let more = 0;
  for (const { path, list } of listsOf(file)) {
    for (const [at, record] of list.entries()) {
      if (isRecord(record)) continue;
      if (wrong.length >= mostDescribed) more += 1;
      else wrong.push(mistakeOf(record, [...path, String(at)]));
    }
  }
  assertNoIssues('back office file', wrong, more);
}

function tablesOf(file: unknown): Readonly<Record<string, Table>> {
  const { tables } = (file ?? {}) as { readonly tables?: unknown };
  return (isObject(tables) ? tables : {}) as Readonly<Record<string, Table>>;
}

/** The lists of records with their places in the file. */
function listsOf(file: unknown) {
  return Object.entries(tablesOf(file)).flatMap(([name, table]: [string, Table | null]) =>
    (['rows', 'gone'] as const).flatMap((part) => {
      const list = table?.[part];
      return Array.isArray(list)
        ? [{ path: ['tables', name, part], list: list as readonly unknown[] }]
        : [];
    }),
  );
}

function refuseUnknown(names: readonly string[]): void {
  if (names.length === 0) return;
  const listed = capped(
    names.map((name) => truncate(name)),
    (note) => note,
  );
  throw new Problem(
    'malformed',
    `There is no table ${listed.join(', ')}; the tables are ${[...tablesByName.keys()].join(', ')}.`,
  );
}

function isRecord(record: unknown): boolean {
  if (!isObject(record)) return false;
  const { id } = record as { readonly id?: unknown };
  return Number.isSafeInteger(id) && Number(id) > 0 && excessOf(record) === undefined;
}

/** What there is more of in a record than can be; none where it is as large as it may be. */
function excessOf(record: object): Excess | undefined {
  const fields = record as Readonly<Record<string, unknown>>;
  let [count, size] = [0, 0];
  for (const name in fields) {
    count += 1;
    if (name !== 'body' && isObject(fields[name])) size += countValues(fields[name]);
  }
  const body = isObject(fields['body']) ? countValues(fields['body']) : 0;
  if (count > mostFields) return { path: [], count, most: mostFields };
  if (size > mostInRecord) return { path: [], count: size, most: mostInRecord };
  return body > maxValues ? { path: ['body'], count: body, most: maxValues } : undefined;
}

interface Excess {
  readonly path: readonly string[];
  readonly count: number;
  readonly most: number;
}

function mistakeOf(record: unknown, path: readonly string[]): FieldProblem {
  const { error } = FileRecord.safeParse(record);
  const [first] = error === undefined ? [] : issuesOf(FileRecord, error);
  if (first !== undefined) return { path: [...path, ...first.path], message: first.message };
  const { path: below = [], count = 0, most = 0 } = excessOf(record as object) ?? {};
  return {
    path: [...path, ...below],
    message: `There are ${formatCount(count)} values, at most ${formatCount(most)} are accepted.`,
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
