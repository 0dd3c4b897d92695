import './node/require-node.ts';
import { normalizedPath } from '../engine/lib/api-path.ts';
import { Problem } from '../engine/lib/problem.ts';
import { assertOptions } from '../engine/lib/unknown-keys.ts';
import { problemResponse } from '../engine/rest/errors.ts';
import { loadPageFiles } from '../engine/dashboard/page-files.ts';
import { Delivery } from '../engine/rest/delivery.ts';
import { withHeaders, type ApiResponse } from '../engine/rest/message.ts';
import { bodyTooLarge } from '../engine/rest/serve.ts';
import { demoLimits } from '../engine/sessions/demo.ts';
import {
  isServed,
  parseRequestTarget,
  type ServerRequest,
} from '../engine/sessions/request-target.ts';
import { openSessions, type RequestHead, type Server } from '../engine/sessions/server.ts';
import { openStoreOffice } from '../shop/open-store-office.ts';
import { createAccess, isPreflight, parseOrigins } from './server/allowed.ts';
import { createCheckHost } from './server/host-names.ts';
import { bodyOf, headersOf, toResponse, withUrl } from './fetch/fetch.ts';
import { isBasePath } from './server/hosts.ts';
import { createDeliver } from './fetch/delivery.ts';
import { fetchHandlerOptions, type FetchHandlerOptions } from './fetch/options.ts';
import { unavailable } from './stores/needed-session.ts';
import { createStoreOpener, type StoreOpener } from './fetch/store.ts';
import { visitorScenarios } from './server/visitor-scenarios.ts';

export type { FetchHandlerOptions } from './fetch/options.ts';
export { durableObjectStore, type ObjectStorage } from './stores/object-store.ts';
export type {
  OpenStore,
  SessionStore,
  StoreContext,
  StoredSession,
} from '../engine/sessions/store.ts';

/** Answers requests. */
export interface FetchHandler {
  /**
   * Answers a request. A dropped connection is `Response.error()`, of which most servers make one.
   *
   * @throws StoreIssue if the store cannot be opened
   */
  (request: Request): Promise<Response>;
  /**
   * Closes the store when all requests have been answered, so that another process can open it. Later requests get a 503
   * that says so.
   */
  close(): Promise<void>;
}

/**
 * Creates the function that answers requests as the server does, with sessions by header, cookie and path, the control API
 * and the studio: for any host that calls `fetch(request)`, such as a route handler of Next.js, Hono, Deno, Bun or a Worker.
 *
 * @throws Problem `missing` if there is no scenario of this name; `invalid` for options that are not valid
 */
export function createFetchHandler(options: FetchHandlerOptions = {}): FetchHandler {
  assertOptions('createFetchHandler', options, fetchHandlerOptions);
  const { basePath = '', client, store, demo = false, ...rest } = options;
  assertBasePath(basePath);
  const given = { ...(demo && demoOptions), ...rest };
  const server = openServer(given, demo);
  const opener = createStoreOpener(server, { ...given, store });
  const { maxWaiting = Infinity, corsOrigin = '*' } = given;
  const access = createAccess(given, hints);
  const checkHost = createCheckHost(given.allowedHosts ?? [], hints.host);
  const namedOrigins = parseOrigins(corsOrigin);
  const deliver = createDeliver(server, maxWaiting);
  let isClosed = false;
  const handle = async (request: Request): Promise<Response> => {
    const { pathname: sentPath, search, host, protocol } = new URL(request.url);
    const pathname = normalizedPath(sentPath);
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
    if (target.path.startsWith('/_backlot')) await loadPageFiles();
    const isSecure = protocol === 'https:';
    const delivery = new Delivery();
    const context = {
      basePath,
      namedOrigins,
      isSecure,
      allowed,
      delivery,
      isClosed: () => isClosed,
    };
    const last = await answerAdmitted(server, opener, request, head, context);
    const response = await deliver(withHeaders(last, allowed), { request, address, delivery });
    return withUrl(response, request.url);
  };
  return Object.assign(handle, {
    async close() {
      isClosed = true;
      await opener?.close();
    },
  });
}

const closed = unavailable(
  'This handler was closed by close(). Send requests to one that was made after it.',
);

/** Answers a request that no check has rejected. */
async function answerAdmitted(
  server: Server,
  opener: StoreOpener | undefined,
  request: Request,
  head: RequestHead & { readonly url: string },
  {
    allowed,
    isSecure,
    isClosed,
    ...host
  }: Pick<ServerRequest, 'basePath' | 'namedOrigins' | 'delivery'> & {
    readonly isSecure: boolean;
    readonly isClosed: () => boolean;
    readonly allowed: ApiResponse['headers'];
  },
): Promise<ApiResponse> {
  const { method } = request;
  const maxBytes = server.maxBodyBytes(head);
  const read = await bodyOf(request, head.headers, maxBytes, (one) => readUpTo(one, maxBytes));
  if (isClosed()) return closed;
  const stored = opener && (await opener.open());
  if (isClosed()) return closed;
  const isFromNamedOrigin = 'access-control-allow-credentials' in allowed;
  const sent = { ...head, ...read, ...host, method, secure: isSecure, isFromNamedOrigin };
  const perform = (): ApiResponse => server.answer(sent, { admitted: true });
  return stored === undefined ? perform() : stored.answer(head.target, perform);
}

function openServer(options: FetchHandlerOptions, isDemo: boolean): Server {
  const shared = openStoreOffice({
    history: true,
    milliseconds,
    currentTime: Date.now,
    ...options,
  });
  return openSessions(shared, {
    newName: () => crypto.randomUUID(),
    ...(isDemo && { scenarios: visitorScenarios(shared.shop.api) }),
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
 * @throws Problem `too large`
 */
async function readUpTo({ body }: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw bodyTooLarge(maxBytes);
    chunks.push(chunk);
  }
  return concat(chunks, size);
}

/** A `Blob`, which could do it, is replaced by jsdom. */
function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
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
  return new Problem('missing', `Path ${path} not found. The API begins at ${start}.`);
}
