import { fork } from 'node:child_process';
import { once } from 'node:events';
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
  const orders = `${opened[0]?.orders} orders`;
  return [
    {
      name: 'start of `large`, from the beginning of the process',
      value: median(opened.map(({ took }) => took)),
      unit: 'ms',
      limit: 6000,
      detail: orders,
    },
    {
      name: 'memory of `large`',
      value: median(opened.map(({ rss }) => rss)) / 2 ** 20,
      unit: 'MiB',
      limit: 1024,
      detail: orders,
    },
    {
      name: 'first list of `large`, while its indexes are built',
      value: median(opened.map(({ firstList }) => firstList)),
      unit: 'ms',
      limit: 50,
      detail: opened.map(({ firstList }) => firstList.toFixed(0)).join(', '),
    },
  ];
}

async function open(): Promise<Opened> {
  const child = fork(new URL('open-large.ts', import.meta.url), { stdio: 'inherit' });
  const [opened] = (await once(child, 'message')) as [Opened];
  child.kill();
  return opened;
}
