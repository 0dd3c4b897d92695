import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createExpressRouter, openBackOffice, openSessions } from 'backlot/express';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

/** Of the docs. */
const durableObject = 'blocks/as-a-server-sessions-that-outlive-the-process.js';

const running = [];
after(() => running.forEach((child) => child.kill()));

/** Starts a host that keeps sessions in a folder, and returns its address, which it prints, and what ends it. */
async function startKept(folder, command, ...args) {
  const env = { ...process.env, SHOPS: folder };
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  running.push(child);
  const [printed] = await once(child.stdout.setEncoding('utf8'), 'data');
  const end = async () => {
    child.kill();
    await once(child, 'exit');
  };
  return { url: `http://127.0.0.1:${Number(printed)}`, end };
}

/** Starts a host, and returns its address. */
async function start(...command) {
  return (await startKept('', ...command)).url;
}

const order = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ channel: 1, user: 1, currency: 'EUR' }),
};

/** Sends what two visitors do, and returns what they see, without what names a session. */
async function visit(url) {
  const seen = [];
  const see = async (path, init = {}) => {
    const response = await fetch(`${url}/mock${path}`, init);
    seen.push([path, response.status, response.headers.get('location'), await response.text()]);
    return response;
  };
  const created = await see('/api/orders/', order);
  const [cookie] = created.headers.get('set-cookie').split(';');
  await see('/api/orders/121', { headers: { cookie } });
  await see('/api/orders/121');
  await see('/api/users/', { ...order, body: '{"email":"x"}' });
  await see('/api/orders/?limit=3');
  await see('/s/ada/api/orders/', order);
  await see('/s/ada/api/orders/121');
  await see('/s/eve/api/orders/121');
  await see('/api/orders/1', { headers: { Prefer: 'status=503, delay=10ms' } });
  const studio = await fetch(`${url}/mock/_backlot/`, { headers: { cookie } });
  assert.match(studio.headers.get('content-type'), /^text\/html/);
  const foreign = await fetch(`${url}/mock/api/orders/`, {
    ...order,
    headers: { ...order.headers, 'sec-fetch-site': 'cross-site' },
  });
  assert.equal(foreign.status, 201);
  return seen;
}

const { default: express } = await import('express');
const sessions = openSessions(openBackOffice({ history: true, maxRows: 300, maxSnapshots: 2 }), {
  sessions: 'own',
  newName: () => crypto.randomUUID(),
});
const server = createServer(express().use('/mock', createExpressRouter(sessions))).listen(0);
await once(server, 'listening');
after(() => server.close());
const expected = await visit(`http://127.0.0.1:${server.address().port}`);

const hosts = [
  ['Hono on Node.js', process.execPath, 'hono.js'],
  ['Bun', 'bun', 'bun.js'],
  ['Deno', 'deno', 'run', '-A', 'deno.js'],
];

for (const [name, command, ...args] of [
  ...hosts,
  ['A Worker', process.execPath, 'worker-host.js', 'worker.js'],
]) {
  test(`${name}: two visitors never meet, and responses have the bytes of the server`, async () => {
    assert.deepEqual(await visit(await start(command, ...args)), expected);
  });
}

for (const [name, ...command] of [
  ...hosts,
  ['A Durable Object', process.execPath, 'worker-host.js', durableObject],
]) {
  test(`${name}: sessions outlive the process`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fetch-hosts-'));
    const first = await startKept(folder, ...command);
    assert.deepEqual(await visit(first.url), expected);
    await first.end();
    const second = await startKept(folder, ...command);
    const read = async (path) => (await fetch(`${second.url}/mock${path}`)).status;
    assert.equal(await read('/s/ada/api/orders/121'), 200);
    assert.equal(await read('/s/eve/api/orders/121'), 404);
    await second.end();
  });
}

test('the rest of an app is its own', async () => {
  const url = await start(process.execPath, 'hono.js');
  assert.equal(await (await fetch(url)).text(), 'from your own app');
});

for (const runtime of [['node'], ['bun'], ['deno', 'run', '-A']])
  test(`listen intercepts fetch in ${runtime[0]}`, async () => {
    const [command, ...flags] = runtime;
    const child = spawn(command, [...flags, 'listen.js'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [printed, warned] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => (printed += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (warned += text));
    await once(child, 'close');
    assert.deepEqual(JSON.parse(printed), {
      answered: 1,
      rejected: 'rejected',
      local: 'the network',
    });
    assert.equal(
      /MSW 3 cannot intercept requests in Bun and Deno/.test(warned),
      command !== 'node',
    );
  });
