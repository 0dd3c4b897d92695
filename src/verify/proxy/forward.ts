import { jsonLimits } from '../../engine/lib/json-limits.ts';
import { trimSlashes } from '../../engine/lib/api-path.ts';
import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { printable } from '../../engine/lib/printable.ts';
import { stripOrigin } from '../../engine/rest/serve.ts';

/** The bytes of a body, as they were on the way. */
export interface CapturedBody {
  readonly bytes: Buffer;
  /** Whether the body was longer than `maxCaptured`. It was forwarded as a whole. */
  readonly isCut: boolean;
}

/** A request that was forwarded, and its response; undefined if the client did not receive all of it. */
export interface ForwardedExchange {
  readonly request: IncomingMessage;
  readonly requestBody: CapturedBody;
  readonly response?: IncomingMessage;
  readonly responseBody?: CapturedBody;
  /** When the request arrived, in milliseconds since 1970. */
  readonly started: number;
}

export interface ForwardOptions {
  readonly to: URL;
  /** Receives each exchange once the whole response has arrived, or the client has disconnected before. */
  readonly onExchange: (exchange: ForwardedExchange) => void;
  /** Receives a sentence if there is no response, or only a part of one. */
  readonly onFailure: (reason: string, request: IncomingMessage) => void;
}

export type Forward = (request: IncomingMessage, response: ServerResponse) => void;

/** Longer bodies are forwarded, but not checked. */
export const { bytes: maxCaptured } = jsonLimits.exchange;

/** Maximum bytes of all bodies that are kept at one time: 32 MiB. */
const maxCapturedAtOnce = 4 * maxCaptured;

/**
 * Creates a function that forwards requests to another server, and its responses to the client. Bodies are streamed.
 * If the server cannot be reached, the client receives status 502.
 */
export function createForward(options: ForwardOptions): Forward {
  const { to } = options;
  const isHttps = to.protocol === 'https:';
  const agent = isHttps ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const open = isHttps ? requestHttps : requestHttp;
  const budget = { left: maxCapturedAtOnce };
  return (request, response) => {
    const started = timeNow();
    const requestBody = capture(request, budget, response);
    response.once('close', () => {
      const isOver = response.writableEnded || response.errored !== null;
      if (!isOver) options.onExchange({ request, requestBody: requestBody(), started });
    });
    const send = (reuses: boolean): ClientRequest => {
      const upstream = open(to, {
        method: request.method,
        path: pathAt(to, request.url ?? '/'),
        headers: requestHeaders(request),
        agent: reuses ? agent : false,
      });
      response.once('close', () => upstream.destroy());
      upstream.once('response', (received) => {
        const responseBody = capture(received, budget, response);
        respond(received, request, response, { requestBody, responseBody, started }, options);
      });
      upstream.once('upgrade', (_, socket) => {
        socket.destroy();
        fail(`${to.host} switched to another protocol.`, request, response, options);
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
  return trimSlashes(to.pathname);
}

interface Captured extends Record<'requestBody' | 'responseBody', () => CapturedBody> {
  readonly started: number;
}

/** Returns the time in milliseconds since 1970, with fractions. */
export function timeNow(): number {
  return performance.timeOrigin + performance.now();
}

function respond(
  received: IncomingMessage,
  request: IncomingMessage,
  response: ServerResponse,
  { requestBody, responseBody, started }: Captured,
  options: ForwardOptions,
): void {
  try {
    response.writeHead(
      received.statusCode ?? 502,
      reasonPhrase(received),
      responseHeaders(received, request, options),
    );
  } catch {
    // Node.js reads some responses that it refuses to write.
    received.destroy();
    const status = String(received.statusCode).padStart(3, '0');
    fail(
      `The response of ${options.to.host} is not valid HTTP: status ${status}.`,
      request,
      response,
      options,
    );
    return;
  }
  received.pipe(response);
  received.once('close', () => {
    if (received.complete) {
      options.onExchange({
        request,
        requestBody: requestBody(),
        response: received,
        responseBody: responseBody(),
        started,
      });
      return;
    }
    if (response.destroyed) return;
    const reason = `${options.to.host} closed the connection within its response.`;
    options.onFailure(reason, request);
    // The client must not take a part of a response for the whole.
    response.destroy(new Error(reason));
  });
}

/** A client that reads HTTP/1.1 by the book rejects control characters: https://www.rfc-editor.org/rfc/rfc9112#section-4 */
function reasonPhrase({ statusMessage = '' }: IncomingMessage): string {
  return printable(statusMessage);
}

/**
 * Keeps what a stream delivers, up to `maxCaptured` bytes and what is left of the budget.
 *
 * @param response returns the bytes to the budget when it is closed
 */
function capture(
  stream: IncomingMessage,
  budget: { left: number },
  response: ServerResponse,
): () => CapturedBody {
  let chunks: Buffer[] = [];
  let [length, isCut] = [0, false];
  const release = (): void => {
    budget.left += length;
    chunks = [];
    length = 0;
  };
  stream.on('data', (chunk: Buffer) => {
    if (isCut) return;
    isCut = length + chunk.length > maxCaptured || chunk.length > budget.left;
    if (isCut) return release();
    chunks.push(chunk);
    length += chunk.length;
    budget.left -= chunk.length;
  });
  response.once('close', () => setImmediate(release));
  return () => ({ bytes: Buffer.concat(chunks), isCut });
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
  const named = (headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim());
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
  response.writeHead(502, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ code: 502, message: reason }));
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
