import type { BackOffice } from '../../engine/office/open-back-office.ts';
import { answerFetch } from './fetch.ts';

/**
 * Answers an intercepted request as `answerFetch` does.
 *
 * MSW 3 leaves `XMLHttpRequest` of jsdom, and `fetch` of happy-dom, in place. They check CORS, as a browser does. So a
 * preflight is answered here, and a response to a page of another origin gets CORS headers.
 */
export async function answerIntercepted(
  backOffice: BackOffice,
  request: Request,
  baseUrl: string,
): Promise<Response> {
  return (
    answerPreflight(request) ??
    readableByPage(request, await answerFetch(backOffice, request, baseUrl))
  );
}

/** Lets a page that is imitated in Node.js read the response to a request of it. Returns the response. */
export function readableByPage(request: Request, response: Response): Response {
  if (!('document' in globalThis)) return response;
  const origin = otherOriginOf(request);
  if (origin !== undefined && response.type !== 'error' && request.headers.has('origin'))
    allow(response, origin);
  return response;
}

/** Returns the origin of the page, if it is not that of the URL. */
function otherOriginOf({ headers, url }: Request): string | undefined {
  const origin = headers.get('origin') ?? (dropsOrigin() ? location.origin : undefined);
  return origin === new URL(url).origin ? undefined : origin;
}

/** Whether the `Request` that MSW creates has no `Origin` and no `Access-Control-*`: that of happy-dom removes them. */
function dropsOrigin(): boolean {
  return 'happyDOM' in globalThis;
}

function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && (dropsOrigin() || headers.has('access-control-request-method'));
}

/** Returns the response to a preflight of a page that is imitated in Node.js. */
export function answerPreflight(request: Request): Response | undefined {
  if (!('document' in globalThis)) return undefined;
  const origin = otherOriginOf(request);
  if (origin === undefined || !isPreflight(request)) return undefined;
  const { headers } = request;
  const response = new Response(null, { status: 204 });
  allow(response, origin);
  const method = headers.get('access-control-request-method') ?? '*';
  response.headers.set('access-control-allow-methods', method);
  const names = headers.get('access-control-request-headers') ?? '*';
  response.headers.set('access-control-allow-headers', names);
  return response;
}

/** Lets a page read a response, its headers included. The wildcard is not valid for requests with credentials. */
function allow({ headers }: Response, origin: string): void {
  const names = Array.from(headers.keys()).join(', ');
  headers.set('access-control-allow-origin', origin);
  headers.set('access-control-allow-credentials', 'true');
  headers.set('access-control-expose-headers', names);
}
