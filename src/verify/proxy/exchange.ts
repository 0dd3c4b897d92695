import type { IncomingMessage } from 'node:http';
import { decodeRequest, type DecodedRequest, type HttpRequest } from '../../mounts/server/body.ts';
import type { Exchange } from '../drift/exchange.ts';
import { contentDecoder } from '../../mounts/server/content-coding.ts';
import { isBelow, nameOf } from '../../engine/lib/api-path.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { jsonExcess, jsonLimits } from '../../engine/lib/json-limits.ts';
import { parseBody } from '../../engine/rest/body.ts';
import { maxCaptured, type CapturedBody, type ForwardedExchange } from './forward.ts';

/** An exchange in plain values. */
export interface DecodedExchange {
  readonly request: DecodedRequest & { readonly method: string; readonly url: string };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

/**
 * Decodes the bodies of an exchange. A response that the client has not received has the status 0.
 *
 * @param url path and query without what is in front of the path of the API
 * @returns a sentence instead if a body cannot be checked
 */
export async function decodeExchange(
  { request, requestBody, response, responseBody }: ForwardedExchange,
  url: string,
): Promise<DecodedExchange | string> {
  const sent = await textOf(requestBody, request.headers);
  const body = responseBody && (await textOf(responseBody, response?.headers ?? {}));
  if (typeof sent === 'string') return sent;
  if (typeof body === 'string') return body;
  const read: HttpRequest = request;
  if (sent.length > 0) read.body = sent;
  const { method = 'GET', headers } = request;
  return {
    request: { method, url, ...(await decodeRequest(read, plain(headers))) },
    response: {
      status: response?.statusCode ?? 0,
      headers: plain(response?.headers ?? {}),
      body: body?.toString() ?? '',
    },
  };
}

/** Returns headers whose values are texts. */
function plain(headers: IncomingMessage['headers']): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/**
 * Returns the exchange as the checker reads it: with the URL of the contract, and the entries of a multipart form as those of a
 * simple one.
 */
export function checkable({ request, response }: DecodedExchange, apiPath: string): Exchange {
  const { method, headers, body, unreadable } = request;
  const url = isBelow('/oauth', request.url) ? request.url : nameOf(apiPath, request.url);
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
export function parametersOf(request: DecodedExchange['request']): ReturnType<typeof parseBody> {
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
