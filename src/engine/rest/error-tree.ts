import type { FieldIssue } from '../lib/problem.ts';
import type { ErrorTree } from './errors.ts';

/** Returns the issues in the error tree of a response. */
export function issuesIn(tree: ErrorTree, path: readonly string[] = []): FieldIssue[] {
  if (!('errors' in tree) && !('children' in tree)) return [];
  const children = Object.entries(tree.children ?? {});
  return [
    ...(tree.errors ?? []).map((message) => ({ path, message })),
    ...children.flatMap(([name, child]) => issuesIn(child, [...path, name])),
  ];
}
