import type * as z from 'zod';
import type { EngineShop } from '../definition/api.ts';
import type { RefusedField } from '../definition/explanation.ts';
import type { OwnCheck } from '../definition/records.ts';
import { isObject, valueAt, withoutValues, withValue } from '../lib/json-value.ts';
import type { JournalEntry } from '../journal/recorded-exchange.ts';
import { mask } from '../journal/redaction.ts';
import { truncate, type FieldIssue } from '../lib/problem.ts';
import { closest } from '../lib/unknown-keys.ts';
import { issuesIn } from '../rest/error-tree.ts';
import { parseBrackets } from '../rest/body.ts';
import { extraFields } from '../rest/form.ts';
import { operationIdOf } from '../rest/operation-id.ts';
import { parseTarget } from '../rest/serve.ts';
import {
  AskedEndpoint,
  isOwnCheck,
  isReference,
  type Decision,
  type Values,
} from './asked-endpoint.ts';
import {
  extraPaths,
  fieldsOf,
  isRefined,
  listOrField,
  ruleIn,
  schemaAt,
  valuesOf,
  wordsOf,
} from './schema-words.ts';

type Path = readonly string[];
type Explained = Omit<RefusedField, 'spec'> & Partial<Pick<RefusedField, 'spec'>>;

/**
 * Returns each refused field of a request. What is accepted in its place, the endpoint itself says.
 *
 * @param most the number of fields for which accepted values are looked for (default: 20), because each value that is tried
 *   takes a validation of the request. Others have their message only.
 */
export function refusedFields(shop: EngineShop, entry: JournalEntry, most = 20): RefusedField[] {
  const { answer, endpoint, step, request, faults, prefer = 'explain' } = entry;
  const body: Values = isObject(answer.body) ? answer.body : {};
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
  const status = isUnread ? 0 : answer.status;
  const [rule, accepts] =
    (row?.errorBody === undefined ? wholeRule(shop, status) : undefined) ?? otherRule;
  const whole = { path: [], message: error_description, rule, accepts, spec };
  // The record of the path is missing, whatever was sent.
  if (row === undefined || (status === 404 && row.path.includes('/:'))) return [whole];
  const sent = (row.method === 'GET' ? request.query : request.body) ?? {};
  const asked = new AskedEndpoint(shop, row, entry);
  const own = errors === undefined ? asked.refusedBy(sent) : undefined;
  if (own !== undefined) {
    const { wanted = accepts } = own;
    return [{ ...whole, ...namesOf(own), accepts: wanted }];
  }
  const issues = isObject(errors) ? issuesIn(errors) : asked.formIssues(sent);
  const fields = explainedFields(asked, sent, issues, most);
  if (fields.length > 0) return fields.map((field) => ({ ...field, spec: field.spec ?? spec }));
  return [{ ...whole, ...otherField(asked, sent) }];
}

/** Returns the field with which a request would be accepted that is refused as a whole, such as a user name. */
function otherField(asked: AskedEndpoint, sent: Values): Partial<RefusedField> {
  const { form } = asked;
  const examples = Object.entries(asked.example);
  const [name, example] =
    examples.find(([one, value]) =>
      asked.accepts({ ...sent, [one]: value }, [], 'handler', true),
    ) ?? [];
  const field = name === undefined ? undefined : fieldsOf(form?.schema)[name];
  if (name === undefined || field === undefined) return {};
  const accepts = acceptedWords(field, example, 'handler');
  return { path: [name], ...sentAt(sent, [name]), accepts, example };
}

function isReadable(url: string): boolean {
  try {
    return parseBrackets(parseTarget(url).query) !== undefined;
  } catch {
    return false;
  }
}

/** The rule of a definition that refused a request, and its place. */
function namesOf({ rule, place }: OwnCheck): Pick<RefusedField, 'rule' | 'spec'> {
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

/** Why no other value of a field would help, by status. */
const wholeRules: Readonly<Record<number, WholeRule>> = {
  0: ['readable', 'a query, and JSON or a form, that can be parsed'],
  400: ['possible now', 'no other value, until the state of the shop has changed'],
  404: ['exists', 'the path of a record that exists'],
  405: ['a method of the path', 'a method that the header Allow names'],
};

/** Explains what has no field, then one issue after the other, each beside what is accepted for those before. */
function explainedFields(
  asked: AskedEndpoint,
  sent: Values,
  issues: readonly FieldIssue[],
  most: number,
): Explained[] {
  const schema = asked.form?.schema;
  const extras = unknownFields(asked, sent, issues, most);
  const messages = new Map(
    issues.flatMap(({ path, message }) =>
      path.length === 0 ? [] : [[listOrField(schema, path).join('\n'), message]],
    ),
  );
  const all = Array.from(messages, ([key, message]) => ({ path: key.split('\n'), message }));
  const [first, more] = [all.slice(0, most), all.slice(most)];
  const known = withoutValues(
    sent,
    [...extras, ...more].map(({ path }) => path),
  );
  let accepted = unmasked(asked, known, first);
  const others = first.map(({ path, message }): Explained => {
    const field = schemaAt(schema, path);
    const before = valueAt(sent, path);
    const decision = isMasked(before) ? decisionIn(field, message) : asked.decision(accepted, path);
    const named = isOwnCheck(decision)
      ? namesOf(decision)
      : { rule: ruleOf(field, message, decision, before) };
    // Without the field, or without the block that it is in, a request may be accepted, too.
    const places = [path, path.slice(0, -1)].filter(({ length }) => length > 0);
    const fixes = [
      ...candidates(asked, accepted, path, decision).map((value) => ({ place: path, value })),
      ...places.map((place) => ({ place, value: undefined })),
    ];
    const fix = fixes.find(({ place, value }) =>
      asked.accepts(withValue(accepted, place, value), place, decision, isWhole(value)),
    );
    if (fix === undefined)
      return { path, message, ...sentAt(sent, path), ...named, accepts: 'no value now' };
    const { place, value: example } = fix;
    accepted = withValue(accepted, place, example);
    const told = { path: place, message, ...sentAt(sent, place), ...named };
    return example === undefined
      ? { ...told, accepts: 'no value', omit: true }
      : { ...told, accepts: acceptedWords(field, example, decision), example };
  });
  const [rule, accepts] = otherRule;
  const rest = more.map((issue) => ({ ...issue, ...sentAt(sent, issue.path), rule, accepts }));
  return [...extras, ...others, ...rest];
}

/** Returns what was sent and has no field, if that is refused. */
function unknownFields(
  asked: AskedEndpoint,
  sent: Values,
  issues: readonly FieldIssue[],
  most: number,
): Explained[] {
  const schema = asked.form?.schema;
  if (schema !== undefined && !issues.some(isExtra)) return [];
  const extras = extraPaths(schema, sent).filter(
    (path) =>
      schema === undefined ||
      asked.formIssues(withValue({}, path, valueAt(sent, path))).some(isExtra),
  );
  return extras.map((path, at) => {
    const names = Object.keys(fieldsOf(schemaAt(schema, path.slice(0, -1))));
    const like = at < most ? closest(path.at(-1)!, names) : undefined;
    const accepts = like === undefined ? 'no value' : `no value (did you mean ${like}?)`;
    const told = { message: extraFields, ...sentAt(sent, path), rule: 'known', accepts };
    return { path, ...told, omit: true };
  });
}

function isExtra({ message }: FieldIssue): boolean {
  return message === extraFields;
}

function sentAt(sent: Values, path: Path): Pick<RefusedField, 'sent'> {
  const value = valueAt(sent, path);
  return value === undefined ? {} : { sent: bounded(value) };
}

/** Whether the fields below a value have to be valid too. Those of a block are explained on their own. */
function isWhole(value: unknown): boolean {
  return typeof value !== 'object' || Array.isArray(value);
}

function isMasked(sent: unknown): boolean {
  return typeof sent === 'string' && sent.includes(mask);
}

/** Returns what refused a value that is not known. */
function decisionIn(field: z.core.$ZodType | undefined, message: string): Decision {
  return field !== undefined && ruleIn(field, message) !== undefined ? 'form' : 'check';
}

/**
 * Replaces masked values, which have no issue of their own, by those of the example. Removes what else the form refuses, with
 * the blocks that have none of the explained fields.
 */
function unmasked(asked: AskedEndpoint, sent: Values, explained: readonly FieldIssue[]): Values {
  const schema = asked.form?.schema;
  const kept = new Set(explained.flatMap(({ path }) => path.map((_, end) => keyTo(path, end))));
  const others = asked.formIssues(sent).flatMap(({ path: at }) => {
    const path = listOrField(schema, at);
    const end = path.findIndex((_, index) => !kept.has(keyTo(path, index)));
    const value = valueAt(asked.example, path);
    return end === -1 ? [] : [{ path: value === undefined ? path.slice(0, end + 1) : path, value }];
  });
  return others.reduce(
    (values, { path, value }) => (value === undefined ? values : withValue(values, path, value)),
    withoutValues(
      sent,
      others.map(({ path }) => path),
    ),
  );
}

function keyTo(path: Path, end: number): string {
  return path.slice(0, end + 1).join('\n');
}

/** Returns values that may be accepted: what a check looked for, that of the example, and those of the schema. */
function candidates(
  { example: body, form, shop }: AskedEndpoint,
  sent: Values,
  path: Path,
  decision: Decision,
): unknown[] {
  const field = schemaAt(form?.schema, path);
  const example = valueAt(body, path);
  const values = field === undefined ? [] : [example, ...valuesOf(field, shop.clock.now())];
  const taken = [valueAt(sent, path), example].filter((value) => typeof value === 'string');
  return [
    ...(decision === 'unique' ? taken.flatMap(otherTexts) : []),
    ...(isReference(decision) ? decision.page(0, maxIds).map(({ id }) => id) : []),
    ...values,
  ].filter((value) => value !== undefined);
}

const maxIds = 100;

/** `ada2@example.com`, `SPRING2` */
function otherTexts(text: string): string[] {
  return [2, 3, 4, 5, 6, 7, 8, 9].map((number) => text.replace(/(?=@)|$/, String(number)));
}

function ruleOf(
  field: z.core.$ZodType | undefined,
  message: string,
  decision: Decision,
  sent: unknown,
): string {
  if (decision === 'unique') return 'unique';
  if (isReference(decision)) return 'exists';
  if (decision === 'handler') return 'possible now';
  if (decision === 'check' || field === undefined) return 'valid';
  const isBlank = sent === undefined || sent === null || sent === '';
  return isBlank ? 'required' : (ruleIn(field, message) ?? wordsOf(field));
}

function acceptedWords(
  field: z.core.$ZodType | undefined,
  value: unknown,
  decision: Decision,
): string {
  const words = field === undefined ? '' : wordsOf(field);
  // A condition in code has no words.
  if (decision === 'form' && (field === undefined || !isRefined(field))) return words;
  const such = `such as ${JSON.stringify(value)}`;
  if (decision === 'unique') return `${words} that no other record has, ${such}`;
  if (!isReference(decision)) return `${words}, ${such}`;
  const { singular } = decision.definition;
  const id = `the id of ${/^[aeio]/.test(singular) ? 'an' : 'a'} ${singular}`;
  return `${Array.isArray(value) ? `a list, each ${id}` : id}, ${such}`;
}

/** Returns a value, or the beginning of a long one as text. */
function bounded(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= 200 ? value : truncate(text);
}
