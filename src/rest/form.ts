import * as z from 'zod';
import type { FieldProblem } from '../lib/problem.ts';
import { coercion, type Coerce } from './coerce.ts';
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
  read(sent: unknown, unknownParameters: 'reject' | 'ignore'): FormReading<Output>;
}

export interface FormChildren {
  readonly [name: string]: FormChildren | undefined;
}

/** `values` lacks the fields that have a problem. */
export interface FormReading<Output> {
  readonly values: Output;
  readonly problems: readonly FieldProblem[];
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

function makeForm<Output>(
  schema: z.ZodObject,
  shape: z.ZodRawShape,
  partial: boolean,
): Form<Output> {
  let reader: { readonly coerce: Coerce; readonly parse: Parse } | undefined;
  return {
    schema,
    children: childrenOf(shape),
    read(sent, unknownParameters) {
      reader ??= { coerce: coercion(z.object(shape), partial), parse: parser(schema) };
      const { value, extra } = reader.coerce(sent);
      const result = reader.parse(value);
      const problems = result.success ? [] : fieldProblems(result.error.issues);
      if (extra && unknownParameters === 'reject')
        problems.push({ path: [], message: extraFields });
      return {
        values: (result.success ? result.data : without(value as object, problems)) as Output,
        problems,
      };
    },
  };
}

/** One for each parameter, the first: of a value of the wrong kind, the schema also says that it is too short. */
function fieldProblems(issues: readonly z.core.$ZodIssue[]): FieldProblem[] {
  const problems = new Map<string, FieldProblem>();
  for (const { path, message } of issues) {
    const key = path.join('.');
    if (!problems.has(key)) problems.set(key, { path: path.map(String), message });
  }
  return [...problems.values()];
}

/** What has no problem, of blocks too. */
function without(value: object, problems: readonly FieldProblem[]): object {
  const bad = Map.groupBy(problems, ({ path }) => path[0]);
  const good = Object.entries(value).map(([name, entry]: [string, unknown]) => {
    const here = bad.get(name);
    return [name, here === undefined ? entry : goodPart(entry, here)] as const;
  });
  return Object.fromEntries(good.filter(([, entry]) => entry !== null && entry !== undefined));
}

/** A block keeps its good parameters; a list with a bad entry is bad as a whole. */
function goodPart(entry: unknown, problems: readonly FieldProblem[]): object | undefined {
  const isBlock = typeof entry === 'object' && entry !== null && !Array.isArray(entry);
  return isBlock && problems.every(({ path }) => path.length > 1)
    ? without(
        entry,
        problems.map(({ path, message }) => ({ path: path.slice(1), message })),
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
