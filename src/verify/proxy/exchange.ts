import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { decodeRequest, type HttpRequest } from '../../mounts/http/body.ts';
import type { Exchange } from '../drift/exchange.ts';
import { jsonExcess } from '../../engine/lib/json-limits.ts';
import { parseBody } from '../../engine/rest/body.ts';
import type { ApiRequest, ApiResponse } from '../../engine/rest/message.ts';
import type { Routed } from '../../engine/rest/serve.ts';
import { maxCaptured, type CapturedBody, type ForwardedExchange } from './forward.ts';

/** An exchange in plain values. */
export interface DecodedExchange {
  readonly request: ApiRequest;
  readonly response: Omit<ApiResponse, 'body'> & { readonly body: string };
}

/**
 * Decodes the bodies of an exchange.
 *
 * @param url path and query as the contract has them
 * @returns a sentence instead if a body cannot be checked
 */
export async function decodeExchange(
  { request, requestBody, response, responseBody }: ForwardedExchange,
  url: string,
): Promise<DecodedExchange | string> {
  if (requestBody.isCut || responseBody.isCut)
    return `The body has more than ${maxCaptured} bytes.`;
  const [sent, received] = [
    textOf(requestBody, request.headers['content-encoding']),
    textOf(responseBody, response.headers['content-encoding']),
  ];
  if (sent === undefined || received === undefined)
    return `The body cannot be decoded, or has more than ${maxCaptured} bytes.`;
  const body = received.toString();
  const excess = jsonExcess(sent.toString()) ?? jsonExcess(body);
  if (excess !== undefined) return `The body ${excess}.`;
  const { method = 'GET', headers } = request;
  const plain = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value === undefined ? value : String(value),
    ]),
  );
  const read: HttpRequest = request;
  if (sent.length > 0) read.body = sent;
  const decoded = await decodeRequest(read, plain);
  return {
    request: { method, url, ...decoded },
    response: {
      status: response.statusCode ?? 0,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
      ),
      body,
    },
  };
}

/** Returns the exchange as the checker reads it: the entries of a multipart form become those of a simple form. */
export function checkable({ request, response }: DecodedExchange): Exchange {
  const { method, url, headers, body, unreadable } = request;
  const sent =
    body === undefined || typeof body === 'string'
      ? { headers, body, unreadable }
      : {
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(body.map(([name, value]) => [name, value])).toString(),
        };
  return { request: { method, url, ...sent }, response };
}

/** Returns the parameters of a body for the journal, which masks their secrets; none if it is invalid. */
export function parametersOf(request: ApiRequest): Routed<unknown>['sent'] {
  try {
    return parseBody(request);
  } catch {
    return {};
  }
}

function textOf({ bytes }: CapturedBody, encoding = 'identity'): Buffer | undefined {
  if (bytes.length === 0 || encoding === 'identity') return bytes;
  const limit = { maxOutputLength: maxCaptured };
  try {
    if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(bytes, limit);
    if (encoding === 'br') return brotliDecompressSync(bytes, limit);
    if (encoding === 'deflate') return inflateSync(bytes, limit);
  } catch {
    return undefined;
  }
  return undefined;
}
