import {
  capped,
  invalidFields,
  truncate,
  type Problem,
  type FieldIssue,
  type ProblemKind,
} from '../lib/problem.ts';
import type { ErrorBody } from './endpoint.ts';
import type { FormChildren } from './form.ts';
import type { ApiResponse } from './message.ts';

/** The status of each kind of problem. */
export const statusOf: Readonly<Record<ProblemKind, number>> = {
  malformed: 400,
  invalid: 400,
  refused: 400,
  denied: 401,
  declined: 402,
  forbidden: 403,
  missing: 404,
  'not allowed': 405,
  conflict: 409,
  'too large': 413,
  unsupported: 415,
  'too many': 429,
  fault: 500,
};

export const jsonHeaders = { 'content-type': 'application/json' };

/**
 * Returns the error response of a problem.
 *
 * @param children the parameters of the endpoint's form
 * @param errorBody the body of the endpoint's errors, if another standard defines it
 */
export function problemResponse(
  problem: Problem,
  children: FormChildren = {},
  errorBody?: ErrorBody,
): ApiResponse {
  const code = statusOf[problem.kind];
  const isInvalid = problem.kind === 'invalid';
  const message =
    problem.kind === 'fault'
      ? 'Internal Server Error'
      : truncate(problem.message, maxMessageLength);
  const body =
    errorBody !== undefined
      ? errorBody.of(isInvalid ? invalidFields(fieldsOf(problem)).message : message)
      : isInvalid
        ? { code, message: 'Validation Failed', errors: errorTree(children, fieldsOf(problem)) }
        : { code, message };
  return {
    status: code,
    headers: { ...jsonHeaders, ...problem.headers },
    body: JSON.stringify(problem.body ?? body),
  };
}

/** Messages may quote parameters of any length. */
const maxMessageLength = 8000;

/** Returns the issues of a problem. An issue without a parameter, such as the number of omitted issues, has no path. */
function fieldsOf({ fields, more, message }: Problem): readonly FieldIssue[] {
  const all = fields.length > 0 ? fields : [{ path: [], message }];
  return capped(all, (note) => ({ path: [], message: note }), more);
}

/** The issues of a form; `[]` if it is valid. */
type ErrorTree =
  | readonly []
  | {
      readonly errors?: readonly string[];
      readonly children?: Readonly<Record<string, ErrorTree>>;
    };

/** Returns issues in the shape of the form: every parameter is a child, `[]` if it is valid. */
function errorTree(children: FormChildren, issues: readonly FieldIssue[]): ErrorTree {
  const here = issues.filter((issue) => issue.path.length === 0);
  const below = Map.groupBy(
    issues.filter((issue) => issue.path.length > 0),
    (issue) => String(issue.path[0]),
  );
  const names = new Set([...Object.keys(children), ...below.keys()]);
  return {
    ...(here.length > 0 && { errors: here.map((issue) => truncate(issue.message, 1000)) }),
    ...(names.size > 0 && {
      children: Object.fromEntries(
        Array.from(names, (name) => [name, branch(children[name], below.get(name) ?? [])]),
      ),
    }),
  };
}

function branch(children: FormChildren | undefined, issues: readonly FieldIssue[]): ErrorTree {
  if (issues.length === 0 && Object.keys(children ?? {}).length === 0) return [];
  return errorTree(
    children ?? {},
    issues.map((issue) => ({ path: issue.path.slice(1), message: issue.message })),
  );
}
