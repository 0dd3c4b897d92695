import { isControl } from '../../engine/lib/api-path.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { problemResponse } from '../../engine/rest/errors.ts';
import {
  noSniff,
  withHeaders,
  type ApiRequest,
  type ApiResponse,
  type RequestTarget,
} from '../../engine/rest/message.ts';
import { createCheckHost, type AllowedHosts } from './host-names.ts';
import { checkControlOrigin, checkStoreOrigin, isOrigin } from './origins.ts';

/** The hosts that are served, and the pages that may send requests. */
export interface AccessOptions {
  /**
   * Origins of pages that may call the store API and the control API; pages of other origins cannot write. Default: `*`,
   * any origin may call the store API, and only loopback origins and the server's own the control API.
   */
  readonly corsOrigin?: string | readonly string[];
  /** Host names that are served in addition to IP addresses, `localhost` and `*.localhost`. Default: none. */
  readonly allowedHosts?: AllowedHosts | undefined;
}

/** Hints for messages that state how to allow a host or an origin: `with --allowed-host shop.test`. */
export interface AccessHints {
  readonly host: (name: string) => string;
  readonly origin: (origin: string) => string;
}

/** A request, and how it came. */
export interface AccessRequest extends Pick<ApiRequest, 'method' | 'headers'> {
  readonly target: RequestTarget;
  /** Returns the host that the client used, as a trusted proxy reports it. */
  readonly forwardedHost: () => string | undefined;
  /** The header `Vary` that the app around a router has set (default: none). */
  readonly vary?: string | undefined;
}

/** The CORS headers of the response, or the response to a request that is rejected or a preflight. */
export type Access =
  | { readonly headers: ApiResponse['headers']; readonly answer?: never }
  | { readonly answer: ApiResponse; readonly headers?: never };

/**
 * Creates the function that checks the host and the origin of a request.
 *
 * @throws Problem `invalid` for an allowed host or an origin that is not valid
 */
export function createAccess(
  options: AccessOptions,
  hints: AccessHints,
): (request: AccessRequest) => Access {
  const { corsOrigin = '*', allowedHosts = [] } = options;
  const checkHost = createCheckHost(allowedHosts, hints.host);
  const named = parseOrigins(corsOrigin);
  const isOpen = corsOrigin === '*';
  return (request) => {
    const { headers, method, target, forwardedHost } = request;
    const { origin = '' } = headers;
    const wrongHost = checkHost(headers['host']);
    if (wrongHost !== undefined) return { answer: problemResponse(wrongHost) };
    const path = isControl(target.path) ? target.path : undefined;
    if (path === undefined && isOpen) {
      return isPreflight(request) ? preflight(request, '*') : { headers: anyOrigin };
    }
    const check = { method, headers, named, forwardedHost, hint: hints.origin };
    const wrong = path === undefined ? checkStoreOrigin(check) : checkControlOrigin(check, path);
    const vary = { vary: [request.vary, 'Origin'].filter(Boolean).join(', ') };
    if (wrong !== undefined) return { answer: withHeaders(problemResponse(wrong), vary) };
    const isNamed = named.has(origin);
    if (isPreflight(request)) {
      return preflight(request, isNamed || path !== undefined ? origin : '', isNamed);
    }
    const allowed = { 'access-control-allow-origin': origin };
    if (isNamed) return { headers: { ...allowed, ...withCredentials, ...vary } };
    if (path === undefined || origin === '') return { headers: vary };
    return { headers: { ...allowed, ...exposed, ...vary } };
  };
}

/**
 * Returns the response to a preflight (https://fetch.spec.whatwg.org/#cors-preflight-fetch).
 *
 * @param origin the allowed one; `*` for any, empty for none
 */
function preflight({ headers, vary }: AccessRequest, origin: string, isNamed = false): Access {
  const asked = headers['access-control-request-headers'];
  const varies = [vary, origin !== '*' && 'Origin', 'Access-Control-Request-Headers'];
  return {
    answer: {
      status: 204,
      headers: {
        ...noSniff,
        ...(origin !== '' && { 'access-control-allow-origin': origin }),
        ...(isNamed && { 'access-control-allow-credentials': 'true' }),
        'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
        ...(asked !== undefined && { 'access-control-allow-headers': asked }),
        vary: varies.filter(Boolean).join(', '),
        'content-length': '0',
      },
    },
  };
}

export function isPreflight({
  method,
  headers,
}: {
  readonly method?: string | undefined;
  readonly headers: object;
}): boolean {
  return method === 'OPTIONS' && 'access-control-request-method' in headers;
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

const exposed = { 'access-control-expose-headers': '*' };
const anyOrigin = { 'access-control-allow-origin': '*', ...exposed };

/** With credentials, `*` is the name of a header and not a wildcard. */
const withCredentials = {
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers':
    'Allow, Location, Preference-Applied, Retry-After, WWW-Authenticate, X-Backlot-Entry, X-Backlot-Notice, X-Backlot-Session, X-Backlot-Why',
};
