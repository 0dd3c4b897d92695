import { domainToASCII } from 'node:url';
import { isHostAllowed } from 'host-validation-middleware';
import { Problem } from '../../lib/problem.ts';
import type { IncomingMessage } from 'node:http';

/** Host names that are served: exact, `.shop.test` for a domain with its subdomains, `*` or `true` for any. */
export type AllowedHosts = readonly string[] | true;

/**
 * Creates a check of the header `Host` against DNS rebinding (https://en.wikipedia.org/wiki/DNS_rebinding). IP addresses,
 * `localhost` and `*.localhost` are always allowed, and so are requests without the header, which no browser sends.
 *
 * @param hint how to allow a host, for the message
 * @throws Problem `invalid` for a name with a scheme, a port or a path
 */
export function createCheckHost(
  allowed: AllowedHosts,
  hint: (name: string) => string,
): (host: string | undefined) => Problem | undefined {
  if (allowed === true || allowed.includes('*')) return () => undefined;
  const names = allowed.map(parseHostName);
  // Caches the last allowed host only, because the number of allowed hosts is unlimited.
  let last: string | undefined;
  return (host) => {
    if (host === undefined || host === last) return undefined;
    const name = host.toLowerCase().replace(/:\d*$/, '');
    if (!isHostAllowed(name, names)) return notAllowed(name, hint);
    last = host;
    return undefined;
  };
}

/** Whether a text can be an allowed host: `*`, or a name without scheme, port and path. It may begin with a dot. */
export function isHostName(text: string): boolean {
  return text === '*' || (!/[*/\\?#@:]/.test(text) && asciiOf(text) !== '');
}

/** @throws Problem `invalid` */
function parseHostName(text: string): string {
  if (isHostName(text)) return text.startsWith('.') ? `.${asciiOf(text)}` : asciiOf(text);
  throw new Problem(
    'invalid',
    `An allowed host must be a name without scheme or port such as shop.test, .shop.test with its subdomains, or *; not '${text}'.`,
  );
}

/** Returns a name in ASCII and lower case, as browsers send it; empty if it is not valid. */
function asciiOf(text: string): string {
  return domainToASCII(text.replace(/^\./, ''));
}

function notAllowed(name: string, hint: (name: string) => string): Problem {
  return new Problem(
    'forbidden',
    /^[\w.-]{1,253}$/.test(name)
      ? `The host '${name}' is not allowed. Allow it ${hint(name)}.`
      : `The header Host must be a host name or an IP address. Allow a name ${hint('<name>')}.`,
  );
}

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
