import cors from 'cors';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { HttpHandler } from 'msw';
import { Problem } from '../problem.ts';
import { bodyTooLarge } from '../rest/serve.ts';
import type { BackOffice } from '../back-office.ts';
import { answerByHandlers } from './express-handlers.ts';
import { hasBody, headersOf, plainParser, readRequest, type ReadRequest } from './express-body.ts';
import { createSendInTime, type SendInTime } from './express-later.ts';
import { send } from './express-send.ts';
import { isAnswered, openSessions, Sessions } from '../sessions.ts';

export { openBackOffice, type BackOffice, type BackOfficeOptions } from '../back-office.ts';
export { openSessions, type SessionOptions, type Sessions } from '../sessions.ts';

/** How a router answers. */
export interface ExpressOptions {
  /** MSW handlers of yours, asked before the back office. Their paths count from where the router is mounted. */
  readonly handlers?: readonly HttpHandler[] | undefined;
  /** Whose pages may call: an origin, several, or `*` for any. */
  readonly corsOrigin?: string | readonly string[];
  /** How many answers may be kept waiting at once, by faults that delay them and the like: any number if not given. */
  readonly maxWaiting?: number | undefined;
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
  const allow = allowOrigins(corsOrigin);
  const sendInTime = createSendInTime(options.maxWaiting);
  const ask = handlers.length > 0 ? answerByHandlers(handlers) : undefined;
  // One layer of the router for all of this, since every request goes through each of them.
  router.use((request, response, next) => {
    if (!isAnswered(request.url)) return next('router');
    allow(request, response, (allowed) => {
      const exchange = { request, response, allowed, sendInTime, next };
      readBytes(sessions, exchange, () => {
        if (ask === undefined) return answer(sessions, exchange);
        response.set(allowed);
        ask(request, response, (error?: unknown) =>
          error === undefined ? answer(sessions, exchange) : next(error),
        );
      });
    });
  });
  return router;
}

/** A request on its way to its answer. */
interface Exchange {
  readonly request: Request;
  readonly response: Response;
  /** The headers that let the page read the answer. */
  readonly allowed: Readonly<Record<string, string>>;
  readonly sendInTime: SendInTime;
  readonly next: NextFunction;
}

function answer(sessions: Sessions, exchange: Exchange): void {
  try {
    const read = readRequest(exchange.request);
    if (!(read instanceof Promise)) reply(sessions, exchange, read);
    else read.then((entries) => reply(sessions, exchange, entries)).catch(exchange.next);
  } catch (error) {
    exchange.next(error);
  }
}

function reply(
  sessions: Sessions,
  { request, response, allowed, sendInTime }: Exchange,
  read: ReadRequest,
): void {
  const { method, url, baseUrl } = request;
  const way = { baseUrl, headers: allowed };
  const client = sessions.countsClients ? request.ip : undefined;
  const held = sessions.answer({ method, url, client, ...read });
  sendInTime(response, held, (one) => send(response, one, way));
}

/** Puts the bytes of a body at `request.body`, unless a parser of the user's own has been there before. */
function readBytes(sessions: Sessions, exchange: Exchange, then: () => void): void {
  const { request, response, next } = exchange;
  const headers = headersOf(request);
  if (request.body !== undefined || !hasBody(headers)) return then();
  const limit = sessions.maxBodyBytes({ url: request.url, headers });
  bodyParser(request, limit)(request, response, (error?: unknown) => {
    const unreadable = problemOf(error, limit);
    if (unreadable !== undefined) reply(sessions, exchange, { headers, unreadable });
    else if (error === undefined) then();
    else next(error);
  });
}

/** Bodies that are not compressed need no more than to be put together. */
function bodyParser(request: Request, limit: number): express.RequestHandler {
  const plain = request.headers['content-encoding'] === undefined;
  return plain ? plainParser(limit) : express.raw({ type: () => true, limit });
}

/** What the body parser found wrong, in the words of the interface. */
function problemOf(error: unknown, limit: number): Problem | undefined {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  if (error.statusCode === 413) return bodyTooLarge(limit);
  const kind = error.statusCode === 415 ? 'unsupported' : 'malformed';
  return new Problem(kind, `The body cannot be read: ${error.message}`);
}

const exposed = ['Allow', 'Preference-Applied', 'Retry-After'];

/** Goes on with the headers that let the page read the answer. */
type AllowOrigins = (
  request: Request,
  response: Response,
  next: (allowed: Readonly<Record<string, string>>) => void,
) => void;

/** Preflights are answered here, for unknown paths too; a plain OPTIONS goes on to the endpoint. */
function allowOrigins(origin: string | readonly string[]): AllowOrigins {
  const options = {
    origin: typeof origin === 'string' ? origin : [...origin],
    exposedHeaders: exposed,
  };
  const preflight = cors(options);
  const plain = cors({ ...options, preflightContinue: true });
  return (request, response, next) => {
    const isPreflight = 'access-control-request-method' in request.headers;
    if (origin === '*' && !isPreflight) return next(anyOrigin);
    (isPreflight ? preflight : plain)(request, response, () => next({}));
  };
}

/** What `cors` says for any origin, without being asked anew at each request. */
const anyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed.join(','),
};
