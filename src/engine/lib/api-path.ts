import { Problem, beginningOf } from './problem.ts';

/** The path of an API in the names of its endpoints: `GET /api/orders/:order_id`. */
export const namedPath = '/api';

/** Returns a part of a path without its escapes, or as it is if they are no text. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Returns a path without the escapes that it does not need, by which it is the same: `/api/%6Frders` is `/api/orders`, and `%2F` stays
 * (RFC 3986, section 6.2.2.2).
 */
export function normalizedPath(path: string): string {
  return path.replaceAll(/%(?:2[DE]|5F|7E|3\d|[46][1-9A-F]|[57][0-9A])/gi, decoded);
}

/** Returns a path or a URL without the slashes at its end. */
export function trimSlashes(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}

/**
 * Returns the URL that a text is; undefined for another text. `URL` of older versions of jsdom, in which tests run, has neither
 * `parse` nor `canParse`.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Whether a path is this one, or below it. */
export function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

/** Whether a path belongs to the control API. */
export function isControl(path: string): boolean {
  return isBelow('/_backlot', path);
}

/** Whether a path is one of the API at `apiPath`, of its tokens, or of the control API. If `apiPath` is empty, any is. */
export function isOwnPath(apiPath: string, path: string): boolean {
  return isBelow(apiPath, path) || isBelow('/oauth', path) || isControl(path);
}

/** Returns the path that a client sends for one of the contract: `/api/v1/orders` for `/api/orders`. */
export function addressOf(apiPath: string, path: string): string {
  return isBelow(namedPath, path) ? apiPath + path.slice(namedPath.length) || '/' : path;
}

/** The same for a path that a user has written, who may write what a client sends, or what the contract says. */
export function asAddress(apiPath: string, path: string): string {
  return apiPath !== '' && isBelow(apiPath, path) ? path : addressOf(apiPath, path);
}

/** Returns the path of the contract for the path that a client sends. Others are returned as they are. */
export function nameOf(apiPath: string, path: string): string {
  return isBelow(apiPath, path) ? namedPath + path.slice(apiPath.length) : path;
}

/**
 * Returns the parameters of a path by the pattern of its endpoint: `{ order_id: '105' }` of `/api/orders/:order_id`. The API may
 * be at another path than in the pattern.
 */
export function valuesInPath(pattern: string, path: string): Record<string, string> {
  const sent = segmentsOf(path);
  const named = segmentsOf(pattern);
  const offset = sent.length - named.length;
  return Object.fromEntries(
    named.flatMap((name, at) =>
      name.startsWith(':') ? [[name.slice(1), decoded(sent[at + offset] ?? '')]] : [],
    ),
  );
}

/** Returns the parts of a path between its slashes. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((one) => one !== '');
}

/**
 * Checks the path at which an API is served: `/api/v1`, or empty.
 *
 * @throws Problem `invalid` that says what would be right
 */
export function assertApiPath(path: string): void {
  if (isApiPath(path)) return;
  const meant = path.replaceAll(/\/*([^/]+)\/*|\/+/g, (_, part?: string) =>
    part ? `/${part}` : '',
  );
  const hint = isApiPath(meant) ? `, such as '${meant}'` : '';
  throw new Problem(
    'invalid',
    `The API cannot be at '${beginningOf(path, 80)}': use a path like /api/v1, or none${hint}. /_backlot, /oauth and /s are taken.`,
  );
}

/** Whether an API can be served at a path. */
export function isApiPath(path: string): boolean {
  return /^(?!\/(?:_backlot|oauth|s)(?:\/|$))(?:\/(?!\.\.?(?:\/|$))[\w.~-]+)*$/.test(path);
}
