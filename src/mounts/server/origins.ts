import { parsedUrl } from '../../engine/lib/api-path.ts';
import { isBegin, isPublic } from '../../engine/control/guard.ts';
import { Problem } from '../../engine/lib/problem.ts';
import type { ApiRequest } from '../../engine/rest/message.ts';
import { withPage } from '../../engine/lib/error-page.ts';

/** The properties that decide whether a page may send a request. */
export interface OriginCheck {
  readonly method: string | undefined;
  readonly headers: ApiRequest['headers'];
  /** The origins that the server allows by name. */
  readonly named: ReadonlySet<string>;
  /** Returns the host that the client used, as a trusted proxy reports it. */
  readonly forwardedHost: () => string | undefined;
  /** The way to allow an origin, for the message. */
  readonly hint: (origin: string) => string;
}

/**
 * Checks a request to the control API. Pages of this server, of loopback origins and of named origins are allowed, and so
 * are clients that are not browsers.
 *
 * @param path without the prefix of a session: `/_backlot/clock`
 */
export function checkControlOrigin(check: OriginCheck, path: string): Problem | undefined {
  const { headers } = check;
  const { origin } = headers;
  if (origin === undefined) {
    return isCrossSite(headers) && !isLinkToPage(check, path)
      ? notAllowed(check, 'use the control API')
      : undefined;
  }
  if (isSameOrNamed(check, origin) || isLoopback(origin)) return undefined;
  return notAllowed(check, 'use the control API');
}

/** Checks a request to the store API of a server with named origins. Pages of other origins cannot write. */
export function checkStoreOrigin(check: OriginCheck): Problem | undefined {
  const { method, headers } = check;
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return undefined;
  const { origin } = headers;
  const isAllowed = origin === undefined ? !isCrossSite(headers) : isSameOrNamed(check, origin);
  return isAllowed ? undefined : notAllowed(check, 'write to the store API');
}

/** Whether a text is an origin that `--cors-origin` accepts. */
export function isOrigin(text: string): boolean {
  return !text.includes('*') && parsedUrl(text)?.origin === text;
}

/**
 * The scheme is not compared, because TLS may end at a proxy. No page can set `Sec-Fetch-Site`, which holds even if a
 * proxy replaces `Host`.
 */
function isSameOrNamed({ headers, named, forwardedHost }: OriginCheck, origin: string): boolean {
  if (named.has(origin) || headers['sec-fetch-site'] === 'same-origin') return true;
  const [, host] = /^https?:\/\/(.+)$/.exec(origin) ?? [];
  if (host === undefined) return false;
  return host === headers['host']?.toLowerCase() || host === forwardedHost()?.toLowerCase();
}

function isLoopback(origin: string): boolean {
  return /^https?:\/\/(([^/:@]+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(origin);
}

function isCrossSite(headers: ApiRequest['headers']): boolean {
  return headers['sec-fetch-site'] === 'cross-site';
}

/** Whether a link on another site leads to a page that shows no data of a shop, or begins a session. */
function isLinkToPage({ method, headers }: OriginCheck, path: string): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    (isPublic(path) || isBegin(path))
  );
}

function notAllowed({ headers, hint }: OriginCheck, action: string): Problem {
  const { origin } = headers;
  if (origin !== undefined && isOrigin(origin)) {
    const message = `A page of ${origin} is not allowed to ${action}. Allow it ${hint(origin)}.`;
    return new Problem('forbidden', withPage('origin-not-allowed', message));
  }
  const page = origin === undefined ? 'A page of another site' : 'A page without an origin';
  return new Problem(
    'forbidden',
    withPage(
      'origin-not-allowed',
      `${page} is not allowed to ${action}. Use fetch on a page of an http or https origin, and allow that origin ${hint('<origin>')}.`,
    ),
  );
}
