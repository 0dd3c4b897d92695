import {
  faultInput,
  type FaultedApi,
  type FaultMatch,
  type FaultRule,
  type FaultRuleInput,
  type FaultTable,
  type ParsedFault,
} from './fault-rule.ts';
import { invalidFields, type FieldIssue, Problem } from '../lib/problem.ts';
import { assertRuleCount } from '../lib/rule-count.ts';
import { issuesOf } from '../lib/schema-issues.ts';
import { endpointIssues } from './endpoint-match.ts';
import {
  hasKind,
  issue,
  listKinds,
  namesIn,
  replaces,
  type FaultKinds,
  type RuleFields,
} from './fault-kind.ts';
import type { Atomic } from '../store/transaction.ts';
import { limitedHeaderIssues } from './fault-response.ts';

/**
 * Adds a fault after the others.
 *
 * @throws Problem `invalid` for a rule that is malformed or can never apply; `too many` if the limit of rules is reached
 */
export function addFault(
  { faultRules }: FaultTable,
  api: FaultedApi,
  input: FaultRuleInput,
): FaultRule {
  const rule = parseFault(api, input);
  assertRuleCount(faultRules);
  return faultRules.add({ ...rule, matched: 0 });
}

function parseFault(api: FaultedApi, input: FaultRuleInput): ParsedFault {
  const schema = faultInput(api.tables.faultRules);
  const result = schema.safeParse(input);
  const issues = result.success
    ? faultIssues(result.data, api)
    : issuesOf(schema, result.error, input);
  if (!result.success || issues.length > 0) throw invalidFields(issues);
  const { data } = result;
  const fields: RuleFields = data;
  const normalized = Object.entries(api.faultKinds).flatMap(([name, kind]) =>
    fields[name] === undefined || kind.normalize === undefined
      ? []
      : [[name, kind.normalize(fields[name])] as const],
  );
  return { ...data, ...Object.fromEntries(normalized) };
}

/** Returns the issues that the schema cannot express: a rule has no effect, contradicts itself, or matches no request. */
export function faultIssues(rule: ParsedFault, api: FaultedApi): FieldIssue[] {
  return [
    ...effectIssues(rule, api),
    ...kindIssues(rule, api.faultKinds),
    ...frequencyIssues(rule),
    ...matchIssues(rule.match, api),
  ];
}

function kindIssues(rule: RuleFields, kinds: FaultKinds): FieldIssue[] {
  return Object.entries(kinds).flatMap(([name, kind]) => kind.issues?.(rule[name], rule) ?? []);
}

function effectIssues(rule: ParsedFault, { faultKinds }: FaultedApi): FieldIssue[] {
  const allowsAfter =
    hasKind(faultKinds, rule, (kind) => kind.allowsAfter) &&
    !hasKind(faultKinds, rule, (kind) => replaces(kind) && !kind.allowsAfter);
  return [
    ...issue(
      !hasKind(faultKinds, rule),
      ['status'],
      `A fault requires an effect: ${listKinds(faultKinds, 'or', () => true)}.`,
    ),
    ...issue(
      namesIn(faultKinds, rule, replaces).length > 1,
      ['status'],
      `Only one of ${listKinds(faultKinds, 'and', replaces)} can be set.`,
    ),
    ...issue(
      rule.after !== undefined && !allowsAfter,
      ['after'],
      `Only ${listKinds(faultKinds, 'and', (kind) => kind.allowsAfter)} can follow the write.`,
    ),
  ];
}

function frequencyIssues({ first, every, probability, limit }: ParsedFault): FieldIssue[] {
  const count = [first, every, probability].filter((one) => one !== undefined).length;
  return [
    ...issue(count > 1, ['first'], 'Only one of first, every and probability can be set.'),
    ...issue(
      count > 0 && limit !== undefined,
      ['limit'],
      'A rate limit cannot be combined with first, every or probability.',
    ),
  ];
}

function matchIssues({ session, ...match }: FaultMatch, api: FaultedApi): FieldIssue[] {
  return [
    ...issue(
      session !== undefined && !/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(session),
      ['session'],
      'This is not a valid session name.',
    ),
    ...endpointIssues(match, api),
  ].map(({ path, message }) => ({ path: ['match', ...path], message }));
}

/** The faults of a back office: which requests fail, how often, and how. */
export interface FaultsApi<Step extends string = string, Kinds = unknown> {
  /**
   * Adds a fault after the others.
   *
   * @throws Problem `invalid` for a rule that is malformed or can never apply
   */
  add(rule: FaultRuleInput<Step> & Kinds): FaultRule<Step> & Kinds;
  /**
   * Replaces a fault in its place, and restarts its counts.
   *
   * @throws Problem `missing`, or as `add`
   */
  replace(id: number, rule: FaultRuleInput<Step> & Kinds): FaultRule<Step> & Kinds;
  /** Returns the faults in the order in which they are applied. */
  list(): readonly (FaultRule<Step> & Kinds)[];
  /** Removes a fault, and sends the responses that it holds. @throws Problem `missing` */
  remove(id: number): void;
  /** Removes all faults, and sends the responses that they hold. */
  clear(): void;
}

/** Marks the faults that hold responses under a name, so that they hold no later ones. */
export function releaseFaults({ faultRules }: FaultTable, name: string): void {
  for (const { id, hold, released } of faultRules.page(0, faultRules.count())) {
    if (hold === name && released !== true) faultRules.change(id, { released: true });
  }
}

/**
 * @param options.holds the held responses
 * @param options.session the session of the back office
 * @param options.limitFaultHeaders whether faults may set only some headers
 */
export function createFaultsApi(
  { db, api }: { readonly db: FaultTable; readonly api: FaultedApi },
  atomic: Atomic,
  {
    holds,
    session,
    limitFaultHeaders = false,
  }: {
    readonly holds: { release(name: string): void };
    readonly session?: string | undefined;
    readonly limitFaultHeaders?: boolean | undefined;
  },
): FaultsApi {
  const { faultRules } = db;
  const list = () => faultRules.page(0, faultRules.count());
  const releaseUnless = (hold: string | undefined): void => {
    if (hold !== undefined && !list().some((rule) => rule.hold === hold)) holds.release(hold);
  };
  const remove = (id: number): void => releaseUnless(faultRules.remove(id).hold);
  const checked = (rule: FaultRule): FaultRule => {
    const issues = limitFaultHeaders ? limitedHeaderIssues(rule) : [];
    if (issues.length > 0) throw invalidFields(issues);
    assertOwnSession(rule.match.session, session);
    return rule;
  };
  return {
    add: (rule) => atomic(() => checked(addFault(db, api, rule))),
    replace: (id, rule) =>
      atomic(() => {
        const hold = faultRules.get(id)?.hold;
        const replaced = checked(
          faultRules.change(id, { ...unsetOf(api), ...parseFault(api, rule), matched: 0 }),
        );
        releaseUnless(hold);
        return replaced;
      }),
    list,
    remove,
    clear() {
      for (const { id } of list()) remove(id);
    },
  };
}

/** The fields of a rule that another one has not. */
function unsetOf({ tables }: FaultedApi): Record<string, undefined> {
  const names = Object.keys(tables.faultRules.schema.shape).filter((name) => name !== 'id');
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

function assertOwnSession(wanted: string | undefined, session: string | undefined): void {
  if (wanted === undefined || wanted === session) return;
  const own = session === undefined ? 'no session' : `session ${session}`;
  const message = `This back office serves ${own} and receives no request of session ${wanted}. Add the fault there.`;
  throw new Problem('invalid', message, { fields: [{ path: ['match', 'session'], message }] });
}
