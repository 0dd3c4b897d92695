import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { openOffice } from '../support/office.ts';

const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) await close();
  vi.restoreAllMocks();
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs a command line: its exit code and what it printed. */
async function runLine(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((text) => void out.push(String(text)));
  vi.spyOn(console, 'error').mockImplementation((text) => void err.push(String(text)));
  const code = await run(args);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

const chunk = Buffer.alloc(1_048_576, ' ');

test.for<[string, RequestListener, RegExp]>([
  ['hangs', () => undefined, /did not respond to GET \/api\/channels\/ within 1 s\.$/],
  [
    'hangs in the middle of a body',
    (_, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).write('{"page":'),
    /within 1 s\.$/,
  ],
  ['drops connections', (request) => void request.socket.destroy(), /did not respond to .*: .+\.$/],
  [
    'responds with HTML',
    (_, response) => void response.setHeader('content-type', 'text/html').end('<h1>Shop</h1>'),
    /responded with text\/html, not JSON\. Pass the URL in front of \/api\.$/,
  ],
  [
    'responds with 10 GB',
    (_, response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': 10 * 1024 ** 3,
      });
      const write = (): void => {
        while (response.write(chunk));
        response.once('drain', write);
      };
      write();
    },
    /The body of GET \/api\/channels\/ is larger than 2097152 bytes\.$/,
  ],
  [
    'is another API',
    (_, response) => void response.writeHead(404, { 'content-type': 'application/json' }).end('{}'),
    /has no \/api\/channels\/\. Pass the URL in front of \/api, or up to its end\.$/,
  ],
])('a server that %s ends in exit code 2 and a sentence', async ([, listener, sentence]) => {
  const url = await listen(listener);
  const { code, out, err } = await runLine(
    'verify',
    '--against',
    url,
    '--timeout',
    sentence.source.includes('within') ? '1' : '20',
  );
  expect(err).toMatch(sentence);
  expect(err.split('\n')).toHaveLength(1);
  expect({ code, out }).toEqual({ code: 2, out: '' });
});

test('a server that stops to respond later ends in exit code 2', async () => {
  const office = openOffice();
  let count = 0;
  const url = await listen((request, response) => {
    count++;
    if (count > 20) return void request.socket.destroy();
    void office
      .call(`${request.method} ${request.url}`)
      .then(({ status, headers, body }) =>
        response.writeHead(status, headers).end(JSON.stringify(body)),
      );
  });
  expect(await runLine('verify', '--against', url)).toMatchObject({ code: 2, out: '' });
});

/** A server that lacks the names of zones. */
async function listenWithDrift(): Promise<string> {
  const office = openOffice();
  return listen((request, response) => {
    void office
      .fetch(`http://shop.test${request.url}`, { method: request.method ?? 'GET' })
      .then(async (answer) => {
        const text = await answer.text();
        const isZone = request.url?.startsWith('/api/zones') === true;
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(isZone && answer.ok ? text.replaceAll('"name":', '"nome":') : text);
      });
  });
}

test('verify prints each difference with a curl line, as text, JSON or JUnit, and ends with exit code 1', async () => {
  const url = await listenWithDrift();
  const line = ['verify', '--against', url, '--only', 'zones'];
  const text = await runLine(...line);
  expect(text.code).toBe(1);
  expect(text.out).toContain('GET /api/zones/:zone_id (Read a zone)');
  expect(text.out).toMatch(
    /at +body\.name\n +expected +string\n +received +nothing\n +curl -i -g 'http/,
  );
  expect(text.out).toContain('"maxLimit": 1000');
  const json = await runLine(...line, '--reporter', 'json');
  expect(JSON.parse(json.out)).toMatchObject({ url, wrote: false, settings: { auth: 'none' } });
  const junit = await runLine(...line, '--reporter', 'junit');
  expect(junit.out).toMatch(/^<\?xml .*\n<testsuites tests="\d+" failures="\d+">/);
  expect(junit.out).toContain('classname="GET /api/zones/:zone_id"');
  expect(junit.code).toBe(1);
});

test('flags of verify that cannot be used are named', async () => {
  const messages: string[] = [];
  for (const args of [
    [],
    ['--against', 'shop'],
    ['--against', 'http://a.test', '--only', 'nothing'],
    ['--against', 'http://a.test', '--write', '--read-only'],
    ['--against', 'http://a.test', '--user', 'ada'],
    ['--against', 'http://a.test', '--user', 'a:b', '--token', 'c'],
    ['--against', 'http://a.test', '--settings', '/no/file.json'],
  ]) {
    const { code, err } = await runLine('verify', ...args);
    expect(code).toBe(2);
    messages.push(err);
  }
  expect(messages.join('\n')).not.toMatch(/undefined|a:b/);
  expect(messages[2]).toMatch(/--only must be one of promotions, .*, not 'nothing'\./);
});
