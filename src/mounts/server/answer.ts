import type { ServerResponse } from 'node:http';
import type { Problem } from '../../engine/lib/problem.ts';
import type { ApiResponse, RequestTarget } from '../../engine/rest/message.ts';
import type { SessionRouter } from '../../engine/sessions/session-router.ts';
import type { ServerRequest } from '../../engine/sessions/request-target.ts';
import type { RequestHead, Server } from '../../engine/sessions/server.ts';
import { Delivery } from '../../engine/rest/delivery.ts';
import { isRecording } from '../../engine/control/guard.ts';
import { isPreflight, parseOrigins, type AccessHints, type AccessOptions } from './allowed.ts';
import { createDelayLimit } from './delay-limit.ts';
import { createCheckAccess } from './access.ts';
import { decodeRequest, findReadBody, hasBody, headersOf, isUnread, readBytes } from './body.ts';
import type { HttpRequest, DecodedRequest } from './body.ts';
import { Turn } from './turn.ts';
import { createSendWhenReady, noHeaders, send, type ResponseContext } from './send.ts';

/** Options of every Node.js server. */
export interface HttpOptions extends AccessOptions {
  /** Maximum number of delayed responses, by faults or long polls, at one time (default: unlimited). */
  readonly maxWaiting?: number | undefined;
  /** Keeps sessions in a store (default: none). */
  readonly sessionRouter?: SessionRouter | undefined;
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
  delivery?: Delivery,
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
  const sendWhenReady = createSendWhenReady(
    createDelayLimit(maxWaiting, server.shareOf(maxWaiting)),
  );
  return (request, response, target, host, delivery = new Delivery()) => {
    const { method = '', url = '' } = request;
    const headers = headersOf(request);
    const client = server.countsClients ? host.client(request) : undefined;
    const head = { method, url, target, headers, client };
    const excess = server.admit(head);
    if (excess !== undefined && isPreflight(head)) return send(response, excess, noHeaders);
    const allowed = checkAccess(request, response, target, () => host.forwardedHost(request));
    if (allowed === undefined) return;
    const context = { headers: allowed };
    if (excess !== undefined) return send(response, excess, context);
    const fail = (error: unknown): void => host.fail(error, response);
    const turn = new Turn(response);
    const reply: Reply = (read) => {
      if (read instanceof Promise) return void read.then(reply).catch(fail);
      const isFromNamedOrigin = 'access-control-allow-credentials' in allowed;
      const sent = sentBy(request, host, {
        head,
        read,
        namedOrigins,
        isFromNamedOrigin,
        delivery,
      });
      const perform = (): ApiResponse => server.answer(sent, { admitted: true });
      const finish = (answer: ApiResponse): void => {
        turn.end();
        sendWhenReady(response, answer, context, { client, delivery });
      };
      const answer =
        sessionRouter === undefined ? perform() : sessionRouter.answer(target, perform);
      if (answer instanceof Promise) answer.then(finish).catch(fail);
      else finish(answer);
    };
    const proceed = proceedWith(host.first, { request, response, headers, context, reply, fail });
    turn.begin(() => {
      if (hasBody(headers) && isUnread(request)) {
        const limit = server.maxBodyBytes(head);
        return readBytes(request, { limit, isFile: isRecording(target.path) }, proceed);
      }
      const lost = hasBody(headers) ? findReadBody(request) : undefined;
      if (lost === undefined) proceed();
      else fail(lost);
    });
  };
}

/** Answers with what was read of the body. */
type Reply = (read: DecodedRequest | Promise<DecodedRequest>) => void;

/** The context in which a request is answered. */
interface Answering {
  readonly request: HttpRequest;
  readonly response: ServerResponse;
  readonly context: ResponseContext;
  readonly fail: (error: unknown) => void;
}

/** Returns a request as servers receive it. A spread of several objects would take longer than all else that is done here. */
function sentBy<Request extends HttpRequest>(
  request: Request,
  host: HttpHost<Request>,
  {
    head: { method, url, target, client },
    read: { headers, body, file, unreadable, isParsedForm },
    namedOrigins,
    isFromNamedOrigin,
    delivery,
  }: Pick<ServerRequest, 'namedOrigins' | 'isFromNamedOrigin' | 'delivery'> & {
    readonly head: RequestHead & Pick<ServerRequest, 'method' | 'url'>;
    readonly read: DecodedRequest;
  },
): ServerRequest {
  return {
    method,
    url,
    target,
    headers,
    client,
    body,
    file,
    unreadable,
    isParsedForm,
    namedOrigins,
    basePath: host.basePath(request),
    secure: host.isSecure(request),
    isFromNamedOrigin,
    delivery,
  };
}

/** Returns the function that is called with the body read, or with the reason why it could not be. */
function proceedWith(
  first: HttpHost<never>['first'],
  {
    request,
    response,
    headers,
    context,
    reply,
    fail,
  }: Answering & Pick<DecodedRequest, 'headers'> & { readonly reply: Reply },
): (problem?: Problem) => void {
  return (problem) => {
    // Nothing else catches errors of the events of a body.
    try {
      if (problem !== undefined) reply({ headers, unreadable: problem });
      else if (first === undefined) reply(decodeRequest(request, headers));
      else {
        for (const [name, value] of Object.entries(context.headers))
          response.setHeader(name, value);
        first(() => reply(decodeRequest(request, headers)));
      }
    } catch (thrown) {
      fail(thrown);
    }
  };
}
