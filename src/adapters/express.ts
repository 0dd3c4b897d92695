import express, { type Router } from 'express';
import type { HttpHandler } from 'msw';
import type { BackOffice } from '../office/open-back-office.ts';
import { isAnswered, openSessions, Server } from '../sessions/server.ts';
import { answerByHandlers } from './express-handlers.ts';
import { createAnswerHttp, type HttpOptions } from './http/answer.ts';

export {
  openBackOffice,
  type BackOffice,
  type BackOfficeOptions,
} from '../office/open-back-office.ts';
export { openSessions, type SessionOptions, type Server as Sessions } from '../sessions/server.ts';

/** How a router answers. */
export interface ExpressOptions extends HttpOptions {
  /** MSW handlers of yours, asked before the back office. Their paths count from where the router is mounted. */
  readonly handlers?: readonly HttpHandler[] | undefined;
}

/**
 * A router that answers from a back office, its sessions and its control plane; other paths are left to others. It calls
 * the core directly: no `Request` or `Response` is made.
 *
 * @param answering a back office that all share, or sessions with limits of their own
 * @throws Problem `invalid` for allowed hosts or origins that are none
 */
export function createExpressRouter(
  answering: BackOffice | Server,
  options: ExpressOptions = {},
): Router {
  const { handlers = [] } = options;
  const sessions =
    answering instanceof Server
      ? answering
      : openSessions(answering, { milliseconds: () => performance.now() });
  const answer = createAnswerHttp(sessions, options, hints);
  const ask = handlers.length > 0 ? answerByHandlers(handlers) : undefined;
  return express.Router().use((request, response, next) => {
    if (!isAnswered(request.url)) return next('router');
    answer(request, response, {
      basePath: () => encoded(request.baseUrl),
      isSecure: () => request.secure,
      client: () => request.ip,
      forwardedHost: () => request.host,
      first:
        ask &&
        ((go) =>
          ask(request, response, (error?: unknown) => (error === undefined ? go() : next(error)))),
      fail: next,
    });
  });
}

/** A mount path with a parameter in it is whatever the client sent, even what would end a link or a cookie's path. */
function encoded(path: string): string {
  return path.replaceAll(/[^\w.~!$&'()*+=:@%/-]/g, encodeURIComponent);
}

const hints = {
  host: (name: string) => `in the option allowedHosts of createExpressRouter: ['${name}']`,
  origin: (origin: string) => `in the option corsOrigin of createExpressRouter: ['${origin}']`,
};
