// @module-tag redis-server

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { stepNames, submitStep } from '../support/checkout-steps.ts';
import { openDebugger } from './debugger.ts';
import { startNetwork } from '../support/network.ts';
import { freePort, startRedis, type RedisServer } from '../support/redis.ts';
import { openReplica, startReplica, type OpenReplica, type Replica } from '../support/replica.ts';
import { send, type Sent } from './send.ts';

const order = { channel: 1, user: 1, currency: 'EUR' };

let redis: RedisServer;
let client: ReturnType<typeof createClient>;
let one: OpenReplica;
let other: OpenReplica;

beforeAll(async () => {
  redis = await startRedis();
  client = createClient({ url: redis.url });
  await client.connect();
  one = await openReplica(redis.url);
  other = await openReplica(redis.url);
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
async function sendTo(
  at: { readonly url: string },
  name: string,
  line: string,
  body?: unknown,
): Promise<Sent> {
  const sent = await send([at], name, line, body);
  if (sent.status === 503) expect(sent.retry).toBe('1');
  return sent;
}

async function untilOk(...sent: Parameters<typeof sendTo>): Promise<Sent> {
  for (;;) {
    const answer = await sendTo(...sent);
    if (answer.status !== 503) return answer;
    await sleep(100);
  }
}

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

test('while Redis is suspended, all requests get 503 within two seconds, and checkouts go on afterwards', async () => {
  const names = Array.from({ length: 10 }, (_, at) => `visitor-${at}`);
  for (const name of names) await send([one], name, 'GET /api/orders/1');
  const lines = one.lines.length;
  redis.child.kill('SIGSTOP');
  onTestFinished(() => void redis.child.kill('SIGCONT'));
  const began = performance.now();
  const { status, text } = await sendTo(one, names[0]!, 'GET /api/orders/1');
  expect(performance.now() - began).toBeLessThan(2000);
  expect([status, JSON.parse(text).message]).toEqual([
    503,
    'The store of sessions does not answer at the moment.',
  ]);
  expect(await isReady(one)).toBe(503);
  expect((await fetch(`${one.url}/_backlot/health`)).status).toBe(200);
  const checkouts = Promise.all(names.map(checkOut));
  await sleep(500);
  redis.child.kill('SIGCONT');
  const ids = await checkouts;
  await expect.poll(async () => isReady(one)).toBe(200);
  for (const [at, name] of names.entries()) {
    const { text: shown } = await untilOk(other, name, `GET /api/orders/${ids[at]}`);
    expect(JSON.parse(shown)).toMatchObject({ checkout_state: 'completed' });
  }
  expect(one.lines.slice(lines)).toEqual(['Redis does not answer.', 'Redis is there again.']);
});

test('the outcome of a write whose reply is lost is either, and the next request shows which', async () => {
  const network = await startNetwork(redis.url);
  const third = await openReplica(network.url);
  onTestFinished(async () => {
    network.isCut = false;
    await third.close();
    network.close();
  });
  expect((await sendTo(third, 'jan', 'POST /api/orders/', order)).status).toBe(201);
  network.delay = 100;
  const cut = sendTo(third, 'jan', 'POST /api/orders/', order);
  // The write has passed, and its reply will not.
  await expect.poll(async () => client.hGet('backlot:session:jan', 's')).toContain('"id":122');
  network.isCut = true;
  const lost = await cut;
  expect([lost.status, JSON.parse(lost.text).message]).toEqual([
    503,
    expect.stringMatching(/: the request may have been performed or not\.$/),
  ]);
  expect((await sendTo(other, 'jan', 'GET /api/orders/122')).status).toBe(200);
  network.delay = 0;
  network.isCut = false;
  expect((await untilOk(third, 'jan', 'GET /api/orders/122')).status).toBe(200);
  const { text } = await untilOk(third, 'jan', 'POST /api/orders/', order);
  expect(JSON.parse(text).id).toBe(123);
});

test('a server that is cut off from Redis answers no request from its memory, and is back by itself', async () => {
  const network = await startNetwork(redis.url);
  const third = await openReplica(network.url);
  onTestFinished(async () => {
    network.isCut = false;
    await third.close();
    network.close();
  });
  expect((await sendTo(third, 'kim', 'POST /api/orders/', order)).status).toBe(201);
  network.isCut = true;
  expect((await sendTo(third, 'kim', 'GET /api/orders/121')).status).toBe(503);
  expect((await sendTo(other, 'kim', 'DELETE /api/orders/121')).status).toBe(204);
  expect((await sendTo(third, 'kim', 'GET /api/orders/121')).status).toBe(503);
  network.isCut = false;
  expect((await untilOk(third, 'kim', 'GET /api/orders/121')).status).toBe(404);
  await expect.poll(() => third.lines.at(-1)).toBe('Redis is there again.');
});

test('if Redis loses its data, the first server with a copy of a session restores it, and says so once', async () => {
  for (let at = 0; at < 3; at++)
    expect((await sendTo(one, 'flushed', 'POST /api/orders/', order)).status).toBe(201);
  await client.flushAll();
  const restored = await sendTo(one, 'flushed', 'GET /api/orders/123');
  expect([restored.status, restored.notice]).toEqual([
    200,
    'Session flushed was restored from the memory of a server, because the store had lost it. Changes that other servers have made may be missing.',
  ]);
  const added = await sendTo(other, 'flushed', 'POST /api/orders/', order);
  expect([JSON.parse(added.text).id, added.notice]).toEqual([124, null]);
  expect((await sendTo(one, 'flushed', 'GET /api/orders/124')).notice).toBeNull();
});

test('what was acknowledged after Redis has lost its data stays, whatever other servers have in memory', async () => {
  expect((await sendTo(one, 'ida', 'POST /api/orders/', order)).status).toBe(201);
  expect((await sendTo(other, 'ida', 'GET /api/orders/121')).status).toBe(200);
  expect((await sendTo(one, 'ida', 'POST /api/orders/', order)).status).toBe(201);
  await client.flushAll();
  // It has an earlier state, and is the first.
  const first = await sendTo(other, 'ida', 'POST /api/orders/', { ...order, user: 2 });
  expect([JSON.parse(first.text).id, first.notice]).toEqual([
    122,
    expect.stringContaining('was restored from the memory of a server'),
  ]);
  for (const at of [one, other]) {
    const { text, notice } = await sendTo(at, 'ida', 'GET /api/orders/122');
    expect([JSON.parse(text).user.id, notice]).toEqual([2, null]);
  }
});

test('while the memory of Redis is full, reads go on, and changes get 503', async () => {
  await sendTo(one, 'eve', 'POST /api/orders/', order);
  const lines = one.lines.length;
  await client.configSet('maxmemory', '1');
  const { status, text } = await sendTo(one, 'eve', 'POST /api/orders/', order);
  expect([status, JSON.parse(text).message]).toEqual([
    503,
    'The store of sessions is full at the moment.',
  ]);
  for (const at of [one, other])
    expect((await sendTo(at, 'eve', 'GET /api/orders/121')).status).toBe(200);
  expect((await sendTo(one, 'eve', 'GET /api/orders/122')).status).toBe(404);
  await client.configSet('maxmemory', '0');
  const added = await sendTo(one, 'eve', 'POST /api/orders/', order);
  expect([added.status, JSON.parse(added.text).id]).toEqual([201, 122]);
  expect(one.lines.slice(lines)).toEqual([
    'The memory of Redis is full: until it has some, changes get status 503.',
    'Redis has memory again.',
  ]);
  const journal = await sendTo(one, 'eve', 'GET /_backlot/journal?view=summary');
  expect(JSON.parse(journal.text).summaries).toMatchObject([
    { title: 'POST /api/orders/' },
    { title: 'GET /api/orders/121' },
    { title: 'GET /api/orders/122' },
    { title: 'POST /api/orders/' },
  ]);
});

test('a key of another type is set aside, and the session begins anew with a notice', async () => {
  await client.set('backlot:session:bob', 'text');
  const { status, notice } = await sendTo(one, 'bob', 'POST /api/orders/', order);
  expect([status, notice]).toEqual([
    201,
    'Session bob was reset: what was saved of it cannot be read.',
  ]);
  expect(await client.get('{backlot:session:bob}:aside')).toBe('text');
  expect(one.lines.at(-1)).toBe(
    'The key backlot:session:bob of Redis was no session. It is {backlot:session:bob}:aside now.',
  );
});

test('a Redis that deletes keys when its memory is full is told at the start', async () => {
  await client.configSet('maxmemory-policy', 'allkeys-lru');
  await client.configSet('maxmemory', '100mb');
  const third = await openReplica(redis.url);
  await client.configSet('maxmemory', '0');
  await client.configSet('maxmemory-policy', 'noeviction');
  const { lines } = third;
  await third.close();
  expect(lines).toEqual([
    'Redis deletes sessions when its memory is full, because its maxmemory-policy is allkeys-lru. Set it to noeviction.',
  ]);
});

/** Starts a server with a Redis of its own. */
async function startAlone(): Promise<{ own: RedisServer; server: Replica }> {
  const own = await startRedis();
  const server = await startReplica(await freePort(), ['--store', own.url]);
  onTestFinished(async () => {
    await server.end('SIGKILL');
    await own.stop();
  });
  await send([server], 'ada', 'POST /api/orders/', order);
  return { own, server };
}

test('SIGTERM ends a server while Redis does not answer', async () => {
  const { own, server } = await startAlone();
  own.child.kill('SIGSTOP');
  expect((await sendTo(server, 'ada', 'POST /api/orders/', order)).status).toBe(503);
  server.child.kill('SIGTERM');
  const [code] = await once(server.child, 'close');
  expect(code).toBe(0);
});

test(
  'the memory of a server does not grow under load while Redis is stopped',
  { tags: 'long', timeout: 120_000 },
  async () => {
    const { own, server } = await startAlone();
    const debug = await openDebugger(server.child);
    await load(server, 500);
    await own.stop();
    await load(server, 1000);
    const before = await debug.memory();
    const statuses = await load(server, 2000);
    const after = await debug.memory();
    debug.close();
    // Code is compiled while a server warms up. After that, 100,000 requests add 0.2 MB.
    expect(after.used - before.used).toBeLessThan(5);
    // V8 keeps the pages of its young generation, whose size has a limit.
    expect(after.resident - before.resident).toBeLessThan(60);
    expect([...statuses]).toEqual([503]);
    const again = await startRedis(Number(new URL(own.url).port));
    onTestFinished(async () => again.stop());
    expect((await untilOk(server, 'ada', 'GET /api/orders/121')).status).toBe(200);
  },
);

/** Changes 40 sessions and begins others for some time. Returns the statuses of the responses. */
async function load(server: Replica, milliseconds: number): Promise<ReadonlySet<number>> {
  const end = performance.now() + milliseconds;
  const statuses = new Set<number>();
  const visit = async (at: number): Promise<void> => {
    for (let count = 0; performance.now() < end; count++) {
      const session = count % 2 === 0 ? `load-${at}` : `load-${at}-${count}`;
      const body = { firstName: `Ada ${count}` };
      statuses.add((await send([server], session, 'PATCH /api/users/6', body)).status);
    }
  };
  await Promise.all(Array.from({ length: 40 }, (_, at) => visit(at)));
  return statuses;
}
