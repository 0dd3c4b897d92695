import { millisecondsOf } from '../../engine/lib/milliseconds.ts';
import { issuesOf } from '../../engine/lib/schema-issues.ts';
import { hintOf } from '../../engine/lib/unknown-keys.ts';
import * as z from 'zod';
import { isForwardDuration } from '../../engine/lib/duration.ts';
import { invalidFields, type FieldIssue } from '../../engine/lib/problem.ts';
import { assertRuleCount } from '../../engine/lib/rule-count.ts';
import type { StepRow } from '../../engine/definition/api.ts';
import { paying } from '../models/order.ts';
import { ScriptRule, type ScriptStep } from '../models/script-rule.ts';
import { isCardNumber, testCard } from '../../engine/lib/card-number.ts';
import { machines, type MachineName, type TransitionNames } from './machines/transition.ts';
import type { Shop } from './shop.ts';

/** The checkout steps, and the transitions of state machines: `purchase`, `shipment.ship`. */
export type RuleTarget =
  | ScriptStep
  | { [Name in MachineName]: `${Name}.${TransitionNames[Name]}` }[MachineName];

/** A rule of the script as input, from a scenario or a client. */
export const ScriptRuleInput = z.strictObject({
  ...ScriptRule.omit({ id: true, matched: true }).shape,
  // `scriptRuleIssues` rejects other targets, with a message that lists all of them.
  on: ScriptRule.shape.on as z.ZodType<RuleTarget, RuleTarget>,
  match: ScriptRule.shape.match
    .default({})
    .describe('Which orders it matches: all conditions must hold (default: all orders)'),
});
export type ScriptRuleInput = z.input<typeof ScriptRuleInput>;

/**
 * Adds a rule at the end of the script.
 *
 * @throws Problem `invalid` for a rule that is malformed or has no effect; `too many` if the script is full
 */
export function addRule(shop: Shop, input: ScriptRuleInput): ScriptRule {
  const { db } = shop;
  const rule = parseRule(shop, input);
  assertRuleCount(db.scriptRules);
  return db.scriptRules.add({ ...rule, matched: 0 });
}

/** Replaces a rule in its place, and restarts its counts. @throws Problem `missing`, or `invalid` as `addRule` */
export function replaceRule(shop: Shop, id: number, input: ScriptRuleInput): ScriptRule {
  return shop.db.scriptRules.change(id, { ...unset, ...parseRule(shop, input), matched: 0 });
}

/** The fields of a rule that another one has not. */
const unset = Object.fromEntries(
  Object.keys(ScriptRule.shape).flatMap((name) => (name === 'id' ? [] : [[name, undefined]])),
);

function parseRule({ api }: Shop, input: ScriptRuleInput): ParsedRule {
  const parsed = ScriptRuleInput.safeParse(input);
  if (!parsed.success) {
    throw invalidFields(issuesOf(ScriptRuleInput, parsed.error, input));
  }
  const issues = scriptRuleIssues(parsed.data, api.steps);
  if (issues.length > 0) throw invalidFields(issues);
  const { delay } = parsed.data;
  return { ...parsed.data, ...(delay !== undefined && { delay: millisecondsOf(delay) }) };
}

/** Returns the steps and transitions that a rule can apply to: `purchase`, `shipment.ship`, … */
function ruleTargets(steps: readonly StepRow[]): string[] {
  const transitions = Object.values(machines).flatMap((machine) =>
    machine.transitions.map((row) => `${machine.name}.${row.name}`),
  );
  return [...steps.map(({ name }) => name), ...transitions];
}

type ParsedRule = z.output<typeof ScriptRuleInput>;

/** A rule whose target may be unknown. */
type CheckedRule = Omit<ParsedRule, 'on'> & { readonly on: string };

/** Whether a rule is wrong, the field, and the message. */
type Check = readonly [isWrong: boolean, field: string, message: string];

/** Returns why a well-formed rule could never match or has no effect. */
export function scriptRuleIssues(rule: CheckedRule, steps: readonly StepRow[]): FieldIssue[] {
  return [...effectChecks(rule, steps), ...matchChecks(rule)]
    .filter(([isWrong]) => isWrong)
    .map(([, field, message]) => ({ path: field.split('.'), message }));
}

function effectChecks(
  { on, outcome, settle, refuse, delay, reason }: CheckedRule,
  steps: readonly StepRow[],
): Check[] {
  const targets = ruleTargets(steps);
  const effect = outcome ?? settle ?? refuse ?? delay;
  const after = settle?.after ?? 'PT0S';
  const hasOutcome = outcome !== undefined;
  const isDuration = isForwardDuration(after);
  return [
    [!targets.includes(on), 'on', `Expected one of ${targets.join(', ')}.${hintOf(on, targets)}`],
    [effect === undefined, 'outcome', 'A script must have outcome, settle, refuse or delay.'],
    [hasOutcome && on !== paying, 'outcome', 'Only a script on purchase can have an outcome.'],
    [
      settle !== undefined && outcome !== 'pending',
      'settle',
      'Only the outcome pending can be settled.',
    ],
    [!isDuration, 'settle.after', 'Expected an ISO 8601 duration such as PT10M.'],
    [
      refuse !== undefined && hasOutcome,
      'refuse',
      'A script must not have both refuse and outcome.',
    ],
    [reason !== undefined && !hasOutcome, 'reason', 'A reason requires an outcome.'],
  ];
}

function matchChecks({ on, nth, first, match }: CheckedRule): Check[] {
  const { card, totalFrom = 0, totalTo = Infinity } = match;
  return [
    [
      card !== undefined && on !== paying,
      'match.card',
      'Only a script on purchase can match a card.',
    ],
    [
      !isCardMatch(card),
      'match.card',
      `Must be the digits of a card number, such as ${testCard}, or its last four digits.`,
    ],
    [nth !== undefined && first !== undefined, 'nth', 'A script must not have both nth and first.'],
    [totalFrom > totalTo, 'match.totalFrom', 'totalFrom must be at most totalTo.'],
  ];
}

/** Other numbers never match, because validation rejects them before the script applies. */
function isCardMatch(card: string | undefined): boolean {
  return card === undefined || /^\d{4}$/.test(card) || (/^\d+$/.test(card) && isCardNumber(card));
}
