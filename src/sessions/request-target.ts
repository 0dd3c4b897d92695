import type { ApiRequest, RequestTarget } from '../rest/message.ts';
import { parseTarget } from '../rest/serve.ts';

export const sessionHeader = 'x-backlot-session';
export const sessionCookie = 'backlot-session';

/** Parses the URL of a request and the session that it names: in its path, else in the header, else in the cookie. */
export function parseRequestTarget(url: string, headers: ApiRequest['headers']): RequestTarget {
  const { path: sentPath, query } = parseTarget(url);
  if (sentPath.startsWith('/s/')) {
    const [, segment = '', path = '/'] = /^\/s\/([^/]*)(\/.*)?$/s.exec(sentPath) ?? [];
    return { prefix: `/s/${segment}`, session: decoded(segment), path, query };
  }
  const { [sessionHeader]: named, cookie } = headers;
  const session = named ?? (cookie === undefined ? undefined : sessionIn(cookie));
  return { prefix: '', session, path: sentPath, query };
}

/** Returns a URL without an origin, which clients send to proxies: https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2 */
export function stripOrigin(url: string): string {
  if (url.startsWith('/')) return url;
  const start = url.indexOf('/', url.indexOf('//') + 2);
  return start === -1 ? '/' : url.slice(start);
}

/** Whether a server with sessions serves a target. Other paths are the host's own. */
export function isServed({ prefix, path }: RequestTarget): boolean {
  return prefix !== '/s/' && /^\/(api|oauth|_backlot)(\/|$)/.test(path);
}

function sessionIn(cookies: string): string | undefined {
  const start = `${sessionCookie}=`;
  const cookie = cookies.split(';').find((one) => one.trim().startsWith(start));
  const name = cookie === undefined ? '' : decoded(cookie.trim().slice(start.length));
  return name === '' ? undefined : name;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns the cookie that names a visitor's session. Browsers send only `SameSite=None` cookies to a page of another
 * site, and those only over https.
 */
export function cookieOf(
  name: string,
  { basePath = '', secure = false, isFromNamedOrigin = false }: CookieContext,
): string {
  const sameSite = secure && isFromNamedOrigin ? 'None' : 'Lax';
  const attributes = `Path=${basePath}/; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;
  return `${sessionCookie}=${name}; ${attributes}`;
}

/** How a client reaches the server, as far as cookies depend on it. */
interface CookieContext {
  readonly basePath?: string | undefined;
  readonly secure?: boolean | undefined;
  readonly isFromNamedOrigin?: boolean | undefined;
}
