import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from '../../src/mounts/server/server.ts';
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

test('a client that reads nothing is disconnected', async () => {
  const own = createHttpServer(openServer().sessions);
  const exports = Array.from({ length: 20 }, () => request('/_backlot/export'));
  await askUnread(await listen(own), own, exports);
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
