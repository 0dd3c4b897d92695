import * as z from 'zod';
import type { EngineShop } from '../definition/api.ts';
import type { RefusedField } from '../definition/explanation.ts';
import { isObject, valueAt, type JsonObject } from '../lib/json-value.ts';
import type { JournalEntry } from '../journal/recorded-exchange.ts';
import { notValid, truncate, type FieldIssue } from '../lib/problem.ts';
import { fieldsOf, unwrapped } from '../lib/schema-parts.ts';
import { closest } from '../lib/unknown-keys.ts';
import { issuesIn } from '../rest/error-tree.ts';
import { referred } from '../rest/field.ts';
import { extraFields, type Form } from '../rest/form.ts';
import { operationIdOf } from '../rest/operation-id.ts';
import {
  extraPaths,
  firstValid,
  isRefined,
  listOrField,
  ruleIn,
  schemaAt,
  valueOf,
  wordsOf,
  type Path,
} from './schema-words.ts';

/** The parameters of a refused request, their form and their example. */
interface Refused {
  readonly shop: EngineShop;
  readonly form: Form<unknown> | undefined;
  readonly sent: JsonObject;
  readonly documented: JsonObject | undefined;
}

type Explained = Omit<RefusedField, 'spec'>;

/**
 * Returns each refused field of a request: its message, and what its schema accepts. An example of a reference is a record
 * that exists. What code decides, the message says.
 */
export function refusedFields(shop: EngineShop, entry: JournalEntry): RefusedField[] {
  const { answer, endpoint, step, faults, request, prefer = 'explain' } = entry;
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
  const isRead = row?.method === 'GET';
  const refused: Refused = {
    shop,
    form: isRead ? row.query : row?.body,
    sent: (isRead ? request.query : request.body) ?? {},
    documented: row?.example.body,
  };
  const spec = row === undefined ? 'openapi.json' : `openapi.json: ${operationIdOf(row)}`;
  const issues = issuesIn(errors).map((issue): [string, FieldIssue] => {
    const path = listOrField(refused.form?.schema, issue.path);
    return [path.join('\n'), { ...issue, path }];
  });
  const fields = [...new Map(issues).values()].flatMap((issue) =>
    issue.message === extraFields ? unknownFields(refused) : knownField(refused, issue),
  );
  if (fields.length > 0) return fields.map((field) => ({ ...field, spec }));
  const { credentials } = shop.api;
  const [rule, accepts] =
    answer.status === 401 && credentials !== undefined
      ? ['authenticated', credentials]
      : ['as the message says', 'what the message says'];
  return [{ path: [], message: error_description, rule, accepts, spec }];
}

/** Returns the sent values without a field. */
function unknownFields({ form, sent }: Refused): Explained[] {
  return extraPaths(form?.schema, sent).map((path) => {
    const names = Object.keys(fieldsOf(schemaAt(form?.schema, path.slice(0, -1))));
    const like = closest(path.at(-1)!, names);
    const accepts = like === undefined ? 'no value' : `no value (did you mean ${like}?)`;
    const rule = 'a field of the form';
    return { path, message: extraFields, ...sentAt(sent, path), rule, accepts, omit: true };
  });
}

/** Returns a field with an issue. The form as a whole is none. */
function knownField(refused: Refused, { path, message }: FieldIssue): Explained | [] {
  const { form, sent } = refused;
  if (path.length === 0) return [];
  const field = schemaAt(form?.schema, path);
  const before = valueAt(sent, path);
  const isBlank = (typeof before === 'string' ? before.trim() : (before ?? '')) === '';
  const told = { path, message, ...sentAt(sent, path) };
  if (field === undefined) return { ...told, rule: 'as the message says', accepts: 'a value' };
  const { rule, accepts, example } = acceptedBy(refused, field, path);
  const isOther = message === notValid;
  const limit = isOther ? undefined : ruleIn(field, message);
  // A check refuses what the schema accepts, too, by the same message.
  const isOfSchema =
    isBlank ||
    limit !== undefined ||
    (isOther && (rule === 'exists' || firstValid(field, [before]) === undefined));
  if (!isOfSchema)
    return { ...told, rule: 'as the message says', accepts: `${accepts}, if the rule allows it` };
  return {
    ...told,
    rule: limit ?? (isBlank ? 'required' : rule),
    accepts,
    ...(example !== undefined && { example }),
    ...(example === undefined && field instanceof z.ZodOptional && { omit: true }),
  };
}

/** Returns what a field accepts, in words and as an example: that of the endpoint, if it has one. */
function acceptedBy(
  { shop, documented }: Refused,
  field: z.core.$ZodType,
  path: Path,
): Pick<Explained, 'rule' | 'accepts' | 'example'> {
  const told = valueAt(documented, path);
  const inner = unwrapped(field);
  const isList = inner instanceof z.ZodArray;
  const { table: key = '', by = 'id' } = referred.get(isList ? inner.element : inner) ?? {};
  const table = shop.db[key];
  const words = wordsOf(field);
  if (table === undefined) {
    const example = firstValid(field, [told, valueOf(field, shop.clock.now())]);
    const such = isRefined(field) ? suchAs(example) : '';
    return { rule: words, accepts: `${words}${such}`, example };
  }
  const ids = table
    .page(0, maxIds)
    .map(
      (row) =>
        (by === 'id' ? shop.api.ids?.of(shop, key, row.id) : undefined) ?? valueAt(row, [by]),
    );
  const one = ids.find((id) => id === told) ?? ids[0];
  const example = firstValid(field, [one, ...ids.map((_, at) => ids.slice(0, at + 1))]);
  const { singular } = table.definition;
  const each = `the ${by} of ${/^[aeio]/.test(singular) ? 'an' : 'a'} ${singular}`;
  const accepts = `${isList ? `a list, each ${each}` : each}${suchAs(example)}`;
  return { rule: 'exists', accepts, example };
}

function suchAs(example: unknown): string {
  return example === undefined ? '' : `, such as ${JSON.stringify(example)}`;
}

/** Maximum number of ids in an example of a list. */
const maxIds = 10;

function sentAt(sent: JsonObject, path: Path): Pick<RefusedField, 'sent'> {
  const value = valueAt(sent, path);
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return value === undefined ? {} : { sent: text.length <= 200 ? value : truncate(text) };
}
