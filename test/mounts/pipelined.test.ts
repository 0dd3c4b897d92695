import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import express from 'express';
import { expect, test } from 'vitest';
import { createExpressRouter, openBackOffice } from '../../src/mounts/express.ts';
import { serveApp, serveHttp } from '../support/raw-http.ts';

const mounts = {
  'a server': () => serveHttp(),
  'a router of Express': () => serveApp(express().use(createExpressRouter(openBackOffice()))),
};

const list = 'GET /api/promotions/1/coupons/ HTTP/1.1\r\nhost: localhost\r\n';
const create = (code: string): string => {
  const body = JSON.stringify({ code, usageLimit: 5 });
  const head = `content-type: application/json\r\ncontent-length: ${body.length}`;
  return `POST /api/promotions/1/coupons/ HTTP/1.1\r\nhost: localhost\r\n${head}\r\n\r\n${body}`;
};

test.each(Object.entries(mounts))(
  '%s performs the requests of a connection in their order (RFC 9112, 9.3.2)',
  async (_, serve) => {
    const { hostname, port } = new URL(await serve());
    const socket = connect(Number(port), hostname).setNoDelay();
    await once(socket, 'connect');
    socket.write(`${list}\r\n${create('FIRST').slice(0, -5)}`);
    // The end of its body comes later.
    await wait(20);
    socket.write(
      `${create('FIRST').slice(-5)}${list}\r\n${create('SECOND')}${create('THIRD')}${list}connection: close\r\n\r\n`,
    );
    const text = (await buffer(socket)).toString();
    const found = [...text.matchAll(/HTTP\/1\.1 (\d+)|,"total":(\d+),"_links/g)];
    const [ok, before, ...rest] = found.map(([, status, total]) => Number(status ?? total));
    expect(ok).toBe(200);
    const total = Number(before);
    expect(rest).toEqual([201, 200, total + 1, 201, 201, 200, total + 3]);
  },
);
