import { isObject } from '../engine/lib/json-value.ts';
import { sessionCookie, sessionHeader, sessionIn } from '../engine/sessions/request-target.ts';

export { sessionCookie, sessionHeader } from '../engine/sessions/request-target.ts';

/** Headers of a request, or cookies: by `get` as in `Headers` and the cookies of frameworks, or as in Node.js. */
export type RequestHeaders =
  | { get(name: string): string | { readonly value: string } | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A request of a page: a `Request`, the request of Node.js, Express or Next.js, an object with one (the `event` of
 * SvelteKit, the arguments of a loader), or only its headers or cookies: `await headers()`, `await cookies()`.
 */
export type PageRequest =
  | RequestHeaders
  | { readonly headers: RequestHeaders }
  | { readonly request: { readonly headers: RequestHeaders } };

/**
 * Returns the header that names the session of a page, for requests that a server sends to Backlot while it renders the
 * page: `fetch(url, { headers: { ...forwardSession(request), accept: 'application/json' } })`.
 *
 * @returns no header if the page names no session, as outside of tests. Backlot then serves the request from the shared
 *   back office, or rejects it with `--sessions required`.
 */
export function forwardSession(request: PageRequest): Record<string, string> {
  const headers = headersOf(request);
  const cookies = read(headers, 'cookie') ?? '';
  const name = read(headers, sessionHeader) ?? sessionIn(cookies) ?? read(headers, sessionCookie);
  // A page can send any text.
  return name === undefined || !/^[\w.-]{1,64}$/.test(name) ? {} : { [sessionHeader]: name };
}

function headersOf(request: PageRequest): RequestHeaders {
  if (has(request, 'headers')) return request.headers;
  return has(request, 'request') ? headersOf(request.request) : request;
}

function has<Name extends 'headers' | 'request'>(
  request: PageRequest,
  name: Name,
): request is Extract<PageRequest, Readonly<Record<Name, object>>> {
  const given: unknown = request;
  return isObject(given) && isObject(given[name]);
}

function read(headers: RequestHeaders, name: string): string | undefined {
  const found = isStore(headers) ? headers.get(name) : headers[name];
  if (typeof found !== 'object' || found === null) return found ?? undefined;
  return 'value' in found ? found.value : found.join('; ');
}

function isStore(headers: RequestHeaders): headers is Extract<RequestHeaders, { get: unknown }> {
  return typeof headers.get === 'function';
}
