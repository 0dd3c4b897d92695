import * as z from 'zod';
import { lazyStrictObject } from '../lib/lazy-object.ts';
import {
  createDatabase,
  definitions,
  stateOf,
  tableNames,
  type Database,
  type DatabaseState,
  type TableName,
} from '../models/database.ts';
import { parseDateTime } from '../lib/duration.ts';
import { Timestamp } from '../models/fields.ts';
import type { Row } from '../store/row.ts';
import { Transaction } from '../store/transaction.ts';
import { capped, Problem, truncate } from '../lib/problem.ts';
import {
  assertNoIssues,
  brokenReferences,
  brokenSettings,
  invalidFaultHeaders,
  invalidRules,
  misplacedProvinces,
  nestIssues,
  parseOrThrow,
} from '../scenario/issues.ts';
import { restoreState } from './snapshots.ts';
import { Settings } from '../scenario/scenario.ts';
import type { OpenShop } from '../scenario/start.ts';
import { assertRecords, FileRecord, recordsIn, tablesByName } from './file-check.ts';
import { assertRowLimit, assertStateLimit } from './atomic.ts';

/** Version of the export format. */
export const fileVersion = 1;

const Records = z.array(FileRecord);

const TableFile = lazyStrictObject(() => ({
  next_id: z.int().positive().describe('The id that the next new record gets'),
  rows: Records.describe('Records that exist'),
  gone: Records.optional().describe('Records that were deleted and are still referred to'),
}));

/** The state of a back office as a value that JSON can represent. */
export const BackOfficeFile = lazyStrictObject(() => ({
  format: z.literal('backlot').describe('Marks an export of Backlot'),
  version: z.literal(fileVersion).describe('Version of this format'),
  scenario: z.string().describe('Scenario that a reset restores'),
  seed: z.int().describe('Seed of all that is random'),
  now: Timestamp.refine(
    (now) => parseDateTime(now) === now,
    'expected a year from 1000 to 8999',
  ).describe('Time of the clock'),
  clock: z.enum(['frozen', 'ticking']).describe('Mode of the clock'),
  settings: Settings.describe('All settings, those with default values included'),
  tables: z.record(z.string(), TableFile).describe('The records of each table, by its name'),
}));
export type BackOfficeFile = z.output<typeof BackOfficeFile>;

/** The same schema without those of records, because the tables parse the records. */
const CheckedFile = lazyStrictObject(() => ({
  ...BackOfficeFile.shape,
  tables: z.record(
    z.string(),
    TableFile.extend({ rows: z.array(z.unknown()), gone: z.array(z.unknown()).optional() }),
  ),
}));

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
      tableNames.map((name) => [
        definitions[name].name,
        tableFile(db[name].state, Object.keys(definitions[name].schema.shape)),
      ]),
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
  assertRecords(content);
  const file = parseOrThrow(CheckedFile, content, 'back office file');
  const { seed, settings, now, clock: mode } = file;
  const state = stateFrom(file, shop, limitFaultHeaders);
  assertStateLimit(state, shop.start, maxRows);
  restoreState(shop, { start: shop.start, seed, settings, state, clock: { now, mode } });
}

/** Runs first, because the schema of another version may differ. */
function assertVersion(content: unknown): void {
  const { format, version } = (content ?? {}) as Partial<Record<string, unknown>>;
  if (format !== 'backlot') {
    throw new Problem(
      'malformed',
      'The file must be an export of a back office, with the format "backlot".',
    );
  }
  if (version !== fileVersion) {
    throw new Problem(
      'malformed',
      `This export has version ${truncate(JSON.stringify(version) ?? 'undefined')}; version ${fileVersion} can be read.`,
    );
  }
}

/** @param fields in the order of the schema, so that an import and an export return the same bytes */
function tableFile(
  { rows, deleted: gone, nextId }: DatabaseState[TableName],
  fields: readonly string[],
): z.output<typeof TableFile> {
  const records = (all: typeof rows): z.output<typeof Records> =>
    Array.from(all.values(), (row) => ordered(row, fields));
  return {
    next_id: nextId,
    rows: records(rows),
    ...(gone.size > 0 && { gone: records(gone) }),
  };
}

function ordered(row: Row, fields: readonly string[]): z.output<typeof Records>[number] {
  const values = row as Row & Readonly<Record<string, unknown>>;
  const there = fields.filter((field) => Object.hasOwn(values, field));
  return { id: row.id, ...Object.fromEntries(there.map((field) => [field, values[field]])) };
}

/** Fills a separate database, so that an issue in the file leaves the shop unchanged. */
function stateFrom(
  { tables, settings }: z.output<typeof CheckedFile>,
  { clock }: OpenShop,
  limitFaultHeaders: boolean,
): DatabaseState {
  const transaction = new Transaction();
  const db = createDatabase({ clock, transaction });
  for (const [name, table] of Object.entries(tables)) fill(db, tablesByName.get(name), table);
  assertNoMissingRecords(db);
  const headers = limitFaultHeaders ? invalidFaultHeaders(db, placeOf) : [];
  assertNoIssues('back office file', [
    ...brokenSettings(db, settings),
    ...db.addresses
      .all()
      .flatMap((address, at) =>
        nestIssues([...placeOf('addresses'), at], misplacedProvinces(db, 'addresses', address)),
      ),
    ...invalidRules(db, placeOf),
    ...headers,
  ]);
  transaction.freeze();
  return stateOf(db);
}

/** @throws Problem `invalid` if a record is missing that responses embed. Others may have been deleted. */
function assertNoMissingRecords(db: Database): void {
  const items = db.orderItems.all().flatMap((item) => brokenReferences(db, 'orderItems', item));
  const variants = db.variants
    .all()
    .flatMap((variant) => brokenReferences(db, 'variants', variant));
  const masters = new Set(db.variants.all().map((one) => (one.master ? one.product_id : 0)));
  const bare = db.products.all().filter(({ id }) => !masters.has(id));
  const messages = [
    ...[...items, ...variants].map(({ message }) => `${message}, though others refer to it`),
    ...bare.map(({ id }) => `Product ${id} has no master variant`),
  ];
  if (messages.length === 0) return;
  throw new Problem('invalid', capped(messages, (note) => note).join('; '), {
    fields: messages.map((message) => ({ path: ['tables'], message })),
  });
}

const placeOf = (table: string): string[] => ['tables', table, 'rows'];

/** The common interface of all tables. Their union type is too complex for the compiler. */
interface Loading {
  load(records: readonly unknown[]): readonly { readonly id: number }[];
  remove(id: number): unknown;
  reserveIds(next: number): void;
}

function fill(
  db: Database,
  name: TableName | undefined,
  file: z.output<typeof CheckedFile>['tables'][string],
): void {
  if (name === undefined) return;
  const table = db[name] as Loading;
  try {
    // One by one, because several deleted records can have the same unique key.
    for (const record of file.gone ?? []) {
      for (const { id } of table.load([record])) table.remove(id);
    }
    table.load(file.rows);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const path = ['tables', definitions[name].name];
    throw new Problem('invalid', error.message, { fields: [{ path, message: error.message }] });
  }
  table.reserveIds(file.next_id);
}
