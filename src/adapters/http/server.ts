import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import proxyAddress from 'proxy-addr';
import { Problem } from '../../lib/problem.ts';
import { below } from '../../lib/base-path.ts';
import { stripOrigin } from '../../sessions/session-address.ts';
import { problemResponse } from '../../rest/errors.ts';
import { isAnswered, type Server } from '../../sessions/server.ts';
import { noSniff } from '../../rest/message.ts';
import { headersOf } from './body.ts';
import { forwardedPrefix, isForwardedHttps } from './forwarded.ts';
import { createCheckHost } from './hosts.ts';
import { atRoot, giveUp, send } from './send.ts';
import { createAnswerHttp, type HttpHost, type HttpOptions } from './answer.ts';

/** Hears of a request when it comes in. */
export type HttpListener = (request: IncomingMessage, response: ServerResponse) => void;

export interface HttpServerOptions extends HttpOptions {
  /**
   * How many proxies stand in front and say for whom they ask, by which protocol and below which path
   * (`X-Forwarded-For`, `-Proto`, `-Prefix`): 0 if not given.
   */
  readonly proxies?: number | undefined;
  /** What every path begins with: `/demo`; nothing if not given. What proxies have cut off stands in front of it. */
  readonly basePath?: string | undefined;
  /** Where a browser is led that asks for nothing in particular, below the base path: nowhere if not given. */
  readonly home?: string | undefined;
  readonly log?: HttpListener | undefined;
  /** How long a connection may be idle, in milliseconds: for as long as the client likes if not given. */
  readonly idleTimeout?: number | undefined;
}

/** A server of nothing but sessions: between the socket and the core there are no layers of an app. */
export function createHttpServer(sessions: Server, options: HttpServerOptions = {}): HttpServer {
  const { proxies = 0, basePath = '', home, log } = options;
  const answer = createAnswerHttp(sessions, options, hints);
  const checkHost = createCheckHost(options.allowedHosts ?? [], hints.host);
  const host: HttpHost<IncomingMessage> = {
    basePath:
      proxies === 0
        ? () => basePath
        : (request) => `${forwardedPrefix(request, proxies)}${basePath}`,
    isSecure: proxies === 0 ? () => false : (request) => isForwardedHttps(request, proxies),
    client: (request) => proxyAddress(request, (_, hop) => hop < proxies),
    forwardedHost: (request) => (proxies > 0 ? forwardedHostOf(request) : undefined),
    fail: (error, response) => giveUp(response, error),
  };
  // An import of `node:http` itself would load a browser's fetch and WebSocket with it, and a start would wait for them.
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer((request, response) => {
    log?.(request, response);
    const { method } = request;
    const whole = stripOrigin(request.url ?? '/');
    const url = below(basePath, whole);
    if (url !== undefined && isAnswered(url)) {
      if (basePath !== '') request.url = url;
      return answer(request, response, host);
    }
    const client = sessions.countsClients ? host.client(request) : undefined;
    const excess = sessions.admit({ url: whole, headers: headersOf(request), client });
    if (excess !== undefined) return send(response, excess, atRoot);
    const wrongHost = checkHost(request.headers.host);
    if (wrongHost !== undefined) return send(response, problemResponse(wrongHost), atRoot);
    const path = whole.replace(/[?#].*/s, '');
    const isHome = ['/', basePath, `${basePath}/`].includes(path);
    const prefix = host.basePath(request);
    if (isHome && home !== undefined && (method === 'GET' || method === 'HEAD')) {
      redirect(response, `${prefix}${home}`);
    } else send(response, problemResponse(nothingAt(path, basePath)), atRoot);
  });
  // Of a connection that Node closes because it was idle, a client may just then be sending on: it would see a reset.
  server.keepAliveTimeout = options.idleTimeout ?? 0;
  return server;
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location, ...noSniff, 'content-length': 0 }).end();
}

/** Each proxy may add one; the first is of the proxy that the client spoke to. */
function forwardedHostOf({ headers }: IncomingMessage): string | undefined {
  const [hosts = ''] = [headers['x-forwarded-host']].flat();
  return hosts.split(',', 1)[0]?.trim();
}

const hints = {
  host: (name: string) => `with --allowed-host ${name}`,
  origin: (origin: string) => `with --cors-origin ${origin}`,
};

function nothingAt(path: string, basePath: string): Problem {
  const where =
    basePath === ''
      ? 'the interface begins at /api/'
      : `the base path is ${basePath}, and the interface begins at ${basePath}/api/`;
  return new Problem('missing', `There is nothing at ${path}; ${where}.`);
}
