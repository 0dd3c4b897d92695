import * as z from 'zod';
import type { Database } from '../models/database.ts';
import { FaultMatch, FaultRule } from '../models/fault-rule.ts';
import { acceptOldNames } from '../models/fields.ts';
import { invalidFields, type FieldIssue, Problem } from '../lib/problem.ts';
import { assertRuleCount } from '../checkout/script-rules.ts';
import { issuesOf } from '../rest/issues.ts';
import { endpointIssues } from './endpoint-match.ts';
import { issue, kindIssues, kindsIn, listKinds } from './fault-kinds.ts';
import type { Atomic } from '../store/transaction.ts';
import { limitedHeaderIssues } from './fault-response.ts';

/** A fault as a scenario or a client writes it. */
export const FaultRuleInput = acceptOldNames(
  z.strictObject({
    ...FaultRule.omit({ id: true, matched: true, window: true, released: true }).shape,
    match: FaultMatch.default({}).describe(
      'Which requests it matches: all conditions must hold (default: all requests)',
    ),
  }),
);
export type FaultRuleInput = z.input<typeof FaultRuleInput>;
type ParsedRule = z.output<typeof FaultRuleInput>;

/**
 * Adds a fault after the others.
 *
 * @throws Problem `invalid` for a rule that is malformed or can never apply; `too many` if the limit of rules is reached
 */
export function addFault(
  { faultRules }: Pick<Database, 'faultRules'>,
  input: FaultRuleInput,
): FaultRule {
  const rule = parseFault(input);
  assertRuleCount(faultRules);
  return faultRules.add({ ...rule, matched: 0 });
}

function parseFault(input: FaultRuleInput): ParsedRule {
  const result = FaultRuleInput.safeParse(input);
  const issues = result.success ? faultIssues(result.data) : issuesOf(FaultRuleInput, result.error);
  if (!result.success || issues.length > 0) throw invalidFields(issues);
  return result.data;
}

/** The fields of a rule that another one has not. */
const unset = Object.fromEntries(
  Object.keys(FaultRule.shape).flatMap((name) => (name === 'id' ? [] : [[name, undefined]])),
);

/** Returns the issues that the schema cannot express: a rule has no effect, contradicts itself, or matches no request. */
export function faultIssues(rule: ParsedRule): FieldIssue[] {
  return [
    ...effectIssues(rule),
    ...kindIssues(rule),
    ...frequencyIssues(rule),
    ...matchIssues(rule.match),
  ];
}

function effectIssues(rule: ParsedRule): FieldIssue[] {
  const replacing = kindsIn(rule, ({ role }) => role === 'replaces');
  const allowsAfter =
    kindsIn(rule, (kind) => kind.allowsAfter).length > 0 &&
    kindsIn(rule, (kind) => kind.role === 'replaces' && !kind.allowsAfter).length === 0;
  return [
    ...issue(
      kindsIn(rule).length === 0,
      ['status'],
      `A fault requires an effect: ${listKinds('or', () => true)}.`,
    ),
    ...issue(
      replacing.length > 1,
      ['status'],
      `Only one of ${listKinds('and', ({ role }) => role === 'replaces')} can be set.`,
    ),
    ...issue(
      rule.after !== undefined && !allowsAfter,
      ['after'],
      `Only ${listKinds('and', (kind) => kind.allowsAfter)} can follow the write.`,
    ),
  ];
}

function frequencyIssues({ first, every, probability, limit }: ParsedRule): FieldIssue[] {
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

function matchIssues({ session, ...match }: FaultMatch): FieldIssue[] {
  return [
    ...issue(
      session !== undefined && !/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(session),
      ['session'],
      'This is not a valid session name.',
    ),
    ...endpointIssues(match),
  ].map(({ path, message }) => ({ path: ['match', ...path], message }));
}

/** The faults of a back office: which requests fail, how often, and how. */
export interface FaultsApi {
  /**
   * Adds a fault after the others.
   *
   * @throws Problem `invalid` for a rule that is malformed or can never apply
   */
  add(rule: FaultRuleInput): FaultRule;
  /**
   * Replaces a fault in its place, and counts anew.
   *
   * @throws Problem `missing`, or as `add`
   */
  replace(id: number, rule: FaultRuleInput): FaultRule;
  /** Returns the faults in the order in which they are applied. */
  list(): readonly FaultRule[];
  /** Removes a fault, and sends the responses that it holds. @throws Problem `missing` */
  remove(id: number): void;
  /** Removes all faults, and sends the responses that they hold. */
  clear(): void;
}

/** Marks the faults that hold responses under a name, so that they hold no later ones. */
export function releaseFaults({ faultRules }: Pick<Database, 'faultRules'>, name: string): void {
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
  { db }: { readonly db: Pick<Database, 'faultRules'> },
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
    add: (rule) => atomic(() => checked(addFault(db, rule))),
    replace: (id, rule) =>
      atomic(() => {
        const hold = faultRules.get(id)?.hold;
        const replaced = checked(
          faultRules.change(id, { ...unset, ...parseFault(rule), matched: 0 }),
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

function assertOwnSession(wanted: string | undefined, session: string | undefined): void {
  if (wanted === undefined || wanted === session) return;
  const own = session === undefined ? 'no session' : `session ${session}`;
  const message = `This back office serves ${own} and receives no request of session ${wanted}. Add the rule there.`;
  throw new Problem('invalid', message, { fields: [{ path: ['match', 'session'], message }] });
}
