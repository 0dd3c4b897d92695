import * as z from 'zod';
import type { FieldIssue } from './problem.ts';
import { valueAt } from './json-value.ts';
import { fieldsOf, unwrapped } from './schema-parts.ts';
import { closest, unknownKeys } from './unknown-keys.ts';

/**
 * Returns all issues of a zod error, each with its path and the expected value.
 *
 * @param input the value that was parsed: names in it are compared with those that are accepted
 */
export function issuesOf(
  schema: z.core.$ZodType,
  error: z.ZodError,
  input?: unknown,
): FieldIssue[] {
  return error.issues.flatMap((issue) => flattenIssue(schema, issue, [], input));
}

function flattenIssue(
  schema: z.core.$ZodType,
  issue: z.core.$ZodIssue,
  before: readonly PropertyKey[],
  input: unknown,
): FieldIssue[] {
  const path = [...before, ...issue.path];
  if (issue.code === 'invalid_union') {
    const branch = closestBranch(issue.errors);
    if (branch !== undefined)
      return branch.flatMap((one) => flattenIssue(schema, one, path, input));
    return [{ path: path.map(String), message: expectedOfAll(issue.errors) }];
  }
  const message =
    issue.code === 'unrecognized_keys'
      ? unknownKeys(issue.keys, keysAt(schema, path))
      : issue.message + likeOf(issue, valueAt(input, path.map(String)));
  return [{ path: path.map(String), message }];
}

/** ` (did you mean "declined"?)` for a name that is like one of those that are accepted. */
function likeOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code !== 'invalid_value' || typeof value !== 'string') return '';
  const like = closest(value, issue.values.map(String));
  return like === undefined ? '' : ` (did you mean "${like}"?)`;
}

/** Returns the issues of the first union branch that expects this type of value, if any. */
function closestBranch(branches: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  return branches.find((issues) =>
    issues.every(({ path, code }) => path.length > 0 || code !== 'invalid_type'),
  );
}

function expectedOfAll(branches: readonly z.core.$ZodIssue[][]): string {
  const kinds = branches
    .flat()
    .map((issue) => ('expected' in issue ? issue.expected : issue.message));
  return `Invalid input: expected ${[...new Set(kinds)].join(' or ')}`;
}

/** Returns the keys that a schema accepts at a path. */
function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const inner = unwrapped(schema);
  const [key, ...rest] = path;
  if (inner instanceof z.ZodUnion) {
    return inner.options.flatMap((option) => keysAt(option, path));
  }
  if (inner instanceof z.ZodArray) {
    return key === undefined ? [] : keysAt(inner.element, rest);
  }
  const fields = fieldsOf(inner);
  if (key === undefined) return Object.keys(fields);
  const field = fields[String(key)];
  return field === undefined ? [] : keysAt(field, rest);
}
