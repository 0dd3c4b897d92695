import { http, type HttpHandler } from 'msw';
import { endpoints } from '../office/open-back-office.ts';
import { answerFetch, type Answering } from './fetch.ts';

/**
 * Creates MSW handlers: one for each endpoint, then those that reject wrong methods and unknown paths under `/api`.
 *
 * @param baseUrl the URL or path in front of `/api`; `*` for any origin
 */
export function createHandlers(backOffice: Answering, baseUrl: string): HttpHandler[] {
  const base = baseUrl.replace(/\/+$/, '');
  const answer = ({ request }: { request: Request }): Promise<Response> =>
    answerFetch(backOffice, request, baseUrl);
  const paths = new Map(
    endpoints.map(({ method, path }) => [`${method} ${path}`, { method, path }] as const),
  );
  const handlers = Array.from(paths.values(), ({ method, path }) =>
    http[methods[method]](`${base}${path.replace(/\/$/, '')}`, answer),
  );
  return [...handlers, ...catchAll(baseUrl, answer)];
}

/** Creates MSW handlers for all paths of a back office: fewer than `createHandlers`, and therefore faster. */
export function catchAll(
  baseUrl: string,
  answer: (info: { request: Request }) => Promise<Response>,
): HttpHandler[] {
  const base = baseUrl.replace(/\/+$/, '');
  return ['/api/*', '/api', '/oauth/*'].map((path) => http.all(`${base}${path}`, answer));
}

const methods = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
} as const;
