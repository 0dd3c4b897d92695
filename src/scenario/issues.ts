import { capped, Problem, type FieldProblem } from '../lib/problem.ts';

/** What stands in `path`, or what is wrong with it, as one line: `  orders.0.until: expected …`. */
export function issueList({ path, message }: FieldProblem): string {
  return `  ${path.join('.') || '(top)'}: ${message}`;
}

/**
 * @param more how many mistakes there are beside these
 * @throws Problem `invalid` that lists the mistakes with their paths, where there are any
 */
export function assertNoIssues(what: string, mistakes: readonly FieldProblem[], more = 0): void {
  if (mistakes.length === 0) return;
  const lines = capped(mistakes.map(issueList), (note) => `  ${note}`, more);
  throw new Problem('invalid', [`This ${what} is not valid:`, ...lines].join('\n'), {
    fields: mistakes,
    more,
  });
}

/** Mistakes of something that stands deeper in a scenario. */
export function below(
  path: readonly (string | number)[],
  mistakes: readonly FieldProblem[],
): FieldProblem[] {
  return mistakes.map((mistake) => ({
    path: [...path.map(String), ...mistake.path],
    message: mistake.message,
  }));
}
