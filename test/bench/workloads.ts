import { pseudoRandom } from '../../src/engine/lib/pseudo-random.ts';

/** A request as a client sends it. */
export interface Sent {
  readonly method: 'GET' | 'PATCH' | 'POST';
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

/** Requests that one connection sends one after another. */
export type Visit = readonly Sent[];

/** What a client has to know of a shop to send requests all over it. */
export interface ShopFacts {
  /** There are orders of each id from 1 to this one. */
  readonly orders: number;
  /** Pages of 20 orders. */
  readonly pages: number;
  /** There are users of each id from 1 to this one. */
  readonly users: number;
  /** Returns the id of the user of an order. */
  customerOf(order: number): Promise<number>;
}

export interface Workload {
  readonly name: 'any' | 'first' | 'page' | 'mixed' | 'journey';
  /** Visits before the measured ones, after those of `readings` and of `httpWarmUp`. */
  readonly warmUp: number;
  /** Visits of one round. */
  readonly perRound: number;
  /** @param measured number of the visit among the measured ones; negative before them */
  visit(shop: ShopFacts, pick: Pick, measured: number): Visit | Promise<Visit>;
}

/** Returns a pseudo-random integer from 1 to the limit, which is included. */
type Pick = (limit: number) => number;

/** In a shop that is used, reads go all over the table, and writes come between them. */
export const workloads: readonly Workload[] = [
  {
    name: 'any',
    warmUp: 60_000,
    perRound: 40_000,
    visit: (shop, pick) => [orderOf(pick(shop.orders))],
  },
  {
    // Orders that nobody has read before, so that no cache has them. Every one of them is read once.
    name: 'first',
    warmUp: 60_000,
    perRound: 1000,
    visit: ({ orders }, pick, measured) => {
      const half = Math.floor(orders / 2);
      return [orderOf(measured < 0 ? pick(half) : half + 1 + (measured % half))];
    },
  },
  {
    name: 'page',
    warmUp: 3000,
    perRound: 600,
    visit: (shop, pick) => [pageOf(pick(shop.pages))],
  },
  {
    name: 'mixed',
    warmUp: 60_000,
    perRound: 10_000,
    visit: (shop, pick) => {
      const kind = pick(10);
      if (kind === 1) return [renameOf(pick(shop.users), pick)];
      return [kind === 2 ? pageOf(pick(shop.pages)) : orderOf(pick(shop.orders))];
    },
  },
  {
    name: 'journey',
    warmUp: 3000,
    perRound: 600,
    visit: async (shop, pick) => {
      const order = pick(shop.orders);
      const change = renameOf(await shop.customerOf(order), pick);
      return [pageOf(1), orderOf(order), change, orderOf(order), pageOf(1)];
    },
  },
];

/** Visits that compile what both servers share. A bare server needs as many requests as Backlot until it is fast. */
export const httpWarmUp: readonly Visit[] = Array.from({ length: 10_000 }, () => [orderOf(1)]);

/**
 * Visits that read every order and every page once, as in a shop that is used for some time. Of what `first` reads, nothing
 * was read before.
 */
export function readings({ name }: Workload, { orders, pages }: ShopFacts): Visit[] {
  if (name === 'first') return [];
  return [
    ...Array.from({ length: orders }, (_, at) => [orderOf(at + 1)]),
    ...Array.from({ length: pages }, (_, at) => [pageOf(at + 1)]),
  ];
}

/** Returns the visits of a workload. They are the same in each call. */
export async function visitsOf(
  workload: Workload,
  shop: ShopFacts,
  count: number,
): Promise<Visit[]> {
  const random = pseudoRandom(`${workload.name} ${shop.orders}`);
  const pick: Pick = (limit) => 1 + Math.floor(random() * limit);
  const visits: Visit[] = [];
  while (visits.length < count) {
    visits.push(await workload.visit(shop, pick, visits.length - workload.warmUp));
  }
  return visits;
}

/** Returns a PATCH that changes the first name of a user, with another name in each round. */
export function rename(user: number, round: number): Sent {
  const body = JSON.stringify({ firstName: `Ada ${round}` });
  return { method: 'PATCH', path: `/api/users/${user}`, body };
}

function renameOf(user: number, pick: Pick): Sent {
  return rename(user, pick(1_000_000));
}

function orderOf(id: number): Sent {
  return { method: 'GET', path: `/api/orders/${id}` };
}

function pageOf(page: number): Sent {
  return { method: 'GET', path: `/api/orders/?page=${page}&limit=20` };
}
