import type { ApiRequest } from '../rest/message.ts';

/** Which session a request is for, and what is left of its URL when that is known. */
export interface SessionAddress {
  /** None where the request names none. */
  readonly name: string | undefined;
  /** What stands before the paths of the session: `/s/ada`; nothing where the name came another way. */
  readonly prefix: string;
  /** The rest: `/api/orders/?page=2`. */
  readonly url: string;
  readonly path: string;
}

export const sessionHeader = 'x-backlot-session';
export const sessionCookie = 'backlot-session';

/** Reads the name off the path, else the header, else the cookie. It may be any text. */
export function sessionAddress({
  url: sent,
  headers,
}: Pick<ApiRequest, 'url' | 'headers'>): SessionAddress {
  const whole = stripOrigin(sent);
  if (!whole.startsWith('/s/')) {
    const name = headers[sessionHeader] ?? cookieOf(headers['cookie']);
    return { name, prefix: '', url: whole, path: pathOf(whole) };
  }
  const [, segment = '', rest = '/'] = /^\/s\/([^/?#]*)([/?#].*)?$/s.exec(whole) ?? [];
  return { name: decoded(segment), prefix: `/s/${segment}`, url: rest, path: pathOf(rest) };
}

/** The path of a URL, and what follows it: proxies are asked for whole URLs. */
export function stripOrigin(url: string): string {
  if (url.startsWith('/')) return url;
  const start = url.indexOf('/', url.indexOf('//') + 2);
  return start === -1 ? '/' : url.slice(start);
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  const hash = url.indexOf('#');
  if (query === -1 && hash === -1) return url;
  return url.slice(0, query === -1 || (hash !== -1 && hash < query) ? hash : query);
}

function cookieOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const start = `${sessionCookie}=`;
  const cookie = header.split(';').find((one) => one.trim().startsWith(start));
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
