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
import { answerByHandlers, isPassthrough } from './own-handlers.ts';

/** Runs MSW handlers first. Their paths are relative to the mount path of the router: `/api/orders/:id`. */
export function createHandlersFirst(handlers: readonly HttpHandler[]): RequestHandler {
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
  const origin = `${request.protocol}://${request.get('host') ?? 'localhost'}`;
  const response = await answerByHandlers(handlers, requestOf(request, `${origin}${request.url}`));
  return response === undefined || isPassthrough(response) ? undefined : response;
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
