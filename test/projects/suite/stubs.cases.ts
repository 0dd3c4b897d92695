// @vitest-environment node
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';

const { fetch: native } = globalThis;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  globalThis.fetch = native;
});

/** Reads two fields; the tests assert one of them. */
async function titleOf(url: string): Promise<string> {
  const response = await fetch(url);
  const { title, done } = (await response.json()) as { title: string; done: boolean };
  return done ? `${title}!` : title;
}

const todo = { title: 'Work', done: false, due: new Date(0) };
const text = JSON.stringify(todo);

test('a spy', async () => {
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(text));
  expect(await titleOf('/spy/1')).toContain('Work');
  expect(fetch).toHaveBeenCalledWith('/spy/1');
});

test('an assigned function', async () => {
  globalThis.fetch = () => Promise.resolve(new Response(text));
  expect(await titleOf('/assigned/1')).toContain('Work');
});

test('a stub that is an object', async () => {
  const json = (): Promise<unknown> => Promise.resolve(JSON.parse(text));
  vi.stubGlobal('fetch', () => Promise.resolve({ ok: true, json }));
  expect(await titleOf('/object/1')).toContain('Work');
});

test('a stub whose value is no JSON', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve({ ok: true, json: () => Promise.resolve(todo) }));
  const response = await fetch('/dates/1');
  expect(await response.json()).toBe(todo);
});

test('a server', async () => {
  const server = createServer((_, response) => response.end(text)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await titleOf(`http://127.0.0.1:${port}/server/1`)).toContain('Work');
  server.closeAllConnections();
  server.close();
});
