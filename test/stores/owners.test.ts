// @module-tag redis-server

import { StoreIssue } from '../../src/engine/sessions/store.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import { expect, onTestFinished, test } from 'vitest';
import { startNetwork } from '../support/network.ts';
import { freePort, startRedis } from '../support/redis.ts';
import { openReplica, startReplica } from '../support/replica.ts';
import { send } from '../support/send.ts';

const order = { channel: 1, user: 1, currency: 'EUR' };

/**
 * Opens two servers of one store, and a client of Redis. Neither renews its leases during a test, because it would learn that
 * one is lost.
 */
async function openTwo(more: Parameters<typeof openReplica>[1] = {}) {
  const options = { lease: 600_000, ...more };
  const redis = await startRedis();
  const client = createClient({ url: redis.url });
  await client.connect();
  const one = await openReplica(redis.url, options);
  const other = await openReplica(redis.url, options);
  onTestFinished(async () => {
    await Promise.all([one.close(), other.close()]);
    client.destroy();
    await redis.stop();
  });
  const loseLeases = async (): Promise<void> => {
    await client.del(await client.keys('backlot:lease:*'));
  };
  /** Waits until the saved session contains a text. */
  const untilSaved = (text: string): Promise<void> =>
    expect.poll(async () => client.hGet('backlot:session:ada', 's')).toContain(text);
  return { one, other, client, loseLeases, untilSaved };
}

test('a server whose save is refused drops the session, and tells the client', async () => {
  const { one, other, loseLeases, untilSaved } = await openTwo();
  expect((await send([one], 'ada', 'POST /api/orders/', order)).status).toBe(201);
  await untilSaved('"id":121');
  await loseLeases();
  const taken = await send([other], 'ada', 'POST /api/orders/', order);
  expect([JSON.parse(taken.text).id, taken.notice]).toEqual([
    122,
    expect.stringContaining('was taken over from a server that has ended without saving it'),
  ]);
  // The former owner believes that it has its lease.
  expect((await send([one], 'ada', 'POST /api/orders/', order)).status).toBe(201);
  await expect
    .poll(async () => (await send([one], 'ada', 'GET /api/orders/122')).notice)
    .toBe(
      'Session ada was reset: another server has taken it over, and its last changes may be missing.',
    );
  expect((await send([one], 'ada', 'GET /api/orders/123')).status).toBe(404);
  expect((await send([one], 'ada', 'GET /api/orders/122')).notice).toBeNull();
});

test('a durable response is sent when its change is in Redis, and never if the save is refused', async () => {
  const { one, other, client, loseLeases } = await openTwo({ isDurable: true });
  for (let count = 1; count <= 20; count++) {
    expect((await send([one], 'ada', 'POST /api/orders/', order)).status).toBe(201);
    const saved = JSON.parse((await client.hGet('backlot:session:ada', 's')) ?? '');
    expect(saved.office.tables.orders.rows).toHaveLength(count);
  }
  await loseLeases();
  const taken = await send([other], 'ada', 'GET /api/orders/140');
  expect([taken.status, taken.notice]).toEqual([200, null]);
  const refused = await send([one], 'ada', 'POST /api/orders/', order);
  expect([refused.status, refused.retry]).toEqual([503, '1']);
  expect((await send([one], 'ada', 'GET /api/orders/141')).status).toBe(404);
});

test('durable writes that arrive at once are sent after their own change is in Redis, however slow it is', async () => {
  const redis = await startRedis();
  const slow = await startNetwork(redis.url);
  slow.delay = 30;
  const server = await openReplica(slow.url, { isDurable: true });
  const client = createClient({ url: redis.url });
  await client.connect();
  onTestFinished(async () => {
    await server.close();
    slow.close();
    client.destroy();
    await redis.stop();
  });
  expect((await send([server], 'ada', 'POST /api/orders/', order)).status).toBe(201);
  const seen = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const { status, text } = await send([server], 'ada', 'POST /api/orders/', order);
      const saved = JSON.parse((await client.hGet('backlot:session:ada', 's')) ?? '');
      const { id } = JSON.parse(text) as { readonly id: number };
      const ids = saved.office.tables.orders.rows.map((row: { readonly id: number }) => row.id);
      return [status, ids.includes(id)];
    }),
  );
  expect(seen).toEqual(seen.map(() => [201, true]));
  const metrics = await (await fetch(`${server.url}/_backlot/metrics`)).text();
  const [, saves] = /_count\{operation="save"\} (\d+)/.exec(metrics) ?? [];
  // One for the first order, one for the first that arrives then, and one for those that arrive while it is saved.
  expect(Number(saves)).toBeLessThanOrEqual(4);
});

test('a durable write at the owner sends one command to Redis, and one that changes nothing sends none', async () => {
  const { one, client } = await openTwo({ isDurable: true });
  expect((await send([one], 'ada', 'POST /api/orders/', order)).status).toBe(201);
  const monitor = client.duplicate();
  await monitor.connect();
  onTestFinished(() => monitor.destroy());
  const commands: string[] = [];
  await monitor.monitor((line) => void commands.push(line));
  /** Returns the number of commands of servers, not of their scripts, which are about the session. */
  const sent = (): number =>
    commands.filter((line) => /^\S+ \[0 [\d.]+:/.test(line) && line.includes(':session:ada"'))
      .length;
  for (let count = 1; count <= 10; count++) {
    expect((await send([one], 'ada', 'POST /api/orders/', order)).status).toBe(201);
    expect((await send([one], 'ada', 'GET /api/orders/')).status).toBe(200);
  }
  // The monitor has received all that Redis did before this.
  await client.set('end', '1');
  await expect.poll(() => commands.some((line) => line.includes('"end"'))).toBe(true);
  expect(sent()).toBe(10);
});

test('a session that was taken over can be rewound to its start at the new owner, and no further', async () => {
  const { one, other, loseLeases, untilSaved } = await openTwo();
  await send([one], 'ada', 'POST /api/orders/', order);
  await send([one], 'ada', 'PATCH /api/users/6', { firstName: 'Zora' });
  await untilSaved('"first_name":"Zora"');
  await loseLeases();
  const changed = await send([other], 'ada', 'PATCH /api/users/6', { firstName: 'Grace' });
  expect(changed.status).toBe(204);
  const history = await send([other], 'ada', 'GET /_backlot/journal?view=summary');
  const { summaries } = JSON.parse(history.text);
  expect(summaries).toMatchObject([{ id: 3, title: 'PATCH /api/users/6', changed: 1 }]);
  expect((await send([other], 'ada', 'POST /_backlot/journal/3/rewind')).status).toBe(200);
  expect((await send([other], 'ada', 'GET /api/orders/121')).status).toBe(200);
  const user = await send([other], 'ada', 'GET /_backlot/tables/users/6');
  expect(JSON.parse(user.text)).toMatchObject({ first_name: 'Zora' });
});

test('a request that arrives while its server stops is answered', async () => {
  const { one, other } = await openTwo();
  await send([one], 'ada', 'POST /api/orders/', order);
  const closing = one.close();
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => send([other], 'ada', 'GET /api/orders/121')),
  );
  await closing;
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});

test('what another server has sent to one that stops is read before its connections close, although that was suspended', async () => {
  const redis = await startRedis();
  const client = createClient({ url: redis.url });
  const watcher = client.duplicate();
  await Promise.all([client.connect(), watcher.connect()]);
  const start = async () => startReplica(await freePort(), ['--store', redis.url]);
  const [owner, other] = await Promise.all([start(), start()]);
  onTestFinished(async () => {
    await Promise.all([owner.end('SIGKILL'), other.end('SIGKILL')]);
    client.destroy();
    watcher.destroy();
    await redis.stop();
  });
  expect((await send([owner], 'ada', 'POST /api/orders/', order)).status).toBe(201);
  // The other server keeps connections, and believes for 250 ms what it has learnt of the owner.
  for (let times = 0; times < 3; times++)
    await Promise.all([1, 2, 3, 4].map(async () => send([other], 'ada', 'GET /api/orders/121')));
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  await client.configSet('notify-keyspace-events', 'Kh');
  await watcher.subscribe('__keyspace@0__:backlot:session:ada', async () => {
    if ((await client.hGet('backlot:session:ada', 'o')) === '') release(undefined);
  });
  owner.child.kill('SIGTERM');
  await released;
  owner.child.kill('SIGSTOP');
  const sent = send([other], 'ada', 'POST /api/orders/', order);
  // Longer than it accepts connections
  await sleep(700);
  owner.child.kill('SIGCONT');
  expect(await sent).toMatchObject({ status: 201, text: expect.stringContaining('"id":122') });
});

test('a forwarded request and its response have the headers, the body and the status of a direct one', async () => {
  const { one, other } = await openTwo();
  const seen: string[] = [];
  for (const { url } of [one, other, one, other]) {
    const response = await fetch(`${url}/api/orders/`, {
      method: 'POST',
      headers: {
        'x-backlot-session': 'ada',
        'x-backlot-peer': 'forged 203.0.113.1',
        'content-type': 'application/json',
        origin: 'http://app.example',
      },
      body: JSON.stringify(order),
    });
    const { date: _, location, ...headers } = Object.fromEntries(response.headers);
    const { id, ...body } = (await response.json()) as { readonly id: number };
    expect([id, location?.endsWith(`/${id}`) ?? true]).toEqual([121 + seen.length, true]);
    seen.push(JSON.stringify({ status: response.status, headers, keys: Object.keys(body) }));
  }
  expect(seen).toEqual(seen.map(() => seen[0]));
  const metrics = async () => (await fetch(`${one.url}/_backlot/metrics`)).text();
  await expect
    .poll(metrics)
    .toMatch(/^backlot_store_duration_seconds_count\{operation="save"\} [1-9]/m);
  expect(await metrics()).toMatch(/^backlot_store_failures_total\{operation="claim"\} 0$/m);
});

test('a server that gets no answer of Redis in time does not start, and says so', async () => {
  const redis = await startRedis();
  const network = await startNetwork(redis.url);
  onTestFinished(async () => {
    network.close();
    await redis.stop();
  });
  network.delay = 700;
  await expect(openReplica(network.url)).rejects.toThrow(
    new StoreIssue(
      'Cannot use Redis: it does not answer. See https://backlot-dev.github.io/backlot/errors#store-redis',
    ),
  );
});

test('a session that was not used for the idle time is deleted in Redis', async () => {
  const { one, client } = await openTwo({ idle: 'PT1S' });
  expect((await send([one], 'ada', 'POST /api/orders/', order)).status).toBe(201);
  expect(await client.exists('backlot:session:ada')).toBe(1);
  await expect.poll(async () => client.exists('backlot:session:ada')).toBe(0);
});

test('a reset at regular times is one of all servers', async () => {
  const { one, other } = await openTwo({ resetEvery: 2 });
  const servers = [one, other];
  const statuses = async () =>
    Promise.all(servers.map(async (at) => (await send([at], 'ada', 'GET /api/orders/121')).status));
  await expect
    .poll(async () => {
      await send(servers, 'ada', 'POST /api/orders/', order);
      return statuses();
    })
    .toEqual([200, 200]);
  await expect.poll(statuses).toEqual([404, 404]);
});
