import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createHttpServer } from '../../src/mounts/server/server.ts';
import { createBackOffice } from '../../src/mounts/node.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { openSessions } from '../../src/engine/sessions/server.ts';
import { listen, serveHttp } from '../support/raw-http.ts';

/** Pages of about 60 to 90 kB, none of which is like another. */
const paths = ['id', 'total', 'email', 'created_at', 'state'].flatMap((field) =>
  [18, 19, 20].flatMap((limit) =>
    ['asc', 'desc'].flatMap((order) =>
      [1, 2].map((page) => `/api/orders/?page=${page}&limit=${limit}&sorting[${field}]=${order}`),
    ),
  ),
);

/** Returns what a back office answers, which sends no bytes. */
function expectedTexts(): Promise<string[]> {
  const office = createBackOffice();
  return Promise.all(paths.map(async (path) => (await office.fetch(path)).text()));
}

/** Sends requests on one connection, and reads nothing until `read` is called. */
function pipeline(url: string, asked: readonly string[]): { read(): Promise<string[]> } {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  const [last = ''] = asked.slice(-1);
  for (const path of asked) {
    const end = path === last ? '\r\nconnection: close' : '';
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}${end}\r\n\r\n`);
  }
  return { read: async () => bodiesOf(await buffer(socket)) };
}

function bodiesOf(bytes: Buffer): string[] {
  const bodies: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const start = bytes.indexOf('\r\n\r\n', at) + 4;
    const length = /content-length: (\d+)/i.exec(bytes.toString('latin1', at, start))?.[1];
    at = start + Number(length);
    bodies.push(bytes.toString('utf8', start, at));
  }
  return bodies;
}

/** Returns the paths of which other texts came. */
function changed(texts: readonly string[], expected: readonly string[]): string[] {
  return paths.filter((_, at) => texts[at] !== expected[at]);
}

test('clients that read late get each page whole, while others get pages', async () => {
  const expected = await expectedTexts();
  const url = await serveHttp();
  // A connection may have responses of 1 MiB that wait for it.
  const slow = [0, 1, 2, 3, 4, 5].map((at) => pipeline(url, paths.slice(at * 10, (at + 1) * 10)));
  for (let round = 0; round < 2; round++) {
    const bodies = paths.map(async (path) => (await fetch(`${url}${path}`)).text());
    expect(changed(await Promise.all(bodies), expected)).toEqual([]);
  }
  const read = await Promise.all(slow.map(async (client) => client.read()));
  expect(changed(read.flat(), expected)).toEqual([]);
});

test('what listens in front of a server may keep the bytes of pages', async () => {
  const expected = await expectedTexts();
  const kept: Buffer[] = [];
  const server = createHttpServer(openSessions(openStoreOffice()));
  server.prependListener('request', (_, response) => {
    const end = response.end.bind(response) as (chunk: unknown) => typeof response;
    response.end = ((chunk: Buffer) => {
      kept.push(chunk);
      return end(chunk);
    }) as typeof response.end;
  });
  const url = await listen(server);
  for (const path of paths) await (await fetch(`${url}${path}`)).arrayBuffer();
  const texts = kept.map((chunk) => chunk.toString());
  expect(changed(texts, expected)).toEqual([]);
});
