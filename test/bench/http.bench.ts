import { withRecording } from './recorded.ts';
import { median, type Figure } from './report.ts';
import { detailOf, measureRuns, ratioOf } from './runs.ts';
import { cpuPerRequest, startServer } from './servers.ts';
import { rename, type Sent, type Visit } from './workloads.ts';

const order = { channel: 1, user: 1, currency: 'EUR' };
const loads: { name: string; load: Sent; limit: number }[] = [
  { name: 'GET one user', load: { method: 'GET', path: '/api/users/7' }, limit: 2 },
  { name: 'GET a page of 10 orders', load: { method: 'GET', path: '/api/orders/' }, limit: 3 },
  {
    name: 'POST create an order',
    load: { method: 'POST', path: '/api/orders/', body: JSON.stringify(order) },
    limit: 1.6,
  },
];

/** Number of processes of each server, because optimized code differs by process. */
const pairs = 3;
const rounds = 5;
/** Garbage is collected every 2,000 requests: a round of fewer would have one collection or none. */
const perRound = 10_000;

/** Reads before each of which the same connection sends a PATCH of a user. */
const readsAfterWrite: readonly { name: string; path: string }[] = [
  { name: 'GET one user', path: '/api/users/7' },
  { name: 'GET a page of 10 orders', path: '/api/orders/' },
];

/**
 * CPU time of a request, relative to a bare node:http server that sends the same bytes from memory. First
 * without writes, so that cached responses are sent again; then with a write before each read.
 */
export async function httpFigures(): Promise<Figure[]> {
  const recorder = await startServer('serve-backlot.ts', []);
  const figures: Figure[] = [];
  for (const { name, load, limit } of loads) {
    const counted = await withRecording(recorder.url, [[load]], (file) => countAll(load, file));
    const ours = median(counted.map(({ backlot }) => backlot));
    const theirs = median(counted.map(({ bare }) => bare));
    figures.push({
      name: `${name}, CPU over bare node:http`,
      value: median(counted.map(({ backlot, bare }) => backlot / bare)),
      unit: 'x',
      limit,
      detail: `${ours.toFixed(0)} µs over ${theirs.toFixed(0)} µs`,
    });
  }
  for (const { name, path } of readsAfterWrite) {
    figures.push(await afterWrite(name, path, recorder.url));
  }
  recorder.stop();
  return figures;
}

/** The mean of a read and the write before it. */
async function afterWrite(name: string, path: string, recorder: string): Promise<Figure> {
  const visits = (count: number): Visit[] =>
    Array.from({ length: count }, (_, round) => [rename(7, round), { method: 'GET', path }]);
  const plan = {
    orders: 0,
    before: [],
    warmUp: visits(12_500),
    rounds: Array.from({ length: rounds }, () => visits(perRound / 2)),
  };
  const runs = await measureRuns(plan, recorder, pairs);
  return {
    name: `PATCH, then ${name}, CPU over bare node:http`,
    value: ratioOf(runs),
    unit: 'x',
    detail: detailOf(runs),
  };
}

/** Microseconds of one round. */
type Counted = Readonly<Record<'backlot' | 'bare', number>>;

async function countAll(load: Sent, file: string): Promise<Counted[]> {
  const counted: Counted[] = [];
  for (let pair = 0; pair < pairs; pair++) counted.push(...(await countPair(load, file)));
  return counted;
}

async function countPair(load: Sent, file: string): Promise<Counted[]> {
  const backlot = await startServer('serve-backlot.ts', []);
  const bare = await startServer('serve-recorded.ts', [file]);
  // Until then, most of what is measured is the compiler at work.
  for (const server of [backlot, bare]) await cpuPerRequest(server, load, 25_000);
  const counted: Counted[] = [];
  for (let round = 0; round < rounds; round++) {
    counted.push({
      backlot: await cpuPerRequest(backlot, load, perRound),
      bare: await cpuPerRequest(bare, load, perRound),
    });
  }
  backlot.stop();
  bare.stop();
  return counted;
}
