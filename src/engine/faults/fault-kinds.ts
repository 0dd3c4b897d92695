import * as z from 'zod';
import { addDuration, isForwardDuration, secondsBetween } from '../lib/duration.ts';
import { nameCharacters, namePattern } from '../lib/names.ts';
import { isPlain } from '../store/row.ts';
import { maxDelay, parseDelay } from '../lib/milliseconds.ts';
import { Delay, delayIssues, drawDelay, inMilliseconds } from './delay.ts';
import { faultKind, issue } from './fault-kind.ts';
import { headerIssues, corruptBody, createResponse, isBodiless } from './fault-response.ts';

/** Any JSON value. For a long list, `z.json()` takes a thousand times as long. */
const Json = z.unknown().refine(isJson, 'Invalid input: expected JSON');

function isJson(value: unknown): boolean {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (one === null || typeof one === 'string' || typeof one === 'boolean') continue;
    if (typeof one === 'number' && Number.isFinite(one)) continue;
    if (Array.isArray(one)) for (const inner of one) left.push(inner);
    else if (isPlain(one)) for (const name in one) left.push(one[name]);
    else return false;
  }
  return true;
}

/** The kinds of fault that every API has. Schemas, types, documents, `Prefer` and the studio follow from the rows. */
export const faultKinds = {
  status: faultKind({
    value: z.int().min(200).max(599).describe('Status to respond with instead'),
    options: {
      body: Json.optional().describe(
        'Body for `status`; a string is sent as it is if the content type is not JSON',
      ),
      headers: z.record(z.string(), z.string()).optional().describe('Headers for `status`'),
    },
    role: 'replaces',
    allowsAfter: true,
    shown: {
      label: 'respond with a status',
      fields: [
        { name: 'status', label: 'Status', initial: '503' },
        { name: 'body', label: 'Body', initial: '', isOptional: true, hint: 'of the status' },
      ],
    },
    prefer: { expected: 'a status from 200 to 599' },
    issues: (status, { body, headers }) => [
      ...issue(body !== undefined && status === undefined, ['body'], 'A body requires a status.'),
      ...issue(
        body !== undefined && isBodiless(status),
        ['body'],
        `A response with status ${status} has no body.`,
      ),
      ...issue(
        headers !== undefined && status === undefined,
        ['headers'],
        'Headers require a status.',
      ),
      ...headerIssues(headers ?? {}),
    ],
    apply: (_answer, status, { headers, body }) => createResponse(status, headers, body),
  }),
  delay: faultKind({
    value: Delay,
    role: 'delays',
    allowsAfter: false,
    shown: {
      label: 'delay the response',
      text: 'delay {} ms',
      fields: [{ name: 'delay', label: 'Milliseconds', initial: '2000', hint: '500-3000' }],
    },
    prefer: { expected: `at most ${maxDelay / 1000}s, such as 2s or 500ms`, parse: parseDelay },
    issues: delayIssues,
    normalize: inMilliseconds,
    apply(answer, value, _options, call) {
      const delay = drawDelay(value, () => call.random('delay'));
      if (delay === 0) return answer;
      return { ...answer, delay: Math.min((answer.delay ?? 0) + delay, maxDelay) };
    },
  }),
  connection: faultKind({
    value: z.literal('drop').describe('Close the connection without a response'),
    role: 'replaces',
    allowsAfter: true,
    shown: { label: 'drop the connection', text: 'drop the connection', fields: [] },
    prefer: { expected: 'drop' },
    apply: (_answer, connection) => ({ status: 0, headers: {}, connection }),
  }),
  corrupt: faultKind({
    value: z
      .enum(['malformed', 'cut-off'])
      .describe('Make the JSON of the response unparsable, or send only its first half'),
    role: 'changes',
    allowsAfter: true,
    shown: {
      label: 'corrupt the JSON',
      text: { malformed: 'send malformed JSON', 'cut-off': 'send half of the JSON' },
      fields: [{ name: 'corrupt', label: 'How', initial: 'malformed' }],
    },
    prefer: { expected: 'malformed or cut-off' },
    issues: (corrupt, { connection, limit, status }) =>
      issue(
        corrupt !== undefined &&
          (connection !== undefined || limit !== undefined || isBodiless(status)),
        ['corrupt'],
        'The response has no body to corrupt.',
      ),
    apply: corruptBody,
  }),
  hold: faultKind({
    value: z
      // It has to fit into a path and the header `Prefer`.
      .string()
      .regex(namePattern, `Expected ${nameCharacters}.`)
      .describe(
        'Hold the response until `office.release(name)` or `POST /_backlot/holds/:name/release`',
      ),
    role: 'delays',
    allowsAfter: false,
    shown: {
      label: 'hold the response',
      text: 'hold as {}',
      fields: [{ name: 'hold', label: 'Name that releases it', initial: 'held' }],
    },
    prefer: { expected: 'a name, such as orders' },
    apply: (answer, hold) => ({ ...answer, hold: [...(answer.hold ?? []), hold] }),
  }),
  limit: faultKind({
    value: z
      .strictObject({
        requests: z.int().min(0).describe('Number of requests that are served'),
        per: z.string().describe('ISO 8601 duration by the clock of the back office: `PT1M`'),
      })
      .describe('Rate limit: further requests are rejected with 429 and `Retry-After`'),
    role: 'replaces',
    allowsAfter: false,
    shown: {
      label: 'limit the rate',
      text: '{requests} requests per {per}, then 429',
      fields: [
        { name: 'requests', label: 'Requests', initial: '10' },
        { name: 'per', label: 'Per', initial: 'PT1M' },
      ],
    },
    issues: (limit) =>
      issue(
        limit !== undefined && !isForwardDuration(limit.per, 1),
        ['limit', 'per'],
        'Expected an ISO 8601 duration of at least one second, such as PT1M.',
      ),
    apply(_answer, { requests, per }, _options, { now, window }) {
      const seconds = secondsBetween(now, addDuration(window?.from ?? now, per));
      const message = `Too many requests: at most ${requests} are served in ${per}. Retry in ${seconds} s.`;
      const headers = { 'retry-after': String(seconds) };
      return createResponse(429, headers, { code: 429, message });
    },
  }),
};
