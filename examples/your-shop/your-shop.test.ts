import { createBackOffice, type MountOptions } from 'backlot';
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
import { definitions } from './definitions.ts';

const test = createTest({ api });

test('each test has the shop of the definition', async ({ office }) => {
  const told = await conversation((path, init) => fetch(`http://shop.test${path}`, init));
  expect(told).toBe(await expectedOf(api));
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

const testUuids = createTest({ api: definitions['uuid.config.ts'] });

testUuids('each test has the shop of the definition with UUIDs', async ({ office }) => {
  const told = await conversation((path, init) => fetch(`http://shop.test${path}`, init));
  expect(told).toBe(await expectedOf(definitions['uuid.config.ts']));
  expect(told).toContain(`/api/v1/users/${office.uuidOf('users', 1)} 200 null`);
  expect(told).toContain('"checkout_state":"gift_wrapping"');
});

const each = Object.entries(definitions);

plainTest.each(each)('an Express application answers the same bytes for %s', async (_, one) => {
  const router = createExpressRouter(createBackOffice({ api: one }));
  expect(await askServer(createServer(express().use(router)))).toBe(await expectedOf(one));
});

plainTest.each(each)('the command answers the same bytes for %s', async (name, one) => {
  const options = ['backlot', '--port', '0', '--config', name];
  const child = spawn('npx', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  while (!/http:\/\/127\.0\.0\.1:\d+/.test(printed)) await once(child.stdout, 'data');
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)!;
  try {
    const told = await conversation((path, init) => fetch(`${url}${path}`, init));
    expect(told).toBe(await expectedOf(one));
  } finally {
    child.kill();
  }
});

function expectedOf(one: NonNullable<MountOptions['api']>): Promise<string> {
  const { fetch: ask } = createBackOffice({ api: one });
  return conversation((path, init) => ask(path, init));
}

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
