import * as z from 'zod';
import { bannerScript, fontStyle, pageStyle, studioStyle } from '../../dashboard/assets.ts';
import { noCache, page, pageHeaders, studioPage } from '../../dashboard/dashboard.ts';
import { tracePage } from '../../dashboard/trace-page.ts';
import type { StudioScripts } from '../../definition/api.ts';
import { Problem } from '../../lib/problem.ts';
import { endpoint, type ControlledServer } from '../endpoint.ts';

function studioOf({ shared }: ControlledServer): StudioScripts {
  const { name, served } = shared.shop.api;
  if (served !== undefined) return served.parts().studio();
  throw new Problem('missing', `The API ${name} has no studio.`);
}

export const documentEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/openapi.json',
    operationId: 'getOpenApiDocument',
    summary: 'Get both APIs as an OpenAPI 3.1 document',
    status: 200,
    answer: z.looseObject({ openapi: z.string() }),
    errors: [],
    example: { url: '/_backlot/openapi.json' },
    handle: ({ server, prefix }) => server.openapi(prefix),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/docs',
    operationId: 'showDocs',
    summary: 'Show the reference of both APIs: the studio with its section Docs',
    status: 200,
    headers: pageHeaders,
    answer: z.string(),
    errors: [],
    example: { url: '/_backlot/docs' },
    handle: ({ shop, target: address }) =>
      studioPage(address.path.endsWith('/') ? '../' : './', shop),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/',
    operationId: 'showStudio',
    summary: 'Show the studio: a page that shows and controls the shop',
    status: 200,
    headers: pageHeaders,
    answer: z.string(),
    errors: [],
    example: { url: '/_backlot/' },
    handle: ({ shop, target: address }) =>
      studioPage(address.path.endsWith('/') ? './' : './_backlot/', shop),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/trace.html',
    operationId: 'showTracePage',
    summary: 'Get the page that shows traces, of this server or another one; it sends nothing',
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // The page has a policy of its own, which also applies where it is saved.
      'content-security-policy': "frame-ancestors 'self'",
      ...noCache,
    },
    answer: z.string(),
    errors: [],
    example: { url: '/_backlot/trace.html' },
    handle: () =>
      tracePage() ??
      page('No traces here', '<p>This build of Backlot has no page of traces.</p>', './'),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/studio.js',
    operationId: 'getStudioScript',
    summary: 'Get the script of the studio',
    status: 200,
    headers: { 'content-type': 'text/javascript; charset=utf-8', ...noCache },
    answer: z.string(),
    errors: [],
    example: { url: '/_backlot/studio.js' },
    handle: ({ server }) => studioOf(server).script,
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/studio/:room',
    operationId: 'getStudioRoom',
    summary: 'Get the script of a part of the studio, which it loads when that is first opened',
    status: 200,
    headers: { 'content-type': 'text/javascript; charset=utf-8', ...noCache },
    answer: z.string(),
    errors: ['missing'],
    example: { url: '/_backlot/studio/docs.js' },
    handle({ server, params: { room } }) {
      const script = new Map(Object.entries(studioOf(server).rooms)).get(room);
      if (script !== undefined) return script;
      throw new Problem('missing', `The studio has no script ${room}.`);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/studio.css',
    operationId: 'getStudioStyleSheet',
    summary: 'Get the style sheet of the studio',
    status: 200,
    headers: { 'content-type': 'text/css; charset=utf-8', ...noCache },
    answer: z.string(),
    errors: [],
    example: { url: '/_backlot/studio.css' },
    handle: () => studioStyle(),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/inter.css',
    operationId: 'getFontStyleSheet',
    summary: 'Get the font of the studio and of all other pages, as a style sheet that contains it',
    status: 200,
    headers: { 'content-type': 'text/css; charset=utf-8', ...noCache },
    answer: z.string(),
    errors: [],
    example: { url: '/_backlot/inter.css' },
    handle: () => fontStyle(),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/banner.js',
    operationId: 'getBannerScript',
    summary: 'Get a script that shows whose shop a page uses, until when, and a button to reset it',
    status: 200,
    headers: { 'content-type': 'text/javascript; charset=utf-8', ...noCache },
    answer: z.string(),
    errors: [],
    example: { url: '/_backlot/banner.js' },
    handle: () => bannerScript(),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/page.css',
    operationId: 'getStyleSheet',
    summary: 'Get the style sheet of all other pages',
    status: 200,
    headers: { 'content-type': 'text/css; charset=utf-8', ...noCache },
    answer: z.string(),
    errors: [],
    example: { url: '/_backlot/page.css' },
    handle: () => pageStyle(),
  }),
];
