import cors from 'cors';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { HttpHandler } from 'msw';
import { Problem } from '../problem.ts';
import { withLinks } from '../rest/links.ts';
import type { ApiAnswer, ApiRequest } from '../rest/message.ts';
import { bodyTooLarge } from '../rest/serve.ts';
import type { BackOffice } from '../back-office.ts';
import { answerByHandlers } from './express-handlers.ts';
import { hasBody, plainParser, readRequest } from './express-body.ts';
import { isAnswered, openSessions, Sessions } from '../sessions.ts';

export { openBackOffice, type BackOffice, type BackOfficeOptions } from '../back-office.ts';
export { openSessions, type SessionOptions, type Sessions } from '../sessions.ts';

export interface ExpressOptions {
  /** MSW handlers of yours, asked before the back office. Their paths count from where the router is mounted. */
  readonly handlers?: readonly HttpHandler[] | undefined;
  /** Whose pages may call: an origin, several, or `*` for any. */
  readonly corsOrigin?: string | readonly string[];
}

/**
 * A router that answers from a back office, its sessions and its control plane; other paths are left to others. It calls
 * the core directly: no `Request` or `Response` is made.
 *
 * @param answering a back office that all share, or sessions with limits of their own
 */
export function createExpressRouter(
  answering: BackOffice | Sessions,
  options: ExpressOptions = {},
): Router {
  const sessions =
    answering instanceof Sessions
      ? answering
      : openSessions(answering, { milliseconds: () => performance.now() });
  const router = express.Router();
  const { handlers = [], corsOrigin = '*' } = options;
  router.use((request, _response, next) => next(isAnswered(request.path) ? undefined : 'router'));
  router.use(allowOrigins(corsOrigin));
  router.use(readBytes(sessions));
  if (handlers.length > 0) router.use(answerByHandlers(handlers));
  router.use((request, response, next) => {
    const { method, url } = request;
    const answer = (read: Pick<ApiRequest, 'headers' | 'body' | 'unreadable'>): void =>
      send(response, withLinks(sessions.answer({ method, url, ...read }), request.baseUrl));
    if (request.body === undefined) answer({ headers: headersOf(request) });
    else
      readRequest(request).then(answer, (error: unknown) => {
        if (error instanceof Problem) answer({ headers: headersOf(request), unreadable: error });
        else next(error);
      });
  });
  return router;
}

/** Puts the bytes of a body at `request.body`, unless a parser of the user's own has been there before. */
function readBytes(sessions: Sessions): express.RequestHandler {
  return (request, response, next) => {
    if (request.body !== undefined || !hasBody(headersOf(request))) {
      next();
      return;
    }
    const { method, url } = request;
    const headers = headersOf(request);
    const limit = sessions.maxBodyBytes({ url, headers });
    bodyParser(request, limit)(request, response, (error?: unknown) => {
      const unreadable = problemOf(error, limit);
      if (unreadable === undefined) next(error);
      else send(response, sessions.answer({ method, url, headers, unreadable }));
    });
  };
}

/** Bodies that are not compressed need no more than to be put together. */
function bodyParser(request: Request, limit: number): express.RequestHandler {
  const plain = request.headers['content-encoding'] === undefined;
  return plain ? plainParser(limit) : express.raw({ type: () => true, limit });
}

function headersOf({ headers }: Request): Record<string, string | undefined> {
  return headers as Record<string, string | undefined>;
}

function send(response: Response, { delay, ...now }: ApiAnswer): void {
  if (delay === undefined) return sendNow(response, now);
  const timer = setTimeout(() => sendNow(response, now), delay);
  response.once('close', () => clearTimeout(timer));
}

/** The length is told, so that the body need not go out in chunks; a text of ASCII needs no encoding. */
function sendNow(response: Response, { status, headers, body, connection }: ApiAnswer): void {
  if (connection === 'drop') {
    response.destroy();
    return;
  }
  if (body === undefined) {
    response.writeHead(status, { ...headers }).end();
    return;
  }
  const length = Buffer.byteLength(body);
  response.writeHead(status, { ...headers, 'content-length': String(length) });
  response.end(body, length === body.length ? 'latin1' : 'utf8');
}

/** What the body parser found wrong, in the words of the interface. */
function problemOf(error: unknown, limit: number): Problem | undefined {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error) || !('type' in error)) return undefined;
  return error.type === 'entity.too.large'
    ? bodyTooLarge(limit)
    : new Problem('malformed', `The body cannot be read: ${error.message}`);
}

const exposed = ['Allow', 'Preference-Applied', 'Retry-After'];

/** Preflights are answered here, for unknown paths too; a plain OPTIONS goes on to the endpoint. */
function allowOrigins(origin: string | readonly string[]): express.RequestHandler {
  const options = {
    origin: typeof origin === 'string' ? origin : [...origin],
    exposedHeaders: exposed,
  };
  const preflight = cors(options);
  const plain = origin === '*' ? allowAny : cors({ ...options, preflightContinue: true });
  return (request, response, next) =>
    ('access-control-request-method' in request.headers ? preflight : plain)(
      request,
      response,
      next,
    );
}

/** What `cors` does for any origin, without asking for it anew at each request. */
function allowAny(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-expose-headers', exposed.join(','));
  next();
}
