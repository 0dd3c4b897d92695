import * as z from 'zod';
import { actorOf } from './actor.ts';
import { Timestamp } from '../lib/fields.ts';
import { ownParse } from '../lib/own-parse.ts';
import { parseBrackets } from '../rest/body.ts';
import { deliveryStates, isDelivered, type DeliveryState } from '../rest/delivery.ts';
import type { ApiResponse, ApiRequest } from '../rest/message.ts';
import { parseTarget, type Routed } from '../rest/serve.ts';
import type { RecordedDetails } from './recorded-action.ts';
import {
  redactHeaders,
  redactParameters,
  redactResponse,
  redactText,
  redactUrl,
  type SecretNames,
} from './redaction.ts';
import { documentTexts } from '../lib/document-texts.ts';

const Headers = z.record(z.string(), z.string());
const LeftOut = z.string().optional().describe('Why the body is not recorded');

export const DeliveryView = z
  .enum(deliveryStates)
  .describe(
    '`held` by a fault, `delayed`, `sent`, `dropped` (the connection was closed), or `client-left` before it was sent',
  );

/** One request and its response, without secrets. */
export const JournalEntry = z.strictObject({
  id: z.int().positive(),
  at: Timestamp.describe('Time by the clock of the back office'),
  session: z.string().optional(),
  state: DeliveryView,
  method: z.string(),
  url: z.string().describe('Path and query'),
  endpoint: z.string().optional().describe(documentTexts.journalEndpoint),
  step: z.string().optional().describe(documentTexts.filterStep),
  request: z.strictObject({
    headers: Headers,
    query: z.record(z.string(), z.unknown()),
    body: z.record(z.string(), z.unknown()).optional(),
    left_out: LeftOut,
  }),
  answer: z.strictObject({
    status: z.int().describe('0 until the response is sent, and if none is'),
    headers: Headers,
    body: z.unknown().optional().describe('Parsed JSON, or text if it is not JSON'),
    left_out: LeftOut,
    delay: z.int().optional().describe('Delay in milliseconds'),
    hold: z.array(z.string()).optional(),
    connection: z.literal('drop').optional(),
  }),
  faults: z.array(z.int()).describe('Ids of the faults that were applied'),
  script: z.array(z.int()).describe('Ids of the scripts that were applied'),
  prefer: z.string().optional().describe('Preferences that were applied'),
});
export type JournalEntry = z.output<typeof JournalEntry>;

/** Returns in one line why a request has its response; undefined if nothing but the request led to it. */
export type Why = (entry: JournalEntry) => string | undefined;

/** The summary of a request in a list. */
export type RequestHead = RecordedExchange['head'];

/** A request, its response and what was applied to it. */
export interface Exchange {
  readonly request: ApiRequest;
  readonly routed: Routed<unknown> | undefined;
  readonly answer: ApiResponse;
  readonly state: DeliveryState;
  readonly faults: readonly number[];
  readonly script: readonly number[];
  readonly prefer: string | undefined;
}

/**
 * One recorded request. The entry is created when it is first read, since few entries ever are; secrets are masked
 * before anything is stored.
 *
 * It retains no object literal created for it, so that those of other requests are collected early
 * (`.github/decisions/0015-little-garbage.md`).
 */
export class RecordedExchange<Details extends RecordedDetails = RecordedDetails> {
  readonly id: number;
  readonly at: string;
  readonly #method: string;
  readonly #url: string;
  readonly #headers: ApiRequest['headers'];
  readonly #row: Routed<unknown>['row'] | undefined;
  /** The parameters of the body. */
  readonly #sent: Readonly<Record<string, unknown>> | undefined;
  readonly #leftOut: string | undefined;
  #status: number;
  #answerHeaders: ApiResponse['headers'];
  #body: string | undefined;
  /** Length of the response body in characters, whether or not it is kept. */
  #length: number;
  readonly #delay: number | undefined;
  readonly #hold: ApiResponse['hold'];
  #connection: ApiResponse['connection'];
  #state: DeliveryState;
  /** The id of the newest entry when the state changed last; 0 if it never did. */
  changedAt = 0;
  readonly #faults: readonly number[];
  readonly #script: readonly number[];
  readonly #prefer: string | undefined;
  /** Approximate number of characters that it keeps in memory. */
  size: number;
  /** The details that a history adds. */
  details: Details | undefined;
  /** The entry once it has been read. Waiting and searching read all entries repeatedly. */
  #entry: JournalEntry | undefined;

  constructor(id: number, at: string, exchange: Exchange, details?: Details) {
    this.details = details;
    const { request, routed, answer, faults, script, prefer } = exchange;
    const { method, url, headers } = request;
    const sent = lengthOf(request.body);
    const leftOut = whyLeftOut(request, sent, routed);
    const isKept = routed !== undefined && sent > 0 && leftOut === undefined;
    const length = answer.body?.length ?? 0;
    this.id = id;
    this.at = at;
    this.#method = method.length < 13 ? method : redactText(method);
    this.#url = hasNoSecret(url) ? url : redactUrl(url);
    // Secrets in other headers are rare and masked when the entry is read.
    const hasCredentials =
      headers['authorization'] !== undefined || headers['cookie'] !== undefined;
    this.#headers = hasCredentials ? redactHeaders(headers) : headers;
    this.#row = routed?.row;
    this.#sent = isKept ? redactParameters(routed.sent, routed.row.secret) : undefined;
    this.#leftOut = leftOut === undefined ? undefined : redactText(leftOut);
    this.#status = answer.status;
    this.#answerHeaders = answer.headers;
    this.#body = length > maxBodyLength ? undefined : answer.body;
    this.#length = length;
    this.#delay = answer.delay;
    this.#hold = answer.hold;
    this.#connection = answer.connection;
    this.#state = exchange.state;
    this.changedAt = 0;
    this.#faults = faults;
    this.#script = script;
    this.#prefer = prefer;
    this.size =
      emptySize +
      url.length +
      lengthOfHeaders(headers) +
      (leftOut === undefined ? sent : 0) +
      (this.#body?.length ?? 0);
    this.#entry = undefined;
  }

  /** Discards the response body. The request is kept, since filters compare it. */
  discardBody(): void {
    this.size -= this.#body?.length ?? 0;
    this.#body = undefined;
    this.#entry = undefined;
  }

  /** Approximate number of characters that it keeps in memory without the response body. */
  get requestSize(): number {
    return this.size - (this.#body?.length ?? 0);
  }

  /**
   * Notes what has become of the response.
   *
   * @param newest the id of the newest entry
   * @param instead the response that was sent in its place
   */
  deliver(state: DeliveryState, newest: number, instead?: ApiResponse): void {
    this.#state = state;
    this.changedAt = newest;
    this.#entry = undefined;
    if (instead === undefined) return;
    this.discardBody();
    const { status, headers, body, connection } = instead;
    [this.#status, this.#answerHeaders, this.#connection] = [status, headers, connection];
    [this.#body, this.#length] = [body, body?.length ?? 0];
    this.size += this.#length;
  }

  /**
   * Its summary in a list, without parsing anything. The status is that of the response that was made, sent or not; 0 if the
   * connection was dropped. The names in `hold` release the response, and the delay is in milliseconds.
   */
  get head() {
    const row = this.#row;
    return {
      method: this.#method,
      url: this.#url,
      endpoint: row && `${row.method} ${row.path}`,
      step: row?.step,
      status: this.#status,
      state: this.#state,
      faults: this.#faults,
      script: this.#script,
      delay: this.#delay,
      hold: this.#hold,
      client: clientOf(this.#headers['user-agent']),
      actor: actorOf(this.#headers),
    };
  }

  /** The response body, with its secrets, if it is kept. */
  get body(): string | undefined {
    return this.#body;
  }

  entry(session: string | undefined): JournalEntry {
    return (this.#entry ??= this.#createEntry(session));
  }

  #createEntry(session: string | undefined): JournalEntry {
    const row = this.#row;
    return {
      id: this.id,
      at: this.at,
      ...(session !== undefined && { session }),
      state: this.#state,
      method: this.#method,
      url: this.#url,
      ...(row !== undefined && { endpoint: `${row.method} ${row.path}` }),
      ...(row?.step !== undefined && { step: row.step }),
      request: {
        headers: redactHeaders(this.#headers),
        query: queryOf(this.#url),
        ...(this.#sent !== undefined && { body: this.#sent }),
        ...(this.#leftOut !== undefined && { left_out: this.#leftOut }),
      },
      answer: this.#createAnswer(),
      faults: [...this.#faults],
      script: [...this.#script],
      ...(this.#prefer !== undefined && { prefer: redactText(this.#prefer) }),
    };
  }

  #createAnswer(): JournalEntry['answer'] {
    const waits = {
      ...(this.#delay !== undefined && { delay: this.#delay }),
      ...(this.#hold !== undefined && { hold: [...this.#hold] }),
    };
    if (!isDelivered(this.#state)) return { status: 0, headers: {}, ...waits };
    const [status, body, length] = [this.#status, this.#body, this.#length];
    return {
      status,
      headers: redactHeaders(this.#answerHeaders),
      ...(body !== undefined && { body: redactBody(body, this.#row?.secret) }),
      ...(body === undefined &&
        length > 0 && { left_out: length > maxBodyLength ? tooLong(length) : discarded }),
      ...waits,
      ...(this.#connection !== undefined && { connection: this.#connection }),
    };
  }
}

/** `checkout-web/2.1 (linux)` → `checkout-web`; a browser with its version: `Chrome 153`. */
export function clientOf(agent: string | undefined): string | undefined {
  if (agent === undefined) return undefined;
  const [, browser, version] = /\b(Firefox|Edg|Chrome|Version)\/(\d+)/.exec(agent) ?? [];
  if (agent.startsWith('Mozilla/') && browser !== undefined)
    return `${browser.replace('Version', 'Safari')} ${version}`;
  const [name] = /^[\w.+-]{1,32}/.exec(agent) ?? [];
  return name === undefined ? undefined : redactText(name);
}

/** Size of an empty entry in characters. */
const emptySize = 300;

/** Maximum length of a recorded body in characters. */
const maxBodyLength = 65_536;

function redactBody(text: string, secret: SecretNames | undefined): unknown {
  try {
    return redactResponse(ownParse(text), secret);
  } catch {
    return redactText(text, secret);
  }
}

function queryOf(url: string): Record<string, unknown> {
  const { query } = parseTarget(url);
  try {
    return query === '' ? {} : { ...parseBrackets(query) };
  } catch {
    return {};
  }
}

/** A fast test: URLs without a match have neither a secret nor a card number. */
const maybeSecret =
  /[%@]|\d(?:[+-]?\d){12}|number|pass|pwd|secret|token|salt|key|auth|cookie|cvv|cvc|security|card|expiry|sess|sig|cred|cid|csc|jwt|otp|pin|sid/i;

function hasNoSecret(url: string): boolean {
  if (url.includes('?')) return !maybeSecret.test(url);
  if (url.includes('=') || url.includes('@')) return false;
  return url.length < 14 || !/%|\d(?:[ +-]?\d){12}/.test(url);
}

function whyLeftOut(
  { method, unreadable }: ApiRequest,
  length: number,
  routed: Routed<unknown> | undefined,
): string | undefined {
  if (unreadable !== undefined) return unreadable.message;
  if (length === 0 || method === 'GET' || method === 'HEAD') return undefined;
  if (length > maxBodyLength) return tooLong(length);
  // Without an endpoint, the body is not decoded, so its secrets cannot be found.
  return routed === undefined ? 'no endpoint was reached' : undefined;
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

const discarded = 'discarded to make room for later entries';

function tooLong(length: number): string {
  return `${length} characters; at most ${maxBodyLength} are recorded`;
}
