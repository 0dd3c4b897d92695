import type * as z from 'zod';
import { capped, Problem, type FieldIssue, formatCount } from '../lib/problem.ts';
import { issuesOf } from '../lib/schema-issues.ts';
import type { ApiDefinition, RecordCheck } from '../definition/api.ts';
import type { FaultTable, ParsedFault } from '../faults/fault-rule.ts';
import { limitedHeaderIssues } from '../faults/fault-response.ts';
import { faultIssues } from '../faults/fault-rules.ts';
import type { AnyDatabase, AnyDefinition } from '../store/database.ts';
import type { Values } from '../store/row.ts';
import { maxRules } from '../lib/rule-count.ts';
import { withPage, type ErrorName } from '../lib/error-page.ts';

/** @throws Problem `invalid` that lists every issue with its path */
export function parseOrThrow<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  subject: string,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  assertNoIssues(subject, issuesOf(schema, result.error, value));
  throw new Problem('fault', 'unexpected');
}

/**
 * @param subject names the validated value in the message: `scenario sale.json`
 * @param more number of issues in addition to these
 * @param page the page that says more about them (default: that of scenarios, for a scenario)
 * @throws Problem `invalid` that lists the issues with their paths, if there are any
 */
export function assertNoIssues(
  subject: string,
  issues: readonly FieldIssue[],
  more = 0,
  page: ErrorName | false = subject.startsWith('scenario') && 'invalid-scenario',
): void {
  if (issues.length === 0) return;
  const lines = capped(issues.map(lineOf), (note) => `  ${note}`, more);
  const message = [`This ${subject} is not valid:`, ...lines].join('\n');
  throw new Problem('invalid', page ? withPage(page, message) : message, { fields: issues, more });
}

/** Adds the path of a part to the paths of the issues found in it. */
export function nestIssues(
  path: readonly (string | number)[],
  issues: readonly FieldIssue[],
): FieldIssue[] {
  return issues.map((issue) => ({
    path: [...path.map(String), ...issue.path],
    message: issue.message,
  }));
}

/** Formats an issue as a line of a message: `  orders.0.until: expected …`. */
function lineOf({ path, message }: FieldIssue): string {
  return `  ${path.join('.') || '(top)'}: ${message}`;
}

/** Returns an issue for each reference of a record to another one that does not exist. */
export function brokenReferences(
  db: AnyDatabase,
  { references = {} }: Pick<AnyDefinition, 'references'>,
  record: Values,
): FieldIssue[] {
  return Object.entries(references).flatMap(([field, target = '']) => {
    const table = db[target];
    return [record[field]].flat().flatMap((id): FieldIssue[] => {
      if (typeof id !== 'number' || table?.getWithDeleted(id) !== undefined) return [];
      const singular = table?.definition.singular ?? target;
      return [{ path: [field], message: `There is no ${singular} ${id}` }];
    });
  });
}

/** Returns an issue for each setting that refers to a record that does not exist. */
export function brokenSettings(
  db: AnyDatabase,
  { settingReferences }: Pick<ApiDefinition, 'settingReferences'>,
  settings: Readonly<Record<string, unknown>>,
): FieldIssue[] {
  return Object.entries(settingReferences).flatMap(([name, target]) => {
    const [id, table] = [settings[name], db[target]];
    if (typeof id !== 'number' || table?.get(id) !== undefined) return [];
    const message = `There is no ${table?.definition.singular ?? target} ${id}`;
    return [{ path: ['settings', name], message }];
  });
}

/**
 * Returns the issues of records that their schemas cannot express. The control API rejects such rules, and some of them would
 * make every request fail.
 *
 * @param pathOf the path of a table's records in their source
 */
export function invalidRecords(
  db: AnyDatabase,
  api: ApiDefinition,
  pathOf: (table: string) => readonly string[],
): FieldIssue[] {
  const faultRules: RecordCheck = {
    max: maxRules,
    issues: (rule: ParsedFault) => faultIssues(rule, api),
  };
  const checks: Readonly<Record<string, RecordCheck>> = { faultRules, ...api.checks };
  const checked = Object.keys(api.tables).flatMap((key) => {
    const [table, check] = [db[key], checks[key]];
    return table === undefined || check === undefined ? [] : [{ table, check }];
  });
  const full = checked.flatMap(({ table, check: { max = Infinity } }) => {
    if (table.count() <= max) return [];
    const message = `There are ${formatCount(table.count())}, at most ${formatCount(max)} are accepted.`;
    return [{ path: [...pathOf(table.definition.name)], message }];
  });
  if (full.length > 0) return full;
  return checked.flatMap(({ table, check }) =>
    table
      .all()
      .flatMap((record, at) =>
        nestIssues([...pathOf(table.definition.name), at], check.issues(record, db, api)),
      ),
  );
}

/** Returns the issues of the faults' headers on a server that limits which headers faults may set. */
export function invalidFaultHeaders(
  { faultRules }: FaultTable,
  pathOf: (table: string) => readonly string[],
): FieldIssue[] {
  return faultRules
    .all()
    .flatMap((rule, at) => nestIssues([...pathOf('fault_rules'), at], limitedHeaderIssues(rule)));
}
