import { parsedUrl } from '../../engine/lib/api-path.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { withPage } from '../../engine/lib/error-page.ts';

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
    if (!isAllowed(name, names)) return notAllowed(name, hint);
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
  return parsedUrl(`http://${text.replace(/^\./, '')}`)?.hostname ?? '';
}

/** @param host in lower case, without a port */
function isAllowed(host: string, names: readonly string[]): boolean {
  const isName = (name: string): boolean =>
    host === name || (name.startsWith('.') && (host === name.slice(1) || host.endsWith(name)));
  return isAddress(host) || [...names, 'localhost', '.localhost'].some(isName);
}

/** Whether a host is an IP address: `127.0.0.1`, `[::1]`. */
function isAddress(host: string): boolean {
  const url = /^(?:[\d.]+|\[.+\])$/.test(host) ? parsedUrl(`http://${host}/`) : undefined;
  return url !== undefined && (host.startsWith('[') || url.host === host);
}

function notAllowed(name: string, hint: (name: string) => string): Problem {
  return new Problem(
    'forbidden',
    withPage(
      'host-not-allowed',
      /^[\w.-]{1,253}$/.test(name)
        ? `The host '${name}' is not allowed. Allow it ${hint(name)}.`
        : `The header Host must be a host name or an IP address. Allow a name ${hint('<name>')}.`,
    ),
  );
}
