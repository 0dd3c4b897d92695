import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import { onTestFinished } from 'vitest';
import { startNetwork, type Network } from '../support/network.ts';
import { freePort, startRedis } from '../support/redis.ts';
import { startReplica, type Replica } from '../support/replica.ts';

/** Three servers, whose clocks differ by a year, and their Redis, each with its own way to it. */
export interface Cluster {
  /** Faults replace them. */
  readonly replicas: readonly Replica[];
  /** Changes before and after Redis loses its data. */
  readonly losses: number;
  /** @param at the number of the server that it is done to */
  readonly faults: Readonly<Record<Fault, (at: number, random: () => number) => Promise<void>>>;
}

export type Fault = 'kill' | 'stop' | 'suspend' | 'cut' | 'slow' | 'freeze' | 'empty' | 'restart';

/** Some time, shorter and longer than that for which servers wait for Redis. */
async function wait(random: () => number): Promise<void> {
  await sleep(400 + 3600 * random());
}

const year = 31_536_000_000;

async function start({ url }: Network, at: number, port?: number): Promise<Replica> {
  return startReplica(port ?? (await freePort()), ['--store', url], (at - 1) * year);
}

/** Starts a server as a supervisor does: again, if Redis did not answer it in time and it ended with that reason. */
async function startAgain(network: Network, at: number, port: number): Promise<Replica> {
  for (;;) {
    try {
      return await start(network, at, port);
    } catch (error) {
      if (!String(error).includes('exit code 2')) throw error;
    }
  }
}

/** Starts servers that end with the test. */
export async function startCluster(): Promise<Cluster> {
  let redis = await startRedis();
  const port = Number(new URL(redis.url).port);
  const client = createClient({ url: redis.url });
  client.on('error', () => undefined);
  await client.connect();
  const networks = await Promise.all([0, 1, 2].map(async () => startNetwork(redis.url)));
  const replicas = await Promise.all(networks.map(async (network, at) => start(network, at)));
  onTestFinished(async () => {
    await Promise.all(replicas.map(async (replica) => replica.end('SIGKILL')));
    for (const network of networks) network.close();
    client.destroy();
    await redis.stop();
  });

  async function replace(at: number, signal: NodeJS.Signals): Promise<void> {
    await replicas[at]!.end(signal);
    replicas[at] = await startAgain(networks[at]!, at, replicas[at]!.port);
  }

  const state = { losses: 0 };
  const lose = async (work: () => Promise<unknown>): Promise<void> => {
    state.losses += 1;
    await work();
    state.losses += 1;
  };

  return {
    replicas,
    get losses() {
      return state.losses;
    },
    faults: {
      kill: async (at) => replace(at, 'SIGKILL'),
      stop: async (at) => replace(at, 'SIGTERM'),
      async suspend(at, random) {
        const { child } = replicas[at]!;
        child.kill('SIGSTOP');
        await wait(random);
        child.kill('SIGCONT');
      },
      async cut(at, random) {
        networks[at]!.isCut = true;
        await wait(random);
        networks[at]!.isCut = false;
      },
      async slow(_, random) {
        for (const network of networks) network.delay = 50 + 300 * random();
        await sleep(4000);
        for (const network of networks) network.delay = 0;
      },
      async freeze(_, random) {
        redis.child.kill('SIGSTOP');
        await wait(random);
        redis.child.kill('SIGCONT');
      },
      empty: async (at) =>
        lose(async () => Promise.all([client.flushAll(), replace(at, 'SIGKILL')])),
      restart: async (_, random) =>
        lose(async () => {
          await redis.stop();
          await wait(random);
          redis = await startRedis(port);
        }),
    },
  };
}
