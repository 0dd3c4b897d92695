import * as z from 'zod';
import { isObject, valueAt } from '../lib/json-value.ts';
import type { FieldIssue } from '../lib/problem.ts';
import { coercion, type Coerce } from './coerce.ts';
import { issuesOf } from '../lib/schema-issues.ts';
import type { ReceivedFile } from './message.ts';
import { parser, type Parse } from './parser.ts';

/** The parameters of a query or a body: their schema and how to parse them. */
export interface Form<Output> {
  readonly schema: z.ZodObject;
  /** Names of parameters, with those of nested blocks: the children of the error tree. */
  readonly children: FormChildren;
  /** Accepts JSON bodies only. */
  readonly isJson?: true;
  /** Accepts a JSON file: parsed, with a number of values that its length limits, or as it was received. */
  readonly file?: 'parsed' | 'received';
  parse(sent: unknown, unknownParameters: 'reject' | 'ignore'): ParsedForm<Output>;
  /** Returns the form with more parameters: those of a body, or criteria of a list and fields to sort it by. */
  with?(fields: z.ZodRawShape, sorting: readonly string[]): Form<unknown>;
}

export interface FormChildren {
  readonly [name: string]: FormChildren | undefined;
}

/** Parsed parameters. `values` lacks the parameters with issues. */
export interface ParsedForm<Output> {
  readonly values: Output;
  readonly issues: readonly FieldIssue[];
}

export const extraFields = 'This form should not contain extra fields.';
export { notValid } from '../lib/problem.ts';
export const notBlank = 'This value should not be blank.';

/** Creates a form with these fields. */
export function form<Shape extends z.ZodRawShape>(
  shape: Shape,
): Form<z.output<z.ZodObject<Shape>>> {
  return makeForm(z.object(shape), shape, false);
}

/** Creates a form whose fields are all optional, for PATCH. The parameters sent are validated as in `form`. */
export function partialForm<Shape extends z.ZodRawShape>(
  shape: Shape,
): Form<Partial<z.output<z.ZodObject<Shape>>>> {
  return makeForm(z.object(shape).partial(), shape, true);
}

/** Creates a form for a file. The schema is for documents; the endpoint validates the file. */
export function fileForm(schema: z.ZodObject): Form<unknown> {
  return { ...jsonForm(schema), file: 'parsed', parse: (sent) => ({ values: sent, issues: [] }) };
}

/** Creates a form for a file that the endpoint reads itself. The schema is for documents, and for what a host has read before. */
export function receivedFileForm(schema: z.ZodObject): Form<ReceivedFile> {
  const read = jsonForm(schema);
  return {
    ...read,
    file: 'received',
    parse(sent, unknownParameters) {
      const content = valueAt(sent, ['content']);
      return parsed(
        sent,
        content === undefined ? [] : read.parse(content, unknownParameters).issues,
      );
    },
  };
}

/**
 * Creates a form for JSON bodies, without coercion. The response contains the messages of the schema. Unknown
 * parameters are issues.
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
      return parsed(sent, issuesOf(schema, result.error, sent));
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
    with: (fields) => (partial ? partialForm : form)({ ...shape, ...fields }),
    parse(sent, unknownParameters) {
      reader ??= { coerce: coercion(z.object(shape), partial), parse: parser(schema) };
      const { value, extra } = reader.coerce(sent);
      const result = reader.parse(value);
      const issues = result.success ? [] : firstIssues(result.error.issues);
      if (extra && unknownParameters === 'reject') issues.push({ path: [], message: extraFields });
      if (result.success) return parsed(result.data, issues);
      return parsed(isObject(value) ? withoutInvalid(value, issues) : value, issues);
    },
  };
}

/** No type says which parameters an issue leaves out, and zod's of a partial schema is not the partial type of its values. */
function parsed<Output>(valid: unknown, issues: readonly FieldIssue[]): ParsedForm<Output> {
  return { values: valid as Output, issues };
}

/** Returns the first issue of each parameter. For a value of the wrong type, zod also reports that it is too short. */
function firstIssues(issues: readonly z.core.$ZodIssue[]): FieldIssue[] {
  const firstByPath = new Map<string, FieldIssue>();
  for (const { path, message } of issues) {
    const key = path.join('.');
    if (!firstByPath.has(key)) firstByPath.set(key, { path: path.map(String), message });
  }
  return [...firstByPath.values()];
}

/** Removes the parameters with issues, in nested blocks too. */
function withoutInvalid(value: object, issues: readonly FieldIssue[]): object {
  const bad = Map.groupBy(issues, ({ path }) => path[0]);
  const good = Object.entries(value).map(([name, entry]: [string, unknown]) => {
    const here = bad.get(name);
    return [name, here === undefined ? entry : validPart(entry, here)] as const;
  });
  return Object.fromEntries(good.filter(([, entry]) => entry !== null && entry !== undefined));
}

/** Keeps the valid parameters of a block. A list with an invalid entry is removed. */
function validPart(entry: unknown, issues: readonly FieldIssue[]): object | undefined {
  return isObject(entry) && !Array.isArray(entry) && issues.every(({ path }) => path.length > 1)
    ? withoutInvalid(
        entry,
        issues.map(({ path, message }) => ({ path: path.slice(1), message })),
      )
    : undefined;
}

function childrenOf(shape: z.ZodRawShape): FormChildren {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, blockOf(field)]));
}

function blockOf(field: z.core.$ZodType): FormChildren | undefined {
  if (field instanceof z.ZodOptional) return blockOf(field.unwrap());
  return field instanceof z.ZodObject ? childrenOf(field.shape) : undefined;
}
