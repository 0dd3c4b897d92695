import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { createBackOffice } from '../../src/index.ts';
import { createExpressRouter } from '../../src/mounts/express.ts';
import { createFetchHandler } from '../../src/mounts/fetch-handler.ts';
import { startNginx } from './nginx.ts';
import { startServer } from '../support/command.ts';
import { read } from '../support/tree.ts';

/** Returns a configuration of docs/demos.md. @param starts what its block begins with */
function recipe(starts: string): string {
  const blocks = read('docs/demos.md').matchAll(/```nginx\n(.*?)```/gs);
  const found = Array.from(blocks, ([, text = '']) => text).find((text) => text.startsWith(starts));
  if (found === undefined) throw new Error(`docs/demos.md has no lines that start with ${starts}`);
  return found;
}

/** Starts nginx with lines of the documentation, before a server of this test. */
async function startProxy(locations: string, upstream: string): Promise<string> {
  return startNginx(
    (port) => `server {
  listen 127.0.0.1:${port};
  ${locations.replaceAll('127.0.0.1:4000', new URL(upstream).host)}
}`,
  );
}

/** Receives the next entry of a stream of events. */
async function nextEntry(response: Response, send: () => Promise<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    if (text === '') await send();
    text += chunk;
    if (text.includes('event: entries')) break;
  }
  return text;
}

test(
  'the events of a server arrive at once behind nginx in its default configuration',
  { tags: 'nginx' },
  async () => {
    const { url } = await startServer('--quiet');
    const proxy = await startProxy('location / { proxy_pass http://127.0.0.1:4000; }', url);
    const response = await fetch(`${proxy}/_backlot/events`, {
      signal: AbortSignal.timeout(10_000),
    });
    const text = await nextEntry(response, () => fetch(`${proxy}/api/users/1`));
    expect(text).toContain('GET /api/users/1');
  },
);

test('on each mount, the events say that nothing in between may hold back or compress them', async () => {
  const { url } = await startServer('--quiet');
  const app = express().use(createExpressRouter(createBackOffice()));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const handle = createFetchHandler();
  const responses = [
    await fetch(`${url}/_backlot/events`),
    await fetch(`http://127.0.0.1:${port}/_backlot/events`),
    await handle(new Request('http://127.0.0.1/_backlot/events')),
  ];
  for (const { headers, body } of responses) {
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('cache-control')).toBe('no-store, no-transform');
    await body?.cancel();
  }
});

test(
  'with the lines of the documentation, nginx serves a demo below a path of its own',
  { tags: 'nginx' },
  async () => {
    const flags = ['--demo', '--quiet', '--base-path', '/demo', '--proxies', '1'];
    const { url } = await startServer(...flags);
    const proxy = await startProxy(recipe('location /demo/'), url);
    const home = await fetch(`${proxy}/demo/`, { redirect: 'manual' });
    expect(new URL(home.headers.get('location')!, proxy).pathname).toBe('/demo/_backlot/');
    const made = await fetch(`${proxy}/demo/api/orders/`, {
      method: 'POST',
      body: new URLSearchParams({ channel: '1', user: '1', currency: 'EUR' }),
    });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe('/demo/api/orders/121');
    expect(made.headers.get('set-cookie')).toContain('Path=/demo/;');
  },
);

test(
  'with the lines of the documentation, a page of another site may show the studio and keep its session',
  { tags: 'nginx' },
  async () => {
    const { url } = await startServer('--demo', '--quiet', '--proxies', '1');
    const proxy = await startProxy(recipe('location / {'), url);
    const page = await fetch(`${proxy}/_backlot/`);
    expect(page.headers.get('content-security-policy')).toBe('frame-ancestors https://www.example');
    const api = await fetch(`${proxy}/api/orders/1`);
    expect(api.headers.get('set-cookie')).toMatch(/SameSite=None/i);
    expect(api.headers.get('set-cookie')).toMatch(/; Secure/i);
  },
);
