import { capped, Problem, type FieldProblem } from '../lib/problem.ts';

/** The state of the shop does not allow it; the message says why. */
export function refusedProblem(message: string): Problem {
  return new Problem('refused', message);
}

/** One parameter is wrong. The path is as the interface writes it: `['shipments', '0', 'method']`. */
export function invalid(path: readonly string[], message: string): Problem {
  return invalidFields([{ path, message }]);
}

/** Several are. Clients see the message of each at its place; who calls from a program sees them in one. */
export function invalidFields(fields: readonly FieldProblem[]): Problem {
  const listed = capped(fields, (message) => ({ path: [], message }));
  return new Problem('invalid', listed.map(said).join('; '), { fields });
}

function said({ path, message }: FieldProblem): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

/** What is said of an id that names nothing, as of a value of the wrong kind. */
export const notValid = 'This value is not valid.';
