import { once } from 'node:events';
import { request, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createHttpServer, type HttpServerOptions } from '../../src/mounts/server/server.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { openSessions, type SessionOptions } from '../../src/engine/sessions/server.ts';
import type { Answered } from './office.ts';

/**
 * Listens on a free port until the test ends. It closes no idle connection, as the server of the package does not: a client
 * that sends a request at that moment receives a connection reset.
 */
export async function listen(server: Server | SecureServer): Promise<string> {
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts an HTTP server for one test. */
export function serveHttp(
  options: HttpServerOptions = {},
  sessions: SessionOptions = {},
): Promise<string> {
  const server = createHttpServer(openSessions(openStoreOffice(), sessions), options);
  return listen(server);
}

/** Starts an HTTP server with the app of a user for one test. */
export async function serveApp(app: RequestListener): Promise<string> {
  const { createServer } = await import('node:http');
  return listen(createServer(app));
}

/** Sends headers that `fetch` would not, `Host` among them. */
export async function ask(
  url: string,
  line: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<Answered> {
  const [method = 'GET', path = '/'] = line.split(' ');
  const sent = request(url, { method, path, headers, agent: false }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  const isJson = response.headers['content-type']?.includes('json') === true;
  return {
    status: response.statusCode ?? 0,
    headers: response.headers as Record<string, string>,
    body: isJson && text !== '' ? JSON.parse(text) : text,
  };
}
