import * as z from 'zod';
import { bannerScript, dashboardScript, pageStyle } from '../../dashboard/assets.ts';
import { dashboardPage, noCache, pageHeaders } from '../../dashboard/dashboard.ts';
import { docsPage } from '../../dashboard/docs.ts';
import { endpoint } from '../endpoint.ts';

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
    summary: 'Show the reference of both APIs as a page',
    status: 200,
    headers: pageHeaders,
    answer: z.string(),
    errors: [],
    example: { url: '/_backlot/docs' },
    handle: ({ server, prefix, target: address }) =>
      docsPage(server.openapi(prefix), address.path.endsWith('/') ? '../' : './'),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/',
    operationId: 'showDashboard',
    summary: 'Show the dashboard',
    status: 200,
    headers: pageHeaders,
    answer: z.string(),
    errors: [],
    example: { url: '/_backlot/' },
    handle: ({ shop, target: address }) =>
      dashboardPage(address.path.endsWith('/') ? './' : './_backlot/', shop),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/dashboard.js',
    operationId: 'getDashboardScript',
    summary: 'Get the script of the dashboard',
    status: 200,
    headers: { 'content-type': 'text/javascript; charset=utf-8', ...noCache },
    answer: z.string(),
    errors: [],
    example: { url: '/_backlot/dashboard.js' },
    handle: () => dashboardScript(),
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
    summary: 'Get the style sheet of the pages',
    status: 200,
    headers: { 'content-type': 'text/css; charset=utf-8', ...noCache },
    answer: z.string(),
    errors: [],
    example: { url: '/_backlot/page.css' },
    handle: () => pageStyle(),
  }),
];
