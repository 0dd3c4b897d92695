import {
  createServer,
  request as requestHttp,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createProxy, type ProxyOptions } from '../../src/verify/proxy/proxy.ts';
import { ExchangeMonitor } from '../../src/verify/drift/exchange-monitor.ts';
import { basePathOf } from '../../src/verify/proxy/forward.ts';
import { storeApi } from '../../src/shop/store-api.ts';
import { workflows } from '../../src/shop/workflows/index.ts';
import { runWorkflow } from '../../src/verify/workflows/run.ts';
import { submitStep } from '../support/checkout-steps.ts';
import { converse } from '../support/conversation.ts';
import { caller, type Call } from '../support/office.ts';
import { runCommand, startServer } from '../support/command.ts';
import { ask, listen, serveHttp } from '../support/raw-http.ts';
import { ofStore } from '../support/drift.ts';

interface Proxy {
  readonly url: string;
  readonly call: Call;
  /** Printed lines, without those of requests. */
  readonly lines: readonly string[];
  readonly watch: ExchangeMonitor;
}

/** Starts a proxy to a server for one test. */
async function proxyTo(server: string, options: Partial<ProxyOptions> = {}): Promise<Proxy> {
  const to = new URL(server);
  const lines: string[] = [];
  const watch = new ExchangeMonitor({ ...ofStore, prefix: basePathOf(to) });
  const proxy = createProxy(
    {
      to,
      api: storeApi,
      control: true,
      controlToken: undefined,
      allowedHost: [],
      corsOrigin: '*',
      print: (line) => lines.push(stripVTControlCharacters(line)),
      ...options,
    },
    watch,
  );
  const url = await listen(proxy);
  return { url, call: caller((to_, init) => fetch(to_, init), url), lines, watch };
}

function serve(listener: RequestListener): Promise<string> {
  return listen(createServer(listener));
}

/** Starts a server between, which changes the bodies of an endpoint. */
async function serveChanged(change: (body: Record<string, unknown>) => unknown): Promise<string> {
  const server = await serveHttp();
  return serve((request, response) => {
    void (async () => {
      const answer = await fetch(`${server}${request.url}`);
      const body: unknown = await answer.json();
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(change(body as Record<string, unknown>)));
    })();
  });
}

function withoutPorts(turns: unknown): string {
  return JSON.stringify(turns).replaceAll(/127\.0\.0\.1:\d+/g, '');
}

test('a conversation through the proxy is the same as without it, and has no differences of the server', async () => {
  const proxy = await proxyTo(await serveHttp());
  const [direct, forwarded] = await Promise.all(
    [await serveHttp(), proxy.url].map((base) => converse((url, init) => fetch(url, init), base)),
  );
  expect(withoutPorts(forwarded)).toEqual(withoutPorts(direct));
  await expect.poll(() => proxy.watch.exchanges).toBeGreaterThan(5);
  expect(proxy.watch.findings.filter(({ side }) => side === 'response')).toEqual([]);
});

test('the workflows through the proxy have no differences', async () => {
  const { call, watch } = await proxyTo(await serveHttp());
  for (const workflow of workflows) {
    const results = await runWorkflow(workflow, {
      send: ({ method, path, headers, body }) => call(`${method} ${path}`, body, headers),
    });
    expect(results.flatMap(({ issues }) => issues)).toEqual([]);
  }
  await expect.poll(() => watch.exchanges).toBeGreaterThan(90);
  expect(watch.findings).toEqual([]);
});

test('the proxy prints a difference of the server once and counts it', async () => {
  const server = await serveChanged((order) => ({ ...order, total: Number(order['total']) + 1 }));
  const { call, lines } = await proxyTo(server);
  await call('GET /api/orders/1/');
  await call('GET /api/orders/2/');
  await expect.poll(async () => (await call('GET /_backlot/drift')).body.exchanges).toBe(2);
  expect(lines).toEqual([
    expect.stringMatching(/^DRIFT {3}GET \/api\/orders\/:order_id\/: body\.total: expected \d+/),
  ]);
  expect((await call('GET /_backlot/drift')).body).toMatchObject({
    findings: [{ side: 'response', endpoint: 'GET /api/orders/:order_id/', times: 2 }],
  });
  await call('DELETE /_backlot/drift');
  expect((await call('GET /_backlot/drift')).body).toEqual({ exchanges: 0, findings: [] });
});

test('the proxy prints what a client sends against the contract', async () => {
  const { call, lines } = await proxyTo(await serveHttp());
  await call('POST /api/orders/', { channel: 1, currency: 'EUR' });
  await call('GET /api/order/1');
  await expect.poll(() => lines).toHaveLength(2);
  expect(lines[0]).toBe('REQUEST POST /api/orders/: user: This value should not be blank.');
  expect(lines[1]).toMatch(/^REQUEST GET \/api\/order\/1: Endpoint GET \/api\/order\/1 not found/);
});

test('the proxy lists summaries of what passed', async () => {
  const { call } = await proxyTo(await serveHttp());
  await call('GET /api/orders/1/');
  await expect
    .poll(async () => (await call('GET /_backlot/journal?view=summary')).body.summaries)
    .toMatchObject([{ by: 'request' }]);
});

test('the journal of the proxy has each exchange, without secrets', async () => {
  const { call } = await proxyTo(await serveHttp());
  await submitStep(call, 88, 'purchase', { securityCode: '987' });
  const path = 'GET /_backlot/journal?request=PUT+/api/checkouts/:order_id';
  await expect.poll(async () => (await call(path)).body.entries).toHaveLength(1);
  const { body } = await call(path);
  expect(body.entries).toMatchObject([{ step: 'purchase', answer: { status: 200 } }]);
  expect(JSON.stringify(body)).not.toMatch(/424242424242|"987"/);
});

test('a response is forwarded while it arrives', async () => {
  let end: (() => void) | undefined;
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write('first');
    end = () => response.end('second');
  });
  const { url } = await proxyTo(server);
  const reader = (await fetch(`${url}/events`)).body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
  end?.();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('second');
});

test.each([
  ['before the response', false],
  ['within the response', true],
])('an entry of the proxy says that the client left %s', async (_, hasBegun) => {
  const received = Promise.withResolvers<undefined>();
  const server = await serve((request, response) => {
    request.resume();
    request.on('end', () => {
      if (hasBegun) response.write('{');
      received.resolve(undefined);
    });
  });
  const { url, call, lines } = await proxyTo(server);
  const sent = requestHttp(`${url}/api/checkouts/3`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
  });
  sent.on('error', () => undefined);
  sent.end(JSON.stringify({ paymentMethod: 1 }));
  await (hasBegun ? once(sent, 'response') : received.promise);
  sent.destroy();
  await expect
    .poll(async () => (await call('GET /_backlot/journal')).body.entries)
    .toMatchObject([{ state: 'client-left', step: 'payment', answer: { status: 0 } }]);
  expect(lines).toEqual([]);
});

test('a request is forwarded while it arrives', async () => {
  const received: string[] = [];
  const server = await serve((request, response) => {
    request.on('data', (chunk: Buffer) => received.push(chunk.toString()));
    request.on('end', () => response.end());
  });
  const { url } = await proxyTo(server);
  const sent = requestHttp(url, { method: 'POST' });
  sent.write('first');
  await expect.poll(() => received).toEqual(['first']);
  sent.end('second');
  await once(sent, 'response');
  expect(received).toEqual(['first', 'second']);
});

test('status, repeated headers and a compressed body pass unchanged, and the body is checked', async () => {
  const zipped = gzipSync('{"code":404,"message":"gone"}');
  const server = await serve(({ headers }, response) => {
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    response.setHeader('x-seen', headers['x-sent'] ?? '');
    response.writeHead(404, 'Not Here', {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    });
    response.end(zipped);
  });
  const { url, lines, watch } = await proxyTo(server);
  const sent = requestHttp(`${url}/api/orders/999999`, { headers: { 'x-sent': 'yes' } });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks = await response.toArray();
  expect(response).toMatchObject({ statusCode: 404, statusMessage: 'Not Here' });
  expect(response.headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'x-seen': 'yes' });
  expect(Buffer.concat(chunks as Buffer[])).toEqual(zipped);
  await expect.poll(() => watch.exchanges).toBe(1);
  expect(lines).toEqual([]);
});

test('links of a server below a path lead back to the proxy', async () => {
  const server = await serveHttp({ basePath: '/backend' });
  const { call } = await proxyTo(`${server}/backend/`);
  const { body } = await call('GET /api/orders/?limit=1');
  expect(body._links.self.href).toMatch(/^\/backend\/api\/orders\//);
  expect((await call(`GET ${body._links.self.href}`)).status).toBe(200);
});

test('a redirect of the server to itself leads back to the proxy', async () => {
  const server = await serve(({ url }, response) => {
    response.writeHead(302, { location: `${server}${url}login` }).end();
  });
  const { url } = await proxyTo(server);
  const response = await fetch(url, { redirect: 'manual' });
  expect(response.headers.get('location')).toBe(`${url}/login`);
});

test('a server that does not answer gives status 502 and a sentence', async () => {
  const dropping = await serve((request) => request.socket.destroy());
  const closed = createServer();
  closed.listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const refused = await proxyTo(`http://127.0.0.1:${port}`);
  expect((await refused.call('GET /api/orders/')).body).toEqual({
    code: 502,
    message: `127.0.0.1:${port} accepts no connections. Is the server running?`,
  });
  const dropped = await proxyTo(dropping);
  const answer = await dropped.call('POST /api/orders/', {});
  expect(answer).toMatchObject({ status: 502, body: { code: 502 } });
  expect(dropped.lines).toEqual([
    expect.stringMatching(
      /^FAILED {2}POST \/api\/orders\/: .+ closed the connection without a response\.$/,
    ),
  ]);
});

test('a response that ends too early ends the connection to the client', async () => {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('a part', () => response.destroy());
  });
  const { url, lines } = await proxyTo(server);
  const response = await fetch(`${url}/api/orders/`);
  await expect(response.text()).rejects.toThrow();
  await expect.poll(() => lines).toHaveLength(1);
  expect(lines[0]).toMatch(/closed the connection within its response/);
});

test('a host name that is not allowed is rejected, and so is a foreign page that reads the journal', async () => {
  const { url } = await proxyTo(await serveHttp());
  expect(await ask(url, 'GET /api/orders/', { host: 'evil.test' })).toMatchObject({ status: 403 });
  const origin = { origin: 'https://evil.test' };
  expect(await ask(url, 'GET /_backlot/journal', origin)).toMatchObject({ status: 403 });
});

test('without the control API, its paths are those of the server', async () => {
  const { call } = await proxyTo(await serveHttp(), { control: false });
  expect((await call('GET /_backlot/drift')).status).toBe(404);
  expect((await call('GET /_backlot/journal')).body).toMatchObject({ entries: [] });
});

test('the command proxy prints requests and a summary', async () => {
  const server = await serveHttp();
  const { call, printed, stop } = await startServer('proxy', '--to', server);
  await call('GET /api/orders/1/');
  await expect.poll(() => printed()).toMatch(/GET +200 \/api\/orders\/1\//);
  const { code, out } = await stop();
  expect(code).toBe(0);
  expect(out).toContain('1 requests checked: 0 differences of the server, 0 of the client');
});

test('the commands proxy and arazzo report what is missing or unknown', async () => {
  const [missing, wrong, unknown] = await Promise.all([
    runCommand('proxy'),
    runCommand('proxy', '--to', 'shop.test'),
    runCommand('arazzo', 'refunds'),
  ]);
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('--to https://') });
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('--to must be an http') });
  expect(unknown.err).toMatch(
    /Workflow 'refunds' not found\. Did you mean refund\? Use one of checkout, /,
  );
});
