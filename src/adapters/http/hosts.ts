import { domainToASCII } from 'node:url';
import { isHostAllowed } from 'host-validation-middleware';
import { Problem } from '../../lib/problem.ts';
import type { IncomingMessage } from 'node:http';

/** Host names that are served: exact, `.shop.test` for a domain with its subdomains, `*` or `true` for any. */
export type AllowedHosts = readonly string[] | true;

/**
 * Makes a check of the header `Host`, against DNS rebinding: a page whose own host name resolves to this server is of the
 * same origin, but cannot hide that name. IP addresses, `localhost` and `*.localhost` are always allowed, and so is a
 * request without the header, which no browser sends.
 *
 * @param hint how to allow a host, for the message
 * @throws Problem `invalid` for a name with a scheme, a port or a path
 */
export function createCheckHost(
  allowed: AllowedHosts,
  hint: (name: string) => string,
): (host: string | undefined) => Problem | undefined {
  if (allowed === true || allowed.includes('*')) return () => undefined;
  const names = allowed.map(readHostName);
  // Clients repeat themselves. More than one is not kept, since there is no end of allowed hosts.
  let last: string | undefined;
  return (host) => {
    if (host === undefined || host === last) return undefined;
    const name = host.toLowerCase().replace(/:\d*$/, '');
    if (!isHostAllowed(name, names)) return notAllowed(name, hint);
    last = host;
    return undefined;
  };
}

/** Whether it can be allowed: a name without scheme, port or path, which may begin with a dot, or `*`. */
export function isHostName(text: string): boolean {
  return text === '*' || (!/[*/\\?#@:]/.test(text) && asciiOf(text) !== '');
}

/** @throws Problem `invalid` */
function readHostName(text: string): string {
  if (isHostName(text)) return text.startsWith('.') ? `.${asciiOf(text)}` : asciiOf(text);
  throw new Problem(
    'invalid',
    `An allowed host must be a name without scheme or port such as shop.test, .shop.test with its subdomains, or *; not '${text}'.`,
  );
}

/** The name as browsers send it, in lower case; empty if it is not valid. */
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
 * The path that proxies have cut off in front of the request's own: `/shop` of `X-Forwarded-Prefix: /shop`. Of several,
 * each named by its proxy, the outermost stands first.
 *
 * @param proxies how many there are; only what they have added is read
 */
export function forwardedPrefix({ headers }: IncomingMessage, proxies: number): string {
  const parts = added(headers['x-forwarded-prefix'], proxies).map((one) => one.replace(/\/$/, ''));
  return parts.every(isBasePath) ? parts.join('') : '';
}

/** Whether the client came to the outermost proxy by https, as `X-Forwarded-Proto` tells. */
export function isForwardedHttps({ headers }: IncomingMessage, proxies: number): boolean {
  return added(headers['x-forwarded-proto'], proxies)[0]?.toLowerCase() === 'https';
}

/** A proxy adds to the end; what stands before may come from the client. */
function added(header: string | readonly string[] | undefined, proxies: number): string[] {
  if (header === undefined || proxies === 0) return [];
  const all = String(header).split(',');
  return all.slice(-proxies).map((one) => one.trim());
}

/** What a path can hold without any encoding, but for `,` and `;`, which would end what holds the path. */
const part = String.raw`(?!\.{1,2}(?:/|$))[\w.~!$&'()*+=:@-]+`;
const basePath = new RegExp(`^(?:/${part})+$`);

/** Whether paths can begin with this: `/demo`, `/shops/eu`. Nothing stands in front of them where it is empty. */
export function isBasePath(text: string): boolean {
  return text === '' || basePath.test(text);
}

/** What of a URL lies below a base path: `/api/orders/` of `/demo/api/orders/`; none where it lies elsewhere. */
export function below(prefix: string, url: string): string | undefined {
  if (!url.startsWith(prefix)) return undefined;
  const rest = url.slice(prefix.length);
  return rest === '' || /^[/?#]/.test(rest) ? rest : undefined;
}
