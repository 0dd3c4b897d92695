import { truncate, type ProblemKind } from '../lib/problem.ts';
import type { ApiDefinition, ApiEndpoint } from '../definition/api.ts';
import type { FormChildren } from '../rest/form.ts';

/** The measures of coverage, in the order of reports. */
export const measures = ['statuses', 'steps', 'states', 'transitions', 'enums', 'rules'] as const;
export type Measure = (typeof measures)[number];

/** The name of an item in files: measure and id. */
export function itemKey(measure: Measure, id: string): string {
  return `${measure}: ${id}`;
}

/** Method and path. The rows of a checkout's steps share it. */
export function operationOf({ method, path }: ApiEndpoint): string {
  return `${method} ${path}`;
}

/** The operation, with the step if body parameters choose the row. */
export function rowName(row: ApiEndpoint, { steps }: Pick<ApiDefinition, 'steps'>): string {
  // The last of these rows serves the requests that choose none.
  const isChosen =
    row.chosenBy !== undefined ||
    steps.some(({ name, from }) => name === row.step && from !== undefined);
  return isChosen ? `${operationOf(row)} (${row.step})` : operationOf(row);
}

/** Names what a step responded with: `200`, `404`, `400 refused`. */
export function stepAnswer(status: number, kind?: ProblemKind): string {
  return status === 400 ? `${status} ${kind ?? ''}` : String(status);
}

/** Names a rule by an issue of a response: `shipments.*.method: Please select shipping method.` */
export function ruleId(issue: {
  readonly path: readonly string[];
  readonly message: string;
}): string {
  return `${pathName(issue.path)}: ${issue.message}`;
}

/** Numbers after the first part are positions in a list or a map. */
export function pathName(path: readonly string[]): string {
  return path.map((part, at) => (at > 0 && /^\d+$/.test(part) ? '*' : part)).join('.');
}

/** Returns the names that a form does not have, up to ten, at any depth: `shippingAddress.zip`. */
export function unknownNames(sent: unknown, children: FormChildren, path: string): string[] {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return [];
  return Object.entries(sent)
    .flatMap(([name, value]: [string, unknown]) => {
      const here = path === '' ? truncate(name, 60) : `${path}.${truncate(name, 60)}`;
      if (!Object.hasOwn(children, name)) return [here];
      const below = children[name];
      return below === undefined ? [] : unknownNames(value, below, here);
    })
    .slice(0, 10);
}
