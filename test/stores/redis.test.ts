// @module-tag redis-server

import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import { expect, onTestFinished, test } from 'vitest';
import { StoreIssue } from '../../src/engine/sessions/store.ts';
import { startNetwork } from '../support/network.ts';
import { caller } from '../support/office.ts';
import { freePort, startRedis } from '../support/redis.ts';
import { openReplica, startReplica, type OpenReplica } from '../support/replica.ts';
import { send } from './send.ts';

const order = { channel: 1, user: 1, currency: 'EUR' };

/** Opens two servers of one Redis, the first of which has a way of its own to it, and a client of Redis. */
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
  return { one, other, client, network };
}

async function add(at: OpenReplica, name = 'ada') {
  const { status, text, notice } = await send([at], name, 'POST /api/orders/', order);
  return { status, id: (JSON.parse(text) as { readonly id?: number }).id, notice };
}

async function summaries(at: OpenReplica) {
  const { text } = await send([at], 'ada', 'GET /_backlot/journal?view=summary');
  return JSON.parse(text).summaries;
}

test('a response is sent when its change is in Redis', async () => {
  const { one, client } = await openTwo();
  for (let count = 1; count <= 20; count++) {
    expect((await add(one)).status).toBe(201);
    const saved = JSON.parse((await client.hGet('backlot:session:ada', 's')) ?? '');
    expect(saved.office.tables.orders.rows).toHaveLength(count);
  }
});

test('requests that arrive at one server at once are read and saved together, each before its response', async () => {
  const { one, client, network } = await openTwo();
  network.delay = 30;
  expect((await add(one)).status).toBe(201);
  const seen = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const { status, id } = await add(one);
      const saved = JSON.parse((await client.hGet('backlot:session:ada', 's')) ?? '');
      const ids = saved.office.tables.orders.rows.map((row: { readonly id: number }) => row.id);
      return [status, ids.includes(id)];
    }),
  );
  expect(seen).toEqual(seen.map(() => [201, true]));
  const metrics = await (await fetch(`${one.url}/_backlot/metrics`)).text();
  const [, writes] = /_count\{operation="write"\} (\d+)/.exec(metrics) ?? [];
  // One for the first order, one for the first that arrives then, and one or two for those that arrive meanwhile.
  expect(Number(writes)).toBeLessThanOrEqual(4);
  expect(metrics).toMatch(/^backlot_store_failures_total\{operation="read"\} 0$/m);
});

test('a read is one command of Redis, and a change is two', async () => {
  const { one, client } = await openTwo();
  expect((await add(one)).status).toBe(201);
  const monitor = client.duplicate();
  await monitor.connect();
  onTestFinished(() => monitor.destroy());
  const commands: string[] = [];
  await monitor.monitor((line) => void commands.push(line));
  for (let count = 1; count <= 10; count++) {
    expect((await add(one)).status).toBe(201);
    expect((await send([one], 'ada', 'GET /api/orders/')).status).toBe(200);
  }
  // The monitor has received all that Redis did before this.
  await client.set('end', '1');
  await expect.poll(() => commands.some((line) => line.includes('"end"'))).toBe(true);
  /** Of servers, not of their scripts. */
  const sent = commands.filter(
    (line) => /^\S+ \[0 [\d.]+:/.test(line) && line.includes('"backlot:session:ada"'),
  );
  expect(sent).toHaveLength(30);
});

test('what another server has changed is one entry of the history, with its difference, and the journal goes on', async () => {
  const { one, other } = await openTwo();
  await add(one);
  await send([one], 'ada', 'POST /_backlot/snapshot', { name: 'before' });
  await send([one], 'ada', 'PATCH /api/users/6', { firstName: 'Zora' });
  const changed = await send([other], 'ada', 'PATCH /api/users/6', { firstName: 'Grace' });
  expect([changed.status, changed.notice]).toEqual([204, null]);
  expect(await summaries(one)).toMatchObject([
    { id: 1, title: 'POST /api/orders/' },
    { id: 2, title: 'PATCH /api/users/6' },
    { id: 3, title: 'changed by another server', by: 'restore', changed: 1 },
  ]);
  const entry = await send([one], 'ada', 'GET /_backlot/journal/3');
  expect(JSON.parse(entry.text).changes).toMatchObject([
    { table: 'users', id: 6, fields: [{ field: 'first_name', before: 'Zora', after: 'Grace' }] },
  ]);
  expect((await send([one], 'ada', 'POST /_backlot/journal/3/rewind')).status).toBe(200);
  const user = await send([other], 'ada', 'GET /_backlot/tables/users/6');
  expect(JSON.parse(user.text)).toMatchObject({ first_name: 'Zora' });
  expect((await send([other], 'ada', 'POST /_backlot/snapshot/before/restore')).status).toBe(200);
  expect((await send([one], 'ada', 'GET /api/orders/121')).status).toBe(200);
});

test('a request that meets a change of another server is performed again, and is in the journal once', async () => {
  const { one, other, network } = await openTwo();
  await add(one);
  await add(other);
  await send([one], 'ada', 'GET /api/orders/122');
  const before = (await summaries(one)).length;
  network.delay = 40;
  const slow = add(one);
  // Between the read and the write of the slow one
  await sleep(100);
  expect(await add(other)).toMatchObject({ status: 201, id: 123 });
  expect(await slow).toMatchObject({ status: 201, id: 124 });
  network.delay = 0;
  const later = (await summaries(one)).slice(before);
  expect(later).toMatchObject([
    { id: before + 1, title: 'changed by another server', changed: 1, inEffect: true },
    { id: before + 2, title: 'POST /api/orders/', changed: 1, inEffect: true },
  ]);
});

test('a page that listens learns within two seconds what another server has changed', async () => {
  const { one, other } = await openTwo();
  await add(one);
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const { body } = await fetch(`${one.url}/s/ada/_backlot/events`, { signal: controller.signal });
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  await reader.read();
  await add(other);
  const began = performance.now();
  let received = '';
  while (!received.includes('changed by another server'))
    received += (await reader.read()).value ?? '';
  expect(performance.now() - began).toBeLessThan(2000);
});

test('a response that one server holds is sent when another one releases it', async () => {
  const { one, other } = await openTwo();
  const fault = { match: { method: 'GET', path: '/api/orders/1' }, hold: 'cart' };
  expect((await send([one], 'ada', 'POST /_backlot/faults', fault)).status).toBe(201);
  const held = send([one], 'ada', 'GET /api/orders/1');
  await sleep(100);
  expect((await add(other)).status).toBe(201);
  expect(await Promise.race([held, sleep(1500)])).toBeUndefined();
  await send([other], 'ada', 'POST /_backlot/holds/cart/release');
  expect((await held).status).toBe(200);
});

test('the shared back office is one of all servers', async () => {
  const { one, other } = await openTwo();
  for (const [at, { url }] of [one, other, one, other].entries()) {
    const { status, body } = await caller(fetch, url)('POST /api/orders/', order);
    expect([status, body.id]).toEqual([201, 121 + at]);
  }
});

test('writes of one session that arrive at two servers at once are each performed once', async () => {
  const { one, other } = await openTwo();
  const client = async (): Promise<number[]> => {
    const ids: number[] = [];
    while (ids.length < 20) {
      const { status, id } = await add(Math.random() < 0.5 ? one : other);
      if (status === 201) ids.push(id ?? 0);
      else expect(status).toBe(503);
    }
    return ids;
  };
  const ids = (await Promise.all(Array.from({ length: 6 }, client))).flat();
  expect(ids.toSorted((a, b) => a - b)).toEqual(ids.map((_, at) => 121 + at));
});

test('a session that one server deletes begins anew at the others, and is not brought back', async () => {
  const { one, other } = await openTwo();
  await add(one);
  expect((await send([other], 'ada', 'GET /api/orders/121')).status).toBe(200);
  const deleted = await fetch(`${one.url}/_backlot/sessions/ada`, { method: 'DELETE' });
  expect(deleted.status).toBe(204);
  for (const at of [other, one])
    expect(await send([at], 'ada', 'GET /api/orders/121')).toMatchObject({
      status: 404,
      notice: null,
    });
});

test('a session can be opened by name at one server only', async () => {
  const { one, other } = await openTwo();
  const [atOne, atOther] = [one, other].map(({ url }) => caller(fetch, url));
  const opened = ['POST /_backlot/sessions', { name: 'ada', scenario: 'empty' }] as const;
  expect((await atOne!(...opened)).status).toBe(201);
  expect(await atOther!(...opened)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('Session ada is open already.') },
  });
  const clock = await send([other], 'ada', 'GET /api/orders/1');
  expect(clock.status).toBe(404);
});

test('requests that arrive while a server stops are answered', async () => {
  const { one, other } = await openTwo();
  await add(one);
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

test('responses of a session have the same headers and bodies at each server', async () => {
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

test('a session that was not used for the idle time is deleted in Redis, and its client learns why', async () => {
  const { one, client } = await openTwo({ idle: 'PT1S', sessionIdle: 'PT1S' });
  expect((await add(one)).status).toBe(201);
  expect(await client.exists('backlot:session:ada')).toBe(1);
  await expect.poll(async () => client.exists('backlot:session:ada')).toBe(0);
  expect(await send([one], 'ada', 'GET /api/orders/121')).toMatchObject({
    status: 404,
    notice: 'Session ada was reset: it was idle for PT1S.',
  });
});

test('a session that another server uses does not end at one that was not asked for it', async () => {
  const { one, other } = await openTwo({ idle: 'PT1S', sessionIdle: 'PT1S' });
  expect((await add(one)).status).toBe(201);
  for (let count = 0; count < 5; count++) {
    await sleep(300);
    expect((await send([other], 'ada', 'GET /api/orders/121')).status).toBe(200);
  }
  expect(await send([one], 'ada', 'GET /api/orders/121')).toMatchObject({
    status: 200,
    notice: null,
  });
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
