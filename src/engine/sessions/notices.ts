import { isBegin } from '../control/guard.ts';
import { pageHeaders } from '../dashboard/dashboard.ts';
import { noticePage, type Notice } from '../dashboard/notice-page.ts';
import type { ApiDefinition } from '../definition/api.ts';
import { isControl } from '../lib/api-path.ts';
import { firstError } from '../office/outcome.ts';
import type { ApiRequest, ApiResponse, RequestTarget } from '../rest/message.ts';
import { endedCookie, type ServerRequest } from './request-target.ts';

/** Whether a browser will show the response as a page. Programs receive JSON. */
export function isForPage({ method, headers }: Pick<ApiRequest, 'method' | 'headers'>): boolean {
  return (
    method === 'GET' &&
    (headers['sec-fetch-mode'] ?? 'navigate') === 'navigate' &&
    /\btext\/html\b/.test(headers['accept'] ?? '')
  );
}

/** Replaces an error by a page, if a browser will show it and there is one for it. */
export function withNotice(
  request: ServerRequest,
  { path }: RequestTarget,
  answer: ApiResponse,
  { endpoints, path: root }: Pick<ApiDefinition, 'endpoints' | 'path'>,
): ApiResponse {
  const { status } = answer;
  if (status < 400 || !isForPage(request)) return answer;
  if (status === 429) return fullPage(request, answer);
  if (isBegin(path) && (status === 400 || status === 404)) return wrongLinkPage(request, answer);
  if (isControl(path) && status === 403) return closedPage(request, answer);
  if (status !== 404) return answer;
  if (path.replace(/\/$/, '') === root) return indexPage(request, endpoints, root);
  // Programs of developers are tried in a browser, too.
  return path.startsWith(`${root}/`) ? answer : missingPage(request, answer);
}

/** Lists the resources of an API, which has no endpoint at its root. */
function indexPage(
  request: ServerRequest,
  endpoints: ApiDefinition['endpoints'],
  root: string,
): ApiResponse {
  const lists = endpoints.filter(({ method, path }) => method === 'GET' && !path.includes(':'));
  const items = lists.map(
    ({ path, summary }) =>
      [`${request.basePath ?? ''}${path.replace(/^\/api/, root)}`, summary] as const,
  );
  const notice = {
    title: 'The store API',
    text: 'These are its resources. A program that requests this URL receives the status 404.',
    items,
    link: { text: 'All operations', href: `${request.basePath ?? ''}/_backlot/docs` },
  };
  return pageResponse(request, 200, {}, notice);
}

function missingPage(request: ServerRequest, answer: ApiResponse): ApiResponse {
  const notice = {
    title: 'Nothing is here',
    text: 'This server mocks a store: it has an API, and a studio that shows and controls it.',
    detail: messageOf(answer),
    link: { text: 'Open the studio', href: `${request.basePath ?? ''}/_backlot/` },
  };
  return pageResponse(request, answer.status, answer.headers, notice);
}

/** A page for a server without a control API. */
function closedPage(request: ServerRequest, answer: ApiResponse): ApiResponse {
  const notice = {
    title: 'This is closed',
    text: 'The store API works without it.',
    detail: messageOf(answer),
    link: { text: 'Documents of both APIs', href: `${request.basePath ?? ''}/_backlot/docs` },
  };
  return pageResponse(request, answer.status, answer.headers, notice);
}

/** A page for a link that names a scenario, a snapshot or a page that does not exist. */
function wrongLinkPage(request: ServerRequest, answer: ApiResponse): ApiResponse {
  const notice = {
    title: 'This link does not work',
    text: 'What it names is not here. You can begin in the usual shop.',
    detail: messageOf(answer),
    link: { text: 'Begin', href: `${request.basePath ?? ''}/_backlot/begin` },
  };
  return pageResponse(request, answer.status, answer.headers, notice);
}

/** Replaces a response with status 429 by a page that tries again by itself. */
function fullPage(request: ServerRequest, answer: ApiResponse): ApiResponse {
  const seconds = Number(answer.headers['retry-after'] ?? 60);
  const notice = {
    title: 'No room at the moment',
    text: 'As many visitors as possible are here already. This page tries again by itself.',
    detail: messageOf(answer),
    link: { text: 'Try again', href: hrefOf(request) },
    retryAfter: Math.min(Math.max(seconds, minRetry), maxRetry),
  };
  return pageResponse(request, answer.status, answer.headers, notice);
}

/** Returns the page for a visitor whose session the server has removed. The cookie ends with it. */
export function endedPage(request: ServerRequest, reason: string): ApiResponse {
  const notice = {
    title: 'Your session has ended',
    text: 'Its data was removed. You can begin anew.',
    detail: `Reason: ${reason.replace(/\bP[\dA-Z]+/, inWords)}.`,
    link: { text: 'Begin anew', href: hrefOf(request) },
  };
  return pageResponse(request, 410, { 'set-cookie': endedCookie(request) }, notice);
}

/** Asks a visitor before a link that they have not followed themselves begins a session in place of theirs. */
export function beginPage(request: ServerRequest): ApiResponse {
  const notice = {
    title: 'Begin anew?',
    text: 'Another site has led you here. If you begin anew, you leave your shop.',
    detail: 'A link that you follow yourself begins anew at once.',
    link: { text: 'Begin anew', href: hrefOf(request) },
  };
  return pageResponse(request, 409, {}, notice);
}

/** Writes an ISO 8601 duration in words: `PT1H30M` → `1 hour 30 minutes`. */
function inWords(duration: string): string {
  const [days = '', time = ''] = duration.slice(1).split('T');
  const parts = [
    ...Array.from(days.matchAll(/(?<!\d)(\d+)([YMWD])/g), ([, count, unit]) => [count, `P${unit}`]),
    ...Array.from(time.matchAll(/(?<!\d)(\d+)([HMS])/g), ([, count, unit]) => [count, `T${unit}`]),
  ];
  return parts
    .map(([count = '', unit = '']) => `${count} ${unitWords[unit]}${count === '1' ? '' : 's'}`)
    .join(' ');
}

const unitWords: Readonly<Record<string, string>> = {
  PY: 'year',
  PM: 'month',
  PW: 'week',
  PD: 'day',
  TH: 'hour',
  TM: 'minute',
  TS: 'second',
};

/** In seconds. */
const [minRetry, maxRetry] = [5, 60];

function pageResponse(
  { basePath = '' }: ServerRequest,
  status: number,
  headers: ApiResponse['headers'],
  notice: Notice,
): ApiResponse {
  return {
    status,
    headers: { ...headers, ...pageHeaders, 'cache-control': 'no-store' },
    body: noticePage(notice, `${basePath}/_backlot/`),
  };
}

function messageOf({ body = '{}' }: ApiResponse): string {
  return firstError(JSON.parse(body)) ?? '';
}

/** The URL of a request as the client sees it. */
function hrefOf({ basePath = '', url }: ServerRequest): string {
  return `${basePath}${url}`;
}
