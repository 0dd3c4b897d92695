import type { Request, RequestHandler } from 'express';
import { readBody } from '../rest/body.ts';
import { Problem } from '../problem.ts';
import type { ApiRequest, FormEntries } from '../rest/message.ts';
import { bodyTooLarge } from '../rest/serve.ts';

/** What is read of a request. */
export type ReadRequest = Pick<ApiRequest, 'headers' | 'body' | 'unreadable'>;

/**
 * The body of a request, whoever read it: bytes from the parser of this router, or what a parser of the user's own made
 * of them before. Parameters that are parsed already are passed on as JSON.
 */
export function readRequest(request: Request): ReadRequest | Promise<ReadRequest> {
  const headers = headersOf(request);
  const sent: unknown = request.body;
  if (sent === undefined) return { headers };
  if (typeof sent === 'string') return { headers, body: sent };
  if (sent instanceof Uint8Array) {
    const body = readBody(sent, headers['content-type'] ?? '');
    return typeof body === 'string' ? { headers, body } : readInTime(headers, body);
  }
  if (typeof sent !== 'object' || sent === null || !hasBody(headers)) return { headers };
  return {
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  };
}

async function readInTime(
  headers: ReadRequest['headers'],
  entries: Promise<FormEntries>,
): Promise<ReadRequest> {
  try {
    return { headers, body: await entries };
  } catch (error) {
    if (error instanceof Problem) return { headers, unreadable: error };
    throw error;
  }
}

export function headersOf({ headers }: Request): Record<string, string | undefined> {
  return headers as Record<string, string | undefined>;
}

/** Reads a body as it comes, and keeps no more of it than the limit. */
export function plainParser(limit: number): RequestHandler {
  return (request, _response, next) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
    });
    // Who breaks off waits for no answer.
    request.once('error', (error) => {
      if (!request.destroyed) next(error);
    });
    request.once('end', () => {
      request.body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
      next(size > limit ? bodyTooLarge(limit) : undefined);
    });
  };
}

/** Whether there is one; some parsers make an empty object of no body at all. */
export function hasBody(headers: Readonly<Record<string, string | undefined>>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
