import { Problem, type FieldProblem } from '../problem.ts';

/** What stands in `path`, or what is wrong with it, as one line: `  orders.0.until: expected …`. */
export function listed({ path, message }: FieldProblem): string {
  return `  ${path.join('.') || '(top)'}: ${message}`;
}

/** @throws Problem `invalid` that lists every mistake with its path, where there are any */
export function refuseMistakes(what: string, mistakes: readonly FieldProblem[]): void {
  if (mistakes.length === 0) return;
  throw new Problem('invalid', [`This ${what} is not valid:`, ...mistakes.map(listed)].join('\n'), {
    fields: mistakes,
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
