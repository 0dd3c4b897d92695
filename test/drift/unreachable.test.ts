import { createServer, type RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { openOffice } from '../support/office.ts';
import { listen } from '../support/raw-http.ts';

const listenTo = (listener: RequestListener): Promise<string> => listen(createServer(listener));

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
    /The body of GET \/api\/channels\/ is larger than 2 MiB\.$/,
  ],
  [
    'is another API',
    (_, response) => void response.writeHead(404, { 'content-type': 'application/json' }).end('{}'),
    /has no \/api\/channels\/\. Pass the URL in front of \/api, or up to its end\.$/,
  ],
])('a server that %s ends in exit code 2 and a sentence', async ([, listener, sentence]) => {
  const url = await listenTo(listener);
  const { code, out, err } = await runCommand(
    'verify',
    '--against',
    url,
    '--timeout',
    sentence.source.includes('within') ? '1' : '20',
  );
  expect(err.trimEnd()).toMatch(sentence);
  expect(err.trimEnd().split('\n')).toHaveLength(1);
  expect({ code, out }).toEqual({ code: 2, out: '' });
});

test('a server that stops to respond later ends in exit code 2', async () => {
  const office = openOffice();
  let count = 0;
  const url = await listenTo((request, response) => {
    count++;
    if (count > 20) return void request.socket.destroy();
    void office
      .call(`${request.method} ${request.url}`)
      .then(({ status, headers, body }) =>
        response.writeHead(status, headers).end(JSON.stringify(body)),
      );
  });
  expect(await runCommand('verify', '--against', url)).toMatchObject({ code: 2, out: '' });
});

/** A server that lacks the names of zones. */
async function listenWithDrift(): Promise<string> {
  const office = openOffice();
  return listenTo((request, response) => {
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
  const text = await runCommand(...line);
  expect(text.code).toBe(1);
  expect(text.out).toContain('GET /api/zones/:zone_id (Read a zone)');
  expect(text.out).toMatch(
    /at +body\.name\n +expected +string\n +received +nothing\n +curl -i -g 'http/,
  );
  expect(text.out).toContain('"maxLimit": 1000');
  const json = await runCommand(...line, '--reporter', 'json');
  expect(JSON.parse(json.out)).toMatchObject({ url, wrote: false, settings: { auth: 'none' } });
  const junit = await runCommand(...line, '--reporter', 'junit');
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
    const { code, err } = await runCommand('verify', ...args);
    expect(code).toBe(2);
    messages.push(err);
  }
  expect(messages.join('\n')).not.toMatch(/undefined|a:b/);
  expect(messages[2]).toMatch(/--only must be one of promotions, .*, not 'nothing'\./);
});
