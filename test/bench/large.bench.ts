import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/redis.ts';
import { median, type Figure } from './report.ts';

interface Opened {
  /** Milliseconds since the process began. */
  readonly took: number;
  /** Bytes. */
  readonly rss: number;
  readonly orders: number;
  /** Milliseconds of the first request for a page of orders, after requests for other lists. */
  readonly firstList: number;
}

/** Time and memory of a process that opens `large`, its start included, and the time of its first list of orders. */
export async function largeFigures(): Promise<Figure[]> {
  const opened: Opened[] = [];
  for (let round = 0; round < 5; round++) opened.push(await open());
  const onServer: number[] = [];
  for (let round = 0; round < 3; round++) onServer.push(await firstListOnServer());
  const orders = `${opened[0]?.orders} orders`;
  return [
    {
      name: 'start of `large`, from the beginning of the process',
      value: median(opened.map(({ took }) => took)),
      unit: 'ms',
      limit: 2000,
      detail: orders,
    },
    {
      name: 'memory of `large`',
      value: median(opened.map(({ rss }) => rss)) / 2 ** 20,
      unit: 'MiB',
      limit: 400,
      detail: orders,
    },
    {
      name: 'first list of `large`, while its indexes are built',
      value: median(opened.map(({ firstList }) => firstList)),
      unit: 'ms',
      limit: 50,
      detail: opened.map(({ firstList }) => firstList.toFixed(0)).join(', '),
    },
    {
      name: 'first list of `large` on a server, a second after its start',
      value: median(onServer),
      unit: 'ms',
      limit: 50,
      detail: onServer.map((one) => one.toFixed(0)).join(', '),
    },
    await cacheFigure(),
  ];
}

/** Whether a cache takes no more memory than its budget says. */
async function cacheFigure(): Promise<Figure> {
  const [orders, budget] = [5000, 20_000_000];
  const full = await bytesOfCache(orders, budget);
  return {
    name: 'memory of a cache after 5,000 orders, over its budget',
    value: full / budget,
    unit: 'x',
    limit: 1.1,
    detail: `${(full / 1e6).toFixed(1)} MB`,
  };
}

async function bytesOfCache(orders: number, budget: number): Promise<number> {
  const child = fork(
    new URL('cached-orders.ts', import.meta.url),
    [String(orders), String(budget)],
    {
      stdio: 'inherit',
      execArgv: [...process.execArgv, '--expose-gc'],
    },
  );
  const [{ bytes }] = (await once(child, 'message')) as [{ bytes: number }];
  child.kill();
  return bytes;
}

async function open(): Promise<Opened> {
  const child = fork(new URL('open-large.ts', import.meta.url), { stdio: 'inherit' });
  const [opened] = (await once(child, 'message')) as [Opened];
  child.kill();
  return opened;
}

/** Returns the milliseconds of the first request for a page of orders, the connection included. */
async function firstListOnServer(): Promise<number> {
  const main = join(import.meta.dirname, '../../src/cli/main.ts');
  const port = await freePort();
  const args = [main, '--scenario', 'large', '--port', String(port)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    await sleep(1000);
    const before = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/api/orders/?limit=20`);
    await response.arrayBuffer();
    return performance.now() - before;
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}
