import { sessionHeader } from '../engine/sessions/request-target.ts';
import { withPage } from '../engine/lib/error-page.ts';
import { UsageError } from './values.ts';

/** A running server, and the session to read. */
export interface RunningServer {
  /** URL in front of `/_backlot`, without a slash at the end. */
  readonly url: string;
  readonly token: string | undefined;
  readonly session: string | undefined;
}

/** `https://shop.test`, `localhost:4000`, `127.0.0.1:4000`; `order:105` is a filter. */
export function isUrl(word: string): boolean {
  return /^https?:\/\/|^(localhost|[\w-]+(\.[\w-]+)+):\d+(\/|$)/.test(word);
}

/** Returns the URL of a server at an address. */
export function httpUrl(address: string, port: number, basePath: string): string {
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}${basePath}`;
}

/** Returns the URL of a server: the one that is named, or that of the flags. @throws UsageError */
export function runningUrl(
  named: string | undefined,
  {
    host,
    port,
    basePath,
  }: { readonly host: string; readonly port: number; readonly basePath: string },
): string {
  const own = httpUrl(host, port, basePath);
  const url = named === undefined ? own : /^https?:/.test(named) ? named : `http://${named}`;
  if (!URL.canParse(url)) throw new UsageError(`'${url}' is not the URL of a server.`);
  return url.replace(/\/(_backlot\/?)?$/, '');
}

/** Sends a GET to the control API of a server. @throws as `fetch` */
export function getFrom(
  { url, token, session }: RunningServer,
  path: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${url}/_backlot/${path}`, {
    headers: {
      ...(token !== undefined && { 'x-backlot-token': token }),
      ...(session !== undefined && { [sessionHeader]: session }),
      ...headers,
    },
    // Another server must not receive the token.
    redirect: 'manual',
    signal,
  });
}

/** Returns the message for a server that has rejected a request without its token. */
export function tokenRequired({ url }: RunningServer): string {
  return withPage(
    'control-api-token',
    `${url} requires the token of its control API: --token <token>.`,
  );
}
