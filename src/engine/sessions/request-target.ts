import { decoded, isControl, isOwnPath } from '../lib/api-path.ts';
import { Problem } from '../lib/problem.ts';
import type { ApiRequest, RequestTarget } from '../rest/message.ts';
import { parseTarget, stripOrigin } from '../rest/serve.ts';
import { withPage } from '../lib/error-page.ts';

export const sessionHeader = 'x-backlot-session';
export const sessionCookie = 'backlot-session';

/** A request to a server, and how the client reaches that server. */
export interface ServerRequest extends ApiRequest {
  /** The path in front of `url`, as the client sees it: `/demo` (default: none). */
  readonly basePath?: string | undefined;
  /** Whether the client uses https. */
  readonly secure?: boolean | undefined;
  /** Whether a page of another origin sent it that may use cookies: one that `corsOrigin` names. */
  readonly isFromNamedOrigin?: boolean | undefined;
  /** The origins that `corsOrigin` names. */
  readonly namedOrigins?: ReadonlySet<string> | undefined;
}

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

/** Returns the request as the back office of its session receives it: without an origin and the session's path. */
export function withinSession(request: ServerRequest, target: RequestTarget): ServerRequest {
  const url = stripOrigin(request.url).slice(target.prefix.length) || '/';
  return url === request.url && target === request.target ? request : { ...request, url, target };
}

/**
 * Whether a server with sessions serves a target. Other paths are the host's own.
 *
 * @param apiPath the path of the store API. If it is empty, all paths but `/` are served.
 */
export function isServed({ prefix, path }: RequestTarget, apiPath: string): boolean {
  return prefix !== '/s/' && path !== '/' && isOwnPath(apiPath, path);
}

/** Returns the session that a `Cookie` header names. */
export function sessionIn(cookies: string): string | undefined {
  const start = `${sessionCookie}=`;
  const cookie = cookies.split(';').find((one) => one.trim().startsWith(start));
  const name = cookie === undefined ? '' : decoded(cookie.trim().slice(start.length));
  return name === '' ? undefined : name;
}

/**
 * Returns the cookie that names a visitor's session. Browsers send only `SameSite=None` cookies to a page of another
 * site, and those only over https.
 */
export function cookieOf(
  name: string,
  {
    basePath = '',
    secure = false,
    isFromNamedOrigin = false,
  }: Pick<ServerRequest, 'basePath' | 'secure' | 'isFromNamedOrigin'>,
): string {
  const sameSite = secure && isFromNamedOrigin ? 'None' : 'Lax';
  const attributes = `Path=${basePath}/; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;
  return `${sessionCookie}=${name}; ${attributes}`;
}

/** Returns the cookie that deletes the one of `cookieOf`. */
export function endedCookie(request: ServerRequest): string {
  return `${cookieOf('', request)}; Max-Age=0`;
}

/** Returns the problem of a request that names no session, where each must. */
export function nameless(apiPath: string): Problem {
  return new Problem(
    'malformed',
    withPage(
      'session-required',
      `This server requires the name of a session: in the header X-Backlot-Session, in the cookie backlot-session, or in the path, /s/<name>${apiPath}/…. Code that renders pages on a server passes on the session of the page: fetch(url, { headers: forwardSession(request) }) with forwardSession of backlot/session.`,
    ),
  );
}

/** Whether a page of this path shows the shop of its visitor. */
export function showsShop(path: string): boolean {
  return !isControl(path) || /^\/_backlot\/?$/.test(path);
}

/** Whether a request writes nothing. A token request writes even if it is a GET. */
export function isRead(method: string, path: string): boolean {
  if (method === 'OPTIONS') return true;
  return (method === 'GET' || method === 'HEAD') && !path.startsWith('/oauth');
}
