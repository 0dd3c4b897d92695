import { closeSync, openSync, writeSync } from 'node:fs';
import {
  redactHeaders,
  redactParameters,
  redactResponse,
  redactText,
  redactUrl,
  type SecretNames,
} from '../../engine/journal/redaction.ts';
import { isObject, parseJson } from '../../engine/lib/json-value.ts';
import type { Exchange } from '../drift/exchange.ts';

/** An exchange with the times at which it began and ended, in milliseconds. */
export interface TimedExchange extends Exchange {
  /** The whole URL on the server. */
  readonly href: string;
  readonly started: number;
  readonly ended: number;
}

const head = `{"log":{"version":"1.2","creator":{"name":"backlot","version":"1"},"comment":"Secrets are masked.","entries":[`;
const tail = '\n]}}\n';

/** An HTTP archive that is written entry by entry. After each of them, the file is whole. */
export class HarRecording {
  readonly #file: number;
  /** Where the next entry begins. */
  #end: number;
  #count = 0;

  /** @throws Error of the file system if the file cannot be written */
  constructor(file: string) {
    this.#file = openSync(file, 'w');
    writeSync(this.#file, head + tail, 0);
    this.#end = head.length;
  }

  get count(): number {
    return this.#count;
  }

  /** @param secret names of secrets in addition to those that are recognized */
  add(exchange: TimedExchange, secret?: SecretNames): void {
    const text = JSON.stringify(entryOf(exchange, secret));
    const bytes = Buffer.from(`${this.#count === 0 ? '' : ','}\n${text}${tail}`);
    writeSync(this.#file, bytes, 0, bytes.length, this.#end);
    this.#end += bytes.length - tail.length;
    this.#count += 1;
  }

  close(): void {
    closeSync(this.#file);
  }
}

function entryOf(
  { href, started, ended, request, response }: TimedExchange,
  secret: SecretNames | undefined,
) {
  const begin = Math.floor(started);
  const time = ended - begin;
  const url = redactUrl(href, secret);
  const headers = redactHeaders(request.headers ?? {});
  const mimeType = headers['content-type'] ?? '';
  const body = request.body === '' ? undefined : sentText(request.body, mimeType, secret);
  const text = maskedJson(response.body, (json) => redactResponse(json, secret), secret);
  return {
    startedDateTime: new Date(begin).toISOString(),
    time,
    request: {
      method: request.method,
      url,
      ...unknownSizes,
      headers: pairsOf(Object.entries(headers)),
      queryString: pairsOf(new URL(url).searchParams),
      bodySize: Buffer.byteLength(body ?? ''),
      ...(body !== undefined && { postData: { mimeType, text: body } }),
    },
    response: {
      status: response.status,
      statusText: '',
      ...unknownSizes,
      headers: pairsOf(Object.entries(redactHeaders(response.headers))),
      bodySize: Buffer.byteLength(response.body),
      content: {
        size: Buffer.byteLength(text),
        mimeType: response.headers['content-type'] ?? '',
        text,
      },
      redirectURL: redactUrl(response.headers['location'] ?? '', secret),
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  };
}

const unknownSizes = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };

/** Returns a body without its secrets: JSON, a form, or any other text. */
function sentText(
  body: string | undefined,
  type: string,
  secret: SecretNames | undefined,
): string | undefined {
  if (body === undefined) return undefined;
  if (type.includes('x-www-form-urlencoded')) return redactUrl(`?${body}`, secret).slice(1);
  return maskedJson(
    body,
    (json) => (Array.isArray(json) ? redactResponse : redactParameters)(json, secret),
    secret,
  );
}

/** Returns a text as it is if it is JSON without secrets. */
function maskedJson(
  text: string,
  redact: (json: Readonly<Record<string, unknown>>) => unknown,
  secret: SecretNames | undefined,
): string {
  const json = parseJson(text);
  if (!isObject(json)) return redactText(text, secret);
  const shown = redact(json);
  return shown === json ? text : JSON.stringify(shown);
}

function pairsOf(entries: Iterable<readonly [name: string, value: string]>) {
  return Array.from(entries, ([name, value]) => ({ name, value }));
}
