import type { ServerResponse } from 'node:http';
import { Problem } from '../../lib/problem.ts';
import type { Server } from '../../sessions/server.ts';
import { createCheckAccess, isPreflight, type AccessHints, type AccessOptions } from './access.ts';
import { headersOf, readBytes, readRequest } from './body.ts';
import type { HttpRequest, ReadRequest } from './body.ts';
import { createSendInTime } from './deferred.ts';
import { atRoot, send } from './send.ts';

/** How requests are answered, whichever server they come to. */
export interface HttpOptions extends AccessOptions {
  /** How many answers may be kept waiting at once, by faults that delay them and the like: any number if not given. */
  readonly maxWaiting?: number | undefined;
}

/** What the server knows of a request beside what was sent. */
export interface HttpHost<Request extends HttpRequest> {
  /** What the client sees in front of the request's path: `/demo`; empty at the root. */
  basePath(request: Request): string;
  /** Whether the client came by https. */
  isSecure(request: Request): boolean;
  /** Where a request comes from: an address. Asked only where it makes a difference. */
  client(request: Request): string | undefined;
  /** The host that the client used, as a trusted proxy reports it. */
  forwardedHost(request: Request): string | undefined;
  /** What may answer when the body has been read, or go on. The headers for pages of other origins are set by then. */
  readonly first?: ((go: () => void) => void) | undefined;
  /** Hears of what there is no answer to. */
  fail(error: unknown, response: ServerResponse): void;
}

/** Answers a request that is for sessions to answer (`isAnswered`). */
export type AnswerHttp = <Request extends HttpRequest>(
  request: Request,
  response: ServerResponse,
  host: HttpHost<Request>,
) => void;

/**
 * Makes what answers the requests of a Node server, be it `node:http` or what is built upon it.
 *
 * @throws Problem `invalid` for hosts or origins that are none
 */
export function createAnswerHttp(
  sessions: Server,
  options: HttpOptions,
  hints: AccessHints,
): AnswerHttp {
  const checkAccess = createCheckAccess(options, hints);
  const { maxWaiting = Infinity } = options;
  const sendInTime = createSendInTime(maxWaiting, sessions.shareOf(maxWaiting));
  return (request, response, host) => {
    const headers = headersOf(request);
    const { url = '' } = request;
    const client = sessions.countsClients ? host.client(request) : undefined;
    const excess = sessions.admit({ url, headers, client });
    if (excess !== undefined && isPreflight(request)) return send(response, excess, atRoot);
    const allowed = checkAccess(request, response, () => host.forwardedHost(request));
    if (allowed === undefined) return;
    const way = { headers: allowed };
    if (excess !== undefined) return send(response, excess, way);
    const fail = (error: unknown): void => host.fail(error, response);
    const reply = ({ headers: sent, body, unreadable }: ReadRequest): void => {
      const { method = '' } = request;
      const basePath = host.basePath(request);
      const secure = host.isSecure(request);
      const isFromNamedOrigin = 'access-control-allow-credentials' in allowed;
      const place = { basePath, secure, isFromNamedOrigin };
      const asked = { method, url, client, headers: sent, body, unreadable, ...place };
      sendInTime(response, sessions.answer(asked, { admitted: true }), way, client);
    };
    const go = (): void => {
      const read = readRequest(request, headers);
      if (read instanceof Promise) read.then(reply).catch(fail);
      else reply(read);
    };
    const limit = (): number => sessions.maxBodyBytes({ url, headers });
    readBytes(request, response, limit, (error) => {
      // Where a body has come in, nobody else would catch anything.
      try {
        if (error instanceof Problem) reply({ headers, unreadable: error });
        else if (error !== undefined) fail(error);
        else if (host.first === undefined) go();
        else {
          for (const [name, value] of Object.entries(allowed)) response.setHeader(name, value);
          host.first(go);
        }
      } catch (thrown) {
        fail(thrown);
      }
    });
  };
}
