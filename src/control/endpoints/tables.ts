import * as z from 'zod';
import { parseId } from '../../lib/names.ts';
import { invalidFields, Problem } from '../../lib/problem.ts';
import { definitions, tableNames, type TableName } from '../../models/database.ts';
import { redactResponse } from '../../journal/redaction.ts';
import { RecordChange } from '../../office/changes.ts';
import type { BackOffice } from '../../office/back-office.ts';
import { integer, text } from '../../rest/field.ts';
import { form, jsonForm } from '../../rest/form.ts';
import { issuesOf } from '../../rest/issues.ts';
import { brokenReferences } from '../../scenario/issues.ts';
import type { Row } from '../../store/row.ts';
import { endpoint } from '../endpoint.ts';
import { SummaryView } from './history.ts';
import { describeValues, matcher } from './table-fields.ts';

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

const RowsView = z.strictObject({
  page: z.int(),
  limit: z.int(),
  total: z.int(),
  rows: z.array(Record),
});

const path = '/_backlot/tables/:name';

/** The records of every table, for a page that browses them. Secrets are masked. */
export const tableEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/tables',
    operationId: 'listTables',
    summary: 'List the tables with their fields and references',
    status: 200,
    answer: z.array(TableView),
    errors: [],
    example: { url: '/_backlot/tables' },
    handle({ office }) {
      const backOffice = office();
      return tableNames.map((name) => tableView(backOffice, name));
    },
  }),
  endpoint({
    method: 'GET',
    path,
    operationId: 'listRecords',
    summary: 'List records of a table: `where[state]=cart`, `sort=-updated_at`',
    query: form({
      where: z
        .record(z.string(), z.string())
        .optional()
        .describe(
          'Values of fields that the records have, as text: `where[state]=cart`; `*` stands for any text: `where[email]=*ada*`',
        ),
      sort: text()
        .optional()
        .describe('The field to sort by, with `-` in descending order (default: `id`)'),
      page: integer({ min: 1 }).optional().describe('Number of the page (default: 1)'),
      limit: integer({ min: 1 })
        .max(200, 'This value should be 200 or less.')
        .optional()
        .describe('Maximum number of records on a page (default: 20)'),
    }),
    status: 200,
    answer: RowsView,
    errors: ['missing', 'invalid'],
    example: { url: '/_backlot/tables/orders?where[state]=cart&sort=-id&limit=2' },
    subject: ({ params }) => parseTable(params.name),
    handle: ({ office, subject, query }) => pageOf(office(), subject, query),
  }),
  endpoint({
    method: 'GET',
    path: `${path}/:record_id`,
    operationId: 'getRecord',
    summary: 'Get a record of a table, even if it was deleted and is still referred to',
    status: 200,
    answer: Record,
    errors: ['missing'],
    example: { url: '/_backlot/tables/order_items/1' },
    subject: ({ params }) => parseTable(params.name),
    handle({ office, subject, params }) {
      const { singular } = definitions[subject];
      const id = parseId(singular, params.record_id);
      const row = tableOf(office(), subject).getWithDeleted(id);
      if (row === undefined) throw new Problem('missing', `There is no ${singular} ${id}.`);
      return shown(row);
    },
  }),
  endpoint({
    method: 'GET',
    path: `${path}/:record_id/history`,
    operationId: 'listRecordHistory',
    summary: 'List what changed a record, oldest first',
    status: 200,
    answer: z.array(z.strictObject({ ...SummaryView.shape, change: RecordChange })),
    errors: ['missing'],
    example: { url: '/_backlot/tables/orders/1/history' },
    subject: ({ params }) => parseTable(params.name),
    handle({ office, subject, params }) {
      const { singular, name } = definitions[subject];
      return [...office().history.of(name, parseId(singular, params.record_id))];
    },
  }),
  endpoint({
    method: 'PATCH',
    path: `${path}/:record_id`,
    operationId: 'changeRecord',
    summary: 'Change fields of a record; null removes a field',
    body: jsonForm(z.looseObject({})),
    status: 200,
    answer: Record,
    errors: ['missing', 'invalid', 'conflict', 'refused'],
    example: { url: '/_backlot/tables/users/1', body: { first_name: 'Grace' } },
    subject: ({ params }) => parseTable(params.name),
    handle({ office, subject, params, body }) {
      const { singular } = definitions[subject];
      return shown(changeRecord(office(), subject, parseId(singular, params.record_id), body));
    },
  }),
];

/** The common interface of all tables. Their union type is too complex for the compiler. */
interface AnyTable {
  count(): number;
  get(id: number): Row | undefined;
  getWithDeleted(id: number): Row | undefined;
  page(offset: number, limit: number, order?: { readonly descending?: boolean }): Row[];
  change(id: number, changes: object): Row;
}

function tableOf({ shop }: BackOffice, name: TableName): AnyTable {
  return shop.db[name];
}

const byName = new Map<string, TableName>(tableNames.map((name) => [definitions[name].name, name]));

/** @throws Problem `missing` that lists the names */
function parseTable(name: string): TableName {
  const known = byName.get(name);
  if (known !== undefined) return known;
  const names = [...byName.keys()].join(', ');
  throw new Problem('missing', `Table '${name.slice(0, 80)}' not found. Use one of ${names}.`);
}

function tableView(office: BackOffice, name: TableName): z.output<typeof TableView> {
  const { name: table, schema, references = {} } = definitions[name];
  const targets = references as Readonly<Record<string, TableName | undefined>>;
  const fields = Object.entries(schema.shape).map(([field, type]) => {
    const target = targets[field];
    const refersTo = target !== undefined && { refers_to: definitions[target].name };
    return { name: field, ...describeValues(type as z.core.$ZodType), ...refersTo };
  });
  return { name: table, rows: tableOf(office, name).count(), fields };
}

function shown(row: Row): z.output<typeof Record> {
  return redactResponse(row) as z.output<typeof Record>;
}

interface RowsQuery {
  readonly where?: Readonly<Record<string, string>> | undefined;
  readonly sort?: string | undefined;
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

/** A page that is neither filtered nor sorted by another field than the id costs as much as it shows. */
function pageOf(
  office: BackOffice,
  name: TableName,
  { where = {}, sort = 'id', page = 1, limit = 20 }: RowsQuery,
): z.output<typeof RowsView> {
  const table = tableOf(office, name);
  const descending = sort.startsWith('-');
  const field = descending ? sort.slice(1) : sort;
  const conditions = Object.entries(where).map(([one, value]) => [one, matcher(value)] as const);
  assertFields(name, [field, ...conditions.map(([one]) => one)]);
  const offset = (page - 1) * limit;
  if (conditions.length === 0 && field === 'id') {
    const rows = table.page(offset, limit, { descending }).map(shown);
    return { page, limit, total: table.count(), rows };
  }
  const all = table
    .page(0, table.count())
    .filter((row) => conditions.every(([one, matches]) => matches(textOf(valueOf(row, one)))));
  if (field !== 'id') all.sort((one, other) => compare(valueOf(one, field), valueOf(other, field)));
  if (descending) all.reverse();
  return { page, limit, total: all.length, rows: all.slice(offset, offset + limit).map(shown) };
}

/** @throws Problem `invalid` for a field that the table does not have, or one whose values are masked */
function assertFields(name: TableName, fields: readonly string[]): void {
  const { name: table, schema } = definitions[name];
  const known = Object.keys(schema.shape).filter((field) => !isMasked(field));
  const wrong = fields.find((field) => !known.includes(field));
  if (wrong === undefined) return;
  const message = `${wrong.slice(0, 80)} is not a field of ${table} that can be compared: ${known.join(', ')}.`;
  throw invalidFields([{ path: ['where'], message }]);
}

/** Whether the values of a field are secrets. A filter by such a field would reveal them. */
function isMasked(field: string): boolean {
  const sample = 'a value';
  return (
    (redactResponse({ [field]: sample }) as Readonly<{ [name: string]: unknown }>)[field] !== sample
  );
}

function valueOf(row: Row, field: string): unknown {
  return (row as Row & Readonly<{ [name: string]: unknown }>)[field];
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
const unchangeable: readonly TableName[] = ['faultRules', 'scriptRules', 'tokens'];

function changeRecord(office: BackOffice, name: TableName, id: number, sent: object): Row {
  const { singular, name: table, schema } = definitions[name];
  if (unchangeable.includes(name))
    throw new Problem('refused', `Records of ${table} cannot be changed here.`);
  const row = tableOf(office, name).get(id);
  if (row === undefined) throw new Problem('missing', `There is no ${singular} ${id}.`);
  const changes = Object.fromEntries(
    Object.entries(sent).map(([field, value]: [string, unknown]) => [field, value ?? undefined]),
  );
  const strict = z.strictObject(schema.shape);
  const parsed = strict.safeParse({ ...row, ...changes });
  if (!parsed.success) throw invalidFields(issuesOf(strict, parsed.error));
  const broken = brokenReferences(office.shop.db, name, parsed.data);
  if (broken.length > 0) throw invalidFields(broken);
  return office.shop.transaction.run(() => tableOf(office, name).change(id, changes));
}
