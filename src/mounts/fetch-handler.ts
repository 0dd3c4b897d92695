import { Problem } from '../engine/lib/problem.ts';
import { problemResponse } from '../engine/rest/errors.ts';
import { noSniff, withHeaders, type ApiResponse } from '../engine/rest/message.ts';
import { bodyTooLarge } from '../engine/rest/serve.ts';
import { builtInNames } from '../engine/scenario/built-in.ts';
import { demoLimits } from '../engine/sessions/demo.ts';
import { isServed, parseRequestTarget } from '../engine/sessions/request-target.ts';
import { openSessions, type Server, type SessionOptions } from '../engine/sessions/server.ts';
import { createAccess, isPreflight, parseOrigins, type AccessOptions } from './access.ts';
import { writeEvents } from './event-batches.ts';
import { createCheckHost } from './host-names.ts';
import { bodyOf, headersOf, toResponse, wait } from './fetch.ts';
import { settle } from './office-control.ts';
import { createBackOffice } from './create-back-office.ts';
import type { MountOptions } from './mount.ts';
import { isBasePath } from './http/hosts.ts';
import { createWait } from './waiting.ts';

/** Options of `createFetchHandler`. All of them are optional. */
export interface FetchHandlerOptions
  extends
    Omit<MountOptions, 'session' | 'baseUrl'>,
    Omit<SessionOptions, 'milliseconds'>,
    AccessOptions {
  /** A public demo: a session for each visitor, and a limit for everything. Other options can change each of them. */
  readonly demo?: boolean | undefined;
  /** Path in front of every path, where the handler is mounted: `/mock` (default: none). */
  readonly basePath?: string | undefined;
  /** Maximum number of delayed responses, by faults or long polls, at one time (default: unlimited). */
  readonly maxWaiting?: number | undefined;
  /** Returns the address of the client, which limits count (default: all clients are one). */
  readonly client?: ((request: Request) => string | undefined) | undefined;
}

/** Answers a request. A dropped connection is `Response.error()`, of which most servers make one. */
export type FetchHandler = (request: Request) => Promise<Response>;

/**
 * Creates the function that answers requests as the server does, with sessions by header, cookie and path, the control API
 * and the studio: for any host that calls `fetch(request)`, such as a route handler of Next.js, Hono, Deno, Bun or a Worker.
 *
 * @throws Problem `missing` if there is no scenario of this name; `invalid` for options that are not valid
 */
export function createFetchHandler(options: FetchHandlerOptions = {}): FetchHandler {
  const { basePath = '', client, demo = false, ...rest } = options;
  assertBasePath(basePath);
  const given = { ...(demo && demoOptions), ...rest };
  const server = openServer(given, demo);
  const { maxWaiting = Infinity, corsOrigin = '*' } = given;
  const access = createAccess(given, hints);
  const checkHost = createCheckHost(given.allowedHosts ?? [], hints.host);
  const namedOrigins = parseOrigins(corsOrigin);
  const deliver = createDeliver(server, maxWaiting);
  return async (request) => {
    const { pathname, search, host, protocol } = new URL(request.url);
    const { method } = request;
    const headers = { host, ...headersOf(request) };
    const isBelow = pathname.startsWith(`${basePath}/`);
    const url = `${isBelow ? pathname.slice(basePath.length) : pathname}${search}`;
    const target = parseRequestTarget(url, headers);
    const address = client?.(request);
    const head = { url, target, headers, client: address };
    const excess = server.admit(head);
    if (!isBelow || !isServed(target, server.shared.shop.api.path)) {
      const problem = checkHost(headers.host) ?? notFound(server, pathname, basePath);
      return toResponse(excess ?? problemResponse(problem));
    }
    if (excess !== undefined && isPreflight({ method, headers })) return toResponse(excess);
    const { headers: allowed, answer } = access({ method, headers, target, forwardedHost: none });
    if (answer !== undefined) return toResponse(answer);
    if (excess !== undefined) return toResponse(withHeaders(excess, allowed));
    const maxBytes = server.maxBodyBytes(head);
    const sent = server.answer(
      {
        ...head,
        ...(await bodyOf(request, headers, maxBytes, (one) => readUpTo(one, maxBytes))),
        method,
        basePath,
        secure: protocol === 'https:',
        isFromNamedOrigin: 'access-control-allow-credentials' in allowed,
        namedOrigins,
      },
      { admitted: true },
    );
    return deliver(withHeaders(sent, allowed), { request, address });
  };
}

function openServer(options: FetchHandlerOptions, isDemo: boolean): Server {
  const shared = createBackOffice({ history: true, ...options });
  // Visitors of a demo cannot open the scenario that takes the most memory.
  const scenarios = builtInNames(shared.shop.api).filter((name) => name !== 'large');
  return openSessions(shared, {
    newName: () => crypto.randomUUID(),
    ...(isDemo && { scenarios }),
    ...options,
    milliseconds,
  });
}

const demoOptions = {
  ...demoLimits,
  settings: { maxBodyBytes: demoLimits.maxBodyBytes },
  limitFaultHeaders: true,
  fixedStarts: true,
};

function assertBasePath(text: string): void {
  if (isBasePath(text)) return;
  throw new Problem('invalid', `basePath must be a path such as /mock, or empty; not '${text}'.`);
}

/**
 * Reads the body of a request, and stores no more of it than the limit and one chunk.
 *
 * @throws Problem `too large`; `unsupported` for a compressed body
 */
async function readUpTo({ body, headers }: Request, maxBytes: number): Promise<Uint8Array> {
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding !== 'identity')
    throw new Problem('unsupported', `The content encoding ${encoding} is not supported.`);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw bodyTooLarge(maxBytes);
    chunks.push(new Uint8Array(chunk));
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function none(): undefined {
  return undefined;
}

function milliseconds(): number {
  return performance.now();
}

const hints = {
  host: (name: string) => `in the option allowedHosts of createFetchHandler: ['${name}']`,
  origin: (origin: string) => `in the option corsOrigin of createFetchHandler: ['${origin}']`,
};

function notFound({ shared }: Server, path: string, basePath: string): Problem {
  const start = `${basePath}${shared.shop.api.path}/`;
  return new Problem('missing', `Path ${path} not found. The store API begins at ${start}.`);
}

/** Creates the function that makes a `Response` of an answer, once it can be sent. */
function createDeliver(server: Server, maxWaiting: number) {
  const count = createWait(maxWaiting, server.shareOf(maxWaiting));
  return async (
    answer: ApiResponse,
    { request, address }: { readonly request: Request; readonly address: string | undefined },
  ): Promise<Response> => {
    const { deferred, delay, events } = answer;
    if (deferred === undefined && delay === undefined && events === undefined) {
      return toResponse(answer);
    }
    let release: () => void;
    try {
      release = count(address);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return toResponse(withHeaders(problemResponse(error), allowedIn(answer)));
    }
    if (events !== undefined) return streamOf(answer, events, { request, release });
    try {
      const settled = await settle(answer, request.signal);
      if (settled.delay !== undefined) await wait(settled.delay, request.signal);
      return toResponse(withHeaders(settled, allowedIn(answer)));
    } finally {
      release();
    }
  };
}

/** Returns the CORS headers of a response, which the deferred one has not. */
function allowedIn({ headers }: ApiResponse): ApiResponse['headers'] {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.filter(([name]) => name === 'vary' || name.startsWith('access-control-')),
  );
}

/** Returns a response whose body goes on with events until the client disconnects. */
function streamOf(
  { status, headers, body = '' }: ApiResponse,
  events: NonNullable<ApiResponse['events']>,
  { request, release }: { readonly request: Request; readonly release: () => void },
): Response {
  let stop = release;
  let read: (() => void) | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const close = (): void => {
        stop();
        stop = () => undefined;
      };
      const end = (): void => {
        close();
        controller.close();
      };
      const stopEvents = writeEvents(body, events, {
        write(text, written) {
          read = written;
          controller.enqueue(utf8.encode(text));
        },
        end,
        destroy: end,
      });
      stop = () => {
        stopEvents();
        release();
      };
      request.signal.addEventListener('abort', close);
    },
    pull: () => read?.(),
    cancel: () => stop(),
  });
  return new Response(stream, { status, headers: { ...headers, ...noSniff } });
}

const utf8 = new TextEncoder();
