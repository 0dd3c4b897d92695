import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import proxyAddress from 'proxy-addr';
import { Problem } from '../../engine/lib/problem.ts';
import { createCheckHost } from './host-names.ts';
import { stripBasePath, forwardedPrefix, isForwardedHttps } from './hosts.ts';
import { stripOrigin } from '../../engine/rest/serve.ts';
import { isServed, parseRequestTarget } from '../../engine/sessions/request-target.ts';
import { Delivery } from '../../engine/rest/delivery.ts';
import { problemResponse } from '../../engine/rest/errors.ts';
import type { Server } from '../../engine/sessions/server.ts';
import { noSniff } from '../../engine/rest/message.ts';
import { headersOf } from './body.ts';
import { noHeaders, closeAfterError, send } from './send.ts';
import { createAnswerHttp, type HttpHost, type HttpOptions } from './answer.ts';

/** Receives each request before it is answered. @param delivery of one that may get an entry in a history */
export type HttpListener = (
  request: IncomingMessage,
  response: ServerResponse,
  delivery?: Delivery,
) => void;

export interface HttpServerOptions extends HttpOptions {
  /**
   * Number of trusted reverse proxies, which report the address of the client, the protocol, the host and the path
   * (`X-Forwarded-For`, `-Proto`, `-Host`, `-Prefix`; default: 0).
   */
  readonly proxies?: number | undefined;
  /** Path in front of every path: `/demo` (default: none). The prefixes that proxies have removed come before it. */
  readonly basePath?: string | undefined;
  /** Path below the base path that `/` redirects to (default: none). */
  readonly home?: string | undefined;
  readonly log?: HttpListener | undefined;
  /** The maximum idle time of a connection, in milliseconds (default: unlimited). */
  readonly idleTimeout?: number | undefined;
}

/** Creates an HTTP server without a framework. */
export function createHttpServer(server: Server, options: HttpServerOptions = {}): HttpServer {
  const { proxies = 0, basePath = '', home, log } = options;
  const answer = createAnswerHttp(server, options, hints);
  const checkHost = createCheckHost(options.allowedHosts ?? [], hints.host);
  const host: HttpHost<IncomingMessage> = {
    basePath:
      proxies === 0
        ? () => basePath
        : (request) => `${forwardedPrefix(request, proxies)}${basePath}`,
    isSecure: proxies === 0 ? () => false : (request) => isForwardedHttps(request, proxies),
    client: (request) => proxyAddress(request, (_, hop) => hop < proxies),
    forwardedHost: (request) => (proxies > 0 ? forwardedHostOf(request) : undefined),
    fail: (error, response) => closeAfterError(response, error),
  };
  // An import of `node:http` would also load fetch and WebSocket, which delays the start.
  const { createServer } = process.getBuiltinModule('node:http');
  const httpServer = createServer((request, response) => {
    const delivery = new Delivery();
    log?.(request, response, delivery);
    const { method } = request;
    const { path: apiPath } = server.shared.shop.api;
    const headers = headersOf(request);
    const sentUrl = stripOrigin(request.url ?? '/');
    const url = basePath === '' ? sentUrl : stripBasePath(basePath, sentUrl);
    const target = parseRequestTarget(url ?? sentUrl, headers);
    if (url !== undefined && isServed(target, apiPath)) {
      if (basePath !== '') request.url = url;
      return answer(request, response, target, host, delivery);
    }
    const client = server.countsClients ? host.client(request) : undefined;
    const excess = server.admit({ target: parseRequestTarget(sentUrl, headers), headers, client });
    if (excess !== undefined) return send(response, excess, noHeaders);
    const wrongHost = checkHost(request.headers.host);
    if (wrongHost !== undefined) return send(response, problemResponse(wrongHost), noHeaders);
    const path = sentUrl.replace(/[?#].*/s, '');
    const isHome = ['/', basePath, `${basePath}/`].includes(path);
    const prefix = host.basePath(request);
    if (isHome && home !== undefined && (method === 'GET' || method === 'HEAD')) {
      redirect(response, `${prefix}${home}`);
    } else send(response, problemResponse(pathNotFound(path, basePath, apiPath)), noHeaders);
  });
  // A client that sends a request while Node.js closes the idle connection receives a connection reset.
  httpServer.keepAliveTimeout = options.idleTimeout ?? 0;
  return httpServer;
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location, ...noSniff, 'content-length': 0 }).end();
}

/** Each proxy may add a host. The first one is that of the outermost proxy. */
function forwardedHostOf({ headers }: IncomingMessage): string | undefined {
  const [hosts = ''] = [headers['x-forwarded-host']].flat();
  return hosts.split(',', 1)[0]?.trim();
}

/** The flags by which servers allow a host or an origin. */
export const hints = {
  host: (name: string) => `with --allowed-host ${name}`,
  origin: (origin: string) => `with --cors-origin ${origin}`,
};

function pathNotFound(path: string, basePath: string, apiPath: string): Problem {
  const start = `The API begins at ${basePath}${apiPath}/.`;
  const hint =
    basePath === '' ? start : `The base path is ${basePath}, and ${start.replace('T', 't')}`;
  return new Problem('missing', `Path ${path} not found. ${hint}`);
}
