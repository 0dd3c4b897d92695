import type { ApiRequest, ApiResponse } from '../rest/message.ts';
import { beginPage } from './notices.ts';
import { sessionIn, type ServerRequest } from './request-target.ts';

/**
 * Returns the response to a link that would begin a session although no person has followed it: none to a browser that
 * loads the page in advance (https://wicg.github.io/nav-speculation/prefetch.html), and a question to a visitor whom a page
 * of another site has sent here, and who would leave a shop.
 *
 * @param isShared whether visitors without a session have the shared back office
 */
export function unattendedBegin(
  request: ServerRequest,
  isShared: boolean,
): ApiResponse | undefined {
  const { headers } = request;
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-moz'] ?? '';
  if (/prefetch|prerender|preview/i.test(purpose)) {
    return { status: 204, headers: { 'cache-control': 'no-store' } };
  }
  const hasShop = isShared || sessionIn(headers['cookie'] ?? '') !== undefined;
  return isUnattended(request) && hasShop ? beginPage(request) : undefined;
}

/** Whether a page of another site leads to a URL without a click: https://www.w3.org/TR/fetch-metadata/#sec-fetch-user-header */
export function isUnattended({ headers }: Pick<ApiRequest, 'headers'>): boolean {
  return (
    headers['sec-fetch-site'] === 'cross-site' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-user'] !== '?1'
  );
}
