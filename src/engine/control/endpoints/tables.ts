import { hintOf } from '../../lib/unknown-keys.ts';
import * as z from 'zod';
import { ChangesFrom } from '../../definition/explanation-view.ts';
import { parseId, snakeCase } from '../../lib/names.ts';
import { valueAt } from '../../lib/json-value.ts';
import { invalidFields, Problem, beginningOf } from '../../lib/problem.ts';
import { redactRecord } from '../../journal/redaction.ts';
import { RecordChange } from '../../office/changes.ts';
import type { BackOffice } from '../../office/back-office.ts';
import { integer, text } from '../../rest/field.ts';
import { form, jsonForm, type Form } from '../../rest/form.ts';
import { issuesOf } from '../../lib/schema-issues.ts';
import { brokenReferences } from '../../scenario/issues.ts';
import {
  tablesOf,
  type AnyDefinition,
  type AnyTable,
  type Definitions,
} from '../../store/database.ts';
import type { Row } from '../../store/row.ts';
import { endpoint } from '../endpoint.ts';
import { SummaryView } from '../../office/history-view.ts';
import { describeValues, matcher } from './table-fields.ts';
import { documentTexts } from '../../lib/document-texts.ts';

const Record = z.looseObject({ id: z.int() });

const TableView = z.strictObject({
  name: z.string().describe('As in an export: `order_items`'),
  rows: z.int(),
  fields: z.array(
    z.strictObject({
      name: z.string(),
      kind: z
        .string()
        .optional()
        .describe('The type as JSON Schema names it; unset if there are several'),
      values: z.array(z.string()).optional().describe('All values that it can have'),
      refers_to: z.string().optional().describe('Table of the ids in it'),
    }),
  ),
});
export type TableView = z.output<typeof TableView>;

const RowsView = z.strictObject({
  page: z.int(),
  limit: z.int(),
  total: z.int(),
  rows: z.array(Record),
});
export type RowsView = z.output<typeof RowsView>;

const RecordHistoryView = z.strictObject({
  changesFrom: ChangesFrom,
  entries: z
    .array(z.strictObject({ ...SummaryView.shape, change: RecordChange }))
    .describe('What changed the record since `changesFrom`, oldest first'),
});
export type RecordHistoryView = z.output<typeof RecordHistoryView>;

const path = '/_backlot/tables/:name';

const rowsForm = form({
  where: z.record(z.string(), z.string().optional()).optional().describe(documentTexts.tableWhere),
  sort: text()
    .optional()
    .describe('The field to sort by, with `-` in descending order (default: `id`)'),
  page: integer({ min: 1 }).optional().describe('Number of the page (default: 1)'),
  limit: integer({ min: 1 })
    .max(200, 'This value should be 200 or less.')
    .optional()
    .describe('Maximum number of records on a page (default: 20)'),
});

/** The records of every table, for a page that browses them. Secrets are masked. */
export const tableEndpoints = [
  endpoint({
    hasPast: true,
    method: 'GET',
    path: '/_backlot/tables',
    summary: 'List the tables with their fields and references',
    answer: z.array(TableView),
    handle({ office }) {
      const tables = tablesOf(office().shop.db);
      return tables.all().map((table) => tableView(table, tables.definitions));
    },
  }),
  endpoint({
    hasPast: true,
    method: 'GET',
    path,
    operationId: 'listRecords',
    summary: 'List records of a table: `where[name]=Ada`, `sort=-updated_at`',
    query: rowsForm,
    answer: RowsView,
    example: { url: '/_backlot/tables/users?sort=-id&limit=2' },
    subject: ({ office, params }) => findTable(office(), params.name),
    handle: ({ subject, query }) => pageOf(subject, query),
  }),
  endpoint({
    hasPast: true,
    method: 'GET',
    path: `${path}/:record_id`,
    operationId: 'getRecord',
    summary: 'Get a record of a table, even if it was deleted and is still referred to',
    answer: Record,
    example: { url: '/_backlot/tables/order_items/1' },
    subject: ({ office, params }) => findTable(office(), params.name),
    handle({ subject, params }) {
      const { singular } = subject.definition;
      const id = parseId(singular, params.record_id);
      const row = subject.getWithDeleted(id);
      if (row === undefined) throw new Problem('missing', `There is no ${singular} ${id}.`);
      return shownRecord(subject, row);
    },
  }),
  endpoint({
    method: 'GET',
    path: `${path}/:record_id/history`,
    operationId: 'listRecordHistory',
    summary: 'List what changed a record, oldest first',
    answer: RecordHistoryView,
    example: { url: '/_backlot/tables/orders/1/history' },
    subject: ({ office, params }) => findTable(office(), params.name),
    handle({ office, subject, params }) {
      const { singular, name } = subject.definition;
      const { history } = office();
      const entries = history.of(name, parseId(singular, params.record_id));
      return { changesFrom: history.reach.changesFrom, entries };
    },
  }),
  endpoint({
    method: 'PATCH',
    path: `${path}/:record_id`,
    operationId: 'changeRecord',
    summary: 'Change fields of a record; null removes a field',
    body: jsonForm(z.looseObject({})),
    answer: Record,
    errors: ['missing', 'invalid', 'conflict', 'refused'],
    example: { url: '/_backlot/tables/users/1', body: { first_name: 'Grace' } },
    subject: ({ office, params }) => findTable(office(), params.name),
    handle({ office, subject, params, body }) {
      const { singular } = subject.definition;
      return shownRecord(
        subject,
        changeRecord(office(), subject, parseId(singular, params.record_id), body),
      );
    },
  }),
];

/** @throws Problem `missing` that lists the names */
function findTable({ shop }: BackOffice, name: string): AnyTable {
  const tables = tablesOf(shop.db).all();
  const found = tables.find(
    ({ definition }) => definition.name === snakeCase(name).replaceAll('-', '_'),
  );
  if (found !== undefined) return found;
  const names = tables.map(({ definition }) => definition.name);
  throw new Problem(
    'missing',
    `Table '${beginningOf(name, 80)}' not found.${hintOf(name, names)} Use one of ${names.join(', ')}.`,
  );
}

function tableView(table: AnyTable, definitions: Definitions): z.output<typeof TableView> {
  const { name, schema, references = {} } = table.definition;
  const targets: Readonly<Record<string, string | undefined>> = references;
  const fields = Object.entries<z.core.$ZodType>(schema.shape).map(([field, type]) => {
    const target = definitions[targets[field] ?? ''];
    const refersTo = target !== undefined && { refers_to: target.name };
    return { name: field, ...describeValues(type), ...refersTo };
  });
  return { name, rows: table.count(), fields };
}

/** Returns a record of a table without secrets. */
export function shownRecord({ definition }: Defined, row: Row): z.output<typeof Record> {
  return { ...redactRecord(row, definition.secret), id: row.id };
}

/** A table, whose definition says which of its fields are secret. */
interface Defined {
  readonly definition: Pick<AnyDefinition, 'secret'>;
}

type RowsQuery = typeof rowsForm extends Form<infer Query> ? Query : never;

/** A page that is neither filtered nor sorted by another field than the id costs as much as it shows. */
function pageOf(
  table: AnyTable,
  { where = {}, sort = 'id', page = 1, limit = 20 }: RowsQuery,
): z.output<typeof RowsView> {
  const descending = sort.startsWith('-');
  const field = descending ? sort.slice(1) : sort;
  assertFields(table, [field, ...Object.keys(where)]);
  const conditions = Object.entries(where).flatMap(([one, value]) =>
    value === undefined ? [] : [[one, matcher(value)] as const],
  );
  const offset = (page - 1) * limit;
  if (conditions.length === 0 && field === 'id') {
    const rows = table.page(offset, limit, { descending }).map((row) => shownRecord(table, row));
    return { page, limit, total: table.count(), rows };
  }
  const all = table
    .page(0, table.count())
    .filter((row) => conditions.every(([one, matches]) => matches(textOf(valueAt(row, [one])))));
  if (field !== 'id')
    all.sort((one, other) => compare(valueAt(one, [field]), valueAt(other, [field])));
  if (descending) all.reverse();
  return {
    page,
    limit,
    total: all.length,
    rows: all.slice(offset, offset + limit).map((row) => shownRecord(table, row)),
  };
}

/** @throws Problem `invalid` for a field that the table does not have, or one whose values are masked */
function assertFields({ definition }: AnyTable, fields: readonly string[]): void {
  const { name: table, schema } = definition;
  const known = Object.keys(schema.shape).filter((field) => !isMasked(definition, field));
  const wrong = fields.find((field) => !known.includes(field));
  if (wrong === undefined) return;
  const message = `${beginningOf(wrong, 80)} is not a field of ${table} that can be compared.${hintOf(wrong, known)} Use one of ${known.join(', ')}.`;
  throw invalidFields([{ path: ['where'], message }]);
}

/** Whether the values of a field are secrets. A filter by such a field would reveal them. */
function isMasked({ secret }: Defined['definition'], field: string): boolean {
  const sample = 'a value';
  return redactRecord({ [field]: sample }, secret)[field] !== sample;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [a, b] = [textOf(one), textOf(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Rules have endpoints of their own, which check what they may do. */
const unchangeable: readonly string[] = ['fault_rules', 'script_rules', 'tokens'];

function changeRecord({ shop }: BackOffice, table: AnyTable, id: number, sent: object): Row {
  const { singular, name, schema } = table.definition;
  if (unchangeable.includes(name))
    throw new Problem('refused', `Records of ${name} cannot be changed here.`);
  const row = table.get(id);
  if (row === undefined) throw new Problem('missing', `There is no ${singular} ${id}.`);
  const changes = Object.fromEntries(
    Object.entries(sent).map(([field, value]: [string, unknown]) => [field, value ?? undefined]),
  );
  const strict = z.strictObject(schema.shape);
  const changed = { ...row, ...changes };
  const parsed = strict.safeParse(changed);
  if (!parsed.success) throw invalidFields(issuesOf(strict, parsed.error, changed));
  const broken = brokenReferences(shop.db, table.definition, parsed.data);
  if (broken.length > 0) throw invalidFields(broken);
  return shop.transaction.run(() => table.change(id, changes));
}
