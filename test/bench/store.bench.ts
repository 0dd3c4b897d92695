import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from 'redis';
import { createBackOffice } from '../../src/index.ts';
import { RedisStore } from '../../src/mounts/stores/redis-store.ts';
import { SessionTexts } from '../../src/mounts/stores/saved-session.ts';
import { builtInScenario } from '../../src/shop/store-api.ts';
import { isInstalled } from '../support/programs.ts';
import { freePort, startRedis } from '../support/redis.ts';
import { startReplica as startProgram, type Replica } from '../support/replica.ts';
import { openConnection } from './connection.ts';
import { median, type Figure } from './report.ts';

const order = { channel: 1, user: 1, currency: 'EUR' };
const texts = new SessionTexts('bench', (name) => builtInScenario(name));

/** What a store costs: `SESSIONS=1000` stores fewer sessions. */
export async function storeFigures(): Promise<Figure[]> {
  if (!isInstalled('redis-server')) {
    console.warn('redis-server is not installed, so stores are not measured.');
    return [];
  }
  const redis = await startRedis();
  try {
    const text = paidOrder();
    return [
      { name: 'a session with a paid order', value: text.length / 1024, unit: 'KiB', limit: 10 },
      ...(await stored(redis.url, text)),
      ...(await requests(redis.url)),
    ];
  } finally {
    await redis.stop();
  }
}

/** Returns a session with one paid order, as it is saved. */
function paidOrder(): string {
  const office = createBackOffice();
  const post = (url: string, body: object): string =>
    office.answer({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).body ?? '{}';
  const { id } = JSON.parse(post('/api/orders/', order)) as { id: number };
  post(`/api/orders/${id}/items/`, { variant: 1, unitPrice: 1000, quantity: 2 });
  office.checkout.walk(id, 'purchase');
  return texts.write(office, 0);
}

async function stored(url: string, text: string): Promise<Figure[]> {
  const count = Number(process.env['SESSIONS'] ?? 100_000);
  const store = await RedisStore.open(url, { idle: 3_600_000, warn: console.warn });
  for (let at = 0; at < count; at += 500) {
    const names = Array.from({ length: Math.min(500, count - at) }, (_, one) => `s${at + one}`);
    await Promise.all(names.map(async (name) => store.write(name, undefined, text)));
  }
  const bytes = await usedBytes(url);
  const times: number[] = [];
  for (let at = 0; at < 221; at++) {
    const began = performance.now();
    const session = await store.read(`s${(at * 97) % count}`);
    texts.read(session.text ?? '', () => createBackOffice());
    times.push(performance.now() - began);
  }
  await store.close();
  return [
    {
      name: `${count} sessions in Redis`,
      value: bytes / 1_048_576,
      unit: 'MiB',
      limit: 476 * (count / 100_000),
    },
    { name: 'a session is loaded', value: median(times.slice(20)), unit: 'ms', limit: 2 },
  ];
}

/** Starts the program from its sources. */
async function startReplica(args: readonly string[]): Promise<Replica> {
  return startProgram(
    await freePort(),
    args,
    undefined,
    join(import.meta.dirname, '../../src/cli/main.ts'),
  );
}

interface Cost {
  /** CPU time of the servers in microseconds. */
  readonly cpu: number;
  /** In milliseconds. */
  readonly time: number;
}

/** The cost of a request to one server without a store, to one of a store, and to two in turn. */
async function requests(url: string): Promise<Figure[]> {
  const store = ['--store', url];
  const one = await startReplica(store);
  const other = await startReplica(store);
  const alone = await startReplica([]);
  const figures: Figure[] = [];
  for (const method of ['GET', 'PATCH'] as const) {
    const rounds = [];
    for (let round = -warmUps; round < countedRounds; round++) {
      const own = await costOf([one], method);
      const base = await costOf([alone], method);
      const turns = await costOf([one, other], method);
      if (round >= 0) rounds.push({ base, own, turns });
    }
    figures.push(...figuresOf(method, rounds));
  }
  await Promise.all([one.end('SIGKILL'), other.end('SIGKILL'), alone.end('SIGKILL')]);
  return figures;
}

/** Rounds whose figures count, an odd number, and those before them. */
const [countedRounds, warmUps] = [21, 4];

const places = {
  base: 'without a store',
  own: 'to one server of a Redis',
  turns: 'to two servers of a Redis in turn',
};

type Which = keyof typeof places;

function figuresOf(method: string, rounds: readonly Readonly<Record<Which, Cost>>[]): Figure[] {
  return Object.entries(places).flatMap(([which, place]) => {
    const costs = rounds.map((round) => round[which as Which]);
    return [
      { name: `${method} ${place}, CPU`, value: median(costs.map(({ cpu }) => cpu)), unit: 'µs' },
      {
        name: `${method} ${place}, p50`,
        value: median(costs.map(({ time }) => time)),
        unit: 'ms',
        limit: 20,
      },
    ];
  });
}

/** The number of requests to one server, and of those to two in turn. */
const [requestsInRound, turnsInRound] = [1000, 100];

/** Sends requests of one session to servers in turn, and returns what each costs. */
async function costOf(servers: readonly Replica[], method: 'GET' | 'PATCH'): Promise<Cost> {
  const connections = await Promise.all(servers.map(async ({ url }) => openConnection(url)));
  const path = method === 'GET' ? '/s/ada/api/orders/1' : '/s/ada/api/users/7';
  const times: number[] = [];
  const count = servers.length === 1 ? requestsInRound : turnsInRound;
  const before = cpuOf(servers);
  for (let sent = 0; sent < count; sent++) {
    const began = performance.now();
    const connection = connections[sent % connections.length]!;
    const body = method === 'PATCH' && { body: JSON.stringify({ firstName: `Ada ${sent}` }) };
    await connection.send({ method, path, ...body });
    times.push(performance.now() - began);
  }
  const used = cpuOf(servers) - before;
  for (const connection of connections) connection.close();
  return { cpu: used / count, time: median(times) };
}

/** Returns the CPU time of all threads of processes in microseconds. */
function cpuOf(servers: readonly Replica[]): number {
  let nanoseconds = 0;
  for (const { child } of servers) {
    const tasks = `/proc/${child.pid}/task`;
    for (const task of readdirSync(tasks))
      nanoseconds += Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ', 1)[0]);
  }
  return nanoseconds / 1000;
}

async function usedBytes(url: string): Promise<number> {
  const client = createClient({ url });
  await client.connect();
  const info = await client.info('memory');
  client.destroy();
  return Number(/^used_memory:(\d+)/m.exec(info)?.[1]);
}
