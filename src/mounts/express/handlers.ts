import { pipeline } from 'node:stream/promises';
import { isUint8Array } from 'node:util/types';
import type { ServerResponse } from 'node:http';
import type { HttpHandler } from 'msw';
import type { HttpRequest } from '../server/body.ts';
import { closeConnection } from '../server/send.ts';
import { answerByHandlers, isPassthrough } from '../fetch/user-handlers.ts';

/** The properties that Express 4 and 5 add to a request of Node.js, as far as they are read here. */
export interface ExpressRequest extends HttpRequest {
  readonly baseUrl: string;
  readonly host: string;
  readonly ip?: string | undefined;
  readonly protocol: string;
  readonly secure: boolean;
  url: string;
}

/** Runs MSW handlers first. Their paths are relative to the mount path: `/api/orders/:id`. */
export function createHandlersFirst(handlers: readonly HttpHandler[]) {
  return (
    request: ExpressRequest,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ): void => {
    responseOf(handlers, request)
      .then((answer) => (answer === undefined ? next() : send(response, answer)))
      .catch(next);
  };
}

async function responseOf(
  handlers: readonly HttpHandler[],
  request: ExpressRequest,
): Promise<Response | undefined> {
  const origin = `${request.protocol}://${request.headers.host ?? 'localhost'}`;
  const response = await answerByHandlers(handlers, requestOf(request, `${origin}${request.url}`));
  return response === undefined || isPassthrough(response) ? undefined : response;
}

function requestOf({ method = 'GET', headers, body }: ExpressRequest, url: string): Request {
  const bytes = method === 'GET' || method === 'HEAD' ? undefined : bytesOf(body);
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return new Request(url, { method, headers: pairs, ...(bytes !== undefined && { body: bytes }) });
}

/** Passes a body that a parser has already parsed to the handlers as JSON. */
function bytesOf(body: unknown): BodyInit | undefined {
  if (body === undefined || body === null) return undefined;
  if (isUint8Array(body)) return new Uint8Array(body);
  return typeof body === 'string' ? body : JSON.stringify(body);
}

async function send(response: ServerResponse, answer: Response): Promise<void> {
  if (answer.type === 'error') {
    closeConnection(response);
    return;
  }
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
  if (answer.body === null) response.end();
  else await pipeline(answer.body, response);
}
