import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openConnection } from './connection.ts';
import type { Figure } from './report.ts';
import { detailOf, ratioOf, spentOn, type Run } from './runs.ts';
import { startServer, type MeasuredServer } from './servers.ts';
import type { Sent, Visit } from './workloads.ts';

/** What the app of `serve-map.ts` has in its Maps. */
export interface MapRecords {
  readonly users: readonly { readonly id: number }[];
  /** A new order. */
  readonly order: { readonly id: number };
}

const [users, readUsers] = [1000, 500];
const [warmUp, perTurn, turns, rounds] = [20_000, 1000, 5, 5];

const loads: readonly { readonly name: string; readonly sent: (number: number) => Sent }[] = [
  { name: `GET one of ${readUsers} users`, sent: (number) => userOf(1 + (number % readUsers)) },
  {
    name: 'POST create an order',
    sent: () => post('/api/orders/', { channel: 1, user: 1, currency: 'EUR' }),
  },
];

/**
 * CPU time of a request to a server with a history, as `npm start` opens it, relative to an Express app over a Map that
 * sends the same bodies.
 */
export async function mapFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-map-'));
  const servers: MeasuredServer[] = [];
  try {
    const backlot = await startServer('serve-backlot.ts', ['0', 'history']);
    servers.push(backlot);
    const file = join(folder, 'records.json');
    writeFileSync(file, JSON.stringify(await addRecords(backlot.url)));
    const map = await startServer('serve-map.ts', [file]);
    servers.push(map);
    const figures: Figure[] = [];
    for (const { name, sent } of loads) {
      const runs = await compareServers(backlot, map, sent);
      figures.push({
        name: `${name}, CPU over Express with a Map`,
        value: ratioOf(runs),
        unit: 'x',
        limit: 0.9,
        detail: detailOf(runs),
      });
    }
    return figures;
  } finally {
    for (const server of servers) server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sends each round to both servers in turns, which are short, because the speed of a machine changes. */
async function compareServers(
  backlot: MeasuredServer,
  map: MeasuredServer,
  sent: (number: number) => Sent,
): Promise<Run[]> {
  const visits = (count: number): Visit[] =>
    Array.from({ length: count }, (_, number) => [sent(number)]);
  for (const server of [backlot, map]) await spentOn(server, visits(warmUp));
  const runs: Run[] = [];
  while (runs.length < rounds) {
    const used = { backlot: 0, bare: 0 };
    for (let turn = 0; turn < turns; turn++) {
      const ours = await spentOn(backlot, visits(perTurn));
      const theirs = await spentOn(map, visits(perTurn));
      if (ours.bytes !== theirs.bytes)
        throw new Error(`Backlot sent ${ours.bytes} bytes, Express ${theirs.bytes}`);
      used.backlot += ours.cpu / (turns * perTurn);
      used.bare += theirs.cpu / (turns * perTurn);
    }
    runs.push(used);
  }
  return runs;
}

/** Adds users to a server, and returns them with a new order. */
async function addRecords(url: string): Promise<MapRecords> {
  const connection = await openConnection(url);
  const send = async <Body>(sent: Sent): Promise<Body> =>
    JSON.parse((await connection.send(sent)).body.toString()) as Body;
  try {
    const { total } = await send<{ total: number }>({ method: 'GET', path: '/api/users/' });
    for (let number = total + 1; number <= users; number++)
      await send(post('/api/users/', newUser(number)));
    const all: { id: number }[] = [];
    for (let id = 1; id <= users; id++) all.push(await send(userOf(id)));
    return { users: all, order: await send(loads[1]!.sent(0)) };
  } finally {
    connection.close();
  }
}

function newUser(number: number): object {
  const email = `ada${number}@example.com`;
  return { firstName: 'Ada', lastName: 'Byron', email, plainPassword: 'secret' };
}

function userOf(id: number): Sent {
  return { method: 'GET', path: `/api/users/${id}` };
}

function post(path: string, body: object): Sent {
  return { method: 'POST', path, body: JSON.stringify(body) };
}
