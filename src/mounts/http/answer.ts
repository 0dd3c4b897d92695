import type { ServerResponse } from 'node:http';
import { Problem } from '../../engine/lib/problem.ts';
import type { RequestTarget } from '../../engine/rest/message.ts';
import type { SessionRouter } from '../../engine/sessions/session-router.ts';
import type { ServerRequest } from '../../engine/sessions/request-target.ts';
import type { RequestHead, Server } from '../../engine/sessions/server.ts';
import { problemResponse } from '../../engine/rest/errors.ts';
import { isPreflight, parseOrigins, type AccessHints, type AccessOptions } from '../access.ts';
import { createWait } from '../waiting.ts';
import { createCheckAccess } from './access.ts';
import { hasBody, readBytes, decodeRequest } from './body.ts';
import type { HttpRequest, DecodedRequest } from './body.ts';
import { createSendWhenReady, noHeaders, send, type ResponseContext } from './send.ts';

/** Options of every Node.js server. */
export interface HttpOptions extends AccessOptions {
  /** Maximum number of delayed responses, by faults or long polls, at one time (default: unlimited). */
  readonly maxWaiting?: number | undefined;
  /** Keeps sessions in a store (default: none). */
  readonly sessionRouter?: HttpSessionRouter | undefined;
}

/** Keeps sessions in a store, which other servers may use, too. */
export interface HttpSessionRouter extends SessionRouter<HttpExchange> {
  /** Notes whether another server has forwarded a request, and removes what it has added. Called before anything else reads them. */
  receive(request: HttpRequest): void;
  /** Returns the address of the client of a request that another server has forwarded. */
  clientOf(request: HttpRequest): string | undefined;
}

/** A request and its response, for another server to answer. */
export interface HttpExchange {
  readonly request: HttpRequest;
  readonly response: ServerResponse;
  readonly client: string | undefined;
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
  const { maxWaiting = Infinity, corsOrigin = '*', sessionRouter } = options;
  const namedOrigins = parseOrigins(corsOrigin);
  const sendWhenReady = createSendWhenReady(createWait(maxWaiting, server.shareOf(maxWaiting)));
  const [clientOf, elsewhere] = [
    createClientOf(server, sessionRouter),
    createElsewhere(sessionRouter),
  ];
  return (request, response, target, host) => {
    const { method = '', url = '' } = request;
    const headers = request.headers as DecodedRequest['headers'];
    const client = clientOf(request, host);
    const head = { url, target, headers, client };
    const excess = server.admit(head);
    if (excess !== undefined && isPreflight(request)) return send(response, excess, noHeaders);
    const allowed = checkAccess(request, response, target, () => host.forwardedHost(request));
    if (allowed === undefined) return;
    const context = { headers: allowed };
    if (excess !== undefined) return send(response, excess, context);
    const fail = (error: unknown): void => host.fail(error, response);
    const reply = (read: DecodedRequest | Promise<DecodedRequest>, isLocated = false): void => {
      if (read instanceof Promise) return void read.then((one) => reply(one)).catch(fail);
      const answerHere = (): void => reply(read, true);
      if (!isLocated && sessionRouter?.isHere(target) === false) {
        return elsewhere({ ...head, request, response, context, read, fail }, answerHere);
      }
      const sent = sentBy(request, { head, read, host, allowed, namedOrigins });
      const answer = server.answer(sent, { admitted: true });
      const settled = sessionRouter?.settle(method, target);
      const deliver = (last = answer): void => sendWhenReady(response, last, context, client);
      if (settled === undefined) deliver();
      else settled.then(deliver).catch(fail);
    };
    const { first } = host;
    const proceed = proceedWith({ first, request, response, allowed, fail, reply, headers });
    if (request.body !== undefined || !hasBody(headers)) proceed();
    else readBytes(request, server.maxBodyBytes(head), proceed);
  };
}

/** Returns a request as servers receive it. A spread of several objects would take longer than all else that is done here. */
function sentBy<Request extends HttpRequest>(
  request: Request,
  {
    head: { url, target, client },
    read: { headers, body, unreadable },
    host,
    allowed,
    namedOrigins,
  }: {
    readonly head: RequestHead & { readonly url: string };
    readonly read: DecodedRequest;
    readonly host: HttpHost<Request>;
    readonly allowed: ResponseContext['headers'];
    readonly namedOrigins: ReadonlySet<string>;
  },
): ServerRequest {
  return {
    method: request.method ?? '',
    url,
    target,
    headers,
    client,
    body,
    unreadable,
    namedOrigins,
    basePath: host.basePath(request),
    secure: host.isSecure(request),
    isFromNamedOrigin: 'access-control-allow-credentials' in allowed,
  };
}

/** Returns the function that is called with the body read, or with the reason why it could not be. */
function proceedWith({
  first,
  request,
  response,
  allowed,
  reply,
  fail,
  headers,
}: Pick<HttpHost<never>, 'first'> & {
  readonly request: HttpRequest;
  readonly response: ServerResponse;
  readonly allowed: ResponseContext['headers'];
  readonly reply: (read: DecodedRequest | Promise<DecodedRequest>) => void;
  readonly fail: (error: unknown) => void;
  readonly headers: DecodedRequest['headers'];
}): (error?: unknown) => void {
  return (error) => {
    // Nothing else catches errors of the events of a body.
    try {
      if (error instanceof Problem) reply({ headers, unreadable: error });
      else if (error !== undefined) fail(error);
      else if (first === undefined) reply(decodeRequest(request, headers));
      else {
        for (const [name, value] of Object.entries(allowed)) response.setHeader(name, value);
        first(() => reply(decodeRequest(request, headers)));
      }
    } catch (thrown) {
      fail(thrown);
    }
  };
}

/** Creates the function that returns the address of a client, if a limit depends on it. */
function createClientOf(server: Server, sessionRouter: HttpSessionRouter | undefined) {
  return <Request extends HttpRequest>(
    request: Request,
    host: HttpHost<Request>,
  ): string | undefined =>
    server.countsClients ? (sessionRouter?.clientOf(request) ?? host.client(request)) : undefined;
}

/** A request whose session may be at another server. */
interface Unlocated extends HttpExchange {
  readonly target: RequestTarget;
  readonly context: ResponseContext;
  readonly read: DecodedRequest;
  readonly fail: (error: unknown) => void;
}

/** Creates the function that has the owner of a session answer, or answers once this server is the owner. */
function createElsewhere(sessionRouter: HttpSessionRouter | undefined) {
  return (
    { request, response, client, target, context, read, fail }: Unlocated,
    answerHere: () => void,
  ): void => {
    if (read.unreadable !== undefined) {
      return send(response, problemResponse(read.unreadable), context);
    }
    sessionRouter
      ?.locate(target, { request, response, client })
      .then((answer) => {
        if (answer === undefined) answerHere();
        else if (answer !== 'sent') send(response, answer, context);
      })
      .catch(fail);
  };
}
