import * as z from 'zod';
import { lazyStrictObject } from '../lib/lazy-object.ts';
import type { ApiDefinition } from '../definition/api.ts';
import { parseDateTime } from '../lib/duration.ts';
import { memoized } from '../lib/memoized.ts';
import { isObject, valueAt } from '../lib/json-value.ts';
import { Timestamp } from '../lib/fields.ts';
import type { Row, Values } from '../store/row.ts';
import {
  createDatabase,
  restoreDatabase,
  stateOf,
  tablesOf,
  type AnyDatabase,
  type AnyDefinition,
  type DatabaseState,
} from '../store/database.ts';
import type { TableState } from '../store/table-state.ts';
import { Transaction } from '../store/transaction.ts';
import { capped, Problem, truncate } from '../lib/problem.ts';
import {
  assertNoIssues,
  brokenSettings,
  invalidFaultHeaders,
  invalidRecords,
  parseOrThrow,
} from '../scenario/issues.ts';
import { changedTables } from '../scenario/changes.ts';
import { restoreState } from './snapshots.ts';
import type { OpenShop } from '../scenario/start.ts';
import { assertRecords, FileRecord, recordsIn } from '../scenario/record-check.ts';
import { assertRowLimit, rowCountOf } from './atomic.ts';

/** Version of the export format. */
export const fileVersion = 1;

const Records = z.array(FileRecord);

const TableFile = lazyStrictObject(() => ({
  next_id: z.int().positive().describe('The id that the next new record gets'),
  rows: Records.describe('Records that exist'),
  gone: Records.optional().describe('Records that were deleted and are still referred to'),
}));

/** Returns the schema of the state of a back office as a value that JSON can represent. */
export function fileFormat({ settings }: Pick<ApiDefinition, 'settings'>) {
  return lazyStrictObject(() => ({
    format: z.literal('backlot').describe('Marks an export of Backlot'),
    version: z.literal(fileVersion).describe('Version of this format'),
    scenario: z.string().describe('Scenario that a reset restores'),
    seed: z.int().describe('Seed of all that is random'),
    now: Timestamp.refine(
      (now) => parseDateTime(now) === now,
      'expected a year from 1000 to 8999',
    ).describe('Time of the clock'),
    clock: z.enum(['frozen', 'ticking']).describe('Mode of the clock'),
    settings: settings.describe('All settings, those with default values included'),
    tables: z.record(z.string(), TableFile).describe('The records of each table, by its name'),
  }));
}
export type BackOfficeFile = z.output<ReturnType<typeof fileFormat>>;

/** Returns the same schema without those of records, because the tables parse the records. Memoized. */
const checkedFile = /* @__PURE__ */ memoized((api: ApiDefinition) => {
  // `assertRecords` has checked them.
  const rows = z.custom<Row[]>(Array.isArray);
  return lazyStrictObject(() => ({
    ...fileFormat(api).shape,
    tables: z.record(z.string(), TableFile.extend({ rows, gone: rows.optional() })),
  }));
});
type CheckedFile = z.output<ReturnType<typeof checkedFile>>;

/** Limits of an import: see `BackOfficeOptions`. */
export interface ImportLimits {
  readonly maxRows?: number | undefined;
  readonly limitFaultHeaders?: boolean | undefined;
}

export function exportShop({ start, seed, settings, clock, db }: OpenShop): BackOfficeFile {
  return {
    format: 'backlot',
    version: fileVersion,
    scenario: start.scenario.name,
    seed,
    now: clock.now(),
    clock: clock.mode,
    settings,
    tables: Object.fromEntries(
      tablesOf(db)
        .all()
        .map(({ definition, state }) => [definition.name, tableFile(state, definition)]),
    ),
  };
}

/**
 * Replaces the state of a shop by that of a file. A reset still restores the scenario of the shop.
 *
 * @throws Problem `invalid` with every issue outside of the records, or with that of the first invalid record
 */
export function importShop(
  shop: OpenShop,
  content: unknown,
  { maxRows, limitFaultHeaders = false }: ImportLimits = {},
): void {
  assertVersion(content);
  assertRowLimit(recordsIn(content), shop.start, maxRows);
  if (isObject(content)) assertRecords(content, shop.api);
  const file = parseOrThrow(checkedFile(shop.api), content, 'back office file');
  const { seed, settings, now, clock: mode } = file;
  const state = stateFrom(file, shop, limitFaultHeaders);
  assertRowLimit(rowCountOf(state), shop.start, maxRows);
  restoreState(shop, { start: shop.start, seed, settings, state, clock: { now, mode } });
}

/** Runs first, because the schema of another version may differ. */
function assertVersion(content: unknown): void {
  if (valueAt(content, ['format']) !== 'backlot') {
    throw new Problem(
      'malformed',
      'The file must be an export of a back office, with the format "backlot".',
    );
  }
  const version = valueAt(content, ['version']);
  if (version !== fileVersion) {
    throw new Problem(
      'malformed',
      `This export has version ${truncate(JSON.stringify(version) ?? 'undefined')}; version ${fileVersion} can be read.`,
    );
  }
}

/** Returns fields in the order of the schema, so that an import and an export return the same bytes. */
function tableFile(
  { rows, deleted: gone, nextId }: TableState,
  { schema }: AnyDefinition,
): z.output<typeof TableFile> {
  const fields = Object.keys(schema.shape);
  const records = (all: typeof rows): z.output<typeof Records> =>
    Array.from(all.values(), (row) => ordered(row, fields));
  return {
    next_id: nextId,
    rows: records(rows),
    ...(gone.size > 0 && { gone: records(gone) }),
  };
}

function ordered(row: Row, fields: readonly string[]): z.output<typeof Records>[number] {
  const values: Values = { ...row };
  const there = fields.filter((field) => Object.hasOwn(values, field));
  return { id: row.id, ...Object.fromEntries(there.map((field) => [field, values[field]])) };
}

/** Uses a separate database, so that an issue in the file leaves the shop unchanged. */
function stateFrom(
  { tables, settings }: CheckedFile,
  { api, clock }: OpenShop,
  limitFaultHeaders: boolean,
): DatabaseState {
  const db = createDatabase(api.tables, { clock, transaction: new Transaction() });
  restoreDatabase(db, changedTables({}, api, tables, clock));
  assertNoMissingRecords(db, api);
  const headers = limitFaultHeaders ? invalidFaultHeaders(db, placeOf) : [];
  assertNoIssues('back office file', [
    ...brokenSettings(db, api, settings),
    ...invalidRecords(db, api, placeOf),
    ...headers,
  ]);
  return stateOf(db);
}

/** @throws Problem `invalid` if a record is missing that responses embed. Others may have been deleted. */
function assertNoMissingRecords(db: AnyDatabase, api: ApiDefinition): void {
  const messages = api.missingRecords(db);
  if (messages.length === 0) return;
  throw new Problem('invalid', capped(messages, (note) => note).join('; '), {
    fields: messages.map((message) => ({ path: ['tables'], message })),
  });
}

const placeOf = (table: string): string[] => ['tables', table, 'rows'];
