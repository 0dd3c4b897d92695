import { isBegin } from '../control/guard.ts';
import { page, pageHeaders } from '../dashboard/dashboard.ts';
import type { ApiDefinition } from '../definition/api.ts';
import { isControl } from '../lib/api-path.ts';
import { escapeMarkup } from '../lib/printable.ts';
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

/** Pages with one message each, in place of a JSON response. */
const pages = {
  index: {
    title: 'The store API',
    text: 'These are its resources. A program that requests this URL receives the status 404.',
    link: 'All operations',
    to: '/_backlot/docs',
  },
  missing: {
    title: 'Nothing is here',
    text: 'This server mocks a store: it has an API, and a studio that shows and controls it.',
    link: 'Open the studio',
    to: '/_backlot/',
  },
  /** For a server without a control API. */
  closed: {
    title: 'This is closed',
    text: 'The store API works without it.',
    link: 'Documents of both APIs',
    to: '/_backlot/docs',
  },
  /** For a link that names a scenario, a snapshot or a page that does not exist. */
  wrongLink: {
    title: 'This link does not work',
    text: 'What it names is not here. You can begin in the usual shop.',
    link: 'Begin',
    to: '/_backlot/begin',
  },
  /** It tries again by itself. */
  full: {
    title: 'No room at the moment',
    text: 'As many visitors as possible are here already. This page tries again by itself.',
    link: 'Try again',
  },
  ended: {
    title: 'Your session has ended',
    text: 'Its data was removed. You can begin anew.',
    link: 'Begin anew',
  },
  begin: {
    title: 'Begin anew?',
    text: 'Another site has led you here. If you begin anew, you leave your shop.',
    link: 'Begin anew',
  },
} satisfies Readonly<Record<string, Page>>;

interface Page {
  readonly title: string;
  readonly text: string;
  readonly link: string;
  /** What the link leads to, below the path of the server (default: the requested URL). */
  readonly to?: string;
}

/** What a page shows of the response that it replaces. */
interface Shown {
  readonly status: number;
  readonly headers?: ApiResponse['headers'];
  /** For those who run the server. */
  readonly detail?: string;
  /** Links with what they lead to. */
  readonly items?: readonly (readonly [href: string, text: string])[];
  /** Loads the link after this time in seconds. */
  readonly retryAfter?: number;
}

/** Replaces an error by a page, if a browser will show it and there is one for it. */
export function withNotice(
  request: ServerRequest,
  { path }: RequestTarget,
  answer: ApiResponse,
  api: Pick<ApiDefinition, 'endpoints' | 'path'>,
): ApiResponse {
  const { status, headers } = answer;
  if (status < 400 || !isForPage(request)) return answer;
  const instead = (name: keyof typeof pages, retryAfter?: number): ApiResponse => {
    const detail = firstError(JSON.parse(answer.body ?? '{}')) ?? '';
    return notice(name, request, { status, headers, detail, ...(retryAfter && { retryAfter }) });
  };
  if (status === 429) {
    const seconds = Number(headers['retry-after'] ?? 60);
    return instead('full', Math.min(Math.max(seconds, minRetry), maxRetry));
  }
  if (isBegin(path) && (status === 400 || status === 404)) return instead('wrongLink');
  if (isControl(path) && status === 403) return instead('closed');
  if (status !== 404) return answer;
  if (path.replace(/\/$/, '') === api.path)
    return notice('index', request, { status: 200, items: listsOf(request, api) });
  // Programs of developers are tried in a browser, too.
  return path.startsWith(`${api.path}/`) ? answer : instead('missing');
}

/** In seconds. */
const [minRetry, maxRetry] = [5, 60];

/** Lists the resources of an API, which has no endpoint at its root. */
function listsOf(
  { basePath = '' }: ServerRequest,
  { endpoints, path: root }: Pick<ApiDefinition, 'endpoints' | 'path'>,
) {
  const lists = endpoints.filter(({ method, path }) => method === 'GET' && !path.includes(':'));
  return lists.map(
    ({ path, summary }) => [`${basePath}${path.replace(/^\/api/, root)}`, summary] as const,
  );
}

/** Returns the page for a visitor whose session the server has removed. The cookie ends with it. */
export function endedPage(request: ServerRequest, reason: string): ApiResponse {
  const detail = `Reason: ${reason.replace(/\bP[\dA-Z]+/, inWords)}.`;
  const headers = { 'set-cookie': endedCookie(request) };
  return notice('ended', request, { status: 410, headers, detail });
}

/** Asks a visitor before a link that they have not followed themselves begins a session in place of theirs. */
export function beginPage(request: ServerRequest): ApiResponse {
  const detail = 'A link that you follow yourself begins anew at once.';
  return notice('begin', request, { status: 409, detail });
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

function notice(
  name: keyof typeof pages,
  { basePath = '', url }: ServerRequest,
  { status, headers, detail, items = [], retryAfter }: Shown,
): ApiResponse {
  const { title, text, link, to = url }: Page = pages[name];
  const href = escapeMarkup(`${basePath}${to}`);
  const refresh =
    retryAfter === undefined
      ? ''
      : `\n<meta http-equiv="refresh" content="${retryAfter}; url=${href}">`;
  const body = page(
    title,
    `<main class="card"><h1>${escapeMarkup(title)}</h1>
<p>${escapeMarkup(text)}</p>
${detail === undefined ? '' : `<p class="soft">${escapeMarkup(detail)}</p>`}
${items.length === 0 ? '' : `<ul>${items.map(itemOf).join('')}</ul>`}
<p><a href="${href}">${escapeMarkup(link)}</a></p></main>`,
    `${basePath}/_backlot/`,
    refresh,
  );
  return { status, headers: { ...headers, ...pageHeaders, 'cache-control': 'no-store' }, body };
}

function itemOf([href, text]: readonly [href: string, text: string]): string {
  return `<li><a href="${escapeMarkup(href)}">${escapeMarkup(href)}</a> <span class="soft">${escapeMarkup(text)}</span></li>`;
}
