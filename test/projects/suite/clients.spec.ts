// @vitest-environment node
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { knownLine, lineByGraphQl, lineOfBatch, lines, TodoClient } from './lines.ts';

const todo = { title: 'Work', done: true };

const server = createServer((_, response) => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  response.writeHead(200, headers).end(gzipSync(JSON.stringify(todo)));
});
let origin = '';

beforeEach(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  vi.unstubAllGlobals();
  server.closeAllConnections();
  server.close();
});

test.each(Object.entries(lines))('%s', async (name, lineOf) => {
  expect(await lineOf(`${origin}/${name}/hello-world-again`)).toContain('Work');
});

test('a client with a fetch of its own', async () => {
  const client = new TodoClient({ fetch: vi.fn(() => Promise.resolve(Response.json(todo))) });
  expect(await client.line()).toContain('Work');
});

test('a response that the test reads itself', async () => {
  expect(await new Response('{"own":true}').json()).toEqual({ own: true });
});

test('operations of GraphQL', async () => {
  const respond = (_: unknown, { body }: { readonly body: string }): Promise<Response> => {
    const data = { list: { name: 'Today' }, todo };
    return Promise.resolve(Response.json(body.startsWith('[') ? [{ data }, { data }] : { data }));
  };
  vi.stubGlobal('fetch', respond);
  expect(await lineByGraphQl()).toContain('Work');
  expect(await lineOfBatch()).toContain('Work');
});

test('a module that keeps what it has received', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(todo)));
  expect(await knownLine('https://todos.test/known/me@todos.test')).toContain('Work');
});
