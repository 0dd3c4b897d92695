import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { sendVisits } from './connection.ts';
import type { Sent } from './workloads.ts';

/** A server in a separate process, with its CPU time. */
export interface MeasuredServer {
  readonly url: string;
  cpu(): Promise<number>;
  /** Collects the garbage of everything before. */
  collect(): Promise<void>;
  stop(): void;
}

export async function startServer(
  script: string,
  args: readonly string[],
): Promise<MeasuredServer> {
  const child = fork(new URL(script, import.meta.url), args, {
    stdio: 'inherit',
    // A server that waits while another one is measured would start to give memory back, and be slow after it.
    execArgv: [...process.execArgv, '--expose-gc', '--no-memory-reducer'],
  });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return {
    url,
    cpu: () => ask(child, 'cpu'),
    collect: async () => void (await ask(child, 'collect')),
    stop: () => child.kill(),
  };
}

/** Returns the CPU time of a process, once it has done what the message says. */
async function ask(child: ChildProcess, message: 'cpu' | 'collect'): Promise<number> {
  child.send(message);
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: number }];
  return cpu;
}

/** Returns microseconds of processor time of a request that is sent this often, over ten connections. */
export async function cpuPerRequest(
  server: MeasuredServer,
  request: Sent,
  amount: number,
): Promise<number> {
  const before = await server.cpu();
  const visits = Array.from({ length: amount }, () => [request]);
  await sendVisits(server.url, visits, () => {});
  return ((await server.cpu()) - before) / amount;
}
