// @module-tag redis-server

import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openServer } from '../support/server.ts';
import { send, type Sent } from '../support/send.ts';
import { freePort, startRedis, type RedisServer } from '../support/redis.ts';
import { openDebugger } from '../support/debugger.ts';
import { startReplica, type Replica } from '../support/replica.ts';

/** The lease of the servers, in milliseconds. */
const lease = 2000;

/** In milliseconds. Programs start slowly on a machine that does other work, too. */
const timeout = 120_000;

test(
  'three servers give the same bytes as one process while each in turn is ended and started again',
  { tags: 'long', timeout },
  async () => {
    const redis = await startRedis();
    // On a busy machine, a server can be silent for so long that others take its sessions over.
    const start = async (port: number): Promise<Replica> =>
      startReplica(port, ['--store', redis.url, '--durable']);
    const ports = [await freePort(), await freePort(), await freePort()];
    const replicas = await Promise.all(ports.map(start));
    onTestFinished(async () => {
      await Promise.all(replicas.map(async (replica) => replica.end('SIGKILL')));
      await redis.stop();
    });
    const alone = openServer();
    const ends = (async () => {
      for (const at of replicas.keys()) {
        await replicas[at]!.end('SIGTERM');
        replicas[at] = await start(replicas[at]!.port);
      }
    })();
    const state = { isEnded: false };
    const markEnd = (): void => void (state.isEnded = true);
    void ends.then(markEnd, markEnd);
    /** Returns the number of requests; undefined if it is not known whether one of them was performed. */
    const visit = async (name: string): Promise<number | undefined> => {
      let count = 0;
      for (; count < 4 || !state.isEnded; count++) {
        const line = count % 3 === 2 ? 'GET /api/orders/?limit=2&page=5' : 'POST /api/orders/';
        const body =
          count % 3 === 2 ? undefined : { channel: 1, user: (count % 5) + 1, currency: 'EUR' };
        const { status, text } = await untilAvailable(async () => send(replicas, name, line, body));
        if (status === 503) return undefined;
        const expected = alone.call(line, body, { 'x-backlot-session': name });
        expect([name, count, status, text]).toEqual([
          name,
          count,
          expected.status,
          JSON.stringify(expected.body),
        ]);
        await sleep(Math.random() * 600);
      }
      return count;
    };
    const names = Array.from({ length: 200 }, (_, at) => `visitor-${at}`);
    // A replica that is started last is ended with the others, even if a visit fails.
    const visits = await Promise.allSettled(names.map(visit));
    await ends;
    const counts = visits.map((visited) => {
      if (visited.status === 'rejected') throw visited.reason;
      return visited.value;
    });
    // No write is lost: each visitor has every order that a response has acknowledged.
    expect(counts.filter((count) => count === undefined).length).toBeLessThan(20);
    for (const [at, name] of names.entries()) {
      const count = counts[at];
      if (count === undefined) continue;
      const orders = count - Math.floor(count / 3);
      const last = 120 + orders;
      const status = async (id: number) =>
        (await untilAvailable(async () => send(replicas, name, `GET /api/orders/${id}`))).status;
      expect([await status(last), await status(last + 1)]).toEqual([200, 404]);
    }
  },
);

const suite = (): void => {
  let redis: RedisServer;
  let client: ReturnType<typeof createClient>;
  const replicas: Replica[] = [];
  const start = async (port?: number): Promise<Replica> =>
    startReplica(port ?? (await freePort()), ['--store', redis.url], lease);

  beforeAll(async () => {
    redis = await startRedis();
    client = createClient({ url: redis.url });
    client.on('error', () => undefined);
    await client.connect();
    replicas.push(...(await Promise.all([start(), start(), start()])));
  });

  afterAll(async () => {
    await Promise.all(replicas.map(async (replica) => replica.end('SIGKILL')));
    client.destroy();
    await redis.stop();
  });

  test(
    'another server takes a session over when a killed one is silent, and says so',
    async () => {
      const [, other, victim] = replicas as [Replica, Replica, Replica];
      for (const name of ['ada', 'ben'])
        expect((await send([victim], name, 'POST /api/orders/', order)).status).toBe(201);
      expect((await send([victim], 'cem', 'GET /api/orders/1')).status).toBe(200);
      for (const name of ['ada', 'ben', 'cem'])
        await expect.poll(async () => client.hGet(`backlot:session:${name}`, 's')).toBeTruthy();
      await victim.end('SIGKILL');
      // As if it had ended before its first save
      expect(await client.hDel('backlot:session:cem', 's')).toBe(1);
      // How long that takes, the bench measures.
      for (const { status, notice } of await Promise.all(
        ['ada', 'ben'].map(async (name) => send([other], name, 'GET /api/orders/121')),
      ))
        expect([status, notice]).toEqual([200, expect.stringContaining('was taken over')]);
      for (const notice of [
        'Session cem was reset: its server has ended before it was saved.',
        null,
      ])
        expect(await send([other], 'cem', 'GET /api/orders/1')).toMatchObject({
          status: 200,
          notice,
        });
    },
    timeout,
  );

  test(
    'no save of a server that was suspended for two leases is taken',
    async () => {
      const [other, victim] = replicas as [Replica, Replica];
      await send([victim], 'bob', 'POST /api/orders/', order);
      await expect.poll(async () => client.hGet('backlot:session:bob', 's')).toContain('"orders"');
      victim.child.kill('SIGSTOP');
      await sleep(2 * lease);
      const { text } = await untilAvailable(async () =>
        send([other], 'bob', 'POST /api/orders/', order),
      );
      expect(JSON.parse(text).id).toBe(122);
      victim.child.kill('SIGCONT');
      // Until it is connected to Redis again, it answers 503, and never from its old state.
      const own = await untilAvailable(async () => send([victim], 'bob', 'GET /api/orders/122'));
      expect(own.status).toBe(200);
      expect((await send([other], 'bob', 'GET /api/orders/122')).status).toBe(200);
    },
    timeout,
  );

  test(
    'owned sessions go on until the lease ends while Redis is stopped, and all go on afterwards',
    async () => {
      const port = Number(new URL(redis.url).port);
      const [one] = replicas;
      expect((await send([one!], 'eve', 'POST /api/orders/', order)).status).toBe(201);
      await sleep(60);
      await redis.stop();
      const owned = await send([one!], 'eve', 'GET /api/orders/121');
      expect(owned.status).toBe(200);
      const begun = await send([one!], 'fay', 'GET /api/orders/1');
      expect([begun.status, begun.retry]).toEqual([503, '1']);
      await sleep(1.5 * lease);
      expect((await send([one!], 'eve', 'GET /api/orders/121')).status).toBe(503);
      redis = await startRedis(port);
      const back = await untilAvailable(async () => send([one!], 'eve', 'GET /api/orders/121'));
      expect(back.status).toBe(200);
      // Redis has lost its data, so another server could hold this session.
      const begins = await untilAvailable(async () => send([one!], 'fay', 'GET /api/orders/1'));
      expect(begins.status).toBe(200);
    },
    timeout,
  );

  test(
    'the memory of a server does not grow under load while Redis is stopped',
    { tags: 'long', timeout },
    async () => {
      const port = Number(new URL(redis.url).port);
      const [, server] = replicas as [Replica, Replica];
      const debug = await openDebugger(server.child);
      await load(server, 500, 'warm');
      await sleep(100);
      await redis.stop();
      await load(server, 1000, 'away');
      const before = await debug.memory();
      const counts = await load(server, Number(process.env['SECONDS'] ?? 2) * 1000, 'away');
      const after = await debug.memory();
      if (process.env['SECONDS'] !== undefined) console.log(counts, before, after);
      debug.close();
      // Code is compiled while a server warms up. After that, 100,000 requests add 0.2 MB.
      expect(after.used - before.used).toBeLessThan(5);
      // V8 keeps the pages of its young generation, whose size has a limit.
      expect(after.resident - before.resident).toBeLessThan(60);
      expect(Object.keys(counts).toSorted()).toEqual(['503']);
      redis = await startRedis(port);
      const back = await untilAvailable(async () => send([server], 'warm-1', 'GET /api/orders/1'));
      expect(back.status).toBe(200);
    },
  );
};

/** Repeats a request as a client does that obeys `Retry-After`, but sooner. */
async function untilAvailable(request: () => Promise<Sent>): Promise<Sent> {
  for (let tries = 0; ; tries++) {
    const answer = await request();
    if (answer.status !== 503 || tries > 100 || answer.text.includes('may be lost')) return answer;
    expect(answer.retry).toMatch(/^[1-4]$/);
    await sleep(50);
  }
}

/** Changes 40 sessions and begins others for some time. Returns the number of responses by status. */
async function load(
  server: Replica,
  milliseconds: number,
  name: string,
): Promise<Record<number, number>> {
  const end = performance.now() + milliseconds;
  const counts: Record<number, number> = {};
  const visit = async (at: number): Promise<void> => {
    for (let count = 0; performance.now() < end; count++) {
      const session = count % 2 === 0 ? `${name}-${at}` : `${name}-${at}-${count}`;
      const { status } = await send([server], session, 'PATCH /api/users/6', {
        firstName: `Ada ${count}`,
      });
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 40 }, (_, at) => visit(at)));
  return counts;
}

describe('sessions in Redis', suite);

const order = { channel: 1, user: 1, currency: 'EUR' };
