import * as z from 'zod';
import { isForwardDuration } from '../lib/duration.ts';
import { formatCount, invalidFields, Problem, type FieldIssue } from '../lib/problem.ts';
import { maxRules, ScriptRule, ScriptStep } from '../models/script-rule.ts';
import { isCardNumber } from './payment.ts';
import { machines } from './machines/transition.ts';
import type { Shop } from './shop.ts';

/** A rule of the script as input, from a scenario or a client. */
export const ScriptRuleInput = z.strictObject({
  ...ScriptRule.omit({ id: true, matched: true }).shape,
  match: ScriptRule.shape.match.default({}),
});
export type ScriptRuleInput = z.input<typeof ScriptRuleInput>;

/**
 * Adds a rule at the end of the script.
 *
 * @throws Problem `invalid` for a rule that is malformed or has no effect; `too many` if the script is full
 */
export function addRule({ db }: Shop, input: ScriptRuleInput): ScriptRule {
  const parsed = ScriptRuleInput.safeParse(input);
  if (!parsed.success) {
    throw invalidFields(
      parsed.error.issues.map(({ path, message }) => ({ path: path.map(String), message })),
    );
  }
  const problems = scriptRuleIssues(parsed.data);
  if (problems.length > 0) throw invalidFields(problems);
  assertRuleCount(db.scriptRules);
  return db.scriptRules.add({ ...parsed.data, matched: 0 });
}

/** @throws Problem `too many` for a full table of rules */
export function assertRuleCount(table: {
  count(): number;
  readonly definition: { readonly singular: string };
}): void {
  if (table.count() < maxRules) return;
  throw new Problem(
    'too many',
    `There are ${formatCount(maxRules)} ${table.definition.singular}s, the maximum; remove one first.`,
  );
}

/** Returns the rules of the script, in the order in which they are matched. */
export function listRules({ db }: Shop): ScriptRule[] {
  return db.scriptRules.page(0, db.scriptRules.count());
}

/** @throws Problem `missing` */
export function removeRule({ db }: Shop, id: number): void {
  db.scriptRules.remove(id);
}

/** Where a rule can apply: `purchase`, `shipment.ship`, … */
function scriptPlaces(): string[] {
  const transitions = Object.values(machines).flatMap((machine) =>
    machine.transitions.map((row) => `${machine.name}.${row.name}`),
  );
  return [...ScriptStep.options, ...transitions];
}

/** Returns the issues of a well-formed rule that make it useless. */
export function scriptRuleIssues(rule: z.output<typeof ScriptRuleInput>): FieldIssue[] {
  const { on, outcome, settle, refuse, delay, nth, first, match, reason } = rule;
  const pays = on === 'purchase';
  const does = outcome ?? settle ?? refuse ?? delay;
  const after = settle?.after ?? 'PT0S';
  return [
    ...problem(!scriptPlaces().includes(on), 'on', `Expected one of ${scriptPlaces().join(', ')}.`),
    ...problem(
      does === undefined,
      'outcome',
      'A rule has to do something: outcome, refuse or delay.',
    ),
    ...problem(outcome !== undefined && !pays, 'outcome', 'Only a purchase has an outcome.'),
    ...problem(
      settle !== undefined && outcome !== 'pending',
      'settle',
      'Only the outcome pending is settled later.',
    ),
    ...problem(
      !isForwardDuration(after),
      'settle',
      'Expected an ISO 8601 duration such as PT10M.',
      'after',
    ),
    ...problem(
      refuse !== undefined && outcome !== undefined,
      'refuse',
      'What is refused has no outcome.',
    ),
    ...problem(
      reason !== undefined && outcome === undefined,
      'reason',
      'A reason needs an outcome.',
    ),
    ...problem(match.card !== undefined && !pays, 'match', 'Only a purchase has a card.', 'card'),
    ...problem(
      !isCardMatch(match.card),
      'match',
      'Expected the number of a card in digits alone, such as 4242424242424242, or the last four of them.',
      'card',
    ),
    ...problem(nth !== undefined && first !== undefined, 'nth', 'Give nth or first, not both.'),
    ...problem(
      (match.totalFrom ?? 0) > (match.totalTo ?? Infinity),
      'match',
      'No total is both this high and that low.',
      'totalFrom',
    ),
  ];
}

/** Other numbers fail validation before the script is applied. */
function isCardMatch(card: string | undefined): boolean {
  return card === undefined || /^\d{4}$/.test(card) || (/^\d+$/.test(card) && isCardNumber(card));
}

function problem(wrong: boolean, field: string, message: string, inner?: string): FieldIssue[] {
  return wrong ? [{ path: inner === undefined ? [field] : [field, inner], message }] : [];
}
