import * as z from 'zod';
import type { FieldProblem } from '../lib/problem.ts';
import { coercion, type Coerce } from './coerce.ts';
import { issuesOf } from './issues.ts';
import { parser, type Parse } from './parser.ts';

/** The parameters of a query or a body: what they are, and how what was sent becomes them. */
export interface Form<Output> {
  readonly schema: z.ZodObject;
  /** Parameters as the interface writes them, with those of nested blocks: the children of the error tree. */
  readonly children: FormChildren;
  /** Whether only JSON can carry it, and no form. */
  readonly isJson?: true;
  /** Whether it is a file of any number of values, in JSON; bracket keys mean nothing in it. */
  readonly isFile?: true;
  parse(sent: unknown, unknownParameters: 'reject' | 'ignore'): ParsedForm<Output>;
}

export interface FormChildren {
  readonly [name: string]: FormChildren | undefined;
}

/** `values` lacks the fields that have a problem. */
export interface ParsedForm<Output> {
  readonly values: Output;
  readonly issues: readonly FieldProblem[];
}

export const extraFields = 'This form should not contain extra fields.';
export const notValid = 'This value is not valid.';
export const notBlank = 'This value should not be blank.';

/**
 * A form of these fields. A partial one (PATCH) takes any of them: what is not sent stays as it is, and what is sent
 * has to be as good as in the whole form.
 */
export function form<Shape extends z.ZodRawShape>(
  shape: Shape,
): Form<z.output<z.ZodObject<Shape>>> {
  return makeForm(z.object(shape), shape, false);
}

export function partialForm<Shape extends z.ZodRawShape>(
  shape: Shape,
): Form<Partial<z.output<z.ZodObject<Shape>>>> {
  return makeForm(z.object(shape).partial(), shape, true);
}

/** A body that is a file. Its schema describes it; whoever takes the file checks it. */
export function fileForm(schema: z.ZodObject): Form<unknown> {
  return { ...jsonForm(schema), isFile: true, parse: (sent) => ({ values: sent, issues: [] }) };
}

/**
 * A body that only JSON can carry: nothing is brought from one kind to another, and what a schema says of a mistake is
 * what the answer says. Parameters that the schema does not know are mistakes of the form.
 */
export function jsonForm<Schema extends z.ZodObject>(schema: Schema): Form<z.output<Schema>> {
  return {
    schema,
    isJson: true,
    children: Object.fromEntries(
      Object.keys(schema.shape).map((name): [string, FormChildren | undefined] => [
        name,
        undefined,
      ]),
    ),
    parse(sent) {
      const result = schema.safeParse(sent);
      if (result.success) return { values: result.data, issues: [] };
      return { values: sent as z.output<Schema>, issues: issuesOf(schema, result.error) };
    },
  };
}

function makeForm<Output>(
  schema: z.ZodObject,
  shape: z.ZodRawShape,
  partial: boolean,
): Form<Output> {
  let reader: { readonly coerce: Coerce; readonly parse: Parse } | undefined;
  return {
    schema,
    children: childrenOf(shape),
    parse(sent, unknownParameters) {
      reader ??= { coerce: coercion(z.object(shape), partial), parse: parser(schema) };
      const { value, extra } = reader.coerce(sent);
      const result = reader.parse(value);
      const issues = result.success ? [] : firstIssues(result.error.issues);
      if (extra && unknownParameters === 'reject') issues.push({ path: [], message: extraFields });
      return {
        values: (result.success ? result.data : withoutInvalid(value as object, issues)) as Output,
        issues,
      };
    },
  };
}

/** One for each parameter, the first: of a value of the wrong kind, the schema also says that it is too short. */
function firstIssues(issues: readonly z.core.$ZodIssue[]): FieldProblem[] {
  const firstByPath = new Map<string, FieldProblem>();
  for (const { path, message } of issues) {
    const key = path.join('.');
    if (!firstByPath.has(key)) firstByPath.set(key, { path: path.map(String), message });
  }
  return [...firstByPath.values()];
}

/** What has no problem, of blocks too. */
function withoutInvalid(value: object, issues: readonly FieldProblem[]): object {
  const bad = Map.groupBy(issues, ({ path }) => path[0]);
  const good = Object.entries(value).map(([name, entry]: [string, unknown]) => {
    const here = bad.get(name);
    return [name, here === undefined ? entry : validPart(entry, here)] as const;
  });
  return Object.fromEntries(good.filter(([, entry]) => entry !== null && entry !== undefined));
}

/** A block keeps its good parameters; a list with a bad entry is bad as a whole. */
function validPart(entry: unknown, issues: readonly FieldProblem[]): object | undefined {
  const isBlock = typeof entry === 'object' && entry !== null && !Array.isArray(entry);
  return isBlock && issues.every(({ path }) => path.length > 1)
    ? withoutInvalid(
        entry,
        issues.map(({ path, message }) => ({ path: path.slice(1), message })),
      )
    : undefined;
}

function childrenOf(shape: z.ZodRawShape): FormChildren {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, blockOf(field as z.ZodType)]),
  );
}

function blockOf(field: z.ZodType): FormChildren | undefined {
  if (field instanceof z.ZodOptional) return blockOf(field.unwrap() as z.ZodType);
  return field instanceof z.ZodObject ? childrenOf(field.shape) : undefined;
}
