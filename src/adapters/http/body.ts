import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { readBody } from '../../rest/body.ts';
import { Problem } from '../../lib/problem.ts';
import type { ApiRequest, FormEntries } from '../../rest/message.ts';
import { bodyTooLarge } from '../../rest/serve.ts';

/** A request of a Node server. A parser of the user's own may have read its body before. */
export interface HttpRequest extends IncomingMessage {
  body?: unknown;
}

/** What is read of a request. */
export type ReadRequest = Pick<ApiRequest, 'headers' | 'body' | 'unreadable'>;

/**
 * Puts the bytes of a body at `request.body`, unless a parser has been there before. Of a client that breaks off nothing
 * is heard again.
 *
 * @param limit how many bytes there may be; asked where there are any
 * @param done hears of a Problem where the client is to blame, and of any other error
 */
export function readBytes(
  request: HttpRequest,
  response: ServerResponse,
  limit: () => number,
  done: (error?: unknown) => void,
): void {
  const { headers } = request;
  if (request.body !== undefined || !hasBody(headers)) done();
  else if (headers['content-encoding'] === undefined) readPlain(request, limit(), done);
  else inflate(request, response, limit()).then(done, done);
}

/** Reads a body as it comes, and keeps no more of it than the limit. */
function readPlain(request: HttpRequest, limit: number, done: (error?: unknown) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  });
  request.on('end', () => {
    request.body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    done(size > limit ? bodyTooLarge(limit) : undefined);
  });
}

/** Compressed bodies are rare, and what reads them takes its time to load. */
async function inflate(
  request: HttpRequest,
  response: ServerResponse,
  limit: number,
): Promise<void> {
  const { default: parser } = await import('body-parser');
  try {
    await promisify(parser.raw({ type: () => true, limit }))(request, response);
  } catch (error) {
    throw problemOf(error, limit);
  }
}

/** What the body parser found wrong, in the words of the interface. */
function problemOf(error: unknown, limit: number): unknown {
  if (!(error instanceof Error) || !('statusCode' in error)) return error;
  if (error.statusCode === 413) return bodyTooLarge(limit);
  const kind = error.statusCode === 415 ? 'unsupported' : 'malformed';
  return new Problem(kind, `The body cannot be read: ${error.message}`);
}

/**
 * The body of a request, whoever read it: bytes, or what a parser of the user's own made of them. Parameters that are
 * parsed already are passed on as JSON.
 */
export function readRequest(
  { body: sent }: HttpRequest,
  headers: ReadRequest['headers'],
): ReadRequest | Promise<ReadRequest> {
  if (sent === undefined) return { headers };
  if (typeof sent === 'string') return { headers, body: sent };
  if (sent instanceof Uint8Array) {
    return readBytesOf(sent, headers);
  }
  if (typeof sent !== 'object' || sent === null || !hasBody(headers)) return { headers };
  return {
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  };
}

function readBytesOf(
  bytes: Uint8Array,
  headers: ReadRequest['headers'],
): ReadRequest | Promise<ReadRequest> {
  try {
    const body = readBody(bytes, headers['content-type'] ?? '', decode);
    return typeof body === 'string' ? { headers, body } : readInTime(headers, body);
  } catch (error) {
    return unreadable(headers, error);
  }
}

/** In Node a buffer does this in less time than a `TextDecoder`. */
function decode(bytes: Uint8Array, isStrict: boolean): string | undefined {
  if (isStrict && !isUtf8(bytes)) return undefined;
  const text = (bytes instanceof Buffer ? bytes : Buffer.from(bytes)).toString();
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

const byteOrderMark = '\uFEFF';

async function readInTime(
  headers: ReadRequest['headers'],
  entries: Promise<FormEntries>,
): Promise<ReadRequest> {
  try {
    return { headers, body: await entries };
  } catch (error) {
    return unreadable(headers, error);
  }
}

function unreadable(headers: ReadRequest['headers'], error: unknown): ReadRequest {
  if (error instanceof Problem) return { headers, unreadable: error };
  throw error;
}

/** Node makes one text of headers that are repeated, but for `set-cookie`, which no client sends. */
export function headersOf({ headers }: IncomingMessage): ReadRequest['headers'] {
  return headers as ReadRequest['headers'];
}

/** Whether there is one; some parsers make an empty object of no body at all. */
function hasBody(headers: IncomingMessage['headers'] | ReadRequest['headers']): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
  return length !== '0' || coding !== undefined;
}
