import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type {
  Request as ExpressRequest,
  RequestHandler,
  Response as ExpressResponse,
} from 'express';
import type { HttpHandler } from 'msw';
import { closeConnection } from './http/send.ts';

/** Runs MSW handlers first. Their paths are relative to the mount path of the router: `/api/orders/:id`. */
export function answerByHandlers(handlers: readonly HttpHandler[]): RequestHandler {
  return (request, response, next) => {
    responseOf(handlers, request)
      .then((answer) => (answer === undefined ? next() : send(response, answer)))
      .catch(next);
  };
}

async function responseOf(
  handlers: readonly HttpHandler[],
  request: ExpressRequest,
): Promise<Response | undefined> {
  // Imported here, so that only users of this option require MSW.
  const { getResponse } = await import('msw');
  const baseUrl = `${request.protocol}://${request.get('host') ?? 'localhost'}`;
  const sent = requestOf(request, `${baseUrl}${request.url}`);
  const response = await getResponse([...handlers], sent, { baseUrl });
  return response?.headers.get('x-msw-intention') === 'passthrough' ? undefined : response;
}

function requestOf({ method, headers, body }: ExpressRequest, url: string): Request {
  const bytes = method === 'GET' || method === 'HEAD' ? undefined : bytesOf(body);
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return new Request(url, { method, headers: pairs, ...(bytes !== undefined && { body: bytes }) });
}

/** Passes a body that a parser has already parsed to the handlers as JSON. */
function bytesOf(body: unknown): BodyInit | undefined {
  if (body === undefined || body === null) return undefined;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return typeof body === 'string' ? body : JSON.stringify(body);
}

async function send(response: ExpressResponse, answer: Response): Promise<void> {
  if (answer.type === 'error') {
    closeConnection(response);
    return;
  }
  response.status(answer.status);
  for (const [name, value] of answer.headers) response.append(name, value);
  if (answer.body === null) response.end();
  else await pipeline(Readable.fromWeb(answer.body as ReadableStream), response);
}
