import type { ApiDefinition, CheckoutDefinition } from '../definition/api.ts';
import type { FieldIssue } from '../lib/problem.ts';
import { unknownKeys } from '../lib/unknown-keys.ts';
import { nestIssues } from '../scenario/issues.ts';
import type { AnyField } from './field.ts';
import { storedName, type Fields } from './field-set.ts';
import type { ResourceOptions, StepOptions } from './resource.ts';

/** An API, and what the parts of an extension of it can name. */
export interface KnownNames {
  readonly api: ApiDefinition;
  /** The keys of tables. */
  readonly tables: readonly string[];
  readonly views: readonly string[];
  /** The resources and the steps of the extension. */
  readonly resources: Readonly<Record<string, ResourceOptions>>;
  readonly steps: Readonly<Record<string, StepOptions>>;
  readonly checkout: CheckoutDefinition | undefined;
}

export function issueIf(isWrong: boolean, message: string, ...path: readonly string[]) {
  return isWrong ? [{ path, message }] : [];
}

/** Returns an issue if a name is none of those that are known. @param what what it names */
export function issueOfName(
  what: string,
  name: string,
  known: readonly string[],
  ...path: readonly string[]
): FieldIssue[] {
  return known.includes(name) ? [] : [{ path, message: unknownKeys([name], known, what) }];
}

/** Returns the issues of some parts, each at its name. @param at where the parts are: `resources` */
export function issuesOfEach<Part>(
  at: string,
  parts: Readonly<Record<string, Part>>,
  issuesOf: (name: string, part: Part) => readonly FieldIssue[],
): FieldIssue[] {
  return Object.entries(parts).flatMap(([name, part]) =>
    nestIssues([at, name], issuesOf(name, part)),
  );
}

/** The names of every record. */
const reserved = ['id', 'created_at', 'updated_at', '_links', '_embedded'];

/** Whether JavaScript gives a property of this name a meaning, of each object or of one that is awaited or made JSON. */
export function isOfJavaScript(name: string): boolean {
  return name in Object.prototype || name === 'then' || name === 'toJSON';
}

export const ofJavaScript = 'has a meaning for every object of JavaScript: choose another name';

/** @param tables the keys of the tables that it can refer to */
export function issuesOfField(
  name: string,
  field: AnyField,
  tables: readonly string[],
): FieldIssue[] {
  const { options, reference, stored, isOptional } = field;
  const value = options.default;
  return [
    ...issueIf(
      !/^[a-z][A-Za-z0-9]*$|^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(name),
      'must be in camelCase, as parameters of the store are, or in snake_case: `loyaltyPoints`, `loyalty_points`',
    ),
    ...issueIf(isOfJavaScript(name), ofJavaScript),
    ...issueIf(
      reserved.includes(storedName(name, field)),
      'is a name of every record: choose another one',
    ),
    ...issueIf(
      value !== undefined && !stored.safeParse(value).success,
      `has a default that its kind does not allow: ${JSON.stringify(value)}`,
    ),
    ...issueIf(
      options.secret === true && (options.filter === true || options.sort === true),
      'is secret: lists cannot be filtered or sorted by it, because URLs would have its values',
    ),
    ...issueIf(
      options.secret === true && options.public === true,
      'is secret and public: remove one of them',
    ),
    ...(reference === undefined ? [] : issueOfName('table', reference.table, tables)),
    ...issueIf(
      reference?.onDelete === 'clear' && !reference.isList && !isOptional,
      'can only be cleared if it is `optional: true`',
    ),
  ];
}

/** Returns the issues of the parameters of a request. @param taken those that it has already @param why what is wrong then */
export function issuesOfBody(
  body: Fields,
  { tables }: KnownNames,
  taken: readonly string[] = [],
  why = 'exists already: choose another name',
): FieldIssue[] {
  return issuesOfEach('body', body, (name, field) => [
    ...issueIf(taken.includes(name), why),
    ...issuesOfField(name, field, tables),
  ]);
}
