import { openConnection, type Connection } from './connection.ts';
import type { Figure } from './report.ts';
import { detailOf, measureRuns, ratioOf, type Run } from './runs.ts';
import { startServer } from './servers.ts';
import {
  httpWarmUp,
  readings,
  visitsOf,
  workloads,
  type ShopFacts,
  type Workload,
} from './workloads.ts';

const [few, many] = [1000, 20_000];

/** Only this number of orders, or this workload: `ORDERS=20000 WORKLOAD=page npm run bench -- mixed`. */
const { ORDERS: wantedOrders } = process.env;
const sizes = wantedOrders === undefined ? [few, many] : [Number(wantedOrders)];
const wantedWorkload = process.env['WORKLOAD'];
/** Processes of each server for each line: an odd number (default: 3). */
const runsOfEach = Number(process.env['RUNS'] ?? 3);

const rounds = 5;

/** Limits at 20,000 orders. */
const limits: Readonly<Partial<Record<Workload['name'], number>>> = {
  any: 1.6,
  page: 4,
  mixed: 2.5,
  journey: 2,
};

/**
 * Processor time of a request in a shop that is used, over that of a bare node:http server that answers the same bytes
 * from memory. Requests go all over a shop in which everything was read before; `first` reads what was not, so it requires
 * many orders.
 */
export async function mixedFigures(): Promise<Figure[]> {
  if (runsOfEach % 2 === 0) throw new Error(`RUNS must be odd, not ${runsOfEach}`);
  const figures: Figure[] = [];
  const measured: Measured = new Map();
  for (const orders of sizes) {
    for (const [name, runs] of await measureShop(orders)) {
      measured.set(`${name} ${orders}`, runs);
      figures.push(figureOf(name, orders, runs));
    }
  }
  return [...figures, ...workloads.flatMap(({ name }) => flatness(name, measured))];
}

/** Runs by workload and number of orders. */
type Measured = Map<string, readonly Run[]>;

async function measureShop(orders: number): Promise<Map<Workload['name'], Run[]>> {
  const measured = new Map<Workload['name'], Run[]>();
  const recorder = await startServer('serve-backlot.ts', [String(orders)]);
  const connection = await openConnection(recorder.url);
  try {
    const shop = await factsOf(connection, orders);
    for (const workload of workloads) {
      if (wantedWorkload !== undefined && wantedWorkload !== workload.name) continue;
      if (workload.name === 'first' && orders < 2 * rounds * workload.perRound) continue;
      measured.set(workload.name, await measureWorkload(workload, shop, recorder.url));
    }
  } finally {
    connection.close();
    recorder.stop();
  }
  return measured;
}

async function measureWorkload(workload: Workload, shop: ShopFacts, url: string): Promise<Run[]> {
  const { warmUp, perRound } = workload;
  const { orders } = shop;
  const visits = await visitsOf(workload, shop, warmUp + rounds * perRound);
  const plan = {
    orders,
    before: readings(workload, shop),
    warmUp: [...httpWarmUp, ...visits.slice(0, warmUp)],
    rounds: Array.from({ length: rounds }, (_, round) => {
      const start = warmUp + round * perRound;
      return visits.slice(start, start + perRound);
    }),
  };
  return measureRuns(plan, url, runsOfEach);
}

async function factsOf(connection: Connection, orders: number): Promise<ShopFacts> {
  const read = async (path: string): Promise<Answer> => {
    const { body } = await connection.send({ method: 'GET', path });
    return JSON.parse(body.toString()) as Answer;
  };
  return {
    orders,
    pages: (await read('/api/orders/?limit=20')).pages,
    users: (await read('/api/users/?limit=1')).total,
    customerOf: async (order) => (await read(`/api/orders/${order}`)).user.id,
  };
}

/** What is read of pages and orders. */
interface Answer {
  readonly pages: number;
  readonly total: number;
  readonly user: { readonly id: number };
}

function figureOf(name: Workload['name'], orders: number, runs: readonly Run[]): Figure {
  return {
    name: `${name} at ${orders.toLocaleString('en')} orders, CPU over bare node:http`,
    value: ratioOf(runs),
    unit: 'x',
    ...(orders === many && name in limits && { limit: limits[name] }),
    detail: detailOf(runs),
  };
}

/** Compares ratios, because the bare server reads more memory with more orders, too. */
function flatness(name: Workload['name'], measured: Measured): Figure[] {
  const large = measured.get(`${name} ${many}`);
  const small = measured.get(`${name} ${few}`);
  if (large === undefined || small === undefined) return [];
  const [a, b] = [ratioOf(large), ratioOf(small)];
  return [
    {
      name: `${name} at 20,000 orders, over 1,000`,
      value: a / b,
      unit: 'x',
      limit: 1.3,
      detail: `${a.toFixed(2)} x over ${b.toFixed(2)} x`,
    },
  ];
}
