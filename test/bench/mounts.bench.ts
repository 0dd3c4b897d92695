import { getResponse, http } from 'msw';
import { createBackOffice, type MountedBackOffice } from '../../src/index.ts';
import { answerFetch } from '../../src/mounts/fetch/fetch.ts';
import { catchAll } from '../../src/mounts/mount.ts';
import { median, type Figure } from './report.ts';

const origin = 'http://shop.test';
const loads = [
  { name: 'GET one user', path: '/api/users/7', limit: 60 },
  { name: 'GET a page of 10 orders', path: '/api/orders/', limit: 150 },
];

/** The time of a request in the process of a test, and of opening a back office. */
export async function mountFigures(): Promise<Figure[]> {
  const backOffice = createBackOffice();
  const figures: Figure[] = [];
  for (const { name, path, limit } of loads) {
    const url = `${origin}${path}`;
    const bytes = await (await backOffice.fetch(url)).text();
    const bare = (): Promise<Response> => Promise.resolve(answerBytes(bytes));
    const ours = catchAll(http, '*', backOffice.shop.api, ({ request }) =>
      answerFetch(backOffice, request, '*'),
    );
    const empty = [http.all('*/api/*', bare)];
    const byHandler = await compareAsync(
      async () => (await getResponse(ours, new Request(url)))?.text(),
      async () => (await getResponse(empty, new Request(url)))?.text(),
    );
    figures.push({
      name: `${name} through MSW, over an empty handler`,
      value: byHandler.difference,
      unit: 'µs',
      limit,
      detail: `${byHandler.a.toFixed(0)} µs over ${byHandler.b.toFixed(0)} µs`,
    });
    const byFetch = await compareAsync(
      async () => (await backOffice.fetch(url)).text(),
      async () => (await resolver(new Request(url), bytes)).text(),
    );
    figures.push({
      name: `${name} by backOffice.fetch, over a bare resolver`,
      value: byFetch.a / byFetch.b,
      unit: 'x',
      ...(path === '/api/users/7' && { limit: 2 }),
      detail: `${byFetch.a.toFixed(0)} µs over ${byFetch.b.toFixed(0)} µs`,
    });
  }
  return [...figures, await afterWrite(backOffice), opening()];
}

/** Measures reads after a write, which clears the response cache. */
async function afterWrite(backOffice: MountedBackOffice): Promise<Figure> {
  const url = `${origin}/api/orders/`;
  const { a, b } = await compareAsync(
    async () => {
      backOffice.db.stockLocations.change(1, {});
      return (await backOffice.fetch(url)).text();
    },
    async () => (await backOffice.fetch(url)).text(),
  );
  return {
    name: 'GET a page of 10 orders by backOffice.fetch after a write, over the same without',
    value: a / b,
    unit: 'x',
    detail: `${a.toFixed(0)} µs over ${b.toFixed(0)} µs`,
  };
}

function opening(): Figure {
  const times = Array.from({ length: 50 }, () => {
    const start = performance.now();
    createBackOffice();
    return performance.now() - start;
  });
  return {
    name: 'a fresh back office of the default scenario',
    value: median(times),
    unit: 'ms',
    limit: 2,
  };
}

/** A hand-written mock: checks the URL and returns constant bytes. */
async function resolver(request: Request, bytes: string): Promise<Response> {
  const { pathname } = new URL(request.url);
  return pathname.startsWith('/api/') ? answerBytes(bytes) : new Response(null, { status: 404 });
}

function answerBytes(bytes: string): Response {
  return new Response(bytes, { headers: { 'content-type': 'application/json' } });
}

/** Times two functions in turn, so that a slower machine affects both. Returns microseconds. */
async function compareAsync(a: () => Promise<unknown>, b: () => Promise<unknown>) {
  const pairs: { a: number; b: number }[] = [];
  for (let round = 0; round < 18; round++) pairs.push({ a: await timed(a), b: await timed(b) });
  // The first rounds warm both up.
  const counted = pairs.slice(3);
  return {
    a: median(counted.map((pair) => pair.a)),
    b: median(counted.map((pair) => pair.b)),
    difference: median(counted.map((pair) => pair.a - pair.b)),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (let time = 0; time < 200; time++) await work();
  return ((performance.now() - start) / 200) * 1000;
}
