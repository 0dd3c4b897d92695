import { isObject, mapValues, valueAt } from '../../engine/lib/json-value.ts';
import * as z from 'zod';
import { memoized } from '../../engine/lib/memoized.ts';
import { unwrapped } from '../../engine/lib/schema-parts.ts';
import type { ApiDefinition } from '../../engine/definition/api.ts';
import type { Report, ViewNode } from '../../engine/definition/drift.ts';
import { bodyPath, shown } from './finding.ts';

/** Returns a schema that rejects unknown keys at every depth. Memoized. */
const strict = memoized(makeStrict);

function makeStrict(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional) return z.optional(strict(schema.unwrap()));
  if (schema instanceof z.ZodNullable) return z.nullable(strict(schema.unwrap()));
  if (schema instanceof z.ZodArray) return shortList(strict(schema.element));
  if (schema instanceof z.ZodUnion) {
    return z.union(schema.options.map((option) => strict(option)));
  }
  if (!(schema instanceof z.ZodObject)) return schema;
  return z.strictObject(mapValues<z.core.$ZodType, z.core.$ZodType>(schema.shape, strict));
}

/** Maximum number of issues of one list. A list of a million wrong items must not fill the memory. */
const maxIssues = 200;

/** Returns the schema of a list that ends at the first item beyond `maxIssues`. */
function shortList(element: z.core.$ZodType): z.core.$ZodType {
  return z.array(z.unknown()).check(({ value, issues }) => {
    for (const [index, item] of value.entries()) {
      if (issues.length >= maxIssues) return;
      const { error } = z.safeParse(element, item);
      for (const issue of error?.issues ?? []) {
        // A copy of any kind of issue, of which the spread is no longer one of the union.
        issues.push({ ...issue, input: item, path: [index, ...issue.path] } as z.core.$ZodRawIssue);
      }
    }
  });
}

/**
 * Reports every field that is missing, unknown or of another kind than a schema has it: of a list, the first 200.
 *
 * @returns the number of differences
 */
export function checkShape(schema: z.core.$ZodType, value: unknown, report: Report): number {
  const issues = z.safeParse(strict(schema), value).error?.issues ?? [];
  for (const issue of issues) reportIssue(issue, [], value, report);
  return issues.length;
}

function reportIssue(
  issue: z.core.$ZodIssue,
  before: readonly PropertyKey[],
  body: unknown,
  report: Report,
): void {
  const path = [...before, ...issue.path];
  if (issue.code === 'invalid_union') {
    // The branch that gets deepest is the one that the server means.
    const [closest] = issue.errors.toSorted((a, b) => cost(a) - cost(b));
    for (const inner of closest ?? []) reportIssue(inner, path, body, report);
    return;
  }
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) {
      report('shape', bodyPath([...path, key]), 'no such field', valueAt(body, [...path, key]));
    }
    return;
  }
  const value = valueAt(body, path);
  report('shape', bodyPath(path), expectation(issue), value);
}

/** A branch of the wrong type altogether costs more than any number of issues of its fields. */
function cost(issues: readonly z.core.$ZodIssue[]): number {
  const isOfOtherType = issues.some(
    ({ path, code }) => path.length === 0 && code === 'invalid_type',
  );
  return issues.length + (isOfOtherType ? 10_000 : 0);
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `one of ${issue.values.map(shown).join(', ')}`;
  if (issue.code === 'invalid_type') return 'format' in issue ? 'an integer' : issue.expected;
  return issue.message;
}

type ViewNames = ReturnType<ApiDefinition['views']>;

/** Returns every object of a body that has the shape of a named view, outermost first. */
export function viewsIn(schema: z.core.$ZodType, value: unknown, names: ViewNames): ViewNode[] {
  const found: ViewNode[] = [];
  visitorsOf(names)(schema)(value, { path: [], within: [], found });
  return found;
}

interface Place extends Pick<ViewNode, 'path' | 'within'> {
  /** The views that have been found so far. */
  readonly found: ViewNode[];
}

/** Adds the views in a value. A value of another kind than the schema's has none. */
type Visitor = (value: unknown, place: Place) => void;

/** The visitor of a schema without objects: most fields have one. */
const nothing: Visitor = () => undefined;

/** Returns the function that makes the visitor of a schema, for views of these names. Memoized, both. */
const visitorsOf = memoized((names: ViewNames) => {
  const visitorOf: (schema: z.core.$ZodType) => Visitor = memoized((schema) => {
    if (unwrapped(schema) !== schema) return visitorOf(unwrapped(schema));
    if (schema instanceof z.ZodUnion)
      return ofUnion(schema.options.map((option) => [option, visitorOf(option)]));
    if (schema instanceof z.ZodRecord) return ofParts(visitorOf(schema.valueType), false);
    if (schema instanceof z.ZodArray) return ofParts(visitorOf(schema.element), true);
    if (!(schema instanceof z.ZodObject)) return nothing;
    const view = '_embedded' in schema.shape ? 'Page' : names.get(schema)?.id;
    const fields = Object.entries<z.core.$ZodType>(schema.shape);
    return ofObject(
      view,
      fields.map(([name, field]) => [name, visitorOf(field)]),
    );
  });
  return visitorOf;
});

function ofUnion(options: readonly (readonly [z.core.$ZodType, Visitor])[]): Visitor {
  if (options.every(([, visit]) => visit === nothing)) return nothing;
  return (value, place) =>
    options.find(([option]) => z.safeParse(option, value).success)?.[1](value, place);
}

function ofParts(visit: Visitor, isList: boolean): Visitor {
  if (visit === nothing) return nothing;
  return (value, place) => {
    if (!isObject(value) || Array.isArray(value) !== isList) return;
    const parts = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [key, one] of parts) visit(one, inside(place, key));
  };
}

function ofObject(
  view: string | undefined,
  fields: readonly (readonly [name: string, visit: Visitor])[],
): Visitor {
  const parts = fields.filter(([, visit]) => visit !== nothing);
  return (value, place) => {
    if (!isObject(value)) return;
    const { path, within, found } = place;
    const here = { view: view ?? '', value, path, within };
    if (view !== undefined) found.push(here);
    const inner = view === undefined ? place : { ...place, within: [here, ...within] };
    for (const [name, visit] of parts) visit(value[name], inside(inner, name));
  };
}

function inside({ path, within, found }: Place, key: PropertyKey): Place {
  return { path: [...path, key], within, found };
}
