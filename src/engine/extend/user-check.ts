import type { Fact } from '../definition/explanation.ts';
import { checkOf, decidedBy, type UserCheck } from '../definition/records.ts';
import { isObject } from '../lib/json-value.ts';
import { Problem, type FieldIssue } from '../lib/problem.ts';

/** The result of a check of a definition: issues of parameters, and facts, which refuse the request if they are not met. */
export type CheckResult = readonly (FieldIssue | Fact | undefined)[];

/**
 * Runs a check of a definition, whose issues and Problems explanations attribute to it.
 *
 * @throws Problem `refused` for facts that are not met, and what the check throws
 */
export function userIssues(check: UserCheck, run: () => CheckResult): readonly FieldIssue[] {
  try {
    const result: unknown = run();
    if (!isFound(result))
      throw new Problem('fault', `${check.place} must return a list of issues and facts`);
    const found = result.filter((one) => one !== undefined);
    const unmet = found.flatMap((one) => ('met' in one && !one.met ? [one] : []));
    if (unmet.length > 0) {
      const wanted = unmet.map((one) => one.wanted).join(', ');
      const facts = unmet.map((one) => `${one.wanted}, not ${one.actual}`);
      throw decidedBy(
        { ...check, wanted },
        new Problem('refused', `Required: ${facts.join('; ')}.`),
      );
    }
    return found.flatMap((one) => ('met' in one ? [] : [decidedBy(check, one)]));
  } catch (error) {
    if (error instanceof Problem && checkOf(error) === undefined) decidedBy(check, error);
    throw error;
  }
}

function isFound(result: unknown): result is CheckResult {
  return (
    Array.isArray(result) &&
    result.every((one) => one === undefined || (isObject(one) && ('met' in one || 'path' in one)))
  );
}
