import http, * as named from 'node:http';
import https from 'node:https';
import { afterEach, expect, test, vi } from 'vitest';
import { createBackOffice, type NodeBackOffice } from '../../src/mounts/node.ts';

const path = 'shop.test/api/users/7';
const opened: NodeBackOffice[] = [];

afterEach(() => {
  for (const backOffice of opened.splice(0)) backOffice.close();
  vi.unstubAllGlobals();
});

function listening(): NodeBackOffice {
  const backOffice = createBackOffice();
  backOffice.listen();
  opened.push(backOffice);
  return backOffice;
}

/** Returns the functions and classes that send requests. */
function entryPoints() {
  return {
    fetch: globalThis.fetch,
    WebSocket: Object.getOwnPropertyDescriptor(globalThis, 'WebSocket'),
    ClientRequest: http.ClientRequest,
    http: [http.request, http.get],
    named: [named.ClientRequest, named.request, named.get],
    https: [https.request, https.get],
  };
}

function statusOf(sent: http.ClientRequest): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    sent.on('response', (response) => resolve(response.resume().statusCode));
    sent.on('error', reject).end();
  });
}

const first: Record<string, () => Promise<number | undefined>> = {
  fetch: async () => (await fetch(`http://${path}`)).status,
  'http.get': () => statusOf(http.get(`http://${path}`)),
  'http.request': () => statusOf(http.request(`http://${path}`)),
  'http.ClientRequest': () => statusOf(new http.ClientRequest(`http://${path}`)),
  'get of an import': () => statusOf(named.get(`http://${path}`)),
  'request of an import': () => statusOf(named.request(`http://${path}`)),
  'ClientRequest of an import': () => statusOf(new named.ClientRequest(`http://${path}`)),
  'https.get': () => statusOf(https.get(`https://${path}`)),
  'https.request': () => statusOf(https.request(`https://${path}`)),
};

test.each(Object.keys(first))('%s can send the first request', async (name) => {
  const before = entryPoints();
  const backOffice = listening();
  expect(await first[name]?.()).toBe(200);
  expect(backOffice.journal.entries()).toHaveLength(1);
  backOffice.close();
  expect(entryPoints()).toEqual(before);
});

test('fetch and node:http take turns', async () => {
  const backOffice = listening();
  const turns = [first['fetch'], first['http.get'], first['fetch'], first['https.get']];
  for (const send of turns) expect(await send?.()).toBe(200);
  expect(backOffice.journal.entries()).toHaveLength(turns.length);
});

test('functions captured while a back office listens send requests to the next one', async () => {
  const one = listening();
  const { fetch: capturedFetch } = globalThis;
  const { get } = http;
  one.close();
  const two = listening();
  expect(await statusOf(get(`http://${path}`))).toBe(200);
  expect((await capturedFetch(`http://${path}`)).status).toBe(200);
  expect([one, two].map(({ journal }) => journal.entries().length)).toEqual([0, 2]);
});

test('a spy on an entry point sees each request once', async () => {
  const before = http.get;
  const backOffice = listening();
  const spy = vi.spyOn(http, 'get');
  for (const times of [1, 2]) {
    expect(await statusOf(http.get(`http://${path}`))).toBe(200);
    expect(spy).toHaveBeenCalledTimes(times);
  }
  backOffice.close();
  http.get = before;
});

test('fetch resolves a relative URL against the location of the page', async () => {
  vi.stubGlobal('location', { href: 'http://shop.test/orders' });
  listening();
  expect((await fetch('/api/users/7')).url).toBe(`http://${path}`);
});

test('XMLHttpRequest of a page is replaced when it is first created', () => {
  class XMLHttpRequest {
    readonly upload = new EventTarget();
    send(): void {}
  }
  vi.stubGlobal('XMLHttpRequest', XMLHttpRequest);
  const backOffice = listening();
  const request = new globalThis.XMLHttpRequest();
  expect(request).toBeInstanceOf(XMLHttpRequest);
  // MSW gives each request its own `send`.
  expect(request.send).not.toBe(XMLHttpRequest.prototype.send);
  backOffice.close();
  expect(globalThis.XMLHttpRequest).toBe(XMLHttpRequest);
});
