import * as z from 'zod';
import { noCache, page, pageHeaders, studioPage } from '../../dashboard/dashboard.ts';
import { pageFile } from '../../dashboard/page-files.ts';
import { tracePage } from '../../dashboard/trace-page.ts';
import { Problem } from '../../lib/problem.ts';
import { text } from '../../rest/field.ts';
import { form } from '../../rest/form.ts';
import { sliceOf } from '../../rest/openapi-slice.ts';
import { endpoint } from '../endpoint.ts';
import { llmsText } from '../llms-text.ts';

/** @throws Problem `missing` if there is no such script or style sheet */
function fileAt(path: string): string {
  const source = pageFile(path);
  if (source !== undefined) return source;
  throw new Problem('missing', `There is no ${path} of the studio.`);
}

function assetHeaders(type: 'javascript' | 'css') {
  return { 'content-type': `text/${type}; charset=utf-8`, ...noCache };
}

/** Returns the endpoint of a script or a style sheet. */
function asset(file: `${string}.${'js' | 'css'}`, operationId: string, summary: string) {
  return endpoint({
    method: 'GET',
    path: `/_backlot/${file}`,
    operationId,
    summary,
    headers: assetHeaders(file.endsWith('.js') ? 'javascript' : 'css'),
    answer: z.string(),
    handle: () => fileAt(file),
  });
}

export const documentEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/openapi.json',
    operationId: 'getOpenApiDocument',
    summary: 'Get both APIs as an OpenAPI 3.1 document, or the part of some operations',
    query: form({
      only: text({ max: 2000 })
        .optional()
        .describe(
          'Only these operations, separated by commas: `POST /api/orders/`, a path, an operation id, or a tag such as `checkouts`',
        ),
    }),
    answer: z.looseObject({ openapi: z.string() }),
    errors: ['missing', 'invalid'],
    handle({ server, prefix, query: { only } }) {
      const document = server.openapi(prefix);
      const { path } = server.shared.shop.api;
      return only === undefined ? document : sliceOf(document, only.split(','), path);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/llms.txt',
    operationId: 'getLlmsText',
    summary: 'Get the endpoints of the API in a line each, and how to read little, for agents',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    answer: z.string(),
    handle: ({ server, prefix }) => llmsText(server.shared.shop.api, prefix),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/docs',
    operationId: 'showDocs',
    summary: 'Show the reference of both APIs: the studio with its section Docs',
    headers: pageHeaders,
    answer: z.string(),
    handle: ({ shop, target: address }) =>
      studioPage(address.path.endsWith('/') ? '../' : './', shop),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/',
    operationId: 'showStudio',
    summary: 'Show the studio: a page that shows and controls the shop',
    headers: pageHeaders,
    answer: z.string(),
    handle: ({ shop, target: address }) =>
      studioPage(address.path.endsWith('/') ? './' : './_backlot/', shop),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/trace.html',
    operationId: 'showTracePage',
    summary: 'Get the page that shows traces, of this server or another one; it sends nothing',
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // The page has a policy of its own, which also applies where it is saved.
      'content-security-policy': "frame-ancestors 'self'",
      ...noCache,
    },
    answer: z.string(),
    handle: () =>
      tracePage() ??
      page('No traces here', '<p>This build of Backlot has no page of traces.</p>', './'),
  }),
  asset('studio.js', 'getStudioScript', 'Get the script of the studio'),
  endpoint({
    method: 'GET',
    path: '/_backlot/studio/:room',
    operationId: 'getStudioRoom',
    summary: 'Get the script of a part of the studio, which it loads when that is first opened',
    headers: assetHeaders('javascript'),
    answer: z.string(),
    example: { url: '/_backlot/studio/docs.js' },
    handle: ({ params: { room } }) => fileAt(`studio/${room}`),
  }),
  asset('studio.css', 'getStudioStyleSheet', 'Get the style sheet of the studio'),
  asset(
    'inter.css',
    'getFontStyleSheet',
    'Get the font of the studio and of all other pages, as a style sheet that contains it',
  ),
  asset(
    'banner.js',
    'getBannerScript',
    'Get a script that shows whose shop a page uses, until when, and a button to reset it',
  ),
  asset('page.css', 'getStyleSheet', 'Get the style sheet of all other pages'),
];
