import { createBackOffice } from '../../src/index.ts';
import { median, type Figure } from './report.ts';

const order = JSON.stringify({ channel: 1, user: 1, currency: 'EUR' });
const requests = [
  { name: 'GET one user', method: 'GET', url: '/api/users/7', body: undefined },
  { name: 'GET a page of 10 orders', method: 'GET', url: '/api/orders/?page=2', body: undefined },
  { name: 'POST create an order', method: 'POST', url: '/api/orders/', body: order },
];

/** CPU time of a request by `fetch` without a network: with a journal, relative to without one. */
export async function journalFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, method, url, body } of requests) {
    const init = {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    };
    const on = createBackOffice();
    const off = createBackOffice({ settings: { journalSize: 0 } });
    const { a, b, ratio } = await compareAsync(
      () => on.fetch(url, init),
      () => off.fetch(url, init),
    );
    figures.push({
      name: `journal on, ${name}`,
      value: (ratio - 1) * 100,
      unit: '%',
      limit: 10,
      detail: `${a.toFixed(1)} µs over ${b.toFixed(1)} µs`,
    });
  }
  return [...figures, await historyFigure(), ...(await statesFigure())];
}

const post = {
  method: 'POST',
  headers: { accept: 'application/json', 'content-type': 'application/json' },
  body: order,
};

/** CPU time of a write with a history, relative to one without. */
async function historyFigure(): Promise<Figure> {
  const on = createBackOffice({ history: true });
  const off = createBackOffice();
  const { a, b } = await compareAsync(
    () => on.fetch('/api/orders/', post),
    () => off.fetch('/api/orders/', post),
  );
  return {
    name: 'history on, POST create an order',
    value: a - b,
    unit: 'µs',
    limit: 25,
    detail: `${a.toFixed(1)} µs over ${b.toFixed(1)} µs`,
  };
}

/** The other design, for comparison: a history that keeps the state after each write. */
async function statesFigure(): Promise<Figure[]> {
  const office = createBackOffice();
  const off = createBackOffice();
  const states: unknown[] = [];
  const keep = async (): Promise<void> => {
    await office.fetch('/api/orders/', post);
    states.push(office.snapshot());
    if (states.length > 500) states.shift();
  };
  const { a, b } = await compareAsync(keep, () => off.fetch('/api/orders/', post));
  const detail = `${a.toFixed(1)} µs over ${b.toFixed(1)} µs`;
  return [
    { name: 'a state kept per write, POST create an order', value: a - b, unit: 'µs', detail },
  ];
}

/** Few requests in a row, so that the speed of the machine is the same for both. */
const times = 40;

async function compareAsync(a: () => Promise<unknown>, b: () => Promise<unknown>) {
  const pairs: { a: number; b: number }[] = [];
  // Each goes first as often as the other, and the first rounds warm both up.
  for (let round = 0; round < 320; round++) {
    const first = await timed(round % 2 === 0 ? a : b);
    const second = await timed(round % 2 === 0 ? b : a);
    if (round >= 20)
      pairs.push(round % 2 === 0 ? { a: first, b: second } : { a: second, b: first });
  }
  return {
    a: median(pairs.map((pair) => pair.a)),
    b: median(pairs.map((pair) => pair.b)),
    ratio: median(pairs.map((pair) => pair.a / pair.b)),
  };
}

/** Returns microseconds of CPU time. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const { user, system } = process.cpuUsage();
  for (let time = 0; time < times; time++) await work();
  const used = process.cpuUsage({ user, system });
  return (used.user + used.system) / times;
}
