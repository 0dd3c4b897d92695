import type { IncomingMessage } from 'node:http';
import { decodeRequest, type HttpRequest } from '../../mounts/server/body.ts';
import type { Exchange } from '../drift/exchange.ts';
import { contentDecoder } from '../../mounts/server/content-coding.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { jsonExcess, jsonLimits } from '../../engine/lib/json-limits.ts';
import { parseBody } from '../../engine/rest/body.ts';
import type { ApiRequest, ApiResponse } from '../../engine/rest/message.ts';
import type { Routed } from '../../engine/rest/serve.ts';
import {
  maxCaptured,
  type CapturedBody,
  type ForwardedExchange,
  type UnsentExchange,
} from './forward.ts';

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
  { response, responseBody, ...sent }: ForwardedExchange,
  url: string,
): Promise<DecodedExchange | string> {
  const request = await decodeSent(sent, url);
  const body = await textOf(responseBody, response.headers);
  if (typeof request === 'string') return request;
  if (typeof body === 'string') return body;
  return {
    request,
    response: {
      status: response.statusCode ?? 0,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
      ),
      body: body.toString(),
    },
  };
}

/** Decodes the body of a request. @returns a sentence instead if it cannot be checked */
export async function decodeSent(
  { request, requestBody }: UnsentExchange,
  url: string,
): Promise<ApiRequest | string> {
  const sent = await textOf(requestBody, request.headers);
  if (typeof sent === 'string') return sent;
  const { method = 'GET', headers } = request;
  const plain = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value === undefined ? value : String(value),
    ]),
  );
  const read: HttpRequest = request;
  if (sent.length > 0) read.body = sent;
  return { method, url, ...(await decodeRequest(read, plain)) };
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

/** Returns a decoded body, or a sentence if it cannot be checked. */
async function textOf(
  { bytes, isCut }: CapturedBody,
  headers: IncomingMessage['headers'],
): Promise<Buffer | string> {
  if (isCut) return `The body has more than ${maxCaptured} bytes.`;
  const text = await decodedBytes(bytes, headers['content-encoding']);
  if (text === undefined)
    return `The body cannot be decoded, or has more than ${maxCaptured} bytes.`;
  const excess = jsonExcess(text.toString(), jsonLimits.exchange);
  return excess === undefined ? text : `The body ${excess}.`;
}

async function decodedBytes(bytes: Buffer, encoding = ''): Promise<Buffer | undefined> {
  if (bytes.length === 0) return bytes;
  try {
    const decoded = await contentDecoder(encoding)?.(new Uint8Array(bytes), maxCaptured);
    return decoded === undefined ? bytes : Buffer.from(decoded);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
