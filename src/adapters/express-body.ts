import type { Request, RequestHandler } from 'express';
import { readBody } from '../rest/body.ts';
import type { ApiRequest } from '../rest/message.ts';
import { bodyTooLarge } from '../rest/serve.ts';

/**
 * The body of a request, whoever read it: bytes from the parser of this router, or what a parser of the user's own made
 * of them before. Parameters that are parsed already are passed on as JSON.
 *
 * @throws Problem `malformed`
 */
export async function readRequest(request: Request): Promise<Pick<ApiRequest, 'headers' | 'body'>> {
  const headers = request.headers as Record<string, string | undefined>;
  const sent: unknown = request.body;
  if (sent instanceof Uint8Array) {
    return { headers, body: await readBody(new Uint8Array(sent), headers['content-type'] ?? '') };
  }
  if (typeof sent === 'string') return { headers, body: sent };
  if (typeof sent !== 'object' || sent === null || !hasBody(headers)) return { headers };
  return {
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  };
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
    request.once('error', next);
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
