import type { ServerResponse } from 'node:http';
import cors, { type CorsOptions } from 'cors';
import { isControl } from '../../control/guard.ts';
import { Problem } from '../../lib/problem.ts';
import { problemResponse } from '../../rest/errors.ts';
import { noSniff, type RequestTarget } from '../../rest/message.ts';
import type { HttpRequest } from './body.ts';
import { createCheckHost, type AllowedHosts } from './hosts.ts';
import { checkControlOrigin, checkStoreOrigin, isOrigin } from './origins.ts';
import { send, type ResponseContext } from './send.ts';

/** The hosts that are served, and the pages that may send requests. */
export interface AccessOptions {
  /**
   * Origins of pages that may call the store API and the control API; pages of other origins cannot write. Default: `*`,
   * any origin may call the store API, and only loopback origins and the server's own the control API.
   */
  readonly corsOrigin?: string | readonly string[];
  /** Host names that are served beside IP addresses, `localhost` and `*.localhost`. Default: none. */
  readonly allowedHosts?: AllowedHosts | undefined;
}

/** Hints for messages that state how to allow a host or an origin: `with --allowed-host shop.test`. */
export interface AccessHints {
  readonly host: (name: string) => string;
  readonly origin: (origin: string) => string;
}

/**
 * Checks the host and the origin of a request. Sends the response if the request is rejected or a
 * preflight; the body of such a request is discarded.
 *
 * @param forwardedHost returns the host that the client used, as a trusted proxy reports it
 * @returns the CORS headers of the response, or nothing if it has been sent
 */
export type CheckAccess = (
  request: HttpRequest,
  response: ServerResponse,
  target: RequestTarget,
  forwardedHost: () => string | undefined,
) => ResponseContext['headers'] | undefined;

/** @throws Problem `invalid` for an allowed host or an origin that is not valid */
export function createCheckAccess(options: AccessOptions, hints: AccessHints): CheckAccess {
  const { corsOrigin = '*', allowedHosts = [] } = options;
  const checkHost = createCheckHost(allowedHosts, hints.host);
  const named = parseOrigins(corsOrigin);
  const isOpen = corsOrigin === '*';
  const answerAny = preflight({});
  const answerNamed = preflight({ origin: [...named], credentials: true });
  const answerOther = preflight({ origin: true });
  return (request, response, target, forwardedHost) => {
    const { headers, method } = request;
    const wrongHost = checkHost(headers.host);
    if (wrongHost !== undefined) return reject(response, wrongHost);
    const path = isControl(target.path) ? target.path : undefined;
    if (path === undefined && isOpen) {
      return isPreflight(request) ? answerAny(request, response) : anyOrigin;
    }
    const check = { method, headers, named, forwardedHost, hint: hints.origin };
    const wrong = path === undefined ? checkStoreOrigin(check) : checkControlOrigin(check, path);
    if (wrong !== undefined) return reject(response, wrong, varyOf(response));
    const { origin = '' } = headers;
    const isNamed = named.has(origin);
    if (isPreflight(request)) {
      const answer = isNamed || path === undefined ? answerNamed : answerOther;
      return answer(request, response);
    }
    const vary = varyOf(response);
    if (isNamed) return { 'access-control-allow-origin': origin, ...withCredentials, ...vary };
    if (path === undefined || origin === '') return vary;
    return { 'access-control-allow-origin': origin, ...exposed, ...vary };
  };
}

/** Creates the function that sends the response to a preflight. */
function preflight(options: CorsOptions) {
  const answer = cors(options);
  return (request: HttpRequest, response: ServerResponse): undefined => {
    response.setHeaders(new Map(Object.entries(noSniff)));
    answer(request, response, () => undefined);
  };
}

export function isPreflight({ method, headers }: HttpRequest): boolean {
  return method === 'OPTIONS' && 'access-control-request-method' in headers;
}

function reject(
  response: ServerResponse,
  problem: Problem,
  headers: ResponseContext['headers'] = none,
): undefined {
  send(response, problemResponse(problem), { headers });
}

/** Adds `Origin` to the `Vary` header that the app around a router may have set. */
function varyOf(response: ServerResponse): ResponseContext['headers'] {
  const before = response.getHeader('vary');
  return before === undefined ? varyByOrigin : { vary: `${String(before)}, Origin` };
}

/** @throws Problem `invalid` */
export function parseOrigins(corsOrigin: string | readonly string[]): ReadonlySet<string> {
  if (corsOrigin === '*') return new Set();
  const origins = [corsOrigin].flat();
  const wrong = origins.find((origin) => !isOrigin(origin));
  if (wrong === undefined) return new Set(origins);
  throw new Problem(
    'invalid',
    `corsOrigin must be * or origins such as https://app.example without a path, not '${wrong}'.`,
  );
}

const varyByOrigin = { vary: 'Origin' };
const none = {};

const exposed = { 'access-control-expose-headers': '*' };
const anyOrigin = { 'access-control-allow-origin': '*', ...exposed };

/** With credentials, `*` is the name of a header and not a wildcard. */
const withCredentials = {
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers':
    'Allow, Location, Preference-Applied, Retry-After, WWW-Authenticate, X-Backlot-Notice, X-Backlot-Session, X-Backlot-Why',
};
