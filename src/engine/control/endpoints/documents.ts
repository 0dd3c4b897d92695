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

function assetHeaders(type: 'javascript' | 'css') {
  return { 'content-type': `text/${type}; charset=utf-8`, ...noCache };
}

/** Returns the endpoint of a script or a style sheet. */
function asset({
  text,
  ...row
}: {
  readonly path: `/_backlot/${string}`;
  readonly operationId: string;
  readonly summary: string;
  readonly text: (server: ControlledServer) => string;
}) {
  return endpoint({
    ...row,
    method: 'GET',
    headers: assetHeaders(row.path.endsWith('.js') ? 'javascript' : 'css'),
    answer: z.string(),
    handle: ({ server }) => text(server),
  });
}

export const documentEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/openapi.json',
    operationId: 'getOpenApiDocument',
    summary: 'Get both APIs as an OpenAPI 3.1 document',
    answer: z.looseObject({ openapi: z.string() }),
    handle: ({ server, prefix }) => server.openapi(prefix),
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
  asset({
    path: '/_backlot/studio.js',
    operationId: 'getStudioScript',
    summary: 'Get the script of the studio',
    text: (server) => studioOf(server).script,
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/studio/:room',
    operationId: 'getStudioRoom',
    summary: 'Get the script of a part of the studio, which it loads when that is first opened',
    headers: assetHeaders('javascript'),
    answer: z.string(),
    errors: ['missing'],
    example: { url: '/_backlot/studio/docs.js' },
    handle({ server, params: { room } }) {
      const script = new Map(Object.entries(studioOf(server).rooms)).get(room);
      if (script !== undefined) return script;
      throw new Problem('missing', `The studio has no script ${room}.`);
    },
  }),
  asset({
    path: '/_backlot/studio.css',
    operationId: 'getStudioStyleSheet',
    summary: 'Get the style sheet of the studio',
    text: studioStyle,
  }),
  asset({
    path: '/_backlot/inter.css',
    operationId: 'getFontStyleSheet',
    summary: 'Get the font of the studio and of all other pages, as a style sheet that contains it',
    text: fontStyle,
  }),
  asset({
    path: '/_backlot/banner.js',
    operationId: 'getBannerScript',
    summary: 'Get a script that shows whose shop a page uses, until when, and a button to reset it',
    text: bannerScript,
  }),
  asset({
    path: '/_backlot/page.css',
    operationId: 'getStyleSheet',
    summary: 'Get the style sheet of all other pages',
    text: pageStyle,
  }),
];
