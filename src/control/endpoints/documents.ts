import * as z from 'zod';
import { dashboardScript, pageStyle } from '../../dashboard/assets.ts';
import { dashboardPage } from '../../dashboard/dashboard.ts';
import { docsPage } from '../../dashboard/docs.ts';
import { endpoint } from '../endpoint.ts';
import { Timestamp } from '../../models/fields.ts';

/** A page loads everything from its own server, and its script never parses text as HTML. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The next version of the server may serve other content at the same URL. */
const noCache = { 'cache-control': 'no-cache' };
const page = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  ...noCache,
};

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
    headers: page,
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
    headers: page,
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

const Health = z.strictObject({
  status: z.literal('ok'),
  scenario: z.string(),
  now: Timestamp,
  sessions: z.int(),
});

export const healthEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/health',
    operationId: 'checkHealth',
    summary: 'Check that the server responds',
    status: 200,
    answer: Health,
    errors: [],
    example: { url: '/_backlot/health' },
    handle: ({ server: { shared, sessions } }) => ({
      status: 'ok' as const,
      scenario: shared.scenario.name,
      now: shared.clock.now(),
      sessions: sessions.list().length,
    }),
  }),
];
