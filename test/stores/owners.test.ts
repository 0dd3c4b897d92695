// @module-tag redis-server

import { StoreIssue } from '../../src/engine/sessions/store.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import { expect, onTestFinished, test } from 'vitest';
import { startNetwork } from '../support/network.ts';
import { freePort, startRedis } from '../support/redis.ts';
import { openReplica, startReplica } from '../support/replica.ts';
import { caller } from '../support/office.ts';
import { send } from '../support/send.ts';

const order = { channel: 1, user: 1, currency: 'EUR' };

/** Opens two servers of one store, the first of which has a way of its own to it, and a client of Redis. */
async function openTwo(options: Parameters<typeof openReplica>[1] = {}) {
  const redis = await startRedis();
  const network = await startNetwork(redis.url);
  const client = createClient({ url: redis.url });
  await client.connect();
  const one = await openReplica(network.url, options);
  const other = await openReplica(redis.url, options);
  onTestFinished(async () => {
    network.isCut = false;
    await Promise.all([one.close(), other.close()]);
    network.close();
    client.destroy();
    await redis.stop();
  });
  /** Waits until the saved session contains a text. */
  const untilSaved = (text: string): Promise<void> =>
    expect.poll(async () => client.hGet('backlot:session:ada', 's')).toContain(text);
  return { one, other, client, network, untilSaved };
}

/** Sends a request until it is accepted. */
async function untilOk(...sent: Parameters<typeof send>) {
  for (;;) {
    const answer = await send(...sent);
    if (answer.status !== 503) return answer;
    await sleep(50);
  }
}

test('a server whose save is refused drops the session, and tells the client', async () => {
  const { one, other, network, untilSaved } = await openTwo();
  expect((await send([one], 'ada', 'POST /api/orders/', order)).status).toBe(201);
  await untilSaved('"id":121');
  network.isCut = true;
  const taken = await send([other], 'ada', 'POST /api/orders/', order);
  expect([JSON.parse(taken.text).id, taken.notice]).toEqual([
    122,
    expect.stringContaining('was taken over from a server that has ended without saving it'),
  ]);
  // The former owner cannot know of that.
  const lost = await send([one], 'ada', 'POST /api/orders/', { ...order, user: 2 });
  expect([lost.status, JSON.parse(lost.text).id]).toEqual([201, 122]);
  network.isCut = false;
  await expect
    .poll(async () => (await send([one], 'ada', 'GET /api/orders/122')).notice)
    .toBe(
      'Session ada was reset: another server has taken it over, and its last changes may be missing.',
    );
  const kept = await send([one], 'ada', 'GET /api/orders/122');
  expect([JSON.parse(kept.text).user.id, kept.notice]).toEqual([1, null]);
});

test('a durable response is sent when its change is in Redis, and never if the save is refused', async () => {
  const { one, other, client, network } = await openTwo({ isDurable: true });
  for (let count = 1; count <= 20; count++) {
    expect((await send([one], 'ada', 'POST /api/orders/', order)).status).toBe(201);
    const saved = JSON.parse((await client.hGet('backlot:session:ada', 's')) ?? '');
    expect(saved.office.tables.orders.rows).toHaveLength(count);
  }
  network.isCut = true;
  const refused = send([one], 'ada', 'POST /api/orders/', order);
  const taken = await send([other], 'ada', 'GET /api/orders/140');
  expect([taken.status, taken.notice]).toEqual([200, null]);
  expect(await refused).toMatchObject({
    status: 503,
    retry: '1',
    text: expect.stringContaining('It may be lost.'),
  });
  // It cannot know whether it still has the session.
  expect((await send([one], 'ada', 'GET /api/orders/140')).status).toBe(503);
  network.isCut = false;
  expect((await untilOk([one], 'ada', 'GET /api/orders/140')).notice).toBeNull();
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

// On a busy machine, the lease can end, so that the session is claimed again.
test(
  'a durable write at the owner sends one command to Redis, and one that changes nothing sends none',
  { retry: 3 },
  async () => {
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
  },
);

test('a session that moves has all its records and snapshots, and another journal, whose ids continue', async () => {
  const { one, other } = await openTwo();
  await send([one], 'ada', 'POST /api/orders/', order);
  await send([one], 'ada', 'POST /_backlot/snapshot', { name: 'before' });
  await send([one], 'ada', 'PATCH /api/users/6', { firstName: 'Zora' });
  const changed = await send([other], 'ada', 'PATCH /api/users/6', { firstName: 'Grace' });
  expect([changed.status, changed.notice]).toEqual([204, null]);
  const history = await send([other], 'ada', 'GET /_backlot/journal?view=summary');
  const { summaries } = JSON.parse(history.text);
  expect(summaries).toMatchObject([{ id: 3, title: 'PATCH /api/users/6', changed: 1 }]);
  expect((await send([other], 'ada', 'POST /_backlot/journal/3/rewind')).status).toBe(200);
  expect((await send([other], 'ada', 'GET /api/orders/121')).status).toBe(200);
  const user = await send([other], 'ada', 'GET /_backlot/tables/users/6');
  expect(JSON.parse(user.text)).toMatchObject({ first_name: 'Zora' });
  expect((await send([one], 'ada', 'POST /_backlot/snapshot/before/restore')).status).toBe(200);
});

test('the shared back office moves as sessions do', async () => {
  const { one, other } = await openTwo();
  for (const [at, { url }] of [one, other, one, other].entries()) {
    const { status, body } = await caller(fetch, url)('POST /api/orders/', order);
    expect([status, body.id]).toEqual([201, 121 + at]);
  }
});

test.for([true, false])(
  'writes of one session that arrive at two servers at once are each performed once, with durable: %s',
  async (isDurable) => {
    const { one, other } = await openTwo({ isDurable });
    const client = async (): Promise<number[]> => {
      const ids: number[] = [];
      while (ids.length < 20) {
        const { text } = await untilOk([one, other], 'ada', 'POST /api/orders/', order);
        ids.push(JSON.parse(text).id);
      }
      return ids;
    };
    const ids = (await Promise.all(Array.from({ length: 6 }, client))).flat();
    expect(ids.toSorted((a, b) => a - b)).toEqual(ids.map((_, at) => 121 + at));
  },
);

test('a session of which its server knows nothing, because no reply to its claim has arrived, is released', async () => {
  const { one, other, client } = await openTwo();
  expect((await send([one], 'ada', 'POST /api/orders/', order)).status).toBe(201);
  expect((await send([other], 'ada', 'GET /api/orders/121')).status).toBe(200);
  const { o: owner = '', s: state = '' } = await client.hGetAll('backlot:session:ada');
  for (const name of ['ben', 'cem']) {
    await client.hSet(`backlot:session:${name}`, { o: owner, f: '1', r: '1' });
    if (name === 'ben') await client.hSet('backlot:session:ben', 's', state);
    const found = await send([one], name, 'GET /api/orders/121');
    expect([found.status, found.notice]).toEqual([name === 'ben' ? 200 : 404, null]);
  }
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

test('what was sent to a server that stops is answered before its connections close, although it was suspended', async () => {
  const redis = await startRedis();
  const server = await startReplica(await freePort(), ['--store', redis.url]);
  onTestFinished(async () => {
    await server.end('SIGKILL');
    await redis.stop();
  });
  expect((await send([server], 'ada', 'POST /api/orders/', order)).status).toBe(201);
  server.child.kill('SIGTERM');
  await expect
    .poll(async () => (await fetch(`${server.url}/_backlot/health?ready`)).status)
    .toBe(503);
  server.child.kill('SIGSTOP');
  const sent = send([server], 'ada', 'POST /api/orders/', order);
  // Longer than it accepts connections
  await sleep(700);
  server.child.kill('SIGCONT');
  expect(await sent).toMatchObject({ status: 201, text: expect.stringContaining('"id":122') });
});

test('a response for which a session has moved has the headers, the body and the status of any other', async () => {
  const { one, other } = await openTwo();
  const seen: string[] = [];
  for (const { url } of [one, other, one, other]) {
    const response = await fetch(`${url}/api/orders/`, {
      method: 'POST',
      headers: {
        'x-backlot-session': 'ada',
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
    .toMatch(/^backlot_store_duration_seconds_count\{operation="release"\} [1-9]/m);
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
