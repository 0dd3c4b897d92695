import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { jsonHeaders } from '../../rest/errors.ts';
import { stripOrigin } from '../../sessions/request-target.ts';

/** The bytes of a body, as they were on the way. */
export interface CapturedBody {
  readonly bytes: Buffer;
  /** Whether the body was longer than `maxCaptured`. It was forwarded as a whole. */
  readonly isCut: boolean;
}

/** A request that was forwarded, and its response. */
export interface ForwardedExchange {
  readonly request: IncomingMessage;
  readonly requestBody: CapturedBody;
  readonly response: IncomingMessage;
  readonly responseBody: CapturedBody;
}

export interface ForwardOptions {
  readonly to: URL;
  /** Receives each exchange once the whole response has arrived. */
  readonly onExchange: (exchange: ForwardedExchange) => void;
  /** Receives a sentence if there is no response, or only a part of one. */
  readonly onFailure: (reason: string, request: IncomingMessage) => void;
}

export type Forward = (request: IncomingMessage, response: ServerResponse) => void;

/** Longer bodies are forwarded, but not checked: 8 MiB. */
export const maxCaptured = 8 * 1_048_576;

/**
 * Creates a function that forwards requests to another server, and its responses to the client. Bodies are streamed.
 * If the server cannot be reached, the client receives status 502.
 */
export function createForward(options: ForwardOptions): Forward {
  const { to } = options;
  const isHttps = to.protocol === 'https:';
  const agent = isHttps ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const open = isHttps ? requestHttps : requestHttp;
  return (request, response) => {
    const requestBody = capture(request);
    const send = (reuses: boolean): ClientRequest => {
      const upstream = open(to, {
        method: request.method,
        path: pathAt(to, request.url ?? '/'),
        headers: requestHeaders(request),
        agent: reuses ? agent : false,
      });
      response.once('close', () => upstream.destroy());
      upstream.once('response', (received) => {
        respond(received, request, response, requestBody, options);
      });
      upstream.on('error', (error) => {
        if (response.headersSent || response.destroyed) return;
        // The server may close an idle connection at the moment in which it is used again.
        const isStale = upstream.reusedSocket && codeOf(error) === 'ECONNRESET';
        if (isStale && request.complete && !requestBody().isCut) {
          send(false).end(requestBody().bytes);
        } else fail(reasonOf(error, to), request, response, options);
      });
      return upstream;
    };
    request.pipe(send(true));
  };
}

/** Returns the path on the server. A path that begins with that of the server, such as that of a link, is unchanged. */
export function pathAt(to: URL, url: string): string {
  const base = basePathOf(to);
  const path = stripOrigin(url);
  const isBelow = path.startsWith(base) && /^([/?]|$)/.test(path.slice(base.length));
  return isBelow ? path : `${base}${path}`;
}

/** Returns the path of a server without a trailing slash: `/backend`. */
export function basePathOf(to: URL): string {
  return to.pathname.replace(/\/+$/, '');
}

function respond(
  received: IncomingMessage,
  request: IncomingMessage,
  response: ServerResponse,
  requestBody: () => CapturedBody,
  options: ForwardOptions,
): void {
  const responseBody = capture(received);
  const status = received.statusCode ?? 502;
  response.writeHead(status, received.statusMessage, responseHeaders(received, request, options));
  received.pipe(response);
  received.once('close', () => {
    if (received.complete) {
      options.onExchange({
        request,
        requestBody: requestBody(),
        response: received,
        responseBody: responseBody(),
      });
      return;
    }
    if (!response.destroyed) {
      options.onFailure(`${options.to.host} closed the connection within its response.`, request);
    }
    // The client must not take a part of a response for the whole.
    response.destroy();
  });
}

/** Keeps what a stream delivers, up to `maxCaptured` bytes. */
function capture(stream: IncomingMessage): () => CapturedBody {
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= maxCaptured) chunks.push(chunk);
  });
  return () => ({ bytes: Buffer.concat(chunks), isCut: length > maxCaptured });
}

/** Headers of one connection, which a proxy must not forward: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function forwardable({ headers, headersDistinct }: IncomingMessage): OutgoingHttpHeaders {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  const entries = Object.entries(headersDistinct).filter(
    ([name]) => !hopByHop.has(name) && !named.includes(name),
  );
  return Object.fromEntries(
    entries.map(([name, values = []]) => [name, values.length === 1 ? values[0] : values]),
  );
}

function requestHeaders(request: IncomingMessage): OutgoingHttpHeaders {
  const { host: _, ...headers } = forwardable(request);
  const coding = request.headers['transfer-encoding'];
  return coding === undefined ? headers : { ...headers, 'transfer-encoding': coding };
}

/** A redirect to the server itself must lead the client back to this proxy. */
function responseHeaders(
  received: IncomingMessage,
  request: IncomingMessage,
  { to }: ForwardOptions,
): OutgoingHttpHeaders {
  const headers = forwardable(received);
  const { location } = received.headers;
  const { host } = request.headers;
  if (location === undefined || host === undefined) return headers;
  const isOwn = location === to.origin || location.startsWith(`${to.origin}/`);
  return isOwn
    ? { ...headers, location: `http://${host}${location.slice(to.origin.length)}` }
    : headers;
}

function fail(
  reason: string,
  request: IncomingMessage,
  response: ServerResponse,
  { onFailure }: ForwardOptions,
): void {
  onFailure(reason, request);
  response.writeHead(502, jsonHeaders).end(JSON.stringify({ code: 502, message: reason }));
}

function reasonOf(error: Error, { host, hostname }: URL): string {
  const code = codeOf(error);
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: `${host} accepts no connections. Is the server running?`,
    ECONNRESET: `${host} closed the connection without a response.`,
    EAI_AGAIN: `The host ${hostname} cannot be resolved.`,
    ENOTFOUND: `The host ${hostname} does not exist.`,
    ETIMEDOUT: `${host} did not accept the connection in time.`,
  };
  return known[code ?? ''] ?? `${host} cannot be reached: ${code ?? error.message}.`;
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
