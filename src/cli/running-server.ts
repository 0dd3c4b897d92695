import { sessionHeader } from '../engine/sessions/request-target.ts';
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

/** Returns the URL of a server: the one that is named, or that of the flags. @throws UsageError */
export function runningUrl(
  named: string | undefined,
  {
    host,
    port,
    basePath,
  }: { readonly host: string; readonly port: number; readonly basePath: string },
): string {
  const own = `http://${host.includes(':') ? `[${host}]` : host}:${port}${basePath}`;
  const url = named === undefined ? own : /^https?:/.test(named) ? named : `http://${named}`;
  if (!URL.canParse(url)) throw new UsageError(`'${url}' is not the URL of a server.`);
  return url.replace(/\/(_backlot\/?)?$/, '');
}

export function headersOf({ token, session }: RunningServer): Record<string, string> {
  return {
    ...(token !== undefined && { 'x-backlot-token': token }),
    ...(session !== undefined && { [sessionHeader]: session }),
  };
}
