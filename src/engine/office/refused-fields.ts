import * as z from 'zod';
import type { EngineShop } from '../definition/api.ts';
import type { RefusedField } from '../definition/explanation.ts';
import { checkOf, type UserCheck } from '../definition/records.ts';
import { isObject, valueAt, type JsonObject } from '../lib/json-value.ts';
import type { JournalEntry } from '../journal/recorded-exchange.ts';
import { mask } from '../journal/redaction.ts';
import { Problem, truncate, type FieldIssue } from '../lib/problem.ts';
import { formatAlternatives } from '../lib/names.ts';
import { closest } from '../lib/unknown-keys.ts';
import { issuesIn } from '../rest/error-tree.ts';
import { parseBrackets } from '../rest/body.ts';
import { extraFields } from '../rest/form.ts';
import { operationIdOf } from '../rest/operation-id.ts';
import { parseTarget } from '../rest/serve.ts';
import { definitionsByName } from '../store/database.ts';
import {
  extraPaths,
  fieldsOf,
  firstValid,
  isRefined,
  listOrField,
  ruleIn,
  schemaAt,
  wordsOf,
  type Path,
} from './schema-words.ts';
import { revalidate, type Revalidated } from './revalidate.ts';

type Explained = Omit<RefusedField, 'spec'> & Partial<Pick<RefusedField, 'spec'>>;

/**
 * Returns each refused field of a request. Its schema says what is accepted in its place, and so does the table that it
 * refers to. Of what a rule refuses, there is the rule and its message.
 */
export function refusedFields(shop: EngineShop, entry: JournalEntry): RefusedField[] {
  const { answer, endpoint, step, faults, prefer = 'explain' } = entry;
  const body: JsonObject = isObject(answer.body) ? answer.body : {};
  const { errors, message, error_description = message } = body;
  // An error of code, such as of a rule that throws, refuses nothing.
  if (answer.status < 400 || answer.status >= 500 || typeof error_description !== 'string')
    return [];
  // Without fields, the response may be that of a fault.
  if (errors === undefined && (faults.length > 0 || prefer !== 'explain')) return [];
  const row = shop.api.endpoints.find(
    (one) => `${one.method} ${one.path}` === endpoint && one.step === step,
  );
  const spec = row === undefined ? 'openapi.json' : `openapi.json: ${operationIdOf(row)}`;
  const isUnread = answer.status === 400 && (row === undefined || !isReadable(entry.url));
  // A path without a record in it exists, whatever is missing.
  const isOther = answer.status === 404 && row?.path.includes('/:') === false;
  const status = isUnread ? 0 : isOther ? 400 : answer.status;
  const [rule, accepts] =
    (row?.errorBody === undefined ? wholeRule(shop, status) : undefined) ?? otherRule;
  const whole = { path: [], message: error_description, rule, accepts, spec };
  // The record of the path is missing, whatever was sent.
  if (row === undefined || status === 404) return [whole];
  const again = revalidate(shop, row, entry);
  const own = errors === undefined ? checkOf(again.found) : undefined;
  if (typeof own === 'object' && 'rule' in own)
    return [{ ...whole, ...namesOf(own), accepts: own.wanted ?? accepts }];
  const issues = isObject(errors) ? issuesIn(errors) : again.invalid;
  const fields = [...unknownFields(again, issues), ...knownFields(shop, again, issues)];
  return fields.length === 0
    ? [whole]
    : fields.map((field) => ({ ...field, spec: field.spec ?? spec }));
}

function isReadable(url: string): boolean {
  try {
    return parseBrackets(parseTarget(url).query) !== undefined;
  } catch {
    return false;
  }
}

/** The rule of a definition that refused a request, and its place. */
function namesOf({ rule, place }: UserCheck): Pick<RefusedField, 'rule' | 'spec'> {
  return { rule, spec: `definition: ${place}` };
}

const otherRule = ['as the message says', 'what the message says'] as const;

type WholeRule = readonly [rule: string, accepts: string];

function wholeRule({ api }: EngineShop, status: number): WholeRule | undefined {
  const { credentials } = api;
  return status === 401 && credentials !== undefined
    ? ['authenticated', credentials]
    : wholeRules[status];
}

/** Reasons for which a request is refused as a whole, by status. */
const wholeRules: Readonly<Record<number, WholeRule>> = {
  0: ['readable', 'a query, and JSON or a form, that can be parsed'],
  400: ['possible now', 'what the message says'],
  404: ['exists', 'the path of a record that exists'],
  405: ['a method of the path', 'a method that the header Allow names'],
};

/** Returns the sent values without a field, if these are refused. */
function unknownFields({ form, sent }: Revalidated, issues: readonly FieldIssue[]): Explained[] {
  if (!issues.some(({ message }) => message === extraFields)) return [];
  return extraPaths(form?.schema, sent).map((path) => {
    const names = Object.keys(fieldsOf(schemaAt(form?.schema, path.slice(0, -1))));
    const like = closest(path.at(-1)!, names);
    const accepts = like === undefined ? 'no value' : `no value (did you mean ${like}?)`;
    const told = {
      message: extraFields,
      ...sentAt(sent, path),
      rule: 'a field of the form',
      accepts,
    };
    return { path, ...told, omit: true };
  });
}

/** Returns each field that has an issue, with its reason. */
function knownFields(
  shop: EngineShop,
  again: Revalidated,
  issues: readonly FieldIssue[],
): Explained[] {
  const { form, sent } = again;
  const fields = issues
    .map(({ path, message }) => ({ path: listOrField(form?.schema, path), message }))
    .filter(({ path }) => path.length > 0);
  const byPath = new Map(fields.map((issue) => [issue.path.join('\n'), issue]));
  return Array.from(byPath.values(), (issue) => ({
    ...issue,
    ...sentAt(sent, issue.path),
    ...reasonOf(shop, again, issue),
  }));
}

/** Returns why a field was refused, and what is accepted in its place. */
function reasonOf(
  shop: EngineShop,
  { form, sent, invalid, found, exampleAt }: Revalidated,
  { path, message }: FieldIssue,
): Pick<Explained, 'rule' | 'accepts' | 'example' | 'omit' | 'spec'> {
  const field = schemaAt(form?.schema, path);
  const before = valueAt(sent, path);
  const issue = found instanceof Problem ? undefined : found.find((one) => isAt(path, one));
  const limit = field && ruleIn(field, message);
  const isMasked = typeof before === 'string' && before.includes(mask);
  const isInvalid = (isMasked && limit !== undefined) || invalid.some((one) => isAt(path, one));
  if (field === undefined || !isInvalid)
    return { ...ruleOf(issue), ...acceptedBy(shop, field, issue) };
  const words = wordsOf(field);
  const isBlank = before === undefined || before === null || before === '';
  // The form refuses a masked value, too, but may have accepted what was sent.
  const isHidden = isMasked && limit === undefined;
  const rule = isBlank ? 'required' : isHidden ? 'valid' : (limit ?? words);
  if (issue !== undefined) return { rule, ...acceptedBy(shop, field, issue) };
  const example = exampleAt(path);
  if (example === undefined)
    return { rule, accepts: words, ...(field instanceof z.ZodOptional && { omit: true }) };
  const such = isHidden || isRefined(field) ? `, such as ${JSON.stringify(example)}` : '';
  return { rule, accepts: `${words}${such}`, example };
}

/** Returns the rule that refuses a value which the form accepts. @param issue that of the check, unless it has none */
function ruleOf(issue: FieldIssue | undefined): Pick<Explained, 'rule' | 'spec'> {
  if (issue === undefined) return { rule: 'possible now' };
  const check = checkOf(issue);
  if (check === undefined) return { rule: 'valid' };
  if (check === 'unique') return { rule: 'unique' };
  return 'rule' in check ? namesOf(check) : { rule: 'exists' };
}

/** Returns the values that a rule accepts. @param issue that of the check, unless it has none */
function acceptedBy(
  shop: EngineShop,
  field: z.core.$ZodType | undefined,
  issue: FieldIssue | undefined,
): Pick<Explained, 'accepts' | 'example'> {
  const words = field === undefined ? 'a value' : wordsOf(field);
  if (issue === undefined) return { accepts: `${words}, if it is possible now` };
  const check = checkOf(issue);
  if (check === 'unique') return { accepts: `${words} that no other record has` };
  if (field === undefined || check === undefined || 'rule' in check)
    return { accepts: `${words}, if the rule allows it` };
  if ('names' in check) {
    const [example, ...others] = check.names();
    return {
      accepts: `a ${check.singular}: ${formatAlternatives([example ?? '', ...others.slice(0, maxIds)])}`,
      example,
    };
  }
  const { name, singular } = check.definition;
  const [key = ''] = definitionsByName(shop.api.tables).get(name) ?? [];
  const ids = check.page(0, maxIds).map(({ id }) => shop.api.ids?.of(shop, key, id) ?? id);
  const example = firstValid(field, [ids[0], ...ids.map((_, at) => ids.slice(0, at + 1))]);
  const such = example === undefined ? '' : `, such as ${JSON.stringify(example)}`;
  const one = `the id of ${/^[aeio]/.test(singular) ? 'an' : 'a'} ${singular}`;
  return { accepts: `${Array.isArray(example) ? `a list, each ${one}` : one}${such}`, example };
}

/** Maximum number of ids in an example of a list. */
const maxIds = 10;

/** Whether an issue is at a path, or below it. */
function isAt(path: Path, issue: FieldIssue): boolean {
  return path.every((name, at) => issue.path[at] === name);
}

function sentAt(sent: JsonObject, path: Path): Pick<RefusedField, 'sent'> {
  const value = valueAt(sent, path);
  return value === undefined ? {} : { sent: bounded(value) };
}

/** Returns a value, or the beginning of a long one as text. */
function bounded(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= 200 ? value : truncate(text);
}
