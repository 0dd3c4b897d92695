// @module-tag redis-server

import { once } from 'node:events';
import { createClient } from 'redis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PeerCodes } from '../../src/mounts/http/peer.ts';
import { controlEndpoints } from '../../src/engine/control/endpoints/index.ts';
import { storeApi } from '../../src/shop/store-api.ts';
import { callAs, ownSession } from '../support/peers.ts';
import { startProgram } from '../support/program.ts';
import { freePort, startRedis, type RedisServer } from '../support/redis.ts';
import { openReplica, type OpenReplica } from '../support/replica.ts';

const order = { channel: 1, user: 1, currency: 'EUR' };
let redis: RedisServer;
let client: ReturnType<typeof createClient>;
let owner: OpenReplica;
let other: OpenReplica;

beforeAll(async () => {
  redis = await startRedis();
  client = createClient({ url: redis.url });
  await client.connect();
  owner = await openReplica(redis.url);
  other = await openReplica(redis.url);
});

afterAll(async () => {
  await Promise.all([owner.close(), other.close()]);
  client.destroy();
  await redis.stop();
});

/** Returns a function that tells whether a text has the secret of the servers, a code made with it, or their header. */
async function findSecret(...urls: readonly string[]): Promise<(text: string) => boolean> {
  const secret = (await client.get('backlot:peer-secret')) ?? '';
  expect(secret).toHaveLength(43);
  const codes = urls.flatMap((url) => {
    const made = new PeerCodes(() => secret, url);
    const answers = (['misdirected', 'drop'] as const).map((one) => made.ofOwnAnswer(one));
    return [made.ofRequest(url, '').trim(), ...answers];
  });
  return (text) =>
    /x-backlot-peer/i.test(text) || [secret, ...codes].some((one) => text.includes(one));
}

/** Sends requests of a session of `owner`: what is forwarded, what claims to be forwarded, and what a fault ends. */
async function forwardSome(claimed: string): Promise<void> {
  await callAs('ada', owner, 'GET /api/orders/1');
  const sent = [
    await callAs('ada', other, 'POST /api/orders/', order),
    await callAs('ada', other, 'PATCH /api/users/6', { firstName: 'Ada' }),
    await callAs('ada', other, 'POST /api/orders/', order, { 'x-backlot-peer': 'x' }),
    await callAs('ada', owner, 'POST /api/orders/', order, {
      'X-Backlot-Peer': `${claimed} 203.0.113.7`,
    }),
    await callAs('ada', other, 'POST /api/orders/', 'text'),
  ];
  expect(sent.map(({ status }) => status)).toEqual([201, 204, 201, 201, 400]);
  const match = { method: 'DELETE' };
  await callAs('ada', other, 'POST /_backlot/faults', { match, connection: 'drop' });
  await expect(callAs('ada', other, 'DELETE /api/orders/121')).rejects.toThrow(
    /socket hang up|ECONNRESET/,
  );
  await callAs('ada', other, 'POST /_backlot/snapshot', { name: 'forwarded' });
}

/** Reads what has arrived in a stream of events until that has a text. */
async function readEvents({ url }: OpenReplica, text: string): Promise<string> {
  const events = await fetch(`${url}/_backlot/events?since=0`, {
    headers: { 'x-backlot-session': 'ada' },
  });
  let received = '';
  for await (const chunk of events.body!.pipeThrough(new TextDecoderStream())) {
    received += chunk;
    if (received.includes(text)) break;
  }
  return received;
}

test('the secret of servers is in no response of any endpoint, saved session or line of the terminal', async () => {
  const isTold = await findSecret(owner.url, other.url);
  const paths = [...controlEndpoints(storeApi), ...storeApi.endpoints]
    .filter(({ method, path }) => method === 'GET' && !/events|openapi/.test(path))
    .map(({ path }) => path.replaceAll(/:\w+/g, '2'));
  const queries = ['', '?view=summary', '?format=fetch', '?as=har', '?as=vitest', '?as=scenario'];
  for (const at of [owner, other]) {
    await forwardSome((await client.get('backlot:peer-secret')) ?? '');
    const texts = [await readEvents(at, 'DELETE')];
    for (const path of paths) {
      for (const query of path.includes('/journal') ? queries : [''])
        texts.push(JSON.stringify(await callAs('ada', at, `GET ${path}${query}`)));
    }
    expect(texts.filter((text) => text.includes('/api/orders/')).length).toBeGreaterThan(8);
    expect([...texts, at.lines.join()].filter(isTold)).toEqual([]);
  }
  // A saved session
  const saved = await client.hGetAll('backlot:session:ada');
  expect(saved['s']).toContain('forwarded');
  expect(isTold(JSON.stringify(saved))).toBe(false);
});

test('the secret of servers is in no line that a program prints', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const flags = ['--port', String(port), '--store', redis.url, '--advertise', url];
  const program = await startProgram(...flags);
  // The program receives one from another server, sends one to it, and loses one.
  await callAs('bob', program, 'POST /api/orders/', order);
  await callAs('bob', owner, 'POST /api/orders/', order);
  await callAs('ada', program, 'POST /api/orders/', order);
  await ownSession(client, 'cem', ({ socket }) => void socket.destroy(), 60_000);
  expect((await callAs('cem', program, 'POST /api/orders/', order)).status).toBe(503);
  program.child.kill();
  await once(program.child, 'close');
  const printed = program.printed() + program.warned();
  expect(printed.split('POST    ')).toHaveLength(5);
  const isTold = await findSecret(url, owner.url, other.url);
  expect(printed.split('\n').filter(isTold)).toEqual([]);
});
