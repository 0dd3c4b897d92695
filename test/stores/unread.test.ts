import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from '../../src/mounts/http/server.ts';
import { PeerCodes } from '../../src/mounts/http/peer.ts';
import { Forwarder } from '../../src/mounts/stores/forward.ts';
import { listen } from '../support/raw-http.ts';
import { openServer } from '../support/server.ts';

/** Sends requests, one when the server has received the one before, and reads nothing. */
function askUnread(url: string, server: Server, requests: readonly string[]): Promise<void> {
  const { hostname, port } = new URL(url);
  const waiting = [...requests];
  const socket = connect(Number(port), hostname).pause();
  const send = (): void => void socket.write(waiting.shift() ?? '');
  server.on('request', send);
  send();
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return firstClosed(server);
}

/** Resolves when the first connection of a server has ended. */
function firstClosed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.once('connection', (own: Socket) => {
      own.on('error', () => undefined).once('close', resolve);
    });
  });
}

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;

test('a client that reads nothing is disconnected, also by a server that forwards to the owner', async () => {
  const own = createHttpServer(openServer().sessions);
  let made = 0;
  const owner = createServer((_, response) => {
    const chunk = Buffer.alloc(1_048_576, 'x');
    const make = (): void => {
      do made += chunk.length;
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', make);
    make();
  });
  const ownerUrl = await listen(owner);
  const forwarder = new Forwarder({
    codes: new PeerCodes(() => 'secret', ''),
    basePath: '',
    patience: 1000,
  });
  onTestFinished(() => forwarder.close());
  const other = createServer((sent, response) => {
    const exchange = { request: sent, response, client: undefined };
    void forwarder.forward(ownerUrl, exchange, {}, () => Promise.resolve(true));
  });
  const exports = Array.from({ length: 20 }, () => request('/_backlot/export'));
  await Promise.all([
    askUnread(await listen(own), own, exports),
    askUnread(await listen(other), other, [request('/api/orders/')]),
    firstClosed(owner),
  ]);
  // What the operating system keeps for two connections, and no more.
  expect(made).toBeLessThan(32 * 1_048_576);
});

test('a client that sends many requests without reading is disconnected at 1 MiB of responses', async () => {
  const own = createHttpServer(openServer().sessions);
  const url = await listen(own);
  let isByTime = false;
  own.once('timeout', (socket: Socket) => {
    isByTime = true;
    socket.destroy();
  });
  await askUnread(url, own, [request('/_backlot/export').repeat(50)]);
  expect(isByTime).toBe(false);
});
