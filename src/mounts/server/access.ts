import type { ServerResponse } from 'node:http';
import type { ApiResponse, RequestTarget } from '../../engine/rest/message.ts';
import { createAccess, type AccessHints, type AccessOptions } from './allowed.ts';
import { headersOf, type HttpRequest } from './body.ts';
import { noHeaders, send } from './send.ts';

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
) => ApiResponse['headers'] | undefined;

/** @throws Problem `invalid` for an allowed host or an origin that is not valid */
export function createCheckAccess(options: AccessOptions, hints: AccessHints): CheckAccess {
  const access = createAccess(options, hints);
  return (request, response, target, forwardedHost) => {
    const { method = '' } = request;
    const headers = headersOf(request);
    // The app around a router may have set it.
    const vary = response.getHeader('vary');
    const { headers: allowed, answer } = access({
      method,
      headers,
      target,
      forwardedHost,
      ...(vary !== undefined && { vary: String(vary) }),
    });
    if (answer !== undefined) send(response, answer, noHeaders);
    return allowed;
  };
}
