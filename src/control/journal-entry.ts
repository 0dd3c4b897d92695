import * as z from 'zod';
import { Timestamp } from '../models/fields.ts';
import { decodeBrackets } from '../rest/body.ts';
import type { ApiAnswer, ApiRequest } from '../rest/message.ts';
import { addressOf, type Routed } from '../rest/serve.ts';
import {
  shownAnswer,
  shownRefusal,
  shownText,
  shownUrl,
  withoutSecretHeaders,
  withoutSecrets,
} from './redaction.ts';

const Headers = z.record(z.string(), z.string());
const WhyLeftOut = z.string().optional().describe('Why there is no body here');

/** One request and its answer, without any secret. */
export const JournalEntry = z.strictObject({
  id: z.int().positive(),
  at: Timestamp.describe('By the clock of the back office'),
  session: z.string().optional(),
  method: z.string(),
  url: z.string().describe('Path and query'),
  endpoint: z.string().optional().describe('`PUT /api/checkouts/:order_id`; none was reached'),
  step: z.string().optional().describe('The step of the checkout'),
  request: z.strictObject({
    headers: Headers,
    query: z.record(z.string(), z.unknown()),
    body: z.record(z.string(), z.unknown()).optional(),
    left_out: WhyLeftOut,
  }),
  answer: z.strictObject({
    status: z.int().describe('0 where the connection was dropped'),
    headers: Headers,
    body: z.unknown().optional().describe('As JSON; as text where it is none'),
    left_out: WhyLeftOut,
    delay: z.int().optional().describe('How long it was kept waiting, in milliseconds'),
    connection: z.literal('drop').optional(),
  }),
  faults: z.array(z.int()).describe('The faults that acted, by their ids'),
  script: z.array(z.int()).describe('The rules of the script that acted, by their ids'),
  prefer: z.string().optional().describe('What of the header `Prefer` was heeded'),
});
export type JournalEntry = z.output<typeof JournalEntry>;

/** What a request left behind: as little work as can be, since few entries are ever read. */
export interface Trace extends Omit<Happened, 'request' | 'routed'> {
  readonly id: number;
  readonly at: string;
  readonly method: string;
  readonly url: string;
  readonly headers: ApiRequest['headers'];
  readonly row: Routed<unknown>['row'] | undefined;
  /** The parameters of the body. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly leftOut: string | undefined;
  /** Of the answer's body, in characters, be it kept or not. */
  readonly length: number;
  /** About how many characters it holds on to. */
  readonly size: number;
}

/** What happened at a request. */
export interface Happened {
  readonly request: ApiRequest;
  readonly routed: Routed<unknown> | undefined;
  readonly answer: ApiAnswer;
  readonly faults: readonly number[];
  readonly script: readonly number[];
  readonly prefer: string | undefined;
}

/** What an entry weighs that holds nothing, in characters. */
const ownSize = 300;

/** Bodies longer than this are not kept, in characters. */
const longestBody = 65_536;

/** What is kept of a request. Its secrets are gone before anything is kept. */
export function traceOf(id: number, at: string, happened: Happened): Trace {
  const { request, routed, answer, faults, script, prefer } = happened;
  const { method, url, headers } = request;
  const sent = lengthOf(request.body);
  const leftOut = whyLeftOut(request, sent, routed);
  const length = answer.body?.length ?? 0;
  return {
    faults,
    script,
    prefer,
    id,
    at,
    method,
    url: isPlain(url) ? url : shownUrl(url),
    headers: hasSecret(headers) ? withoutSecretHeaders(headers) : headers,
    row: routed?.row,
    body:
      routed === undefined || sent === 0 || leftOut !== undefined
        ? undefined
        : withoutSecrets(routed.sent),
    leftOut,
    answer: length > longestBody ? withoutBody(answer) : answer,
    length,
    size:
      ownSize +
      url.length +
      lengthOfHeaders(headers) +
      (leftOut === undefined ? sent : 0) +
      (length > longestBody ? 0 : length),
  };
}

/** The same without the body of its answer, where there is no more room for it. What was sent is kept to be asked for. */
export function withoutAnswerBody(trace: Trace): Trace {
  const { answer, size } = trace;
  return { ...trace, answer: withoutBody(answer), size: size - (answer.body?.length ?? 0) };
}

export function entryOf(trace: Trace, session: string | undefined): JournalEntry {
  const { id, at, method, url, headers, row, body, leftOut, faults, script, prefer } = trace;
  return {
    id,
    at,
    ...(session !== undefined && { session }),
    method,
    url,
    ...(row !== undefined && { endpoint: `${row.method} ${row.path}` }),
    ...(row?.step !== undefined && { step: row.step }),
    request: {
      headers: withoutSecretHeaders(headers),
      query: queryOf(url),
      ...(body !== undefined && { body }),
      ...(leftOut !== undefined && { left_out: leftOut }),
    },
    answer: shown(trace),
    faults: [...faults],
    script: [...script],
    ...(prefer !== undefined && { prefer }),
  };
}

function shown({ answer, length }: Trace): JournalEntry['answer'] {
  const { status, headers, body, delay, connection } = answer;
  return {
    status,
    headers: withoutSecretHeaders(headers),
    ...(body !== undefined && { body: shownBody(status < 400 ? body : shownRefusal(body)) }),
    ...(body === undefined &&
      length > 0 && { left_out: length > longestBody ? tooLong(length) : noRoom }),
    ...(delay !== undefined && { delay }),
    ...(connection !== undefined && { connection }),
  };
}

function shownBody(text: string): unknown {
  try {
    return shownAnswer(JSON.parse(text));
  } catch {
    return shownText(text);
  }
}

function withoutBody(answer: ApiAnswer): ApiAnswer {
  const { body: _, ...rest } = answer;
  return rest;
}

function queryOf(url: string): Record<string, unknown> {
  const { query } = addressOf(url);
  try {
    return query === '' ? {} : { ...decodeBrackets(query) };
  } catch {
    return {};
  }
}

/** Most URLs hold nothing that looks like a secret or a card number; the others are looked at closely. */
const maybeSecret =
  /\d[\d%+-]{10}|%|number|pass|pwd|secret|token|salt|key|auth|cookie|cvv|cvc|security|card|expiry/i;

function isPlain(url: string): boolean {
  return url.includes('?') ? !maybeSecret.test(url) : url.length < 16 || !/\d{12}|%/.test(url);
}

/** Those that clients send all the time; others of a secret name are hidden when the entry is read. */
function hasSecret(headers: ApiRequest['headers']): boolean {
  return headers['authorization'] !== undefined || headers['cookie'] !== undefined;
}

function whyLeftOut(
  { method, unreadable }: ApiRequest,
  length: number,
  routed: Routed<unknown> | undefined,
): string | undefined {
  if (unreadable !== undefined) return unreadable.message;
  if (length === 0 || method === 'GET' || method === 'HEAD') return undefined;
  if (length > longestBody) return tooLong(length);
  // Nobody can say where in it there are secrets.
  return routed === undefined ? 'no endpoint could read it' : undefined;
}

function lengthOfHeaders(headers: ApiRequest['headers']): number {
  let length = 0;
  for (const name in headers) length += headers[name]?.length ?? 0;
  return length;
}

function lengthOf(body: ApiRequest['body']): number {
  if (body === undefined || typeof body === 'string') return body?.length ?? 0;
  return body.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}

const noRoom = 'there was no room for it beside later ones';

function tooLong(length: number): string {
  return `${length} characters, more than the ${longestBody} that are kept`;
}
