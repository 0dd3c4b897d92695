// @module-tag redis-server

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from 'redis';
import { freePort, startRedis, type RedisServer } from '../support/redis.ts';
import { startReplica, type Replica } from '../support/replica.ts';

/**
 * Does to three servers and their Redis what happens to them in operation, while visitors write, and then compares what
 * was acknowledged with what is there, in the manner of Jepsen (https://jepsen.io). `CHECKER_SEED` repeats the order of
 * faults and writes; what happens at the same time differs.
 */
const seed = Number(process.env['CHECKER_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** In milliseconds. */
const lease = 1000;

/** A generator of numbers from 0 to 1: https://en.wikipedia.org/wiki/Linear_congruential_generator */
function randomFrom(start: number): () => number {
  let state = start >>> 0;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** The servers, which faults replace. */
interface Cluster {
  readonly redis: RedisServer;
  readonly flush: () => Promise<unknown>;
  /** Has each session in the memory of a server. */
  readonly load: () => Promise<unknown>;
  readonly replicas: Replica[];
}

const faults = {
  async kill({ replicas, redis }, at) {
    const { port } = replicas[at]!;
    await replicas[at]!.end('SIGKILL');
    replicas[at] = await startReplica(port, ['--store', redis.url, '--durable'], lease);
  },
  async freeze({ redis }) {
    redis.child.kill('SIGSTOP');
    await sleep(1.6 * lease);
    redis.child.kill('SIGCONT');
  },
  async empty(cluster) {
    // What no server has in memory would be lost with Redis.
    await cluster.load();
    await cluster.flush();
    // An owner that is killed before it has saved again loses what only Redis had.
    await sleep(2 * lease);
  },
} satisfies Record<string, (cluster: Cluster, at: number) => Promise<void>>;

type Fault = keyof typeof faults;

interface Visitor {
  readonly name: string;
  /** The ids by the numbers of writes that were acknowledged. */
  readonly added: Map<number, number>;
  /** Numbers of writes whose responses say that they may have been performed, or that had none. */
  readonly uncertain: Set<number>;
  readonly removed: Set<number>;
  readonly wrong: string[];
}

type Sent = { readonly status: number; readonly text: string } | 'unknown' | 'unsent';

async function request(url: string, name: string, line: string, body?: unknown): Promise<Sent> {
  const [method = '', path = ''] = line.split(' ');
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'x-backlot-session': name, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const { cause } = error as { cause?: { syscall?: string } };
    return cause?.syscall === 'connect' ? 'unsent' : 'unknown';
  }
}

/** Sends a write until it is certain whether it was performed, or certain that this cannot be known. */
async function write(
  { replicas }: Cluster,
  random: () => number,
  name: string,
  line: string,
  body?: unknown,
): Promise<Sent> {
  for (;;) {
    const { url } = replicas[Math.floor(random() * replicas.length)]!;
    const sent = await request(url, name, line, body);
    if (sent === 'unknown') return sent;
    if (sent !== 'unsent' && sent.status !== 503) return sent;
    if (sent !== 'unsent' && /may have been performed|may be lost/.test(sent.text))
      return 'unknown';
    await sleep(50 + random() * 50);
  }
}

/** Adds and removes records by number until the faults are over. */
async function visit(
  cluster: Cluster,
  visitor: Visitor,
  isOver: () => boolean,
  pause: number,
): Promise<void> {
  const { name, added, removed, uncertain, wrong } = visitor;
  const random = randomFrom(seed ^ Number(name.replaceAll(/\D/g, '')));
  for (let number = 1; number < 3 || !isOver(); number++) {
    const kept = [...added].find(([one]) => !removed.has(one) && !uncertain.has(one));
    if (kept !== undefined && random() < 0.2) {
      const sent = await write(cluster, random, name, `DELETE /api/stock-locations/${kept[1]}`);
      if (sent !== 'unknown' && sent !== 'unsent' && sent.status === 204) removed.add(kept[0]);
      else if (sent === 'unknown') uncertain.add(kept[0]);
      else wrong.push(`removing ${kept[0]}: ${JSON.stringify(sent)}`);
    } else {
      const body = { code: `w${number}`, name: `write ${number}` };
      const sent = await write(cluster, random, name, 'POST /api/stock-locations/', body);
      if (sent === 'unknown') uncertain.add(number);
      else if (sent !== 'unsent' && sent.status === 201) {
        added.set(number, (JSON.parse(sent.text) as { readonly id: number }).id);
      } else wrong.push(`adding ${number}: ${JSON.stringify(sent)}`);
    }
    await sleep(random() * pause);
  }
}

interface Listed {
  readonly id: number;
  readonly name: string;
}

/** Returns what a server shows that visitors have added. */
async function list({ url }: Replica, name: string): Promise<Listed[]> {
  for (;;) {
    const sent = await request(url, name, 'GET /api/stock-locations/?limit=100');
    if (sent !== 'unsent' && sent !== 'unknown' && sent.status === 200) {
      const { _embedded } = JSON.parse(sent.text) as { _embedded: { items: Listed[] } };
      return _embedded.items.filter((one) => one.name.startsWith('write '));
    }
    await sleep(100);
  }
}

/** Returns what is wrong with what a server shows. */
function compare({ added, removed, uncertain }: Visitor, listed: readonly Listed[]): string[] {
  const wrong: string[] = [];
  const numbers = listed.map((one) => Number(one.name.slice('write '.length)));
  for (const [at, number] of numbers.entries()) {
    if (numbers.indexOf(number) !== at) wrong.push(`${number} was performed twice`);
    if (removed.has(number)) wrong.push(`${number} came back`);
    if (!added.has(number) && !uncertain.has(number)) wrong.push(`${number} was never sent`);
  }
  for (const [number, id] of added) {
    const isThere = listed.some((one) => one.id === id && one.name === `write ${number}`);
    if (!isThere && !removed.has(number) && !uncertain.has(number)) wrong.push(`${number} is lost`);
  }
  if (new Set(added.values()).size < added.size) wrong.push('an id was given twice');
  return wrong;
}

async function check(plan: readonly Fault[], count: number, pause: number): Promise<void> {
  console.log(`CHECKER_SEED=${seed}: ${plan.join(', ')}`);
  const redis = await startRedis();
  const client = createClient({ url: redis.url });
  await client.connect();
  const start = async (): Promise<Replica> =>
    startReplica(await freePort(), ['--store', redis.url, '--durable'], lease);
  const replicas = await Promise.all([start(), start(), start()]);
  onTestFinished(async () => {
    await Promise.all(replicas.map(async (replica) => replica.end('SIGKILL')));
    client.destroy();
    await redis.stop();
  });
  const visitors = Array.from({ length: count }, (_, at): Visitor => {
    const none = { added: new Map(), uncertain: new Set<number>(), removed: new Set<number>() };
    return { name: `visitor-${at}`, ...none, wrong: [] };
  });
  const cluster: Cluster = {
    redis,
    replicas,
    flush: async () => client.flushAll(),
    load: async () => Promise.all(visitors.map(async ({ name }) => list(replicas[0], name))),
  };
  const state = { isOver: false };
  const visits = visitors.map(async (one) => visit(cluster, one, () => state.isOver, pause));
  const random = randomFrom(seed);
  try {
    for (const name of plan) {
      await sleep(random() * 300);
      await faults[name](cluster, Math.floor(random() * replicas.length));
    }
  } finally {
    state.isOver = true;
  }
  await Promise.all(visits);
  const wrong = await Promise.all(
    visitors.map(async (visitor) => {
      const seen = [];
      for (const replica of replicas)
        seen.push(compare(visitor, await list(replica, visitor.name)));
      return [...visitor.wrong, ...seen.flat()].map((text) => `${visitor.name}: ${text}`);
    }),
  );
  expect(wrong.flat()).toEqual([]);
  const acknowledged = visitors.reduce(
    (sum, { added, removed }) => sum + added.size + removed.size,
    0,
  );
  const unknown = visitors.reduce((sum, { uncertain }) => sum + uncertain.size, 0);
  console.log(`${acknowledged} writes were acknowledged, ${unknown} are uncertain.`);
  expect(acknowledged).toBeGreaterThan(count);
}

test('with --durable, 500 sessions keep each acknowledged write once while a server is killed', async () => {
  await check(['kill'], 500, 4000);
}, 60_000);

test.for(['freeze', 'empty'] as const)(
  'with --durable, 500 sessions keep each acknowledged write once through the fault of Redis: %s',
  { tags: 'long', timeout: 120_000 },
  async (fault) => check([fault], 500, 4000),
);
