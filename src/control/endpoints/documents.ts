import * as z from 'zod';
import { endpoint } from '../endpoint.ts';

const html = 'text/html; charset=utf-8';
const policy =
  "default-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

export const documentEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/openapi.json',
    summary: 'This interface as an OpenAPI 3.1 document',
    status: 200,
    answer: z.looseObject({ openapi: z.string() }),
    refusals: [],
    example: { url: '/_backlot/openapi.json' },
    handle: ({ server }) => server.openapi(),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/docs',
    summary: 'This interface as a page to read',
    status: 200,
    headers: { 'content-type': html, 'content-security-policy': policy },
    answer: z.string(),
    refusals: [],
    example: { url: '/_backlot/docs' },
    handle: ({ server }) => server.docs(),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/',
    summary: 'A page to look at the shop and to steer it',
    status: 200,
    headers: { 'content-type': html, 'content-security-policy': policy },
    answer: z.string(),
    refusals: [],
    example: { url: '/_backlot/' },
    handle: ({ server }) => server.dashboard(),
  }),
];
