import type { IncomingMessage } from 'node:http';

/**
 * Returns the prefix that proxies have removed from the path: `/shop` for `X-Forwarded-Prefix: /shop`. The prefix of the
 * outermost proxy comes first.
 *
 * @param proxies number of trusted proxies
 */
export function forwardedPrefix({ headers }: IncomingMessage, proxies: number): string {
  const parts = appendedBy(headers['x-forwarded-prefix'], proxies).map((one) =>
    one.replace(/\/$/, ''),
  );
  return parts.every(isBasePath) ? parts.join('') : '';
}

/** Whether the client uses https, as the outermost proxy reports it in `X-Forwarded-Proto`. */
export function isForwardedHttps({ headers }: IncomingMessage, proxies: number): boolean {
  return appendedBy(headers['x-forwarded-proto'], proxies)[0]?.toLowerCase() === 'https';
}

/** Returns the values that trusted proxies have appended. Earlier values may come from the client. */
function appendedBy(header: string | readonly string[] | undefined, proxies: number): string[] {
  if (header === undefined || proxies === 0) return [];
  const all = String(header).split(',');
  return all.slice(-proxies).map((one) => one.trim());
}

/** The characters of a path that need no encoding, except `,` and `;`, which end a header value or a cookie. */
const part = String.raw`(?!\.{1,2}(?:/|$))[\w.~!$&'()*+=:@-]+`;
const basePath = new RegExp(`^(?:/${part})+$`);

/** Whether a text can be a base path: `/demo`, `/shops/eu`, or empty. */
export function isBasePath(text: string): boolean {
  return text === '' || basePath.test(text);
}

/** Returns a URL without its base path: `/api/orders/` for `/demo/api/orders/`; undefined for a URL outside of it. */
export function stripBasePath(prefix: string, url: string): string | undefined {
  if (!url.startsWith(prefix)) return undefined;
  const rest = url.slice(prefix.length);
  return rest === '' || /^[/?#]/.test(rest) ? rest : undefined;
}
