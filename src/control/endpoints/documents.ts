import * as z from 'zod';
import { dashboardScript, pageStyle } from '../../dashboard/assets.ts';
import { dashboardPage } from '../../dashboard/dashboard.ts';
import { docsPage } from '../../dashboard/docs.ts';
import { endpoint } from '../endpoint.ts';

/** Everything that a page loads comes from its own server, and its script makes no markup of text. */
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

/** Another version may be served at the same address tomorrow. */
const unkept = { 'cache-control': 'no-cache' };
const page = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  ...unkept,
};

export const documentEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/openapi.json',
    summary: 'This interface as an OpenAPI 3.1 document',
    status: 200,
    answer: z.looseObject({ openapi: z.string() }),
    errors: [],
    example: { url: '/_backlot/openapi.json' },
    handle: ({ server, prefix }) => server.openapi(prefix),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/docs',
    summary: 'This interface as a page to read',
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
    summary: 'A page to look at the shop and to steer it',
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
    summary: 'The script of the dashboard',
    status: 200,
    headers: { 'content-type': 'text/javascript; charset=utf-8', ...unkept },
    answer: z.string(),
    errors: [],
    example: { url: '/_backlot/dashboard.js' },
    handle: () => dashboardScript(),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/page.css',
    summary: 'The style of the pages',
    status: 200,
    headers: { 'content-type': 'text/css; charset=utf-8', ...unkept },
    answer: z.string(),
    errors: [],
    example: { url: '/_backlot/page.css' },
    handle: () => pageStyle(),
  }),
];
