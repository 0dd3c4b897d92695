import { createBackOffice } from 'backlot';
import { createExpressRouter } from 'backlot/express';
import { createTest } from 'backlot/vitest';
import express from 'express';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test as plainTest } from 'vitest';
import api from './backlot.config.ts';
import { conversation } from './conversation.ts';

const test = createTest({ api });

const { fetch: ask } = createBackOffice({ api });
const expected = await conversation((path, init) => ask(path, init));

test('each test has the shop of the definition', async ({ office }) => {
  const told = await conversation((path, init) => fetch(`http://shop.test${path}`, init));
  expect(told).toBe(expected);
  expect(told).toContain('"checkout_state":"gift_wrapping"');
  expect(told).toContain('Confirm purchases over 500.00 EUR.');
  expect(office.db.users.get(1)?.loyalty_points).toBeGreaterThan(500);
  expect(office.db.wishlists.get(1)?.variants).toEqual([7, 9]);
  expect(office.given.anOrder({ at: 'gift_wrapping' }).checkout_state).toBe('gift_wrapping');
  expect(office.given.aWishlist({ variants: [7] })).toMatchObject({
    id: 2,
    user: 1,
    variants: [7],
  });
  office.faults.add({ match: { step: 'gift_wrapping' }, status: 503 });
  expect(office.history.past('wishlists', 1)).toMatchObject({ record: { name: 'Spring' } });
});

plainTest('an Express application answers the same bytes', async () => {
  const server = createServer(express().use(createExpressRouter(createBackOffice({ api }))));
  expect(await askServer(server)).toBe(expected);
});

plainTest('the command answers the same bytes', async () => {
  const child = spawn('npx', ['backlot', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  while (!/http:\/\/127\.0\.0\.1:\d+/.test(printed)) await once(child.stdout, 'data');
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)!;
  try {
    expect(await conversation((path, init) => fetch(`${url}${path}`, init))).toBe(expected);
  } finally {
    child.kill();
  }
});

async function askServer(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await conversation((path, init) => fetch(`http://127.0.0.1:${port}${path}`, init));
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
