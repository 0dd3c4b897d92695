import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { isUint8Array } from 'node:util/types';
import { readBody } from '../../engine/rest/body.ts';
import { isObject } from '../../engine/lib/json-value.ts';
import { Problem } from '../../engine/lib/problem.ts';
import type { ApiRequest, FormEntries, ReceivedFile } from '../../engine/rest/message.ts';
import { contentDecoder } from './content-coding.ts';
import { bodyTooLarge } from '../../engine/rest/serve.ts';

/** A request of a Node.js server. A user's own middleware may have read its body before. */
export interface HttpRequest extends IncomingMessage {
  /** The body as a parser left it. Those of Express 4 put an empty object here if they do not read the type of the body. */
  body?: unknown;
  /** The bytes or the text of the body, which some middleware keeps to check a signature. */
  readonly rawBody?: unknown;
  /** The body of a request to an endpoint that reads it itself. */
  receivedFile?: ReceivedFile;
}

/** The headers of a request and its decoded body, or the reason why there is none. */
export type DecodedRequest = Pick<
  ApiRequest,
  'headers' | 'body' | 'file' | 'unreadable' | 'isParsedForm'
>;

/** Whether the whole body is still in the stream of a request, whatever middleware has put into `request.body`. */
export function isUnread({ readable, readableDidRead }: HttpRequest): boolean {
  return readable && !readableDidRead;
}

/**
 * Finds in `request.body` or `request.rawBody` what middleware has left of a body that it read, and puts it into
 * `request.body`.
 *
 * @returns the error to report if nothing is left
 */
export function findReadBody(request: HttpRequest): Error | undefined {
  const { body, rawBody, headers } = request;
  const isPlaceholder =
    isObject(body) && Object.keys(body).length === 0 && Number(headers['content-length']) > 2;
  if (body !== undefined && !isPlaceholder) return undefined;
  if (typeof rawBody !== 'string' && !isUint8Array(rawBody)) return new Error(bodyIsGone);
  request.body = rawBody;
  return undefined;
}

const bodyIsGone =
  'The body cannot be read: middleware in front of Backlot has read it, and left it neither in request.body nor in request.rawBody. Mount Backlot in front of this middleware, or have it set request.rawBody to the bytes.';

/**
 * Reads the bytes of a body into `request.body`, or into `request.receivedFile` if its endpoint reads it itself, decompressed, and stores
 * no more of them than the limit.
 *
 * @param limit maximum size in bytes, as sent and after decompression
 * @param done receives a Problem that the client caused; not called if the client disconnects
 */
export function readBytes(
  request: HttpRequest,
  { limit, isFile = false }: { readonly limit: number; readonly isFile?: boolean },
  done: (problem?: Problem) => void,
): void {
  const started = performance.now();
  const coding = request.headers['content-encoding'];
  const decodeContent = coding === undefined ? undefined : contentDecoderOf(coding);
  if (decodeContent instanceof Problem) return done(decodeContent);
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (sent: Buffer | string) => {
    // Middleware may have called `setEncoding`.
    const chunk =
      typeof sent === 'string' ? Buffer.from(sent, request.readableEncoding ?? undefined) : sent;
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  });
  request.on('end', () => {
    if (size > limit) return done(bodyTooLarge(limit));
    const use = (parts: readonly Uint8Array[]): void => {
      if (isFile) request.receivedFile = { chunks: parts, elapsed: performance.now() - started };
      else request.body = parts.length === 1 ? parts[0] : Buffer.concat(parts);
      done();
    };
    if (decodeContent === undefined || size === 0) return use(chunks);
    decodeContent(new Uint8Array(Buffer.concat(chunks)), limit).then(
      (content) => use([content]),
      done,
    );
  });
  // Middleware may have paused it.
  request.resume();
}

function contentDecoderOf(coding: string): ReturnType<typeof contentDecoder> | Problem {
  try {
    return contentDecoder(coding);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** Decodes the body at `request.body`: bytes, text, or parameters that an earlier parser left, which become JSON. */
export function decodeRequest(
  { body: sent, receivedFile: file }: HttpRequest,
  headers: DecodedRequest['headers'],
): DecodedRequest | Promise<DecodedRequest> {
  const { 'content-type': type = '' } = headers;
  if (file !== undefined) return { headers, file };
  if (sent === undefined) return { headers };
  const isText = typeof sent === 'string';
  if (isText && !/^multipart\//i.test(type)) return { headers, body: sent };
  if (isText || isUint8Array(sent)) {
    try {
      const body = readBody(isText ? Buffer.from(sent) : sent, type, decode);
      return typeof body === 'string' ? { headers, body } : readEntries(headers, body);
    } catch (error) {
      return unreadable(headers, error);
    }
  }
  if (typeof sent !== 'object' || sent === null || !hasBody(headers)) return { headers };
  return {
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(sent),
    isParsedForm: /^application\/x-www-form-urlencoded\b/i.test(type),
  };
}

/** Decodes UTF-8. In Node.js, a buffer is faster than a `TextDecoder`. */
function decode(bytes: Uint8Array, isStrict: boolean): string | undefined {
  if (isStrict && !isUtf8(bytes)) return undefined;
  const text = (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes)).toString();
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

const byteOrderMark = '\uFEFF';

async function readEntries(
  headers: DecodedRequest['headers'],
  entries: Promise<FormEntries>,
): Promise<DecodedRequest> {
  try {
    return { headers, body: await entries };
  } catch (error) {
    return unreadable(headers, error);
  }
}

function unreadable(headers: DecodedRequest['headers'], error: unknown): DecodedRequest {
  if (error instanceof Problem) return { headers, unreadable: error };
  throw error;
}

/** Node.js joins repeated headers, except `set-cookie`, which no client sends. */
export function headersOf({ headers }: IncomingMessage): DecodedRequest['headers'] {
  return headers as DecodedRequest['headers'];
}

/** Whether a request has a body. Some parsers leave an empty object if there is none. */
export function hasBody(headers: DecodedRequest['headers']): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
  return length !== '0' || coding !== undefined;
}
