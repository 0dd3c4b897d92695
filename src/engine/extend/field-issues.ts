import type { FieldIssue } from '../lib/problem.ts';
import { unknownKeys } from '../lib/unknown-keys.ts';
import type { AnyField } from './field.ts';
import { storedName } from './field-set.ts';

export function issue(path: readonly string[], message: string): FieldIssue {
  return { path, message };
}

export function nest(path: readonly string[], issues: readonly FieldIssue[]): FieldIssue[] {
  return issues.map((one) => issue([...path, ...one.path], one.message));
}

export function unknownName(what: string, name: string, known: readonly string[]): string {
  return unknownKeys([name], known, what);
}

/** The names of every record. */
const reserved = ['id', 'created_at', 'updated_at', '_links', '_embedded'];

export function issuesOfField(
  name: string,
  field: AnyField,
  known: readonly string[],
): FieldIssue[] {
  const { options, reference, stored, isOptional } = field;
  const value = options.default;
  const isWrong = value !== undefined && !stored.safeParse(value).success;
  return [
    /^[a-z][A-Za-z0-9]*$/.test(name)
      ? undefined
      : 'must be in camelCase, as parameters are: `loyaltyPoints`',
    reserved.includes(storedName(name, field))
      ? 'is a name of every record: choose another one'
      : undefined,
    isWrong ? `has a default that its kind does not allow: ${JSON.stringify(value)}` : undefined,
    reference === undefined || known.includes(reference.table)
      ? undefined
      : unknownName('table', reference.table, known),
    reference?.onDelete === 'clear' && !reference.isList && !isOptional
      ? 'can only be cleared if it is `optional: true`'
      : undefined,
  ].flatMap((message) => (message === undefined ? [] : [issue([], message)]));
}
