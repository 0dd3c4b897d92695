import { ruleProblems } from '../checkout/script-rules.ts';
import { giftProblem } from '../checkout/promotion-actions.ts';
import type { Database } from '../models/database.ts';
import type { Promotion } from '../models/promotion.ts';
import { maxRules } from '../models/script-rule.ts';
import { formatCount, type FieldProblem } from '../lib/problem.ts';
import { limitedHeaderIssues } from '../faults/fault-headers.ts';
import { faultIssues } from '../faults/fault-rules.ts';
import { below } from './issues.ts';

/**
 * What is wrong with the rules and promotions among the records of a shop. The doors for rules would not have taken
 * them, and with some of them nobody could answer.
 *
 * @param placeOf where a table's records stand in what they were read from
 */
export function invalidRules(
  { faultRules, scriptRules, promotions }: Database,
  placeOf: (table: string) => readonly string[],
): FieldProblem[] {
  const full = [faultRules, scriptRules].filter((table) => table.count() > maxRules);
  if (full.length > 0) {
    return full.map((table) => ({
      path: placeOf(table.definition.name),
      message: `There are ${formatCount(table.count())} rules, at most ${formatCount(maxRules)} are accepted.`,
    }));
  }
  const faults = faultRules.all().map(faultIssues);
  const script = scriptRules.all().map(ruleProblems);
  return [
    ...faults.flatMap((found, at) => below([...placeOf('fault_rules'), at], found)),
    ...promotions
      .all()
      .flatMap((promotion, at) => below([...placeOf('promotions'), at], giftProblems(promotion))),
    ...script.flatMap((found, at) => below([...placeOf('script_rules'), at], found)),
  ];
}

/** What is wrong with the headers of the faults among them, where only some may be set. */
export function heldHeaderMistakes(
  { faultRules }: Database,
  placeOf: (table: string) => readonly string[],
): FieldProblem[] {
  const faults = faultRules.all().map(limitedHeaderIssues);
  return faults.flatMap((found, at) => below([...placeOf('fault_rules'), at], found));
}

function giftProblems({ actions }: Promotion): FieldProblem[] {
  return actions.flatMap(({ type, configuration }, at) => {
    const message = type === 'add_product' ? giftProblem(configuration) : undefined;
    return message === undefined
      ? []
      : [{ path: ['actions', String(at), 'configuration'], message }];
  });
}
