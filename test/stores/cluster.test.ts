// @module-tag redis-server

import { createClient } from 'redis';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, startRedis } from '../support/redis.ts';
import { openReplica } from '../support/replica.ts';
import { send } from './send.ts';

/** Starts two nodes of a Redis Cluster, each with half of the slots. Returns their URLs. */
async function startRedisCluster(): Promise<[string, string]> {
  const ports = [await freePort(), await freePort()];
  const nodes = await Promise.all(
    ports.map(async (port) => startRedis(port, ['--cluster-enabled', 'yes'])),
  );
  const clients = nodes.map(({ url }) => createClient({ url }));
  for (const [at, client] of clients.entries()) {
    await client.connect();
    await client.clusterAddSlotsRange({ start: at * 8192, end: at * 8192 + 8191 });
  }
  await clients[0]!.clusterMeet('127.0.0.1', ports[1]!);
  for (const client of clients)
    await expect.poll(async () => client.clusterInfo()).toContain('cluster_state:ok');
  for (const client of clients) client.destroy();
  onTestFinished(async () => {
    await Promise.all(nodes.map(async (node) => node.stop()));
  });
  return [nodes[0]!.url, nodes[1]!.url];
}

test('the sessions of two servers are in a Redis Cluster of two nodes, and a key of another type is set aside in it', async () => {
  const urls = await startRedisCluster();
  const servers = await Promise.all(urls.map(async (url) => openReplica(url)));
  onTestFinished(async () => {
    await Promise.all(servers.map(async (server) => server.close()));
  });
  const names = Array.from({ length: 8 }, (_, at) => `visitor-${at}`);
  const body = { channel: 1, user: 1, currency: 'EUR' };
  for (const name of names)
    for (const [at, server] of [...servers, ...servers].entries()) {
      const { status, text } = await send([server], name, 'POST /api/orders/', body);
      expect([status, JSON.parse(text).id]).toEqual([201, 121 + at]);
    }
  const keys: string[][] = [];
  for (const url of urls) {
    const client = createClient({ url });
    await client.connect();
    onTestFinished(() => client.destroy());
    keys.push(await client.keys('backlot:session:visitor-*'));
    for (const key of keys.at(-1)!) {
      await client.del(key);
      await client.set(key, 'text');
    }
  }
  expect(keys.every((some) => some.length > 0)).toBe(true);
  expect(keys.flat()).toHaveLength(names.length);
  for (const name of names)
    expect((await send(servers, name, 'GET /api/orders/121')).notice).toContain('cannot be read');
  for (const { url } of servers)
    expect((await fetch(`${url}/_backlot/health?ready`)).status).toBe(200);
});
