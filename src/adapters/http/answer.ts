import type { ServerResponse } from 'node:http';
import { Problem } from '../../lib/problem.ts';
import type { RequestTarget } from '../../rest/message.ts';
import type { Server } from '../../sessions/server.ts';
import {
  createCheckAccess,
  isPreflight,
  parseOrigins,
  type AccessHints,
  type AccessOptions,
} from './access.ts';
import { hasBody, readBytes, decodeRequest } from './body.ts';
import type { HttpRequest, DecodedRequest } from './body.ts';
import { createSendWhenReady, noHeaders, send } from './send.ts';

/** Options of every Node.js server. */
export interface HttpOptions extends AccessOptions {
  /** Maximum number of delayed responses, by faults or long polls, at one time (default: unlimited). */
  readonly maxWaiting?: number | undefined;
}

/** Returns the properties of a request that depend on the server or framework which received it. */
export interface HttpHost<Request extends HttpRequest> {
  /** Returns the prefix of the request's path as the client sees it: `/demo`; empty at the root. */
  basePath(request: Request): string;
  /** Whether the client uses https. */
  isSecure(request: Request): boolean;
  /** Returns the address of the client. Called only if a limit depends on it. */
  client(request: Request): string | undefined;
  /** Returns the host that the client used, as a trusted proxy reports it. */
  forwardedHost(request: Request): string | undefined;
  /** Called with the CORS headers set and the body read: sends a response or calls `next`. */
  readonly first?: ((next: () => void) => void) | undefined;
  /** Receives an error for which there is no response. */
  fail(error: unknown, response: ServerResponse): void;
}

/** Answers a request whose target is served (`isServed`). */
export type AnswerHttp = <Request extends HttpRequest>(
  request: Request,
  response: ServerResponse,
  target: RequestTarget,
  host: HttpHost<Request>,
) => void;

/**
 * Creates the function that answers requests of a Node.js server: `node:http` or a framework built on it.
 *
 * @throws Problem `invalid` for allowed hosts or origins that are not valid
 */
export function createAnswerHttp(
  server: Server,
  options: HttpOptions,
  hints: AccessHints,
): AnswerHttp {
  const checkAccess = createCheckAccess(options, hints);
  const { maxWaiting = Infinity, corsOrigin = '*' } = options;
  const namedOrigins = parseOrigins(corsOrigin);
  const sendWhenReady = createSendWhenReady(maxWaiting, server.shareOf(maxWaiting));
  return (request, response, target, host) => {
    const { method = '', url = '' } = request;
    const headers = request.headers as DecodedRequest['headers'];
    const client = server.countsClients ? host.client(request) : undefined;
    const head = { url, target, headers, client };
    const excess = server.admit(head);
    if (excess !== undefined && isPreflight(request)) return send(response, excess, noHeaders);
    const allowed = checkAccess(request, response, target, () => host.forwardedHost(request));
    if (allowed === undefined) return;
    const context = { headers: allowed };
    if (excess !== undefined) return send(response, excess, context);
    const fail = (error: unknown): void => host.fail(error, response);
    const reply = (read: DecodedRequest | Promise<DecodedRequest>): void => {
      if (read instanceof Promise) {
        read.then(reply).catch(fail);
        return;
      }
      const basePath = host.basePath(request);
      const secure = host.isSecure(request);
      const isFromNamedOrigin = 'access-control-allow-credentials' in allowed;
      const isFrom = { basePath, secure, isFromNamedOrigin, namedOrigins };
      const sent = { method, url, target, client, ...read, ...isFrom };
      sendWhenReady(response, server.answer(sent, { admitted: true }), context, client);
    };
    const proceed = (error?: unknown): void => {
      // Nothing else catches errors of the events of a body.
      try {
        if (error instanceof Problem) reply({ headers, unreadable: error });
        else if (error !== undefined) fail(error);
        else if (host.first === undefined) reply(decodeRequest(request, headers));
        else {
          for (const [name, value] of Object.entries(allowed)) response.setHeader(name, value);
          host.first(() => reply(decodeRequest(request, headers)));
        }
      } catch (thrown) {
        fail(thrown);
      }
    };
    if (request.body !== undefined || !hasBody(headers)) proceed();
    else readBytes(request, response, server.maxBodyBytes(head), proceed);
  };
}
