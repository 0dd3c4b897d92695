import { rootsOf } from '../../engine/definition/api-roots.ts';
import type { ApiDefinition } from '../../engine/definition/api.ts';
import { Delivery } from '../../engine/rest/delivery.ts';
import { prefixLinks } from '../../engine/rest/page.ts';
import { noSniff, type ApiResponse, type ApiRequest } from '../../engine/rest/message.ts';
import { readBody } from '../../engine/rest/body.ts';
import { bodyTooLarge } from '../../engine/rest/serve.ts';
import { normalizedPath, trimSlashes } from '../../engine/lib/api-path.ts';
import { Problem } from '../../engine/lib/problem.ts';
import type { BackOffice } from '../../engine/office/open-back-office.ts';
import { wait } from './wait.ts';
import { historyParts } from '../../engine/office/history-parts.ts';

const controlRoot = /^\/_backlot(?=\/|$)/;

/** The base URL of a back office: `*` for any origin and path, `https://shop.example/backend`, `/backend`. */
export interface BaseUrl {
  /** Whether the back office answers requests to this URL. */
  covers(url: URL): boolean;
  /** Whether it names an origin, so that it covers the URLs of this origin only. */
  readonly hasOrigin: boolean;
  /** Returns the path in front of `/api` or `/_backlot` in this URL, or an empty string. */
  prefixOf(url: URL): string;
}

/** Whether a request to a URL is sent to a server. Those of `data:`, `blob:`, `file:` and the like are not. */
export function isOfServer({ protocol }: Pick<URL, 'protocol'>): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** Parses a base URL for an API. Memoized, because it is called for each request. */
export function baseUrlOf(text: string, api: ApiDefinition): BaseUrl {
  const known = baseUrls.get(api) ?? new Map<string, BaseUrl>();
  baseUrls.set(api, known);
  const parsed = known.get(text) ?? parseBaseUrl(text, api);
  if (known.size < 1000) known.set(text, parsed);
  return parsed;
}

const baseUrls = new WeakMap<ApiDefinition, Map<string, BaseUrl>>();

function parseBaseUrl(text: string, api: ApiDefinition): BaseUrl {
  // The paths of a back office below its base URL: those of the store API, of tokens and of the control API.
  const roots = [...rootsOf(api), '/oauth', '/_backlot'].map((root) => root.replaceAll('.', '\\.'));
  const root = new RegExp(`(?:${roots.join('|')})(?=/|$)`);
  if (text === '*') {
    const prefixOf = (url: URL): string => {
      const pathname = pathOf(url);
      return pathname.slice(0, Math.max(0, pathname.search(root)));
    };
    return {
      hasOrigin: false,
      prefixOf,
      covers: (url) => isOfServer(url) && root.test(pathOf(url)),
    };
  }
  const absolute = /^[a-z][a-z\d+.-]*:/i.test(text) ? new URL(text) : undefined;
  const path = trimSlashes(normalizedPath(absolute?.pathname ?? text));
  return {
    hasOrigin: absolute !== undefined,
    prefixOf: () => path,
    covers(url) {
      const pathname = pathOf(url);
      return (
        (absolute === undefined ? isOfServer(url) : absolute.origin === url.origin) &&
        pathname.startsWith(path) &&
        (api.path === '' || pathname.slice(path.length).search(root) === 0)
      );
    },
  };
}

function pathOf({ pathname }: URL): string {
  return normalizedPath(pathname);
}

/** Answers requests in plain values: a back office, or its control API. */
interface Answering {
  readonly settings: { readonly maxBodyBytes: number };
  answer(request: ApiRequest): ApiResponse;
}

/** Runs the function that answers a request, at once or later. */
export type RunRequest = (
  request: Pick<ApiRequest, 'method' | 'url'>,
  answer: () => ApiResponse,
) => ApiResponse | Promise<ApiResponse>;

const atOnce: RunRequest = (_, answer) => answer();

/**
 * Answers a `Request` to the store API or the control API after the delay of its response, or when it is released. Links
 * in the response begin with the prefix of the request.
 *
 * @param baseUrl the URL or path in front of `/api`; `*` for any
 * @param run runs the function that answers, after the body is read and before the delay (default: at once)
 * @returns `Response.error()` for a dropped connection
 */
export async function answerFetch(
  backOffice: BackOffice,
  request: Request,
  baseUrl: string,
  run: RunRequest = atOnce,
): Promise<Response> {
  const { path, prefix, isControlled } = placeOf(backOffice, new URL(request.url), baseUrl);
  if (isControlled) return answerControl(backOffice, request, { path, prefix }, run);
  const delivery = new Delivery();
  const sent = await answerRequest(backOffice, request, path, run, delivery);
  const answer = await settled(sent, delivery, request.signal);
  return toResponse(prefixLinks(answer, prefix, backOffice.shop.api.path));
}

/** Answers a GET without headers, as most requests are, without creating a `Request`. */
export async function answerGet(
  backOffice: BackOffice,
  url: URL,
  baseUrl: string,
): Promise<Response> {
  const { path, prefix, isControlled } = placeOf(backOffice, url, baseUrl);
  if (isControlled) return answerFetch(backOffice, new Request(url), baseUrl);
  const delivery = new Delivery();
  const sent = backOffice.answer({ method: 'GET', url: path, headers: {}, delivery });
  const answer = await settled(sent, delivery);
  return toResponse(prefixLinks(answer, prefix, backOffice.shop.api.path));
}

/** Resolves with the response when it is released and its delay is over, or when the client aborts. A hold has no time limit. */
async function settled(
  sent: ApiResponse,
  delivery: Delivery,
  signal?: AbortSignal,
): Promise<ApiResponse> {
  const answer = (await sent.deferred?.answer(signal ?? new AbortController().signal)) ?? sent;
  if (answer.delay !== undefined) await wait(answer.delay, signal);
  if (signal?.aborted === true) delivery.leave();
  else delivery.end();
  return answer;
}

interface Place {
  /** Path and query string below the prefix. */
  readonly path: string;
  readonly prefix: string;
}

function placeOf(
  { shop }: BackOffice,
  url: URL,
  baseUrl: string,
): Place & { readonly isControlled: boolean } {
  const prefix = baseUrlOf(baseUrl, shop.api).prefixOf(url);
  const path = pathOf(url).slice(prefix.length);
  return { prefix, path: `${path}${url.search}`, isControlled: controlRoot.test(path) };
}

/** Loads the control API with the first request to it, and what it may need. */
async function answerControl(
  backOffice: BackOffice,
  request: Request,
  { path, prefix }: Place,
  run: RunRequest,
): Promise<Response> {
  const { api } = backOffice.shop;
  const parts = [historyParts, api.explain, api.control].map((part) => part?.load());
  const [{ controlOf, settle }] = await Promise.all([
    import('./office-control.ts'),
    import('../../engine/dashboard/page-files.ts').then(({ loadPageFiles }) => loadPageFiles()),
    ...parts,
  ]);
  const control = controlOf(backOffice, path, prefix, headersOf(request));
  const answer = await settle(await answerRequest(control, request, path, run), request.signal);
  // Another client would wait for the end of a response that has none.
  if (answer.events === undefined || request.headers.get('accept') !== 'text/event-stream')
    return toResponse(answer);
  const { streamOf } = await import('./event-response.ts');
  return streamOf(answer, answer.events, { request });
}

async function answerRequest(
  answering: Answering,
  request: Request,
  url: string,
  run: RunRequest,
  delivery?: Delivery,
): Promise<ApiResponse> {
  const headers = headersOf(request);
  const { method } = request;
  const sent = await bodyOf(request, headers, answering.settings.maxBodyBytes);
  return run({ method, url }, () => answering.answer({ method, url, headers, ...sent, delivery }));
}

/**
 * Reads the body of a request, or returns the reason why it cannot be read.
 *
 * @param read returns its bytes (default: all of them) @throws Problem
 */
export async function bodyOf(
  request: Request,
  { 'content-type': type = '', 'content-encoding': coding }: ApiRequest['headers'],
  maxBodyBytes: number,
  read = async (one: Request): Promise<Uint8Array> => new Uint8Array(await one.arrayBuffer()),
): Promise<Pick<ApiRequest, 'body' | 'unreadable'>> {
  if (request.body === null) return {};
  try {
    const bytes = await bytesOf(request, read);
    if (bytes.length > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
    if (coding === undefined || bytes.length === 0) return { body: await readBody(bytes, type) };
    const { contentDecoder } = await import('../server/content-coding.ts');
    const content = await contentDecoder(coding)?.(new Uint8Array(bytes), maxBodyBytes);
    return { body: await readBody(content ?? bytes, type) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { unreadable: error };
  }
}

/** @throws Problem `malformed` if the body breaks off, and what `read` throws */
async function bytesOf(
  request: Request,
  read: (request: Request) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const wasRead = request.bodyUsed;
  try {
    return await read(request);
  } catch (error) {
    if (error instanceof Problem || wasRead || request.signal.aborted) throw error;
    throw new Problem('malformed', 'The body cannot be read: it ended before it was complete.');
  }
}

/** Returns the headers with lower-case names. The `Headers` of happy-dom keep the case of names. */
export function headersOf({ headers }: Request): ApiRequest['headers'] {
  return Object.fromEntries(
    Array.from(headers, ([name, value]) => [name.toLowerCase(), value] as const),
  );
}

/** Whether a request names a session, by its path or by its header, as requests to a server do. */
export function namesSession(
  { shop: { api } }: BackOffice,
  url: URL,
  headers: Headers | undefined,
  baseUrl: string,
): boolean {
  const start = baseUrl === '*' ? 0 : baseUrlOf(baseUrl, api).prefixOf(url).length;
  const path = pathOf(url).slice(start);
  const below = /\/s\/[^/]+(\/.*)/.exec(path)?.[1];
  return (
    (below !== undefined && baseUrlOf('', api).covers(new URL(below, url))) ||
    headers?.has('x-backlot-session') === true
  );
}

/** Answers a request that names a session: one shop has none, and would answer for each of them. */
export async function answerSessionless(): Promise<Response> {
  const { withoutSessions } = await import('./office-control.ts');
  return toResponse(withoutSessions());
}

/** Creates a `Response` with a `Content-Length`, as from a server. */
export function toResponse(answer: ApiResponse): Response {
  const { status, headers, body, bodyOfGet, connection } = answer;
  if (connection === 'drop') return Response.error();
  const text = body ?? bodyOfGet;
  if (text === undefined)
    return new Response(null, { status, headers: { ...headers, ...noSniff } });
  return new Response(body ?? null, { status, headers: withLength(answer, text) });
}

/** Gives a response the URL of its request, as that of `fetch` has, so that links in it can be resolved. */
export function withUrl(response: Response, url: string): Response {
  return Object.defineProperty(response, 'url', { value: url.replace(/#.*/s, '') });
}

/** Memoizes the headers of cached responses. */
function withLength(answer: ApiResponse, text: string): ApiResponse['headers'] {
  const cached = headersByAnswer.get(answer);
  if (cached !== undefined) return cached;
  const length = String(utf8.encode(text).length);
  const headers = { ...answer.headers, ...noSniff, 'content-length': length };
  headersByAnswer.set(answer, headers);
  return headers;
}

const headersByAnswer = new WeakMap<ApiResponse, ApiResponse['headers']>();
const utf8 = new TextEncoder();
