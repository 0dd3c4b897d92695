import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer } from '../support/server.ts';
import { freePort, hasProgram, startRedis, type RedisServer } from '../support/redis.ts';
import { startReplica, type Replica } from '../support/replica.ts';

const isInstalled = hasProgram('redis-server', 'those of sessions in Redis');

/** The lease of the servers, in milliseconds. */
const lease = 2000;

/** In milliseconds. Programs start slowly on a machine that does other work, too. */
const timeout = 120_000;

const suite = (): void => {
  let redis: RedisServer;
  const replicas: Replica[] = [];
  const start = async (port?: number): Promise<Replica> =>
    startReplica(port ?? (await freePort()), ['--store', redis.url], lease);

  beforeAll(async () => {
    redis = await startRedis();
    replicas.push(...(await Promise.all([start(), start(), start()])));
  });

  afterAll(async () => {
    await Promise.all(replicas.map(async (replica) => replica.end('SIGKILL')));
    await redis.stop();
  });

  test(
    'three servers give the same bytes as one process while each in turn is ended and started again',
    async () => {
      const alone = openServer();
      const ends = (async () => {
        for (const at of replicas.keys()) {
          await replicas[at]!.end('SIGTERM');
          replicas[at] = await start(replicas[at]!.port);
        }
      })();
      const state = { isEnded: false };
      void ends.then(() => (state.isEnded = true));
      const visit = async (name: string): Promise<number> => {
        let count = 0;
        for (; count < 4 || !state.isEnded; count++) {
          const line = count % 3 === 2 ? 'GET /api/orders/?limit=2&page=5' : 'POST /api/orders/';
          const body =
            count % 3 === 2 ? undefined : { channel: 1, user: (count % 5) + 1, currency: 'EUR' };
          const { status, text } = await send(replicas, name, line, body);
          const expected = alone.call(line, body, { 'x-backlot-session': name });
          expect([name, count, status, text]).toEqual([
            name,
            count,
            expected.status,
            JSON.stringify(expected.body),
          ]);
          await sleep(Math.random() * 100);
        }
        return count;
      };
      const names = Array.from({ length: 200 }, (_, at) => `visitor-${at}`);
      await Promise.all(names.map(visit));
      await ends;
    },
    timeout,
  );

  test(
    'another server takes a session over when the lease of a killed one ends, and says so',
    async () => {
      const [, other] = replicas;
      const victim = await start();
      const { text } = await send([victim], 'ada', 'POST /api/orders/', order);
      await sleep(100);
      await victim.end('SIGKILL');
      const { id } = JSON.parse(text);
      const { status, notice } = await send([other!], 'ada', `GET /api/orders/${id}`);
      expect([status, notice]).toEqual([200, expect.stringContaining('was taken over')]);
    },
    timeout,
  );

  test(
    'no save of a server that was suspended for two leases is taken',
    async () => {
      const [, other] = replicas;
      const victim = await start();
      await send([victim], 'bob', 'POST /api/orders/', order);
      await sleep(100);
      victim.child.kill('SIGSTOP');
      await sleep(2 * lease);
      const { text } = await send([other!], 'bob', 'POST /api/orders/', order);
      expect(JSON.parse(text).id).toBe(122);
      victim.child.kill('SIGCONT');
      expect((await send([victim], 'bob', 'GET /api/orders/122')).status).toBe(200);
      expect((await send([other!], 'bob', 'GET /api/orders/122')).status).toBe(200);
      await victim.end('SIGTERM');
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
      await sleep(1500);
      expect((await send([one!], 'eve', 'GET /api/orders/121')).status).toBe(200);
      expect((await send([one!], 'fay', 'GET /api/orders/1')).status).toBe(200);
    },
    timeout,
  );
};

if (isInstalled) describe('sessions in Redis', suite);
else test('redis-server is not installed', () => expect(isInstalled).toBe(false));

const order = { channel: 1, user: 1, currency: 'EUR' };

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly notice: string | null;
  readonly retry: string | null;
}

/** Sends a request to any of the servers. As a balancer does, goes on to the next if one refuses the connection. */
async function send(
  replicas: readonly Replica[],
  session: string,
  line: string,
  body?: unknown,
): Promise<Sent> {
  const [method = '', path = ''] = line.split(' ');
  for (let tries = 0; ; tries++) {
    const { url } = replicas[Math.floor(Math.random() * replicas.length)]!;
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          'x-backlot-session': session,
          connection: 'close',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return {
        status: response.status,
        text: await response.text(),
        notice: response.headers.get('x-backlot-notice'),
        retry: response.headers.get('retry-after'),
      };
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } };
      if (cause?.code !== 'ECONNREFUSED' || tries > 200) throw error;
      await sleep(20);
    }
  }
}
