import { readFileSync } from 'node:fs';
import { createClient } from 'redis';
import { createBackOffice } from '../../src/index.ts';
import { RedisStore } from '../../src/adapters/stores/redis-store.ts';
import { SessionTexts } from '../../src/adapters/stores/saved-session.ts';
import { builtInScenario } from '../../src/scenario/built-in.ts';
import { freePort, hasProgram, startRedis } from '../support/redis.ts';
import { startReplica, type Replica } from '../support/replica.ts';
import { openConnection } from './connection.ts';
import { median, type Figure } from './report.ts';

const order = { channel: 1, user: 1, currency: 'EUR' };
const texts = new SessionTexts('bench', (name) => builtInScenario(name));

/** What a store costs: `SESSIONS=1000` parks fewer sessions. */
export async function storeFigures(): Promise<Figure[]> {
  if (!hasProgram('redis-server', 'those of the store')) return [];
  const redis = await startRedis();
  try {
    const text = paidOrder();
    return [
      { name: 'a session with a paid order', value: text.length / 1024, unit: 'KiB', limit: 10 },
      ...(await parked(redis.url, text)),
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

async function parked(url: string, text: string): Promise<Figure[]> {
  const count = Number(process.env['SESSIONS'] ?? 100_000);
  const options = { idle: 3_600_000, advertise: '', warn: console.warn };
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
  for (let at = 0; at < 200; at++) {
    const office = createBackOffice();
    const began = performance.now();
    const claim = await store.claim(`s${(at * 97) % count}`, 'existing');
    if (claim.status === 'mine') texts.read(claim.state ?? '', () => office);
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

/** CPU time of the servers for a request to the owner of a session, and for one that is forwarded to it. */
async function requests(url: string): Promise<Figure[]> {
  const [portA, portB, portC] = [await freePort(), await freePort(), await freePort()];
  const store = ['--store', url];
  const owner = await startReplica(portA, store);
  const other = await startReplica(portB, store);
  const alone = await startReplica(portC, []);
  const figures: Figure[] = [];
  for (const name of ['GET', 'PATCH'] as const) {
    const rounds = [];
    for (let round = 0; round < 6; round++) {
      const base = await costOf([alone], alone, name);
      const own = await costOf([owner], owner, name);
      const far = await costOf([owner, other], other, name);
      rounds.push({ base, own, far });
    }
    const late = rounds.slice(2);
    const cpu = (which: 'base' | 'own' | 'far'): number =>
      median(late.map((one) => one[which].cpu));
    const time = (which: 'own' | 'far'): number => median(late.map((one) => one[which].time));
    figures.push(
      {
        name: `${name} at its owner, over no store`,
        value: (cpu('own') / cpu('base') - 1) * 100,
        unit: '%',
        limit: 5,
      },
      {
        name: `${name} forwarded, CPU beside`,
        value: cpu('far') - cpu('own'),
        unit: 'µs',
        limit: 150,
      },
      {
        name: `${name} forwarded, p50 beside`,
        value: time('far') - time('own'),
        unit: 'ms',
        limit: 0.5,
      },
    );
  }
  await Promise.all([owner.end('SIGKILL'), other.end('SIGKILL'), alone.end('SIGKILL')]);
  return figures;
}

const requestsInRound = 1000;

/** Sends requests of one session, and returns the CPU time of servers in microseconds and the p50 in milliseconds. */
async function costOf(
  servers: readonly Replica[],
  { url }: Replica,
  method: 'GET' | 'PATCH',
): Promise<{ readonly cpu: number; readonly time: number }> {
  const connection = await openConnection(url);
  const path = method === 'GET' ? '/s/ada/api/orders/1' : '/s/ada/api/users/7';
  const body = method === 'GET' ? undefined : JSON.stringify({ firstName: 'Ada' });
  const times: number[] = [];
  const before = cpuOf(servers);
  for (let count = 0; count < requestsInRound; count++) {
    const began = performance.now();
    await connection.send({ method, path, ...(body !== undefined && { body }) });
    times.push(performance.now() - began);
  }
  const used = cpuOf(servers) - before;
  connection.close();
  return { cpu: used / requestsInRound, time: median(times) };
}

/** Returns the CPU time of processes in microseconds, in steps of 10,000. */
function cpuOf(servers: readonly Replica[]): number {
  return servers.reduce((sum, { child }) => {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ');
    return sum + (Number(fields[13]) + Number(fields[14])) * 10_000;
  }, 0);
}

async function usedBytes(url: string): Promise<number> {
  const client = createClient({ url });
  await client.connect();
  const info = await client.info('memory');
  client.destroy();
  return Number(/^used_memory:(\d+)/m.exec(info)?.[1]);
}
