import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { mock } from './mock.js';

const app = new Hono();
app.get('/', ({ text }) => text('from your own app'));
app.all('/mock/*', ({ req }) => mock(req.raw));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log(port));
