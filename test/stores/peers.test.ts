// @module-tag redis-server

import type { RequestListener } from 'node:http';
import fc from 'fast-check';
import { createClient } from 'redis';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { callAs, ownSession } from '../support/peers.ts';
import { startRedis, type RedisServer } from '../support/redis.ts';
import { openReplica, type OpenReplica } from '../support/replica.ts';
import { runs } from '../support/runs.ts';

/** What a request consists of, beside its session. */
type Sent = Parameters<typeof callAs> extends [string, ...infer Rest] ? Rest : never;

const order = { channel: 1, user: 1, currency: 'EUR' };
let redis: RedisServer;
let client: ReturnType<typeof createClient>;
let owner: OpenReplica;
let other: OpenReplica;
let count = 0;
/** A session of each test, whose owner is `owner`. */
let session: string;

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

beforeEach(async () => {
  session = `visitor-${++count}`;
  await call(owner, 'GET /api/orders/1');
});

const call = (...sent: Sent) => callAs(session, ...sent);

/** Names of the protocol, of this version and of earlier ones, in several cases. */
const protocolHeaders = [
  'x-backlot-peer',
  'X-Backlot-Peer',
  'x-backlot-forwarded',
  'x-backlot-client',
  'x-backlot-misdirected',
  'x-backlot-drop',
];

test('no header of clients, faults, Prefer or imports is taken for one of a server', async () => {
  const secret = (await client.get('backlot:peer-secret')) ?? '';
  let performed = 0;
  const values = fc.oneof(
    fc.constantFrom('1', 'x', secret, `${secret} 203.0.113.7`, 'misdirected', 'drop', ''),
    fc.string({ unit: fc.constantFrom(...'azAZ09 -_=.;:'.split('')), maxLength: 60 }),
  );
  const property = fc.asyncProperty(
    fc.constantFrom(...protocolHeaders),
    values,
    fc.constantFrom('client', 'fault', 'prefer', 'import'),
    fc.constantFrom('owner', 'other'),
    async (name, sent, from, to) => {
      const value = sent.trim();
      const at = to === 'owner' ? owner : other;
      const fault = {
        match: { method: 'POST', path: '/api/orders/' },
        status: 421,
        headers: { [name]: value },
        after: true,
      };
      const before = await nextOrder();
      let headers: Record<string, string> = {};
      if (from === 'client') headers = { [name]: value };
      if (from === 'prefer') headers = { prefer: `status=421, ${name}="${value}"`, [name]: value };
      if (from === 'fault') await call(at, 'POST /_backlot/faults', fault);
      if (from === 'import') {
        await call(at, 'POST /_backlot/faults', fault);
        const { body } = await call(at, 'GET /_backlot/export');
        await call(at, 'DELETE /_backlot/faults');
        expect((await call(at, 'POST /_backlot/import', body)).status).toBe(200);
      }
      const answer = await call(at, 'POST /api/orders/', order, headers);
      await call(at, 'DELETE /_backlot/faults');
      const added = (await nextOrder()) - before - 1;
      const isFaulty = from === 'fault' || from === 'prefer' || from === 'import';
      expect([from, answer.status, added]).toEqual([
        from,
        isFaulty ? 421 : 201,
        from === 'prefer' ? 0 : 1,
      ]);
      expect(answer.headers).not.toHaveProperty('x-backlot-peer');
      performed += 1;
    },
  );
  await fc.assert(property, { numRuns: runs(160) });
  expect(performed).toBeGreaterThan(0);
});

/** Begins an order, and returns its id: they are given in sequence. */
async function nextOrder(): Promise<number> {
  const { body } = await call(owner, 'POST /api/orders/', order);
  return (body as unknown as { readonly id: number }).id;
}

/** Has a server of this test be the owner of the session from now on. */
async function own(listener: RequestListener, lease: number): Promise<void> {
  session = `foreign-${++count}`;
  await ownSession(client, session, listener, lease);
}

test('a request that a server may have performed before it ended is not sent again', async () => {
  let [received, isEnding] = [0, false];
  await own((request, response) => {
    received += 1;
    if (isEnding) request.socket.destroy();
    else response.end('{}');
  }, 60_000);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    isEnding = false;
    expect((await call(other, `${method} /api/orders/`)).status).toBe(200);
    [received, isEnding] = [0, true];
    const { status, headers, body } = await call(other, `${method} /api/orders/`);
    expect([method, status, headers['retry-after'], body, received]).toEqual([
      method,
      503,
      '1',
      {
        code: 503,
        message:
          'The server that owns this session has ended or does not answer. This request may have been performed or not.',
      },
      1,
    ]);
  }
  received = 0;
  expect((await call(other, 'GET /oauth/v2/token')).status).toBe(503);
  expect(received).toBe(1);
});

test('a read whose server has ended is answered by the one that takes over', async () => {
  await own((request) => void request.socket.destroy(), 300);
  expect((await call(other, 'GET /api/orders/1')).status).toBe(200);
});

test('only a server of the store can say that it is not the owner', async () => {
  let received = 0;
  await own((_, response) => {
    received += 1;
    response.writeHead(421, { 'x-backlot-misdirected': '1', 'x-backlot-peer': 'misdirected' });
    response.end('no');
  }, 60_000);
  const { status, headers, body } = await call(other, 'POST /api/orders/', order);
  expect([status, body, received, headers['x-backlot-peer']]).toEqual([421, 'no', 1, undefined]);
});

test('a fault that closes the connection does so through another server, too', async () => {
  await call(other, 'POST /_backlot/faults', {
    match: { method: 'POST', path: '/api/orders/' },
    connection: 'drop',
  });
  await expect(call(other, 'POST /api/orders/', order)).rejects.toThrow(
    /socket hang up|ECONNRESET/,
  );
  expect((await call(other, 'GET /api/orders/1')).status).toBe(200);
});

test('a body is forwarded if the test environment has another Uint8Array than Node.js, as jsdom has', async () => {
  vi.stubGlobal('Uint8Array', class extends Uint8Array {});
  onTestFinished(() => void vi.unstubAllGlobals());
  expect((await call(other, 'POST /api/orders/', order)).status).toBe(201);
});

test('a request with Trailer is forwarded', async () => {
  const { status } = await call(other, 'POST /api/orders/', order, {
    'transfer-encoding': 'chunked',
    trailer: 'x-sum',
  });
  expect(status).toBe(201);
});

test('a session whose server has ended without --advertise begins again when its lease ends', async () => {
  session = `crashed-${++count}`;
  const lease = 700;
  await client.hSet(`backlot:session:${session}`, { o: session, f: '1', r: '1' });
  const expiration = { type: 'PX', value: lease } as const;
  await client.set(`backlot:lease:${session}`, '', { expiration });
  const early = await call(other, 'GET /api/orders/1');
  expect([early.status, early.headers['retry-after']]).toEqual([503, '1']);
  await expect.poll(async () => (await call(other, 'GET /api/orders/1')).status).toBe(200);
});
