import { prefixLinks } from '../rest/page.ts';
import { noSniff, type ApiAnswer, type ApiRequest } from '../rest/message.ts';
import { readBody } from '../rest/body.ts';
import { bodyTooLarge } from '../rest/serve.ts';
import { Problem } from '../lib/problem.ts';
import { baseUrlOf } from './base-url.ts';
import { wait } from './wait.ts';

/** What answers requests in plain values: a back office. */
export interface Answering {
  readonly settings: { readonly maxBodyBytes: number };
  answer(request: ApiRequest): ApiAnswer;
}

/**
 * Answers a `Request`, as late as it should be; a dropped connection is `Response.error()`. Links in the answer lead to
 * where the request went.
 *
 * @param baseUrl what stands in front of `/api` in its URL; `*` for anything
 */
export async function answerFetch(
  backOffice: Answering,
  request: Request,
  baseUrl: string,
): Promise<Response> {
  const { path, prefix } = placeOf(new URL(request.url), baseUrl);
  const answer = await answerRequest(backOffice, request, path);
  if (answer.delay !== undefined) await wait(answer.delay, request.signal);
  return toResponse(prefixLinks(answer, prefix));
}

/** The same for what most requests are, a GET of nothing but a URL, which needs no `Request`. */
export async function answerGet(
  backOffice: Answering,
  url: URL,
  baseUrl: string,
): Promise<Response> {
  const { path, prefix } = placeOf(url, baseUrl);
  const answer = backOffice.answer({ method: 'GET', url: path, headers: {} });
  if (answer.delay !== undefined) await wait(answer.delay);
  return toResponse(prefixLinks(answer, prefix));
}

function placeOf(url: URL, baseUrl: string): { path: string; prefix: string } {
  const prefix = baseUrlOf(baseUrl).prefixOf(url);
  return { prefix, path: `${url.pathname.slice(prefix.length)}${url.search}` };
}

async function answerRequest(
  backOffice: Answering,
  request: Request,
  url: string,
): Promise<ApiAnswer> {
  const headers = Object.fromEntries(request.headers);
  const { method } = request;
  const { maxBodyBytes } = backOffice.settings;
  const type = headers['content-type'] ?? '';
  if (request.body === null) return backOffice.answer({ method, url, headers });
  try {
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.length > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
    const body = await readBody(bytes, type);
    return backOffice.answer({ method, url, headers, body });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return backOffice.answer({ method, url, headers, unreadable: error });
  }
}

/** A server tells the length of each body; so does what takes its place. */
function toResponse(answer: ApiAnswer): Response {
  const { status, headers, body, bodyOfGet, connection } = answer;
  if (connection === 'drop') return Response.error();
  const text = body ?? bodyOfGet;
  if (text === undefined)
    return new Response(null, { status, headers: { ...headers, ...noSniff } });
  return new Response(body ?? null, { status, headers: withLength(answer, text) });
}

/** The same answer is read again and again. */
function withLength(answer: ApiAnswer, text: string): ApiAnswer['headers'] {
  const known = measured.get(answer);
  if (known !== undefined) return known;
  const length = String(utf8.encode(text).length);
  const headers = { ...answer.headers, ...noSniff, 'content-length': length };
  measured.set(answer, headers);
  return headers;
}

const measured = new WeakMap<ApiAnswer, ApiAnswer['headers']>();
const utf8 = new TextEncoder();
