import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import { expect, onTestFinished } from 'vitest';
import { startNetwork, type Network } from './network.ts';
import { freePort, startRedis } from './redis.ts';
import { startReplica, type Replica } from './replica.ts';

/**
 * The lease of the servers, in milliseconds. An owner that a busy machine does not run for so long loses its sessions to others,
 * as it should; what Redis has lost is then lost. So it is longer where Redis loses what it has.
 */
const leases = { short: 2000, long: 6000 };

const prefix = 'backlot:session:';

/** What a fault needs. */
interface Place {
  /** The number of the server that it is done to. */
  readonly at: number;
  readonly random: () => number;
  /** Has each session in the memory of a server. */
  readonly load: () => Promise<unknown>;
}

/** Three servers with `--durable` and their Redis, each with its own way to it. */
export interface Cluster {
  /** Faults replace them. */
  readonly replicas: readonly Replica[];
  readonly faults: Readonly<Record<Fault, (place: Place) => Promise<void>>>;
}

export type Fault = 'kill' | 'stop' | 'suspend' | 'cut' | 'slow' | 'freeze' | 'empty' | 'restart';

/** Some time, shorter and longer than the lease. */
async function wait(random: () => number, lease: number): Promise<void> {
  await sleep((0.2 + 1.8 * random()) * lease);
}

async function start({ url }: Network, lease: number, at?: number): Promise<Replica> {
  return startReplica(at ?? (await freePort()), ['--store', url, '--durable'], lease);
}

/** Starts a server as a supervisor does: again, if Redis did not answer it in time and it ended with that reason. */
async function startAgain(network: Network, lease: number, port: number): Promise<Replica> {
  for (;;) {
    try {
      return await start(network, lease, port);
    } catch (error) {
      if (!String(error).includes('exit code 2')) throw error;
    }
  }
}

/** Starts servers that end with the test. @param names of all sessions @param losesData whether a fault empties Redis */
export async function startCluster(names: readonly string[], losesData: boolean): Promise<Cluster> {
  const lease = losesData ? leases.long : leases.short;
  let redis = await startRedis();
  const port = Number(new URL(redis.url).port);
  const client = createClient({ url: redis.url });
  client.on('error', () => undefined);
  await client.connect();
  const networks = await Promise.all(names.slice(0, 3).map(async () => startNetwork(redis.url)));
  const replicas = await Promise.all(networks.map(async (network) => start(network, lease)));
  onTestFinished(async () => {
    await Promise.all(replicas.map(async (replica) => replica.end('SIGKILL')));
    for (const network of networks) network.close();
    client.destroy();
    await redis.stop();
  });

  async function replace(at: number, signal: NodeJS.Signals): Promise<void> {
    await replicas[at]!.end(signal);
    replicas[at] = await startAgain(networks[at]!, lease, replicas[at]!.port);
  }

  const isSaved = async (name: string): Promise<boolean> => {
    const saved = await client.hmGet(`${prefix}${name}`, ['f', 's']);
    return !saved.includes(null);
  };

  /** What only Redis had would be lost with it, also by an owner that is killed before it has saved again. */
  async function empty({ load }: Place, work: () => Promise<unknown>): Promise<void> {
    await load();
    await work();
    await expect
      .poll(async () => (await Promise.all(names.map(isSaved))).filter((one) => !one).length)
      .toBe(0);
  }

  return {
    replicas,
    faults: {
      kill: async ({ at }) => replace(at, 'SIGKILL'),
      stop: async ({ at }) => replace(at, 'SIGTERM'),
      async suspend({ at, random }) {
        const { child } = replicas[at]!;
        child.kill('SIGSTOP');
        await wait(random, lease);
        child.kill('SIGCONT');
      },
      async cut({ at, random }) {
        networks[at]!.isCut = true;
        await wait(random, lease);
        networks[at]!.isCut = false;
      },
      async slow({ random }) {
        for (const network of networks) network.delay = 50 + 300 * random();
        await sleep(2 * lease);
        for (const network of networks) network.delay = 0;
      },
      async freeze({ random }) {
        redis.child.kill('SIGSTOP');
        await wait(random, lease);
        redis.child.kill('SIGCONT');
      },
      empty: async (place) => empty(place, async () => client.flushAll()),
      restart: async (place) =>
        empty(place, async () => {
          await redis.stop();
          await wait(place.random, lease);
          redis = await startRedis(port);
        }),
    },
  };
}
