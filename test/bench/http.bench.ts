import { cpuPerRequest, startServer, type Load } from './servers.ts';
import { median, type Figure } from './report.ts';

const order = { channel: 1, user: 1, currency: 'EUR' };
const loads: { name: string; load: Load; limit: number }[] = [
  { name: 'GET one user', load: { method: 'GET', path: '/api/users/7' }, limit: 2 },
  { name: 'GET a page of 10 orders', load: { method: 'GET', path: '/api/orders/' }, limit: 3 },
  {
    name: 'POST create an order',
    load: { method: 'POST', path: '/api/orders/', body: JSON.stringify(order) },
    limit: 2,
  },
];

/**
 * Processor time of a request, over that of a bare node:http server that answers the same bytes from memory. Between two
 * readings nothing is written; `mounts` tells what a write in between costs.
 */
export async function httpFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, load, limit } of loads) {
    const backlot = await startServer('serve-backlot.ts', []);
    const bare = await startServer('serve-bare.ts', await sameBytes(backlot.url, load));
    // Until then, most of what is measured is the compiler at work.
    for (const server of [backlot, bare]) await cpuPerRequest(server, load, 25_000);
    const counted: [number, number][] = [];
    for (let round = 0; round < 15; round++) {
      const ours = await cpuPerRequest(backlot, load, 2500);
      counted.push([ours, await cpuPerRequest(bare, load, 2500)]);
    }
    backlot.stop();
    bare.stop();
    figures.push({
      name: `${name}, CPU over bare node:http`,
      value: median(counted.map(([ours, theirs]) => ours / theirs)),
      unit: 'x',
      limit,
      detail: `${median(counted.map(([ours]) => ours)).toFixed(0)} µs over ${median(counted.map(([, theirs]) => theirs)).toFixed(0)} µs`,
    });
  }
  return figures;
}

async function sameBytes(url: string, { method, path, body }: Load): Promise<string[]> {
  const response = await fetch(`${url}${path}`, {
    method,
    ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
  });
  return [String(response.status), Buffer.from(await response.arrayBuffer()).toString('base64')];
}
