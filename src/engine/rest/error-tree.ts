import { isObject } from '../lib/json-value.ts';
import type { FieldIssue } from '../lib/problem.ts';

/** Returns the issues in the error tree of a response; none in a value that is no such tree. */
export function issuesIn(tree: unknown, path: readonly string[] = []): FieldIssue[] {
  if (!isObject(tree)) return [];
  const { errors, children } = tree;
  const messages: unknown[] = Array.isArray(errors) ? errors : [];
  return [
    ...messages.flatMap((message) => (typeof message === 'string' ? [{ path, message }] : [])),
    ...Object.entries(isObject(children) ? children : {}).flatMap(([name, child]) =>
      issuesIn(child, [...path, name]),
    ),
  ];
}
