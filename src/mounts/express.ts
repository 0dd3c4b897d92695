import './node/require-node.ts';
import type { ServerResponse } from 'node:http';
import type { HttpHandler } from 'msw';
import type { BackOffice } from '../engine/office/open-back-office.ts';
import { isServed, parseRequestTarget } from '../engine/sessions/request-target.ts';
import { openSessions as openServer, Server } from '../engine/sessions/server.ts';
import { sessionOptions, type SessionOptions } from '../engine/sessions/session-options.ts';
import { assertOptions, type NamesOf } from '../engine/lib/unknown-keys.ts';
import { openStoreOffice } from '../shop/open-store-office.ts';
import { storeOptions, type StoreOffice, type StoreOptions } from '../shop/office/store-office.ts';
import { createHandlersFirst, type ExpressRequest } from './express/handlers.ts';
import { headersOf } from './server/body.ts';
import { createAnswerHttp, type HttpOptions } from './server/answer.ts';

export type {
  StoreOffice as BackOffice,
  StoreOptions as BackOfficeOptions,
} from '../shop/office/store-office.ts';
export type { SessionOptions, Server as Sessions } from '../engine/sessions/server.ts';

/** Options of `createExpressRouter`. */
export interface ExpressOptions extends HttpOptions {
  /** Your MSW handlers, which run before the back office. Their paths are relative to the mount path. */
  readonly handlers?: readonly HttpHandler[] | undefined;
}

const expressOptions: NamesOf<ExpressOptions> = {
  corsOrigin: true,
  allowedHosts: true,
  maxWaiting: true,
  sessionRouter: true,
  handlers: true,
};

/**
 * Opens a back office of the store.
 *
 * @throws Problem `missing` if the scenario is not found, `invalid` with every issue of a scenario of your own, and for unknown options
 */
export function openBackOffice(options: StoreOptions = {}): StoreOffice {
  assertOptions('openBackOffice', options, storeOptions);
  return openStoreOffice(options);
}

/**
 * Opens a server with a shared back office, one back office for each session, and the control API.
 *
 * @throws Problem `invalid` for limits that contradict each other, and for unknown options
 */
export function openSessions(shared: BackOffice, options: SessionOptions = {}): Server {
  assertOptions('openSessions', options, sessionOptions);
  return openServer(shared, options);
}

/** A request handler of Express, for `app.use`. */
export type ExpressHandler = (
  request: ExpressRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Creates a request handler for the store API, the sessions and the control API of a back office. Other paths go to the next
 * handler. It calls the core directly and creates no `Request` or `Response`.
 *
 * @param answering a shared back office, or the server that `openSessions` returns
 * @throws Problem `invalid` for an invalid allowed host or origin, and for unknown options
 */
export function createExpressRouter(
  answering: BackOffice | Server,
  options: ExpressOptions = {},
): ExpressHandler {
  assertOptions('createExpressRouter', options, expressOptions);
  const { handlers = [] } = options;
  const sessions =
    answering instanceof Server
      ? answering
      : openSessions(answering, {
          milliseconds: () => performance.now(),
          newName: () => crypto.randomUUID(),
        });
  const answer = createAnswerHttp(sessions, options, hints);
  const ask = handlers.length > 0 ? createHandlersFirst(handlers) : undefined;
  return (request, response, next) => {
    const target = parseRequestTarget(request.url, headersOf(request));
    if (!isServed(target, sessions.shared.shop.api.path)) return next();
    answer(request, response, target, {
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
  };
}

/** Encodes a mount path. Its parameters come from the client and could end a link or the path of a cookie. */
function encoded(path: string): string {
  return path.replaceAll(/[^\w.~!$&'()*+=:@%/-]/g, encodeURIComponent);
}

const hints = {
  host: (name: string) => `in the option allowedHosts of createExpressRouter: ['${name}']`,
  origin: (origin: string) => `in the option corsOrigin of createExpressRouter: ['${origin}']`,
};
