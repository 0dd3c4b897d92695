import type * as z from 'zod';
import { capped, Problem, type FieldProblem } from '../lib/problem.ts';
import { issuesOf } from '../rest/issues.ts';

/** @throws Problem `invalid` that lists every issue with its path */
export function parseOrThrow<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  assertNoIssues(what, issuesOf(schema, result.error));
  throw new Problem('fault', 'unexpected');
}

/**
 * @param more how many issues there are besides these
 * @throws Problem `invalid` that lists the issues with their paths, if there are any
 */
export function assertNoIssues(what: string, issues: readonly FieldProblem[], more = 0): void {
  if (issues.length === 0) return;
  const lines = capped(issues.map(lineOf), (note) => `  ${note}`, more);
  throw new Problem('invalid', [`This ${what} is not valid:`, ...lines].join('\n'), {
    fields: issues,
    more,
  });
}

/** Adds the path of a part to the paths of the issues found in it. */
export function nestIssues(
  path: readonly (string | number)[],
  issues: readonly FieldProblem[],
): FieldProblem[] {
  return issues.map((issue) => ({
    path: [...path.map(String), ...issue.path],
    message: issue.message,
  }));
}

/** One issue as one line of a message: `  orders.0.until: expected …`. */
function lineOf({ path, message }: FieldProblem): string {
  return `  ${path.join('.') || '(top)'}: ${message}`;
}
