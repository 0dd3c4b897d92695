import type * as z from 'zod';
import type { NextRequest } from '../engine/definition/explanation.ts';
import { withPage } from '../engine/lib/error-page.ts';
import { printable } from '../engine/lib/printable.ts';
import { quoted } from '../engine/office/export/request-text.ts';
import { truncate } from '../engine/lib/problem.ts';
import { sessionHeader } from '../engine/sessions/request-target.ts';
import { ErrorBody, readAs } from './tail/received.ts';
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

/** Returns a request to a server as a command for a shell. @param headers more headers, such as that of an access token */
export function curlLine(
  server: RunningServer,
  { method, url, body }: NextRequest,
  headers: readonly string[] = [],
): string {
  const { token } = server;
  const isControl = token !== undefined && url.startsWith('/_backlot/');
  const all = [...(isControl ? [`x-backlot-token: ${token}`] : []), ...headers];
  return [
    `curl -X ${method} ${quoted(`${sessionUrl(server)}${url}`)}`,
    ...all.map((header) => `-H ${quoted(header)}`),
    `--json ${quoted(JSON.stringify(body))}`,
  ].join(' ');
}

/** Returns the URL in front of the paths of a session, or of the shared back office. */
export function sessionUrl({ url, session }: RunningServer): string {
  return session === undefined ? url : `${url}/s/${encodeURIComponent(session)}`;
}

/** Sends a request to the control API of a server, by default a GET. @throws as `fetch` */
export function sendTo(
  { url, token, session }: RunningServer,
  path: string,
  {
    headers,
    ...init
  }: Omit<RequestInit, 'headers'> & {
    readonly headers?: Readonly<Record<string, string>>;
  },
): Promise<Response> {
  return fetch(`${url}/_backlot/${path}`, {
    ...init,
    headers: {
      ...(token !== undefined && { 'x-backlot-token': token }),
      ...(session !== undefined && { [sessionHeader]: session }),
      ...headers,
    },
    // Another server must not receive the token.
    redirect: 'manual',
  });
}

/** Maximum time for a response, in milliseconds. */
const maxTime = 15_000;

/**
 * Sends a request to the control API of a server, and returns the body of its response.
 *
 * @param what what the response is, for messages: `explanations`
 * @throws UsageError with the message of the server, or if there is no such response
 */
export async function requestOf<Schema extends z.ZodType>(
  server: RunningServer,
  path: string,
  {
    schema,
    what,
    method = 'GET',
  }: {
    readonly schema: Schema;
    readonly what: string;
    readonly method?: string;
  },
): Promise<z.output<Schema>> {
  const { url } = server;
  const signal = AbortSignal.timeout(maxTime);
  const response = await sendTo(server, path, { method, signal }).catch(() => undefined);
  if (response === undefined) throw noResponse(server);
  if (response.status === 401) throw new UsageError(tokenRequired(server));
  const body = response.ok ? await readAs(schema, response) : undefined;
  if (body !== undefined) return body;
  const { message } = (response.ok ? undefined : await readAs(ErrorBody, response)) ?? {};
  throw new UsageError(
    message === undefined
      ? `${url} has no ${what} of Backlot: status ${response.status}.`
      : printable(truncate(message)),
  );
}

/** Returns the error of a server that does not respond. */
export function noResponse({ url }: RunningServer): UsageError {
  return new UsageError(withPage('no-response', `No response from ${url}. Is the server running?`));
}

/** Returns the message for a server that has rejected a request without its token. */
export function tokenRequired({ url }: RunningServer): string {
  return withPage(
    'control-api-token',
    `${url} requires the token of its control API: --token <token>.`,
  );
}
