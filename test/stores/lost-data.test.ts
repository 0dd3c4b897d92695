// @module-tag redis-server

import { createClient } from 'redis';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, startRedis } from '../support/redis.ts';
import { openReplica, startReplica, type Replica } from '../support/replica.ts';
import { send } from '../support/send.ts';

const order = { channel: 1, user: 1, currency: 'EUR' };

/** In milliseconds. */
const lease = 2000;

/**
 * Opens two servers of one store. The first one has begun the session `ada` with order 121, and is suspended; the second one
 * has taken it over with order 122.
 */
async function takeOver() {
  const redis = await startRedis();
  const start = async (): Promise<Replica> =>
    startReplica(await freePort(), ['--store', redis.url, '--durable'], lease);
  const [former, owner] = await Promise.all([start(), start()]);
  onTestFinished(async () => {
    await Promise.all([former.end('SIGKILL'), owner.end('SIGKILL')]);
    await redis.stop();
  });
  expect((await add(former)).id).toBe(121);
  former.child.kill('SIGSTOP');
  // With --durable, nothing is missing that a notice could tell.
  await expect.poll(async () => add(owner)).toEqual({ status: 201, id: 122, notice: null });
  return { redis, former, owner };
}

async function add(at: Replica) {
  const { status, text, notice } = await send([at], 'ada', 'POST /api/orders/', order);
  return { status, id: (JSON.parse(text) as { readonly id?: number }).id, notice };
}

/** Adds an order when that is possible again. */
async function addLater(at: Replica) {
  for (;;) {
    const added = await add(at);
    if (added.status !== 503) return added;
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}

test('when Redis loses its data, a server that was suspended does not bring its old copy of a session back', async () => {
  const { redis, former, owner } = await takeOver();
  const client = createClient({ url: redis.url });
  await client.connect();
  onTestFinished(() => client.destroy());
  // The owner has just renewed its lease, so that the other server is the first that can find it missing.
  await expect
    .poll(
      async () => {
        const leases = await client.keys('backlot:lease:*');
        return Math.max(...(await Promise.all(leases.map(async (key) => client.pTTL(key)))));
      },
      { interval: 5 },
    )
    .toBeGreaterThan(480);
  await client.flushAll();
  former.child.kill('SIGCONT');
  expect(await addLater(former)).toMatchObject({ status: 201, id: 123 });
  for (const at of [former, owner])
    expect((await send([at], 'ada', 'GET /api/orders/123')).status).toBe(200);
});

test('when all leases have ended and Redis has lost its data, the latest copy of a session wins', async () => {
  const { redis, former, owner } = await takeOver();
  await redis.stop();
  owner.child.kill('SIGSTOP');
  await new Promise((resolve) => {
    setTimeout(resolve, lease);
  });
  const empty = await startRedis(Number(new URL(redis.url).port));
  onTestFinished(async () => empty.stop());
  const client = createClient({ url: empty.url });
  await client.connect();
  onTestFinished(() => client.destroy());
  former.child.kill('SIGCONT');
  await expect.poll(async () => client.keys('backlot:lease:*'), { interval: 5 }).toHaveLength(1);
  const added = addLater(former);
  // Long enough to answer from the old copy
  await new Promise((resolve) => {
    setTimeout(resolve, lease / 4);
  });
  owner.child.kill('SIGCONT');
  expect(await added).toMatchObject({ status: 201, id: 123 });
  for (const at of [former, owner])
    expect((await send([at], 'ada', 'GET /api/orders/123')).status).toBe(200);
});

test('a session that was released and that no server has taken yet is not lost with the data of Redis', async () => {
  const redis = await startRedis();
  const client = createClient({ url: redis.url });
  await client.connect();
  const options = { lease, isDurable: true };
  const [former, other] = [
    await openReplica(redis.url, options),
    await openReplica(redis.url, options),
  ];
  onTestFinished(async () => {
    await Promise.all([former.close(), other.close()]);
    client.destroy();
    await redis.stop();
  });
  expect((await send([former], 'ada', 'POST /api/orders/', order)).status).toBe(201);
  const owner = await client.hGet('backlot:session:ada', 'o');
  // As another server that ends before it claims the session
  await client.publish(`backlot:server:${owner}`, 'ada');
  await expect.poll(async () => client.hGet('backlot:session:ada', 'o')).toBe('');
  await client.flushAll();
  await expect
    .poll(async () => (await send([other], 'ada', 'GET /api/orders/121')).status)
    .toBe(200);
});
