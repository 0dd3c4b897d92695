import { decodeBrackets } from '../rest/body.ts';
import type { ApiAnswer, ApiRequest } from '../rest/message.ts';
import { parseTarget, type Routed } from '../rest/serve.ts';
import type { JournalEntry } from './journal-entry.ts';
import { redactResponse, redactHeaders, redactParameters } from './redaction.ts';
import { redactText, redactUrl } from './shown-text.ts';

/** What happened at a request. */
export interface Exchange {
  readonly request: ApiRequest;
  readonly routed: Routed<unknown> | undefined;
  readonly answer: ApiAnswer;
  readonly faults: readonly number[];
  readonly script: readonly number[];
  readonly prefer: string | undefined;
}

/**
 * What a request left behind: as little work as can be, since few entries are ever read. Its secrets are gone before
 * anything is kept.
 *
 * An instance that holds on to no literal made for it, for the collector's sake: where most of the first literals live
 * on, V8 puts all later ones among the old from the start, and what they held outlives them there.
 */
export class RecordedExchange {
  readonly #id: number;
  readonly #at: string;
  readonly #method: string;
  readonly #url: string;
  readonly #headers: ApiRequest['headers'];
  readonly #row: Routed<unknown>['row'] | undefined;
  /** The parameters of the body. */
  readonly #sent: Readonly<Record<string, unknown>> | undefined;
  readonly #leftOut: string | undefined;
  readonly #status: number;
  readonly #answerHeaders: ApiAnswer['headers'];
  #body: string | undefined;
  /** Of the answer's body, in characters, be it kept or not. */
  readonly #length: number;
  readonly #delay: number | undefined;
  readonly #connection: ApiAnswer['connection'];
  readonly #faults: readonly number[];
  readonly #script: readonly number[];
  readonly #prefer: string | undefined;
  #size: number;
  /** The entry, if somebody has read it: who waits or looks for something reads all of them again and again. */
  #entry: JournalEntry | undefined;

  constructor(id: number, at: string, happened: Exchange) {
    const { request, routed, answer, faults, script, prefer } = happened;
    const { method, url, headers } = request;
    const sent = lengthOf(request.body);
    const leftOut = whyLeftOut(request, sent, routed);
    const isKept = routed !== undefined && sent > 0 && leftOut === undefined;
    const length = answer.body?.length ?? 0;
    this.#id = id;
    this.#at = at;
    this.#method = method.length < 13 ? method : redactText(method);
    this.#url = isPlain(url) ? url : redactUrl(url);
    this.#headers = hasSecret(headers) ? redactHeaders(headers) : headers;
    this.#row = routed?.row;
    this.#sent = isKept ? redactParameters(routed.sent) : undefined;
    this.#leftOut = leftOut === undefined ? undefined : redactText(leftOut);
    this.#status = answer.status;
    this.#answerHeaders = answer.headers;
    this.#body = length > longestBody ? undefined : answer.body;
    this.#length = length;
    this.#delay = answer.delay;
    this.#connection = answer.connection;
    this.#faults = faults;
    this.#script = script;
    this.#prefer = prefer;
    this.#size =
      ownSize +
      url.length +
      lengthOfHeaders(headers) +
      (leftOut === undefined ? sent : 0) +
      (this.#body?.length ?? 0);
    this.#entry = undefined;
  }

  /** About how many characters it holds on to. */
  get size(): number {
    return this.#size;
  }

  /** Gives up the body of the answer. What was sent is kept to be asked for. */
  discardBody(): void {
    this.#size -= this.#body?.length ?? 0;
    this.#body = undefined;
    this.#entry = undefined;
  }

  entry(session: string | undefined): JournalEntry {
    return (this.#entry ??= this.#read(session));
  }

  #read(session: string | undefined): JournalEntry {
    const row = this.#row;
    return {
      id: this.#id,
      at: this.#at,
      ...(session !== undefined && { session }),
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
      answer: this.#readAnswer(),
      faults: [...this.#faults],
      script: [...this.#script],
      ...(this.#prefer !== undefined && { prefer: redactText(this.#prefer) }),
    };
  }

  #readAnswer(): JournalEntry['answer'] {
    const [status, body, length] = [this.#status, this.#body, this.#length];
    return {
      status,
      headers: redactHeaders(this.#answerHeaders),
      ...(body !== undefined && { body: shownBody(body) }),
      ...(body === undefined &&
        length > 0 && { left_out: length > longestBody ? tooLong(length) : noRoom }),
      ...(this.#delay !== undefined && { delay: this.#delay }),
      ...(this.#connection !== undefined && { connection: this.#connection }),
    };
  }
}

/** What an entry weighs that holds nothing, in characters. */
const ownSize = 300;

/** Bodies longer than this are not kept, in characters. */
const longestBody = 65_536;

function shownBody(text: string): unknown {
  try {
    return redactResponse(JSON.parse(text));
  } catch {
    return redactText(text);
  }
}

function queryOf(url: string): Record<string, unknown> {
  const { query } = parseTarget(url);
  try {
    return query === '' ? {} : { ...decodeBrackets(query) };
  } catch {
    return {};
  }
}

/** Most URLs hold nothing that looks like a secret or a card number; the others are looked at closely. */
const maybeSecret =
  /[%@]|\d(?:[+-]?\d){12}|number|pass|pwd|secret|token|salt|key|auth|cookie|cvv|cvc|security|card|expiry|sess|sig|cred|cid|csc|jwt|otp|pin|sid/i;

function isPlain(url: string): boolean {
  if (url.includes('?')) return !maybeSecret.test(url);
  if (url.includes('=') || url.includes('@')) return false;
  return url.length < 14 || !/%|\d(?:[ +-]?\d){12}/.test(url);
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
