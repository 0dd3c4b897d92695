import { formatCount, Problem } from './problem.ts';

/** Maximum number of faults, and of scripts, in a shop. Every request or step compares each of them. */
export const maxRules = 1000;

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
