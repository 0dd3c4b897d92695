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
import type { HarEntry, HarPair } from '../../engine/office/export/har-format.ts';
import type { DecodedExchange } from './exchange.ts';

/** An exchange with the times at which it began and ended, in milliseconds. */
export interface TimedExchange extends DecodedExchange {
  /** The whole URL on the server. */
  readonly href: string;
  readonly started: number;
  readonly ended: number;
}

type RecordedEntry = Omit<HarEntry, '_id' | '_outcome' | '_state' | '_changes'>;

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
): RecordedEntry {
  const begin = Math.floor(started);
  const time = ended - begin;
  const url = redactUrl(href, secret);
  const body = sentText(request, secret);
  const text = receivedText(response.body, secret);
  const headers = redactHeaders(request.headers);
  const isForm = typeof request.body === 'object';
  const mimeType = isForm ? formType : (headers['content-type'] ?? '');
  const type = response.headers['content-type'] ?? '';
  return {
    startedDateTime: new Date(begin).toISOString(),
    time,
    request: {
      method: request.method,
      url,
      ...unknownSizes,
      headers: pairsOf(isForm ? { ...headers, 'content-type': formType } : headers),
      queryString: Array.from(new URL(url).searchParams, ([name, value]) => ({ name, value })),
      bodySize: Buffer.byteLength(body ?? ''),
      ...(body !== undefined && { postData: { mimeType, text: body } }),
    },
    response: {
      status: response.status,
      statusText: '',
      ...unknownSizes,
      headers: pairsOf(redactHeaders(response.headers)),
      bodySize: Buffer.byteLength(response.body),
      content: { size: Buffer.byteLength(text), mimeType: type, text },
      redirectURL: redactUrl(response.headers['location'] ?? '', secret),
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  };
}

const unknownSizes = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };

const formType = 'application/x-www-form-urlencoded';

/** Returns a body without its secrets: JSON, a form, or any other text. */
function sentText(
  { body, headers }: DecodedExchange['request'],
  secret: SecretNames | undefined,
): string | undefined {
  if (body === undefined || body === '') return undefined;
  if (typeof body !== 'string')
    return redactForm(
      new URLSearchParams(body.map(([name, value]) => [name, value])).toString(),
      secret,
    );
  if (headers['content-type']?.includes(formType) === true) return redactForm(body, secret);
  const json = parseJson(body);
  if (!isObject(json)) return redactText(body, secret);
  const shown = Array.isArray(json) ? redactResponse(json, secret) : redactParameters(json, secret);
  return shown === json ? body : JSON.stringify(shown);
}

function redactForm(form: string, secret: SecretNames | undefined): string {
  return redactUrl(`?${form}`, secret).slice(1);
}

function receivedText(body: string, secret: SecretNames | undefined): string {
  const json = parseJson(body);
  if (!isObject(json)) return redactText(body, secret);
  const shown = redactResponse(json, secret);
  return shown === json ? body : JSON.stringify(shown);
}

function pairsOf(headers: Readonly<Record<string, string>>): HarPair[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
