import type { RequestListener } from 'node:http';

/** What no output may have: characters that a terminal or an editor obeys. */
export const raw = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
/** Sets the title and the colour of a terminal, ends a line and turns text around. */
export const controls = '\u001B]0;owned\u0007\u009B31m\u007F\u0085\u2028\u202Egnp.exe';

/** Responds to every request with this JSON. */
export function json(value: unknown, status = 200): RequestListener {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  return (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

/** A page of these items. */
export function page(items: readonly unknown[]): object {
  const links = { self: { href: '/api/' }, first: { href: '' }, last: { href: '' } };
  return { page: 1, limit: 10, pages: 1, total: 1, _links: links, _embedded: { items } };
}
