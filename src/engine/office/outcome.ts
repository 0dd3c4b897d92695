import * as z from 'zod';
import { isObject, parseJson } from '../lib/json-value.ts';
import type { RecordedExchange, RequestHead } from '../journal/recorded-exchange.ts';
import { redactResponse } from '../journal/redaction.ts';
import type { StepRow } from '../definition/api.ts';
import { truncate } from '../lib/problem.ts';
import { issuesIn } from '../rest/error-tree.ts';

export const Outcome = z
  .enum(['ok', 'declined', 'rejected', 'failed', 'dropped', 'different'])
  .describe('`different`, of a replay: the recorded response was another one');

/** The outcome of a request, with the reason. */
export interface RequestOutcome {
  readonly outcome: z.output<typeof Outcome>;
  /** The first error with its field, and the other invalid fields; or why a step failed although it was accepted. */
  readonly reason?: string;
}

const maxReason = 200;

/**
 * Returns the outcome of a request. A step can fail although its status is 200.
 *
 * @param steps those of the API
 * @param writtenReason the reason in the last record of the step, if a history has it
 */
export function outcomeOf(
  recorded: {
    readonly head: Pick<RequestHead, 'status' | 'step' | 'faults' | 'script'>;
    readonly body: RecordedExchange['body'];
  },
  steps: readonly StepRow[],
  writtenReason?: string,
): RequestOutcome {
  const { status, step, faults, script } = recorded.head;
  const byFault = faults.length > 0 ? `fault ${faults.join(', ')}` : undefined;
  if (status === 0) return { outcome: 'dropped', ...reasonIn([byFault]) };
  const failedWhen = failureOf(step, steps);
  if (status < 400 && failedWhen === undefined) return { outcome: 'ok' };
  const body = redactResponse(parseJson(recorded.body ?? ''));
  if (failedWhen !== undefined && (status < 400 || status === 402)) {
    const state = lastState(body, failedWhen.table);
    if (status < 400 && !failedWhen.states.includes(state ?? '')) return { outcome: 'ok' };
    const byRule = script.length > 0 ? `declined by script ${script.join(', ')}` : undefined;
    return { outcome: 'declined', ...reasonIn([byRule, writtenReason ?? state]) };
  }
  const byRule = script.length > 0 ? `script ${script.join(', ')}` : undefined;
  const outcome = status < 500 ? 'rejected' : 'failed';
  return { outcome, ...reasonIn([byFault, byRule, firstError(body)]) };
}

function reasonIn(parts: readonly (string | undefined)[]): { readonly reason?: string } {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? {} : { reason: truncate(known.join(': '), maxReason) };
}

/** Returns the states by which a step fails although its status is of success, if it has any. */
export function failureOf(
  step: string | undefined,
  steps: readonly StepRow[],
): StepRow['failedWhen'] | undefined {
  return step === undefined ? undefined : steps.find(({ name }) => name === step)?.failedWhen;
}

const Stated = z.array(z.object({ state: z.string().optional() }));

function lastState(body: unknown, table: string): string | undefined {
  const parsed = z.object({ [table]: Stated }).safeParse(body);
  return parsed.data?.[table]?.at(-1)?.state;
}

/**
 * Returns the first error of a response with its field, and the names of the other invalid fields:
 * `unitPrice: This value should not be blank. Also quantity.`
 */
export function firstError(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  const { errors, message, error_description: description } = body;
  const issues = issuesIn(errors);
  const [path = '', ...also] = new Set(issues.map((issue) => issue.path.join('.')));
  const [first] = issues;
  if (first === undefined) return [message, description].find((text) => typeof text === 'string');
  const named = path === '' ? first.message : `${path}: ${first.message}`;
  return also.length === 0 ? named : `${named} Also ${also.join(', ')}.`;
}
