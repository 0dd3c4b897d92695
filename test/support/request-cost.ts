import { once } from 'node:events';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { createHttpServer } from '../../src/mounts/http/server.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import type { StoreOffice } from '../../src/shop/store-office.ts';
import { openSessions } from '../../src/engine/sessions/server.ts';

/** The work of a server for one request over a socket. */
interface RequestCost {
  /** Functions of `src/` that are called at least once until the response has been sent. */
  readonly functions: readonly string[];
  /** The folders of these functions, below `src/` or `src/engine/`. */
  readonly rooms: ReadonlySet<string>;
}

/** The work for `POST /api/orders/:order_id/items/`. */
interface ItemCost extends RequestCost {
  /** Functions of `src/` on the stack when the item is added to its table, innermost first. */
  readonly frames: readonly string[];
}

/** Measures the second of two equal requests, because the first one also fills caches. */
async function measureItemPost(): Promise<ItemCost> {
  return withServer(async (orders, office) => {
    const send = await itemSender(orders);
    await send();
    const cost = await measure(send);
    const frames = framesOfAdd(office);
    await send();
    return { ...cost, frames };
  });
}

/** Measures `GET /api/orders/`, whose response is cached in UTF-8 when it is sent for the third time. */
async function measureCachedGet(): Promise<RequestCost> {
  return withServer(async (orders) => {
    const send = async (): Promise<void> => {
      const response = await fetch(orders);
      await response.text();
    };
    for (let count = 0; count < 3; count++) await send();
    return measure(send);
  });
}

async function withServer<Result>(
  work: (orders: string, office: StoreOffice) => Promise<Result>,
): Promise<Result> {
  const office = openStoreOffice();
  const server = createHttpServer(openSessions(office));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await work(`http://127.0.0.1:${port}/api/orders/`, office);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function itemSender(orders: string): Promise<() => Promise<void>> {
  const { id } = (await post(orders, { channel: 1, user: 3, currency: 'EUR' })) as { id: number };
  return async () => {
    await post(`${orders}${id}/items/`, { variant: 7, unitPrice: 1000, quantity: 1 });
  };
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status === 201) return response.json();
  throw new Error(`POST ${url} returned ${response.status}: ${await response.text()}`);
}

async function measure(work: () => Promise<void>): Promise<RequestCost> {
  const functions = await calledFunctions(work);
  return { functions, rooms: new Set(functions.map(roomOf)) };
}

function roomOf(name: string): string {
  return name.split('/', 1)[0] ?? '';
}

/** Returns the functions that precise coverage of V8 reports as called: https://v8.dev/blog/javascript-code-coverage */
async function calledFunctions(work: () => Promise<void>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  return result
    .filter(({ url }) => url.includes('/src/'))
    .flatMap(({ url, functions }) =>
      functions
        .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
        .map(
          ({ functionName, ranges }) =>
            `${url.replace(/^.*\/src\/(?:engine\/)?/, '')} ${functionName || 'anonymous'} ${ranges[0]?.startOffset}`,
        ),
    );
}

/** Records the stack at the next call of the table's `add`. */
function framesOfAdd({ shop }: StoreOffice): string[] {
  const frames: string[] = [];
  const { orderItems } = shop.db;
  const add = orderItems.add.bind(orderItems);
  Object.assign(orderItems, {
    add(values: Parameters<typeof add>[0]) {
      frames.push('Table.add', ...stackLines().filter((line) => line.includes('/src/')));
      Object.assign(orderItems, { add });
      return add(values);
    },
  });
  return frames;
}

function stackLines(): string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const [, ...lines] = String(new Error('stack').stack).split('\n');
  Error.stackTraceLimit = stackTraceLimit;
  return lines.map((line) => line.trim());
}

/** Returns the number of functions of each room, largest first: `rest 61`. */
function roomCounts(functions: readonly string[]): string[] {
  const rooms = Map.groupBy(functions, roomOf);
  return [...rooms]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([room, all]) => `${room} ${all.length}`);
}

if (import.meta.main) {
  const { frames, functions } = await measureItemPost();
  const { rooms, ...cached } = await measureCachedGet();
  const texts = [
    ...frames,
    '',
    ...functions,
    '',
    `POST of an item: ${frames.length} frames, ${functions.length} functions`,
    roomCounts(functions).join(', '),
    `Cached GET: ${rooms.size} rooms, ${cached.functions.length} functions`,
    roomCounts(cached.functions).join(', '),
  ];
  console.log(texts.join('\n'));
}
