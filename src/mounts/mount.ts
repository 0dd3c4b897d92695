import type { http, HttpHandler } from 'msw';
import { rootsOf } from '../engine/definition/api-roots.ts';
import type { ApiDefinition } from '../engine/definition/api.ts';
import { addressOf, trimSlashes, parsedUrl } from '../engine/lib/api-path.ts';
import type { BackOffice } from '../engine/office/back-office.ts';
import { markResponseOfTest, unintercepted } from '../engine/office/interceptor.ts';
import { Problem, truncate } from '../engine/lib/problem.ts';
import { assertOptions, type NamesOf } from '../engine/lib/unknown-keys.ts';
import { storeOptions, type StoreOffice, type StoreOptions } from '../shop/office/store-office.ts';
import { withTables, type TypedOptions, type WithTables } from '../engine/office/typed-office.ts';
import {
  answerFetch,
  answerGet,
  answerSessionless,
  baseUrlOf,
  isOfServer,
  namesSession,
  withUrl,
  type RunRequest,
} from './fetch/fetch.ts';
import { answerIntercepted } from './fetch/intercepted.ts';

/** Options of `createBackOffice`. All of them are optional. */
export interface MountOptions extends StoreOptions {
  /** The URL or path in front of the API, such as `https://shop.example` or `/backend` (default: any origin and path). */
  readonly baseUrl?: string | undefined;
}

export const mountOptions: NamesOf<MountOptions> = { baseUrl: true, ...storeOptions };

/** A back office that can be called with `fetch` and mounted as MSW handlers. */
export interface MountedBackOffice extends StoreOffice {
  /** MSW handlers, one for each endpoint, for `setupServer(...handlers)` or `setupWorker(...handlers)`. */
  readonly handlers: HttpHandler[];
  /**
   * Works like the global `fetch`, without a network: for the store API, and for the studio and the control API under
   * `/_backlot/`. It has no sessions: a request with a path `/s/<name>/api/…` or the header `X-Backlot-Session` gets a 400
   * that says so.
   *
   * @throws TypeError if a fault drops the connection
   */
  fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
}

/** The choices of an entry point for its platform. */
export interface Platform {
  /** Opens a back office. */
  readonly open: (options: StoreOptions) => StoreOffice;
  /** Returns `http` of MSW. */
  readonly loadHttp: () => typeof http;
}

/** Opens a back office, and mounts it. @throws Problem as `open`, and `invalid` for a base URL that no request could have */
export function mount<Tables = unknown>(
  { open, loadHttp }: Platform,
  options: MountOptions & TypedOptions<Tables> = {},
): WithTables<MountedBackOffice, Tables> {
  assertOptions('createBackOffice', options, mountOptions);
  const { baseUrl = '*', ...rest } = options;
  assertBaseUrl(baseUrl);
  const backOffice = open({
    milliseconds: () => performance.now(),
    currentTime: Date.now,
    ...rest,
  });
  const mounted: Omit<MountedBackOffice, 'handlers'> = Object.assign(backOffice, {
    fetch: createFetch(backOffice, baseUrl),
  });
  addHandlers(mounted, () => createHandlers(backOffice, baseUrl, loadHttp()));
  return withTables<MountedBackOffice, Tables>(mounted, options);
}

function assertBaseUrl(text: string): void {
  const url = parsedUrl(text);
  const isUrl =
    /^https?:\/\//i.test(text) && url !== undefined && `${url.search}${url.hash}` === '';
  const isPath = text === '' || (text.startsWith('/') && !/^\/\/|[?#]/.test(text));
  if (isUrl || isPath || text === '*') return;
  const isHost = /^(localhost|[\w-]+(\.[\w-]+)+|[\w.-]+:\d+)(:\d+)?(\/|$)/.test(text);
  throw new Problem(
    'invalid',
    `baseUrl must be a URL such as 'https://shop.example', a path such as '/backend', or '*' for any, without query and fragment; not '${truncate(text)}'.${isHost ? ` Did you mean 'http://${truncate(text)}'?` : ''}`,
  );
}

interface FetchSource {
  /** See `answerFetch`. */
  readonly run?: RunRequest | undefined;
  /** Whether the code under test sends the requests (default: the test itself). */
  readonly isUnderTest?: boolean;
}

export function createFetch(
  backOffice: BackOffice,
  baseUrl: string,
  { run, isUnderTest = false }: FetchSource = {},
): MountedBackOffice['fetch'] {
  const answered = isUnderTest ? <Result>(answer: () => Result) => answer() : unintercepted;
  const delivered = (response: Response, url: string): Response => {
    const received = withUrl(receivable(response), url);
    return isUnderTest ? received : markResponseOfTest(received);
  };
  const runAll: RunRequest = (request, answer) =>
    run === undefined ? answered(answer) : run(request, () => answered(answer));
  return async (input, init) => {
    const absolute = typeof input === 'string' ? new URL(input, 'http://localhost') : input;
    if (init === undefined && run === undefined && absolute instanceof URL) {
      if (namesSession(backOffice, absolute, undefined, baseUrl)) return answerSessionless();
      const response = await answered(() => answerGet(backOffice, absolute, baseUrl));
      return delivered(response, absolute.href);
    }
    const request = new Request(absolute, init);
    // `fetch` sends no request that is aborted already.
    request.signal.throwIfAborted();
    if (namesSession(backOffice, new URL(request.url), request.headers, baseUrl))
      return answerSessionless();
    const response = await answerFetch(backOffice, request, baseUrl, runAll);
    request.signal.throwIfAborted();
    return delivered(response, request.url);
  };
}

/** Rejects a dropped connection, as `fetch` does. */
function receivable(response: Response): Response {
  if (response.type === 'error') throw new TypeError('Failed to fetch');
  return response;
}

/** Adds the handlers lazily: they take longer to create than a back office, and few callers use them. */
function addHandlers<Office extends object>(
  office: Office,
  make: () => HttpHandler[],
): asserts office is Office & Pick<MountedBackOffice, 'handlers'> {
  let made: HttpHandler[] | undefined;
  const handlers = { configurable: true, enumerable: true, get: () => (made ??= make()) };
  Object.defineProperty(office, 'handlers', handlers);
}

/**
 * Creates MSW handlers: one for each endpoint, then those that reject wrong methods and unknown paths under `/api`.
 *
 * @param baseUrl the URL or path in front of `/api`; `*` for any origin
 */
function createHandlers(backOffice: BackOffice, baseUrl: string, msw: typeof http): HttpHandler[] {
  const base = trimSlashes(baseUrl);
  const answer: Answer = ({ request }) => answerIntercepted(backOffice, request, baseUrl);
  const { api } = backOffice.shop;
  const paths = new Map(
    api.endpoints.map((row) => {
      const [method, path] = [row.method, addressOf(api.path, row.path)];
      return [`${method} ${path}`, { method, path }] as const;
    }),
  );
  const handlers = Array.from(paths.values(), ({ method, path }) =>
    msw[methods[method]](`${base}${path.replace(/\/$/, '')}`, ofServers(answer)),
  );
  const [escaped, ...others] = catchAll(msw, baseUrl, api, answer);
  return [escaped, ...handlers, ...others];
}

/** Creates MSW handlers for all paths of a back office: fewer than `createHandlers`, and therefore faster. */
export function catchAll(
  msw: typeof http,
  baseUrl: string,
  api: ApiDefinition,
  answer: Answer,
): [escaped: HttpHandler, ...HttpHandler[]] {
  const base = trimSlashes(baseUrl);
  const roots = api.path === '' && base !== '*' ? [''] : [...rootsOf(api), '/oauth', '/_backlot'];
  const paths = roots.flatMap((root) => [`${root}/*`, root]);
  return [
    msw.all(({ request }) => coversEscaped(baseUrl, api, new URL(request.url)), answer),
    ...paths.map((path) => msw.all(`${base}${path}`, ofServers(answer))),
  ];
}

/** MSW compares `%61pi` with `api` as it is, and version 2 rejects `%FF`. */
function coversEscaped(baseUrl: string, api: ApiDefinition, url: URL): boolean {
  return url.pathname.includes('%') && covers(baseUrl, api, url);
}

/** Whether a back office answers requests of a page to a URL. As for MSW, a base URL without an origin is of the page. */
export function covers(baseUrl: string, api: ApiDefinition, url: URL): boolean {
  if (baseUrl.startsWith('/') && url.origin !== globalThis.location?.origin) return false;
  return baseUrlOf(baseUrl, api).covers(url);
}

type Answer = (info: { request: Request }) => Promise<Response | undefined>;

/** Leaves a request that is sent to no server, whose URL may end with a path of the API: `data:text/plain,/api/orders`. */
function ofServers(answer: Answer) {
  return (info: Parameters<Answer>[0]) =>
    isOfServer(new URL(info.request.url)) ? answer(info) : undefined;
}

const methods = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
} as const;
