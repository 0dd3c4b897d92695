import type { Fact } from '../definition/explanation.ts';
import { isObject } from '../lib/json-value.ts';
import { Problem, type FieldIssue } from '../lib/problem.ts';

/** The result of a check of a definition: issues of parameters, and facts, which refuse the request if they are not met. */
export type CheckResult = readonly (FieldIssue | Fact | undefined)[];

/**
 * Returns the issues that a check of a definition found.
 *
 * @param place of the check: `rules.purchase`
 * @throws Problem `refused` for facts that are not met, `fault` for another result
 */
export function userIssues(place: string, result: unknown): readonly FieldIssue[] {
  if (!isFound(result))
    throw new Problem('fault', `${place} must return a list of issues and facts`);
  const found = result.filter((one) => one !== undefined);
  const unmet = found.flatMap((one) => ('met' in one && !one.met ? [one] : []));
  const facts = unmet.map((one) => `${one.wanted}, not ${one.actual}`);
  if (facts.length > 0) throw new Problem('refused', `Required: ${facts.join('; ')}.`);
  return found.flatMap((one) => ('met' in one ? [] : [one]));
}

function isFound(result: unknown): result is CheckResult {
  return (
    Array.isArray(result) &&
    result.every((one) => one === undefined || (isObject(one) && ('met' in one || 'path' in one)))
  );
}
