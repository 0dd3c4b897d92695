// @module-tag redis-server

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { stepNames, submitStep } from '../support/checkout-steps.ts';
import { startNetwork } from '../support/network.ts';
import { freePort, startRedis, type RedisServer } from '../support/redis.ts';
import { openReplica, startReplica, type OpenReplica } from '../support/replica.ts';
import { send, type Sent } from '../support/send.ts';

const order = { channel: 1, user: 1, currency: 'EUR' };

/** In milliseconds. */
const lease = 3000;
let redis: RedisServer;
let client: ReturnType<typeof createClient>;
let one: OpenReplica;
let other: OpenReplica;

beforeAll(async () => {
  redis = await startRedis();
  client = createClient({ url: redis.url });
  await client.connect();
  one = await openReplica(redis.url, { lease });
  other = await openReplica(redis.url, { lease });
});

afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  client.destroy();
  await redis.stop();
});

async function isReady({ url }: OpenReplica): Promise<number> {
  return (await fetch(`${url}/_backlot/health?ready`)).status;
}

/** Sends a request, and checks that a client is told when to send it again if it is refused. */
async function sendTo(at: OpenReplica, name: string, line: string, body?: unknown): Promise<Sent> {
  const sent = await send([at], name, line, body);
  if (sent.status === 503) expect(Number(sent.retry)).toBeGreaterThan(0);
  return sent;
}

async function untilOk(at: OpenReplica, name: string, line: string, body?: unknown): Promise<Sent> {
  for (;;) {
    const sent = await sendTo(at, name, line, body);
    if (sent.status !== 503) return sent;
    refused.add(name);
    await sleep(100);
  }
}

/** The sessions of which requests were refused. */
const refused = new Set<string>();

/** Walks a checkout from its cart to its purchase, each request until it is accepted. Returns the id of the order. */
async function checkOut(name: string): Promise<number> {
  const call = async (line: string, body?: unknown) => {
    const { status, text } = await untilOk(one, name, line, body);
    return { status, body: JSON.parse(text) as { readonly id: number; readonly message?: string } };
  };
  const { id } = (await call('POST /api/orders/', order)).body;
  const item = { variant: 1, unitPrice: 1000, quantity: 1 };
  expect((await call(`POST /api/orders/${id}/items/`, item)).status).toBe(201);
  for (const step of stepNames) {
    const { status, body } = await submitStep(call, id, step);
    expect([step, status, body.message]).toEqual([step, 200, undefined]);
  }
  return id;
}

/** Half of the visitors have begun before Redis is suspended. */
async function suspendRedis(milliseconds: number, names: readonly string[]): Promise<void> {
  for (const name of names.slice(names.length / 2)) await send([one], name, 'GET /api/orders/1');
  const lines = one.lines.length;
  redis.child.kill('SIGSTOP');
  onTestFinished(() => void redis.child.kill('SIGCONT'));
  const over = sleep(milliseconds);
  const checkouts = Promise.all(names.map(checkOut));
  checkouts.catch(() => undefined);
  await expect.poll(async () => isReady(one)).toBe(503);
  // A session that no server has in memory
  const { status, text } = await sendTo(one, `late-${names[0]}`, 'GET /api/orders/1');
  // A connection that is silent for 3 s is closed, which a busy machine may see here.
  expect([status, JSON.parse(text).message]).toEqual([
    503,
    expect.stringMatching(
      /^The store of sessions (does not answer|cannot be reached) at the moment\.$/,
    ),
  ]);
  await over;
  // While Redis was suspended: no request waits for it.
  const begun = names.slice(0, names.length / 2);
  await expect.poll(() => begun.filter((name) => !refused.has(name))).toEqual([]);
  redis.child.kill('SIGCONT');
  const ids = await checkouts;
  await expect.poll(async () => isReady(one)).toBe(200);
  for (const [at, name] of names.entries()) {
    const { text: shown } = await untilOk(other, name, `GET /api/orders/${ids[at]}`);
    expect(JSON.parse(shown)).toMatchObject({ id: 121, checkout_state: 'completed' });
  }
  expect(one.lines.slice(lines)).toEqual(['Redis does not answer.', 'Redis is there again.']);
}

test('while Redis is suspended, each request is answered without it, and no checkout loses a step', async () => {
  await suspendRedis(
    2500,
    Array.from({ length: 10 }, (_, at) => `short-${at}`),
  );
});

test(
  '50 checkouts across 20 s without an answer of Redis lose nothing',
  { tags: 'long', timeout: 120_000 },
  async () => {
    const names = Array.from({ length: 50 }, (_, at) => `visitor-${at}`);
    await suspendRedis(20_000, names);
  },
);

test('a session stays with its owner, with all that was acknowledged, when Redis loses its data', async () => {
  const name = 'flushed';
  for (let at = 0; at < 3; at++)
    expect((await untilOk(one, name, 'POST /api/orders/', order)).status).toBe(201);
  await client.flushAll();
  const found = await untilOk(other, name, 'GET /api/orders/123');
  expect([found.status, found.notice]).toEqual([200, null]);
  const added = await untilOk(other, name, 'POST /api/orders/', order);
  expect(JSON.parse(added.text).id).toBe(124);
});

test('an owner keeps its session when Redis loses its data and the reply that says so', async () => {
  expect((await untilOk(one, 'ida', 'POST /api/orders/', order)).status).toBe(201);
  // Later saves would claim it again.
  await expect.poll(async () => client.hGet('backlot:session:ida', 's')).toContain('"orders"');
  const lines = one.lines.length;
  redis.child.kill('SIGSTOP');
  onTestFinished(() => void redis.child.kill('SIGCONT'));
  // Executed before all that the servers send from now on
  const flushed = client.flushAll();
  await expect.poll(() => one.lines.length).toBe(lines + 1);
  redis.child.kill('SIGCONT');
  await flushed;
  expect((await untilOk(other, 'ida', 'GET /api/orders/121')).status).toBe(200);
});

test('a server that is cut off from Redis says so once, gives up its sessions when its lease ends, and is back by itself', async () => {
  const network = await startNetwork(redis.url);
  const third = await openReplica(network.url, { lease });
  onTestFinished(async () => {
    network.isCut = false;
    await third.close();
    network.close();
  });
  expect((await untilOk(third, 'jan', 'POST /api/orders/', order)).status).toBe(201);
  await expect.poll(async () => client.hGet('backlot:session:jan', 's')).toContain('"orders"');
  // A connection that is silent for 3 s is closed, which a busy machine may see first.
  const silent = /^Redis (does not answer\.$|cannot be reached: Socket timeout)/;
  const gone = [expect.stringMatching(silent), 'Redis is there again.'];
  network.isCut = true;
  // What it has sent for this one reaches Redis too late.
  expect((await sendTo(third, 'kim', 'GET /api/orders/1')).status).toBe(503);
  network.isCut = false;
  await expect.poll(() => third.lines).toEqual(gone);
  network.isCut = true;
  expect((await sendTo(third, 'jan', 'GET /api/orders/121')).status).toBe(200);
  await expect.poll(() => third.lines).toHaveLength(3);
  await expect
    .poll(async () => (await sendTo(third, 'jan', 'GET /api/orders/121')).status)
    .toBe(503);
  // In Redis, the lease ends later if the reply to the last renewal was cut off.
  const taken = await untilOk(other, 'jan', 'GET /api/orders/121');
  expect([taken.status, taken.notice]).toEqual([200, expect.stringContaining('was taken over')]);
  network.isCut = false;
  expect((await untilOk(third, 'jan', 'GET /api/orders/121')).status).toBe(200);
  await expect.poll(() => third.lines).toEqual([...gone, ...gone]);
});

test('while the memory of Redis is full, sessions go on, and the terminal says that they are not saved', async () => {
  await untilOk(one, 'eve', 'POST /api/orders/', order);
  const lines = one.lines.length;
  await client.configSet('maxmemory', '1');
  expect((await sendTo(one, 'eve', 'POST /api/orders/', order)).status).toBe(201);
  const { status, text } = await sendTo(one, 'fay', 'GET /api/orders/1');
  expect([status, JSON.parse(text).message]).toEqual([
    503,
    'The store of sessions is full at the moment.',
  ]);
  await expect.poll(() => one.lines.length).toBe(lines + 1);
  await client.configSet('maxmemory', '0');
  await expect.poll(() => one.lines.length).toBe(lines + 2);
  expect(one.lines.slice(lines)).toEqual([
    'The memory of Redis is full: changes are not saved, and no session can begin.',
    'Redis has memory again. All changes are saved.',
  ]);
  expect((await sendTo(other, 'eve', 'GET /api/orders/122')).status).toBe(200);
});

test('with --durable, a write gets 503 while Redis does not answer or its memory is full', async () => {
  const durable = await openReplica(redis.url, { lease, isDurable: true });
  onTestFinished(async () => durable.close());
  const add = async () => (await sendTo(durable, 'lea', 'POST /api/orders/', order)).status;
  expect(await add()).toBe(201);
  redis.child.kill('SIGSTOP');
  onTestFinished(() => void redis.child.kill('SIGCONT'));
  expect(await add()).toBe(503);
  redis.child.kill('SIGCONT');
  await expect.poll(add).toBe(201);
  await client.configSet('maxmemory', '1');
  expect(await add()).toBe(503);
  await client.configSet('maxmemory', '0');
  await expect.poll(add).toBe(201);
});

test('a key of another type is set aside, and the session begins anew with a notice', async () => {
  await client.set('backlot:session:bob', 'text');
  const { status, notice } = await untilOk(one, 'bob', 'POST /api/orders/', order);
  expect([status, notice]).toEqual([
    201,
    'Session bob was reset: what was saved of it cannot be read.',
  ]);
  expect(await client.get('backlot:aside:bob')).toBe('text');
  expect(one.lines.at(-1)).toBe(
    'The key backlot:session:bob of Redis was no session. It is backlot:aside:bob now.',
  );
});

test('sessions move between servers whose clocks are ahead of that of Redis by 90 s', async () => {
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 90_000);
  onTestFinished(() => void vi.restoreAllMocks());
  for (const at of [one, other, one])
    expect((await untilOk(at, 'gus', 'POST /api/orders/', order)).status).toBe(201);
});

test('a Redis that deletes keys when its memory is full is told at the start', async () => {
  await client.configSet('maxmemory-policy', 'allkeys-lru');
  await client.configSet('maxmemory', '100mb');
  const third = await openReplica(redis.url, { lease });
  await client.configSet('maxmemory', '0');
  await client.configSet('maxmemory-policy', 'noeviction');
  const { lines } = third;
  await third.close();
  expect(lines).toEqual([
    'Redis deletes sessions when its memory is full, because its maxmemory-policy is allkeys-lru. Set it to noeviction.',
  ]);
});

test('SIGTERM ends a server while Redis does not answer', async () => {
  const own = await startRedis();
  const server = await startReplica(await freePort(), ['--store', own.url]);
  onTestFinished(async () => {
    await server.end('SIGKILL');
    await own.stop();
  });
  await send([server], 'ada', 'POST /api/orders/', order);
  own.child.kill('SIGSTOP');
  await send([server], 'ada', 'POST /api/orders/', order);
  const printed: string[] = [];
  server.child.stderr?.on('data', (bytes: Buffer) => printed.push(String(bytes)));
  server.child.kill('SIGTERM');
  const [code] = await once(server.child, 'close');
  expect(code).toBe(0);
  expect(printed.join('')).toContain('has not taken the last changes of 1 session');
});
