import type * as z from 'zod';
import { ruleProblems, ScriptRuleInput } from '../checkout/script-rules.ts';
import { Problem, type FieldProblem } from '../lib/problem.ts';
import { issuesOf } from '../rest/issues.ts';
import { recordLists } from './data.ts';
import { FaultRuleInput, faultIssues } from '../faults/fault-rules.ts';
import { below, assertNoIssues } from './issues.ts';
import { Scenario, type ReadyScenario } from './scenario.ts';

/** What stands around a scenario. Both may throw a Problem for what is not there. */
export interface Surroundings {
  /** The content of a fixture file, by its path relative to the scenario. */
  records(path: string): unknown;
  /** The scenario that is extended, by its name or its path relative to this one. */
  base(name: string): ReadyScenario;
}

/**
 * Reads a scenario, the fixture files that it names, and the scenario that it extends.
 *
 * @param source what stands in the file, or what `defineScenario` was given
 * @param what names it in messages: `scenario sale.json`
 * @throws Problem `invalid` with every mistake, each with its path in the scenario and what was expected
 */
export function openScenario(
  source: unknown,
  around: Surroundings,
  what = 'scenario',
): ReadyScenario {
  const result = Scenario.safeParse(source);
  const base = baseOf(source, around);
  const tables = tablesOf(source, around);
  const mistakes = [
    ...(result.success ? [] : issuesOf(Scenario, result.error)),
    ...(base instanceof Problem ? [{ path: ['extends'], message: base.message }] : []),
    ...tables.mistakes,
    ...senselessRules(source, 'script', ScriptRuleInput, ruleProblems),
    ...senselessRules(source, 'faults', FaultRuleInput, faultIssues),
  ];
  assertNoIssues(what, mistakes);
  if (!result.success || base instanceof Problem) throw new Problem('fault', 'unexpected');
  return completed(result.data, saidIn(source), base, tables.data);
}

/** @throws Problem `invalid` that lists every mistake with its path */
export function parsed<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  assertNoIssues(what, issuesOf(schema, result.error));
  throw new Problem('fault', 'unexpected');
}

/** What a scenario says lies over what the one says that it extends. */
function completed(
  said: Scenario,
  { keys, settings }: Said,
  base: ReadyScenario | undefined,
  data: ReadonlyMap<string, readonly object[]>,
): ReadyScenario {
  const { $schema: _schema, extends: _base, ...scenario } = said;
  if (base === undefined) return { ...scenario, data };
  const merged = { ...base.settings, ...only(scenario.settings, settings) };
  const { orders = base.settings, generate = base.settings } = base.pastSettings ?? {};
  return {
    ...base,
    ...only(scenario, keys),
    settings: merged,
    data: new Map([...base.data, ...data]),
    pastSettings: {
      orders: keys.includes('orders') ? merged : orders,
      generate: keys.includes('generate') ? merged : generate,
    },
  };
}

/** What stands in the source itself, without the defaults that a schema adds. */
interface Said {
  readonly keys: readonly string[];
  readonly settings: readonly string[];
}

function saidIn(source: unknown): Said {
  return { keys: keysOf(source), settings: keysOf(valueOf(source, 'settings')) };
}

function only<Value extends object>(value: Value, keys: readonly string[]): Partial<Value> {
  const entries = Object.entries(value).filter(([key]) => keys.includes(key));
  return Object.fromEntries(entries) as Partial<Value>;
}

function baseOf(source: unknown, around: Surroundings): ReadyScenario | Problem | undefined {
  const name = valueOf(source, 'extends');
  return typeof name === 'string' ? attempt(() => around.base(name)) : undefined;
}

/** The records of every table that a scenario gives, as their schemas read them. */
function tablesOf(source: unknown, around: Surroundings) {
  const data = new Map<string, readonly object[]>();
  const mistakes: FieldProblem[] = [];
  const given = valueOf(source, 'data');
  for (const table of keysOf(given)) {
    const schema = recordLists.get(table);
    const records = valueOf(given, table);
    const content = typeof records === 'string' ? attempt(() => around.records(records)) : records;
    if (schema === undefined) continue;
    if (content instanceof Problem) {
      mistakes.push({ path: ['data', table], message: content.message });
      continue;
    }
    const result = schema.safeParse(content);
    if (result.success) data.set(table, result.data);
    // The scenario's own schema has told of records in place.
    else if (typeof records === 'string') {
      mistakes.push(
        ...below(['data', table], issuesOf(schema, result.error)).map(({ path, message }) => ({
          path,
          message: `${message} (in ${records})`,
        })),
      );
    }
  }
  return { data, mistakes };
}

/** What is wrong with rules that are well formed, whatever else is wrong with the scenario. */
function senselessRules<Schema extends z.ZodType>(
  source: unknown,
  part: 'script' | 'faults',
  schema: Schema,
  problemsOf: (rule: z.output<Schema>) => FieldProblem[],
): FieldProblem[] {
  const rules = valueOf(source, part);
  return (Array.isArray(rules) ? rules : []).flatMap((rule, at) => {
    const result = schema.safeParse(rule);
    return result.success ? below([part, at], problemsOf(result.data)) : [];
  });
}

function attempt<Value>(work: () => Value): Value | Problem {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

function valueOf(source: unknown, key: string): unknown {
  return typeof source === 'object' && source !== null && Object.hasOwn(source, key)
    ? (source as Record<string, unknown>)[key]
    : undefined;
}

function keysOf(source: unknown): string[] {
  return typeof source === 'object' && source !== null ? Object.keys(source) : [];
}
