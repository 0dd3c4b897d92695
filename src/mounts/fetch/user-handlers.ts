import type { HttpHandler } from 'msw';

/**
 * Returns the response of the first of a user's MSW handlers that answers a request. Paths without an origin match any
 * origin.
 *
 * @returns undefined if none answers, or for a request of `bypass()`, with which a handler asks for the other response
 */
export async function answerByHandlers(
  handlers: readonly HttpHandler[],
  request: Request,
): Promise<Response | undefined> {
  if (request.headers.get('accept')?.includes('msw/passthrough') === true) return undefined;
  // Imported here, so that only users of this option require MSW.
  const { getResponse } = await import('msw');
  return getResponse([...handlers], request.clone(), { baseUrl: new URL(request.url).origin });
}

/** Whether a handler has returned `passthrough()`. */
export function isPassthrough({ headers }: Response): boolean {
  return headers.get('x-msw-intention') === 'passthrough';
}
