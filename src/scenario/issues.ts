import type * as z from 'zod';
import { capped, Problem, type FieldIssue, formatCount } from '../lib/problem.ts';
import { issuesOf } from '../rest/issues.ts';
import { bonusItemIssue } from '../checkout/promotions.ts';
import { scriptRuleIssues } from '../checkout/script-rules.ts';
import { limitedHeaderIssues } from '../faults/fault-response.ts';
import { faultIssues } from '../faults/fault-rules.ts';
import type { Address } from '../models/user.ts';
import { definitions, type Database, type TableName } from '../models/database.ts';
import type { Promotion } from '../models/promotion.ts';
import { maxRules } from '../models/script-rule.ts';

/** @throws Problem `invalid` that lists every issue with its path */
export function parseOrThrow<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  subject: string,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  assertNoIssues(subject, issuesOf(schema, result.error));
  throw new Problem('fault', 'unexpected');
}

/**
 * @param subject names the validated value in the message: `scenario sale.json`
 * @param more number of issues beside these
 * @throws Problem `invalid` that lists the issues with their paths, if there are any
 */
export function assertNoIssues(subject: string, issues: readonly FieldIssue[], more = 0): void {
  if (issues.length === 0) return;
  const lines = capped(issues.map(lineOf), (note) => `  ${note}`, more);
  throw new Problem('invalid', [`This ${subject} is not valid:`, ...lines].join('\n'), {
    fields: issues,
    more,
  });
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
export function brokenReferences(db: Database, name: TableName, record: object): FieldIssue[] {
  const tables: Readonly<Record<string, ReferencedTable>> = db;
  const references: Readonly<Record<string, string>> = definitions[name].references ?? {};
  return Object.entries(references).flatMap(([field, target]) => {
    const table = tables[target];
    const value = (record as Readonly<Record<string, unknown>>)[field];
    return [value].flat().flatMap((id): FieldIssue[] => {
      if (typeof id !== 'number' || table?.getWithDeleted(id) !== undefined) return [];
      const singular = table?.definition.singular ?? target;
      return [{ path: [field], message: `There is no ${singular} ${id}` }];
    });
  });
}

/** Returns an issue if the province of an address is in another country: its link would be broken. */
export function misplacedProvinces(db: Database, name: TableName, record: object): FieldIssue[] {
  if (name !== 'addresses') return [];
  const { country_id, province_id } = record as Partial<Address>;
  const province = province_id === undefined ? undefined : db.provinces.get(province_id);
  if (province === undefined || province.country_id === country_id) return [];
  const message = `Province ${province.id} is in country ${province.country_id}, not in country ${country_id}`;
  return [{ path: ['province_id'], message }];
}

/** Returns an issue if the settings refer to a record that does not exist. */
export function brokenSettings(
  { zones }: Database,
  { defaultTaxZone: zone }: { readonly defaultTaxZone?: number | undefined },
): FieldIssue[] {
  if (zone === undefined || zones.get(zone) !== undefined) return [];
  return [{ path: ['settings', 'defaultTaxZone'], message: `There is no zone ${zone}` }];
}

/**
 * Returns the issues of the rules and promotions in a shop. The control API rejects such rules, and some of them would
 * make every request fail.
 *
 * @param pathOf the path of a table's records in their source
 */
export function invalidRules(
  { faultRules, scriptRules, promotions }: Database,
  pathOf: (table: string) => readonly string[],
): FieldIssue[] {
  const full = [faultRules, scriptRules].filter((table) => table.count() > maxRules);
  if (full.length > 0) {
    return full.map((table) => ({
      path: pathOf(table.definition.name),
      message: `There are ${formatCount(table.count())} rules, at most ${formatCount(maxRules)} are accepted.`,
    }));
  }
  const nested = <R>(
    table: string,
    rules: readonly R[],
    ruleIssues: (rule: R) => FieldIssue[],
  ): FieldIssue[] =>
    rules.flatMap((rule, at) => nestIssues([...pathOf(table), at], ruleIssues(rule)));
  return [
    ...nested('fault_rules', faultRules.all(), faultIssues),
    ...nested('promotions', promotions.all(), bonusItemIssues),
    ...nested('script_rules', scriptRules.all(), scriptRuleIssues),
  ];
}

/** Returns the issues of the fault rules' headers on a server that limits which headers faults may set. */
export function invalidFaultHeaders(
  { faultRules }: Database,
  pathOf: (table: string) => readonly string[],
): FieldIssue[] {
  return faultRules
    .all()
    .flatMap((rule, at) => nestIssues([...pathOf('fault_rules'), at], limitedHeaderIssues(rule)));
}

function bonusItemIssues({ actions }: Promotion): FieldIssue[] {
  return actions.flatMap(({ type, configuration }, at) => {
    const message = type === 'add_product' ? bonusItemIssue(configuration) : undefined;
    return message === undefined
      ? []
      : [{ path: ['actions', String(at), 'configuration'], message }];
  });
}

/** The common interface of all tables. */
interface ReferencedTable {
  getWithDeleted(id: number): unknown;
  readonly definition: { readonly singular: string };
}
