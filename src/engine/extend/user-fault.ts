import * as z from 'zod';
import type { FaultKind, FaultKinds } from '../faults/fault-kind.ts';
import { faultKinds } from '../faults/fault-kinds.ts';
import { createResponse, headerIssues } from '../faults/fault-response.ts';
import { defineFaultRules, type FaultRules } from '../faults/fault-rule.ts';
import { readings } from '../faults/prefer.ts';
import { Problem, type FieldIssue } from '../lib/problem.ts';
import type { ApiResponse } from '../rest/message.ts';
import type { Field } from './field.ts';
import { described } from './field-set.ts';
import { issueIf, issuesOfField, type KnownNames } from './field-issues.ts';

/** A response as the code of a fault gets it. */
export interface FaultyResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its JSON, or its text if it is not JSON; undefined if it has no body. */
  readonly body?: unknown;
}

/** A response as the code of a fault returns it. */
export interface SentResponse extends Partial<FaultyResponse> {
  /** From 200 to 599. */
  readonly status: number;
  /** A text to send as it is, in the place of `body`. */
  readonly text?: string;
  /** By how much later it is sent, in milliseconds. */
  readonly delay?: number;
}

/** A response to which a fault applies. */
export interface FaultCall<Value> {
  /** The response of the endpoint. If the kind `replaces` it, its status is 204 and it has no body. */
  readonly response: FaultyResponse;
  /** The value in the rule. */
  readonly value: Value;
  /** Returns a number from 0 to below 1, the same ones for each start with a seed. */
  random(): number;
}

/** A kind of fault in addition to those that every API has. */
export interface FaultOptions<Value = unknown> {
  /** Says in documents what it does. */
  readonly description?: string;
  /** Its value in a rule and in the header `Prefer`: a text, a number, a flag, a choice or a time. */
  readonly value: Field<Value>;
  /** Whether it takes the place of the response, so that the endpoint runs only with `after` (default: false). */
  readonly replaces?: boolean;
  /** Returns the response to send, which must depend on nothing but the call. */
  apply(call: FaultCall<Value>): SentResponse;
}

/** Kinds of fault, by the field of a rule. */
export type Faults = Readonly<Record<string, FaultOptions>>;

/** Returns the table of the faults of an API, with those of an extension and its steps. */
export function extendedFaultRules(
  table: FaultRules,
  kinds: FaultKinds,
  steps: readonly string[] | undefined,
): FaultRules {
  const { shape } = table.schema;
  if (steps === undefined && Object.keys(kinds).every((name) => name in shape)) return table;
  const step = steps === undefined ? shape.match.shape.step.unwrap() : z.enum(steps);
  return defineFaultRules<string>(step, { ...kinds, ...faultKinds });
}

/** Returns the kinds of fault of an API, with those of an extension. */
export function extendedFaults(known: FaultKinds, faults: Faults): FaultKinds {
  const added = Object.entries(faults).map(([name, one]) => [name, userKind(name, one)] as const);
  return { ...known, ...Object.fromEntries(added) };
}

function userKind(name: string, one: FaultOptions): FaultKind {
  const { value: field, replaces = false, description } = one;
  const options = description === undefined ? field.options : { ...field.options, description };
  const accepts = (value: unknown): boolean =>
    field.stored.safeParse(value).success && field.sent?.safeParse(value).success !== false;
  const example = String(field.example);
  const expected = `a value such as ${example}`;
  return {
    value: described(field.stored, name, { ...field, options }),
    role: replaces ? 'replaces' : 'changes',
    allowsAfter: true,
    shown: { label: description ?? name, fields: [{ name, label: name, initial: example }] },
    prefer: { expected, example, parse: (text) => readings(text).find(accepts) },
    issues: (value) =>
      issueIf(value !== undefined && !accepts(value), `Expected ${expected}.`, name),
    apply(answer, value, _options, call) {
      const response = { ...answer, body: bodyOf(answer) };
      const random = call.random(name);
      return responseOf(name, answer, one.apply({ response, value, random }));
    },
  };
}

/** Returns the JSON of a response, or its text, which another kind of fault may have corrupted. */
function bodyOf({ body, headers }: ApiResponse): unknown {
  if (body === undefined || headers['content-type']?.includes('json') !== true) return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

const expectedStatus = 'Expected a status from 200 to 599.';

/** The response that a fault returns, as TypeScript checks it, with the limits of its status. */
const Sent = z.object(
  {
    status: z.int(expectedStatus).min(200, expectedStatus).max(599, expectedStatus),
    headers: z.record(z.string(), z.string('Expected a text.'), 'Expected an object.').optional(),
    text: z.string('Expected a text.').optional(),
    delay: z.number('Expected milliseconds.').optional(),
  },
  'Expected an object with a status.',
);

/** @throws Problem `fault` for a response that cannot be sent */
function responseOf(name: string, answer: ApiResponse, sent: SentResponse): ApiResponse {
  const { error } = Sent.safeParse(sent);
  const [wrong] = error?.issues ?? headerIssues(sent.headers ?? {});
  if (wrong !== undefined)
    throw new Problem(
      'fault',
      `The fault ${name} returns a response that cannot be sent: ${[...wrong.path, wrong.message].join(': ')}`,
    );
  const { status, headers = {}, body, text, delay = 0 } = sent;
  const { body: _, ...others } = answer;
  const created = createResponse(status, headers, body);
  return {
    ...others,
    ...created,
    ...(text !== undefined && { body: text }),
    ...(delay > 0 && { delay: (answer.delay ?? 0) + delay }),
  };
}

/** Returns the issues of a kind of fault. */
export function issuesOfFault(
  name: string,
  { value, ...options }: FaultOptions,
  { api }: KnownNames,
): FieldIssue[] {
  const taken = [
    ...Object.keys(api.tables.faultRules.schema.shape),
    'explain',
    ...Object.keys(api.faultKinds),
  ];
  const isSimple =
    !(value.stored instanceof z.ZodArray || value.isMoney) &&
    value.reference === undefined &&
    value.compute === undefined;
  return [
    ...issueIf(
      taken.some((one) => one.toLowerCase() === name.toLowerCase()),
      'exists already: it is a field of every fault; choose another name',
    ),
    ...issueIf(typeof options.apply !== 'function', 'must be a function', 'apply'),
    ...(isSimple ? issuesOfField(name, value, []) : []),
    ...issueIf(
      !isSimple,
      'must be a `text`, `integer`, `decimal`, `flag`, `time` or `oneOf`',
      'value',
    ),
  ];
}
