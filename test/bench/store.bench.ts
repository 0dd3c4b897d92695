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

/** What a store costs: `SESSIONS=1000` parks fewer sessions. */
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
      ...(await parked(redis.url, text)),
      ...(await requests(redis.url)),
      ...(await takeover(redis.url)),
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

const ignore = (): void => undefined;

async function parked(url: string, text: string): Promise<Figure[]> {
  const count = Number(process.env['SESSIONS'] ?? 100_000);
  const options = { idle: 3_600_000, warn: console.warn, onDataLost: ignore, onRequested: ignore };
  const store = await RedisStore.open(url, options);
  for (let at = 0; at < count; at += 500) {
    const names = Array.from({ length: Math.min(500, count - at) }, (_, one) => `s${at + one}`);
    await Promise.all(
      names.map(async (name) => {
        const claim = await store.claim(name, 'any');
        if (claim.status === 'mine') await store.release(name, claim.fence, text);
      }),
    );
  }
  const bytes = await usedBytes(url);
  const times: number[] = [];
  for (let at = 0; at < 221; at++) {
    const began = performance.now();
    const claim = await store.claim(`s${(at * 97) % count}`, 'existing');
    if (claim.status === 'mine') texts.read(claim.state ?? '', () => createBackOffice());
    times.push(performance.now() - began);
  }
  await store.close();
  return [
    {
      name: `${count} parked sessions in Redis`,
      value: bytes / 1_048_576,
      unit: 'MiB',
      limit: 476 * (count / 100_000),
    },
    { name: 'a parked session is back', value: median(times.slice(20)), unit: 'ms', limit: 2 },
  ];
}

/** The milliseconds from when a killed server counts as silent to the response of the one that takes over. */
async function takeover(url: string): Promise<Figure[]> {
  const client = createClient({ url });
  await client.connect();
  const store = ['--store', url];
  const other = await startReplica(store);
  const times: number[] = [];
  for (let run = 0; run < 3; run++) {
    const victim = await startReplica(store);
    const path = `/s/killed-${run}/api/orders/1`;
    await (await fetch(`${victim.url}${path}`)).text();
    const owner = await client.hGet(`backlot:session:killed-${run}`, 'o');
    await victim.end('SIGKILL');
    const end = performance.now() + (await client.pTTL(`backlot:lease:${owner}`));
    const { status } = await fetch(`${other.url}${path}`);
    if (status !== 200) throw new Error(`${path} has status ${status}`);
    times.push(performance.now() - end);
  }
  await other.end('SIGKILL');
  client.destroy();
  return [{ name: 'taken over from a silent server', value: median(times), unit: 'ms', limit: 20 }];
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

/** The cost of a request to the owner of a session, and of one for which the session moves from another server. */
async function requests(url: string): Promise<Figure[]> {
  const store = ['--store', url];
  const owner = await startReplica(store);
  const other = await startReplica(store);
  const alone = await startReplica([]);
  const figures: Figure[] = [];
  for (const method of ['GET', 'PATCH'] as const) {
    const rounds = [];
    for (let round = -warmUps; round < countedRounds; round++) {
      const own = await costOf([owner], method);
      const base = await costOf([alone], method);
      const moving = await costOf([owner, other], method);
      if (round >= 0) rounds.push({ base, own, moving });
    }
    figures.push(...figuresOf(method, rounds));
  }
  await Promise.all([owner.end('SIGKILL'), other.end('SIGKILL'), alone.end('SIGKILL')]);
  return figures;
}

/** Rounds whose figures count, an odd number, and those before them. */
const [countedRounds, warmUps] = [21, 4];

type Which = 'base' | 'own' | 'moving';

function figuresOf(method: string, rounds: readonly Readonly<Record<Which, Cost>>[]): Figure[] {
  const cpu = (which: Which): string => median(rounds.map((round) => round[which].cpu)).toFixed(0);
  const value = (read: (round: (typeof rounds)[number]) => number): number =>
    median(rounds.map(read));
  return [
    {
      name: `${method} at its owner, CPU over no store`,
      value: value(({ own, base }) => (own.cpu / base.cpu - 1) * 100),
      unit: '%',
      limit: 5,
      detail: `${cpu('own')} µs over ${cpu('base')} µs`,
    },
    {
      name: `${method} that moves its session, CPU beside`,
      value: value(({ moving, own }) => moving.cpu - own.cpu),
      unit: 'µs',
      detail: `${cpu('moving')} µs beside ${cpu('own')} µs, without that of Redis`,
    },
    {
      name: `${method} that moves its session, p50`,
      value: value(({ moving }) => moving.time),
      unit: 'ms',
      limit: 20,
    },
  ];
}

/** The number of requests to one server, and of those to two in turn. */
const [requestsInRound, movesInRound] = [1000, 100];

/** Sends requests of one session to servers in turn, and returns what each costs. */
async function costOf(servers: readonly Replica[], method: 'GET' | 'PATCH'): Promise<Cost> {
  const connections = await Promise.all(servers.map(async ({ url }) => openConnection(url)));
  const path = method === 'GET' ? '/s/ada/api/orders/1' : '/s/ada/api/users/7';
  const body = method === 'GET' ? undefined : JSON.stringify({ firstName: 'Ada' });
  const times: number[] = [];
  const count = servers.length === 1 ? requestsInRound : movesInRound;
  const before = cpuOf(servers);
  for (let sent = 0; sent < count; sent++) {
    const began = performance.now();
    const connection = connections[sent % connections.length]!;
    await connection.send({ method, path, ...(body !== undefined && { body }) });
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
