import { once } from 'node:events';
import http, { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import * as undici from 'undici';
import { Window } from 'happy-dom';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { ClientSeam } from '../../src/suite/client-seam.ts';
import { nodeContexts } from '../../src/suite/node-contexts.ts';
import { nodeClients } from '../../src/suite/node/node-clients.ts';
import { endpointNames } from '../../src/suite/endpoint-names.ts';
import type { FaultName } from '../../src/suite/fault-names.ts';
import { WatchedRun } from '../../src/suite/watched-run.ts';
import { documentOf } from '../support/api-document.ts';

const json = '{"todos":[{"id":1,"title":"Work"}]}';
let [performed, origin] = [0, ''];

/** Sends bodies back as they are, JSON for other requests, and events without an end. */
const server = createServer((request, response) => {
  performed += 1;
  if (request.url === '/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
  } else if (request.url === '/gzip') {
    const bytes = gzipSync(json);
    const length = String(bytes.length);
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': length }).end(bytes);
  } else if (request.url === '/echo') {
    response.setHeader('content-type', request.headers['content-type'] ?? 'text/plain');
    request.pipe(response);
  } else {
    response.setHeader('content-type', 'application/json');
    response.end(json);
  }
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Watches the clients of this process for a test. */
function watch(run: WatchedRun): ClientSeam {
  const seam = new ClientSeam(() => run, endpointNames(), nodeContexts(), nodeClients);
  seam.watch();
  onTestFinished(() => seam.restore());
  return seam;
}

function withFault(fault: FaultName, endpoint = 'POST /todos/:id'): WatchedRun {
  return new WatchedRun({ id: fault, endpoint, nth: 1, fault, isOutside: true });
}

interface Told {
  readonly status: number;
  readonly body: string;
}

async function byFetch(url: string): Promise<Told> {
  const response = await fetch(url, { method: 'POST', body: 'one' });
  return { status: response.status, body: await response.text() };
}

/** By the `XMLHttpRequest` that the global object has. */
function byXhr(url: string): Promise<Told> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.addEventListener('load', () =>
      resolve({ status: request.status, body: request.responseText }),
    );
    request.addEventListener('error', () => reject(new TypeError(`status ${request.status}`)));
    request.send('one');
  });
}

/** By `node:http`, as axios in Node.js and got send. */
function byHttp(url: string): Promise<Told> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'POST' }, (response) => {
      void text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.on('error', reject).end('one');
  });
}

/** By the dispatcher that `undici.request` and `undici.fetch` have. */
async function byUndici(url: string): Promise<Told> {
  const { statusCode: status, body } = await undici.request(url, { method: 'POST', body: 'one' });
  return { status, body: await body.text() };
}

/** The clients, and what they say of a connection that is lost. */
const clients = [
  ['fetch', byFetch, 'Failed to fetch'],
  ['XMLHttpRequest', byXhr, 'status 0'],
  ['node:http', byHttp, 'socket hang up'],
  ['undici', byUndici, 'other side closed'],
] as const;

/** Gives the process the `XMLHttpRequest` of a page of the server. */
function givePage(): void {
  const window = new Window({ url: origin });
  vi.stubGlobal('XMLHttpRequest', window.XMLHttpRequest);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    void window.happyDOM.close();
  });
}

const body = fc.uint8Array({ maxLength: 2000 });
const kinds: Readonly<Record<string, (bytes: Uint8Array<ArrayBuffer>) => BodyInit>> = {
  bytes: (bytes) => bytes,
  'an ArrayBuffer': (bytes) => bytes.buffer,
  'a Blob': (bytes) => new Blob([bytes]),
  'a stream': (bytes) => new Blob([bytes]).stream(),
  'a form': (bytes) => {
    const form = new FormData();
    form.append('file', new Blob([bytes]), 'file.bin');
    return form;
  },
};

test.each(Object.entries(kinds))('%s is sent and received byte for byte', async (name, make) => {
  watch(new WatchedRun());
  await fc.assert(
    fc.asyncProperty(body, fc.boolean(), async (bytes, isRequest) => {
      const init = { method: 'POST', body: make(Uint8Array.from(bytes)), duplex: 'half' };
      const url = `${origin}/echo`;
      const response = await (isRequest ? fetch(new Request(url, init)) : fetch(url, init));
      const received = new Uint8Array(await response.arrayBuffer());
      if (name === 'a form') expect(Buffer.from(received).includes(Buffer.from(bytes))).toBe(true);
      else expect(received).toEqual(Uint8Array.from(bytes));
    }),
    { numRuns: 30 },
  );
});

test('events of a response that does not end reach a reader', async () => {
  watch(new WatchedRun());
  const leaving = new AbortController();
  const response = await fetch(`${origin}/events`, { signal: leaving.signal });
  const { value } = await response.body!.getReader().read();
  expect(new TextDecoder().decode(value)).toBe('data: 1\n\n');
  leaving.abort();
});

function refused(status: number, message: string): unknown {
  return { told: { status, body: JSON.stringify({ code: status, message }) }, isPerformed: false };
}

test.each(clients)('%s has each fault', async (_, send, lost) => {
  givePage();
  const outcome = async (fault: FaultName): Promise<unknown> => {
    const run = withFault(fault);
    const seam = watch(run);
    const before = performed;
    const told = send(`${origin}/todos/7`).catch((error: unknown) => (error as Error).message);
    if (fault === 'slow') {
      await vi.waitUntil(() => performed > before);
      run.hit?.release();
    }
    const result = await told;
    seam.restore();
    return { told: result, isPerformed: performed > before };
  };
  expect(await outcome('drop')).toEqual({ told: lost, isPerformed: false });
  expect(await outcome('drop after')).toEqual({ told: lost, isPerformed: true });
  expect(await outcome('503')).toEqual(refused(503, 'Service Unavailable'));
  expect(await outcome('401')).toEqual(refused(401, 'Unauthorized'));
  expect(await outcome('429')).toEqual(refused(429, 'Too Many Requests'));
  expect(await outcome('malformed')).toEqual({
    told: { status: 200, body: expect.stringMatching(/^<b>.*\n\{"todos"/) },
    isPerformed: true,
  });
  const half = json.slice(0, Math.floor(json.length / 2));
  expect(await outcome('cut off')).toEqual({
    told: { status: 200, body: half },
    isPerformed: true,
  });
  expect(await outcome('slow')).toEqual({ told: { status: 200, body: json }, isPerformed: true });
});

test.each(clients)(
  'a write of %s that is sent again after its response was lost is performed twice',
  async (_, send) => {
    givePage();
    const run = withFault('drop after');
    watch(run);
    await send(`${origin}/todos/7`).catch(() => send(`${origin}/todos/7`));
    const write = 'POST /todos/:id /todos/7 one';
    await vi.waitFor(() => expect(run.evidence.writes).toEqual({ [write]: 2 }));
    expect(run.evidence.repeated).toEqual({ [write]: 1 });
  },
);

async function byUndiciFetch(url: string): Promise<Told> {
  const response = await undici.fetch(url, { method: 'POST', body: 'one' });
  return { status: response.status, body: await response.text() };
}

test.each([
  ['fetch', byFetch],
  ['node:http', byHttp],
  ['undici.request', byUndici],
  ['undici.fetch', byUndiciFetch],
] as const)('a compressed text is wrong for %s as one that is not', async (_, send) => {
  const mutation = { path: ['todos'], mutator: 'empty' } as const;
  const run = new WatchedRun({ id: 'empty', subject: 'POST /gzip 200', mutation });
  watch(run);
  expect(await send(`${origin}/gzip`)).toEqual({ status: 200, body: '{"todos":[]}' });
  expect(run.bodies.isApplied).toBe(true);
});

/** Sends bytes by `node:http`. */
function sendBytes(url: string): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/octet-stream' };
    const request = http.request(url, { method: 'POST', headers }, resolve);
    request.on('error', reject).end(Buffer.from([0xff, 0, 0xfe]));
  });
}

test('bytes and events that node:http receives are left as they are', async () => {
  watch(new WatchedRun());
  expect(await buffer(await sendBytes(`${origin}/echo`))).toEqual(Buffer.from([0xff, 0, 0xfe]));
  const events = await sendBytes(`${origin}/events`);
  expect(String(await once(events, 'data'))).toBe('data: 1\n\n');
  events.destroy();
});

test('what a listener of node:http sends is watched, and what serves a request is not', async () => {
  const run = new WatchedRun();
  watch(run);
  await new Promise<void>((resolve) => {
    http.get(`${origin}/first`, (response) => {
      response.resume().on('end', () => void byFetch(`${origin}/second`).then(() => resolve()));
    });
  });
  expect(run.plain(undefined).calls).toEqual(['GET /first', 'POST /second']);
});

test('a held response is aborted, or times out', async () => {
  givePage();
  watch(withFault('slow', 'GET /todos'));
  const signal = AbortSignal.timeout(20);
  await expect(fetch(`${origin}/todos`, { signal })).rejects.toThrow('timeout');
  const seam = watch(withFault('slow', 'GET /todos'));
  seam.restore();
  watch(withFault('slow', 'GET /todos'));
  const request = new XMLHttpRequest();
  request.open('GET', `${origin}/todos`);
  request.timeout = 20;
  const timeout = new Promise((resolve) => {
    request.ontimeout = resolve;
  });
  request.send();
  expect(await timeout).toMatchObject({ type: 'timeout', target: request });
});

test('a mock stays a mock, and its own restore ends it', async () => {
  const run = new WatchedRun();
  const seam = watch(run);
  const native = fetch;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('{}'));
  // Vitest restores each spy once more at the end of a file, when the seam has gone.
  onTestFinished(() => void vi.restoreAllMocks());
  seam.watch();
  await fetch('/todos', { method: 'PUT' });
  expect(fetch).toHaveBeenCalledWith('/todos', { method: 'PUT' });
  expect(run.plain(undefined).calls).toEqual(['PUT /todos']);
  spy.mockRestore();
  expect(fetch).toBe(native);
});

test('endpoints are named by the paths of a document, or else by what ids look like', () => {
  const servers = [
    { url: 'https://{region}.todos.test/v1/', variables: { region: { default: 'eu' } } },
  ];
  const paths = { '/lists/{list}': {}, '/lists/latest': {} };
  const named = endpointNames(documentOf({ servers, paths }).paths);
  expect(named('GET', '/v1/lists/a-list')).toBe('GET /v1/lists/:list');
  expect(named('GET', '/v1/lists/latest')).toBe('GET /v1/lists/latest');
  expect(named('GET', '/other/7')).toBe('GET /other/:id');
  const ids = [
    '12',
    '0b8e1d52-9d5f-4a53-8f5e-2f1f6f1d7d11',
    '5f3a9c01',
    '01J9Z3K4M5N6P7Q8R9S0T1V2W3',
    'cus_9s6XKzkNRiz8i3',
  ];
  for (const id of ids) expect(named('GET', `/api/x/${id}/y`)).toBe('GET /api/x/:id/y');
  const words = ['orders', 'v2', 'order-items', 'facade', 'deadbeef', 'utf8', ''];
  for (const word of words) expect(named('GET', `/api/${word}`)).toBe(`GET /api/${word}`);
  for (const slug of ['hello-world', 'how-to-train', 'me@todos.test', 'me%40todos.test', 'SKU-7'])
    expect(named('GET', `/posts/${slug}/likes`)).toBe('GET /posts/:id/likes');
  const kept = ['/products/best-sellers', '/api/order-line-items', '/users/me', '/api/v1.2'];
  for (const path of kept) expect(named('GET', path)).toBe(`GET ${path}`);
  expect(named('POST', '/users/reset-password')).toBe('POST /users/reset-password');
  expect(() => documentOf({ openapi: '3.1.0' })).toThrow('it has no paths');
});

test('an operation of GraphQL is an endpoint by its name, or else by its first field', async () => {
  const run = new WatchedRun();
  watch(run);
  const send = (sent: unknown): Promise<Response> =>
    fetch(`${origin}/graphql`, { method: 'POST', body: JSON.stringify(sent) });
  await send({ query: 'query One($f: F = {a: "}"}) { a { b } }' });
  await send({ query: '# Two\n{ first: todos(done: true) { id } }' });
  await send({ query: 'fragment F on Todo { id } mutation Add @live { add { ...F } }' });
  await send({ query: 'query A { a } query B { b }', operationName: 'B' });
  await send({ operationName: 'Known', extensions: { persistedQuery: { sha256Hash: '0' } } });
  await send([{ query: '{ a }' }, { query: 'query B { b }' }]);
  await send({ query: 'shoes' });
  await send({ query: 'query language' });
  await fetch(`${origin}/graphql?query=${encodeURIComponent('{ todos { id } }')}`);
  expect(run.plain(undefined).calls).toEqual([
    'POST /graphql query One',
    'POST /graphql query todos',
    'POST /graphql mutation Add',
    'POST /graphql query B',
    'POST /graphql Known',
    'POST /graphql query a, query B',
    'POST /graphql',
    'POST /graphql',
    'GET /graphql query todos',
  ]);
});
