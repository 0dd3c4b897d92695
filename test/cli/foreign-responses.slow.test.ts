import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, afterEach, expect, test } from 'vitest';
import { remoteOffice } from '../../src/mounts/remote/office.ts';
import type { ScenarioInput } from '../../src/index.ts';
import { runCommand } from '../support/command.ts';
import { damagedText } from '../support/damaged-json.ts';
import { raw } from '../support/hostile.ts';
import { openOffice } from '../support/office.ts';
import { listen } from '../support/raw-http.ts';
import { runs } from '../support/runs.ts';

const folder = mkdtempSync(join(tmpdir(), 'backlot-responses-'));
const out = join(folder, 'shop.json');
afterEach(() => rmSync(out, { force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

const type = { 'content-type': 'application/json' };
const blanks = Buffer.alloc(1_048_576, ' ');

/** Sends blanks until the client closes the connection. */
const endless: RequestListener = (_, response) => {
  const write = (): void => {
    while (!response.destroyed && response.write(blanks));
    response.once('drain', write);
  };
  response.writeHead(200, type);
  write();
};

const bomb = gzipSync(Buffer.alloc(256 * 1_048_576));

/** Servers whose responses are no JSON of Backlot, or have no end. */
const servers: readonly (readonly [what: string, listener: RequestListener])[] = [
  ['an endless body', endless],
  [
    '256 MiB of zeros in 256 kB of gzip',
    (_, response) => response.writeHead(200, { ...type, 'content-encoding': 'gzip' }).end(bomb),
  ],
  [
    'no gzip under its name',
    (_, response) => response.writeHead(200, { ...type, 'content-encoding': 'gzip' }).end('{}'),
  ],
  [
    'less than its content-length',
    (_, response) => {
      response.writeHead(200, { ...type, 'content-length': 100 }).write('{"page":1}');
      setTimeout(() => response.destroy(), 20);
    },
  ],
  [
    'more than its content-length',
    ({ socket }) =>
      socket.end(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 4\r\n\r\n{"page":1}',
      ),
  ],
  [
    'HTML',
    (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Shop'),
  ],
  ['HTML as JSON', (_, response) => response.writeHead(200, type).end(`<p>${'x'.repeat(1e6)}`)],
  ['an error as HTML', (_, response) => response.writeHead(502, type).end(`<p>${'x'.repeat(1e6)}`)],
  ['lists of 100,000 levels', (_, response) => response.writeHead(200, type).end('['.repeat(1e5))],
];

const commands = {
  pull: (url: string) => ['pull', url, '--out', out],
  verify: (url: string) => ['verify', '--against', url],
  tail: (url: string) => ['tail', url],
  explain: (url: string) => ['explain', 'order', '1', url],
  open: (url: string) => ['open', 'order.cart', url],
  mutate: (url: string) => ['mutate', '--openapi', url, '--', 'vitest', 'run'],
};

test.each(
  servers.flatMap(([what, listener]) =>
    Object.entries(commands).map(([command, words]) => ({ what, command, listener, words })),
  ),
)('$command says in one line that a server sends $what', async ({ listener, words }) => {
  const url = await listen(createServer(listener));
  const ended = await runCommand(...words(url));
  expect(ended).toEqual({ code: 2, out: '', err: expect.stringMatching(/^backlot: .+\n$/) });
  expect(ended.err.length).toBeLessThan(1000);
  expect(ended.err).not.toMatch(raw);
  expect(existsSync(out)).toBe(false);
});

test.each(servers)('the office of a test rejects %s with a short message', async (_, listener) => {
  const url = await listen(createServer(listener));
  const failed = await remoteOffice({ url, session: 'a' })
    .journal.entries()
    .catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(Error);
  expect((failed as Error).message.length).toBeLessThan(1000);
});

test('pull of a server with a damaged response writes a whole scenario, or nothing and says why', async () => {
  const office = openOffice({ scenario: 'filled-cart' });
  const list = (await office.call('GET /api/orders/')).body as {
    _embedded: { items: { id: number }[] };
  };
  const paths = [
    '/api/orders/',
    `/api/orders/${list._embedded.items[0]?.id}`,
    '/api/products/7',
    '/api/users/3',
  ];
  const cases = await Promise.all(
    paths.map(async (path) =>
      damagedText((await office.call(`GET ${path}`)).body).map((text) => ({ path, text })),
    ),
  );
  let sent = { path: '', text: '' };
  const url = await listen(
    createServer((request, response) => {
      const { url: asked = '' } = request;
      const isDamaged = asked.replace(/\/?(\?.*)?$/, '') === sent.path.replace(/\/$/, '');
      void office
        .call(`GET ${asked}`)
        .then(({ status, headers, body }) =>
          response.writeHead(status, headers).end(isDamaged ? sent.text : JSON.stringify(body)),
        );
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(...cases), async (damaged) => {
      sent = damaged;
      rmSync(out, { force: true });
      const { code, err } = await runCommand('pull', url, '--out', out);
      expect(err).not.toMatch(raw);
      expect(err).not.toMatch(/^\s+at .+:\d+:\d+\)?$/m);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      if (code === 0)
        openOffice({ scenario: JSON.parse(readFileSync(out, 'utf8')) as ScenarioInput });
      else
        expect([code, err, existsSync(out)]).toEqual([
          2,
          expect.stringMatching(/^backlot: .+\n$/),
          false,
        ]);
    }),
    { numRuns: runs(16) },
  );
});
