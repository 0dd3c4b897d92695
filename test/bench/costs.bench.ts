import { once } from 'node:events';
import { Agent, request as open, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpServer } from '../../src/mounts/server/server.ts';
import { demoLimits } from '../../src/engine/sessions/demo.ts';
import { documentedEndpoints } from '../../src/engine/sessions/openapi.ts';
import { openSessions, type Server } from '../../src/engine/sessions/server.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { builtInScenarios, storeApi } from '../../src/shop/store-api.ts';
import { costTable, rowOf } from '../support/cost-table.ts';
import { median, type Figure } from './report.ts';
import { filled, json, post, times, type Sent } from './visit.ts';

/** Maximum processor time for each request that an endpoint counts as, in milliseconds. */
const limit = 20;
const rounds = 10;

/** Returns the response to a request. */
type Send = (request: Sent) => Promise<IncomingMessage>;

/** Sessions that are as full as a demo allows, each in another way, which all have order 121. */
const sessions: Readonly<Record<string, (send: Send) => Promise<unknown>>> = {
  pieces: (send) =>
    send(post('/api/orders/121/items/', { variant: 7, unitPrice: 100, quantity: 280 })),
  faults: (send) =>
    times(280, () =>
      send({
        ...post('/_backlot/faults', {}),
        body: `{"match":{"method":"DELETE","path":"/api/orders/:id"},"status":503,"body":[${filled(8000, () => '{}')}]}`,
      }),
    ),
};

/**
 * CPU time of each endpoint of a demo over HTTP, by the rows of the table in `docs/demos.md`: its example as GET, HEAD and
 * conditional GET, or as a write, in several full sessions. Includes the client. Each is that of later requests, because only
 * these reach the rate limit.
 */
export async function costFigures(): Promise<Figure[]> {
  const server = openDemo();
  const httpServer = createHttpServer(server, {}).listen(0, '127.0.0.1');
  await once(httpServer, 'listening');
  const { port } = httpServer.address() as AddressInfo;
  const worst = new Map<string, { readonly ms: number; readonly what: string }>();
  for (const [name, fill] of Object.entries(sessions)) {
    const send = sender(port, name);
    const prepare: Send = async (request) => {
      const response = await send(request);
      if (response.statusCode === 200 || response.statusCode === 201) return response;
      throw new Error(`${request.method} ${request.url}: ${response.statusCode}`);
    };
    await prepare(post('/api/orders/', { channel: 1, user: 1, currency: 'EUR' }));
    await fill(prepare);
    await prepare(post('/_backlot/snapshot', { name: 'full' }));
    for (const visit of visits()) {
      const first = await measure(visit, send, 2);
      // What takes little at first takes less later.
      const ms = first < limit / 4 ? first : await measure(visit, send, rounds);
      const { patterns } = rowOf(visit.path);
      const key = patterns.join(', ');
      if (ms > (worst.get(key)?.ms ?? 0))
        worst.set(key, { ms, what: `${visit.request.method} ${visit.request.url} (${name})` });
    }
  }
  httpServer.close();
  httpServer.closeAllConnections();
  return costTable().map(({ patterns, requests }) => {
    const { ms, what } = worst.get(patterns.join(', ')) ?? { ms: 0, what: '' };
    const name = patterns.join(', ').replaceAll('/_backlot', '').slice(0, 58);
    return { name, value: ms, unit: 'ms', limit: limit * requests, detail: what };
  });
}

function openDemo(): Server {
  const { maxRows, maxSnapshots } = demoLimits;
  const shared = openStoreOffice({ history: true, maxRows, maxSnapshots });
  const server = openSessions(shared, {
    ...demoLimits,
    newName: () => crypto.randomUUID(),
    scenarios: builtInScenarios.filter((name) => name !== 'large'),
    // One client sends all requests, of which links begin sessions.
    requestRate: undefined,
    clientShare: 100,
    maxSessions: 1000,
  });
  Array.from(server.warmUp());
  return server;
}

interface EndpointVisit {
  /** Of the row. */
  readonly path: string;
  readonly before: readonly Sent[];
  readonly request: Sent;
  /** Whether the request has the `ETag` of an earlier response. */
  readonly isConditional?: true;
}

function visits(): EndpointVisit[] {
  // A long poll that waits takes no processor time.
  const rows = documentedEndpoints(storeApi).filter(
    ({ path }) => path !== '/_backlot/journal/wait',
  );
  return rows.flatMap(({ method, path, query, example }) => {
    const { url, body, before = [] } = example;
    const has = (name: string): boolean => Object.keys(query?.children ?? {}).includes(name);
    const long = has('limit') ? `${url}${url.includes('?') ? '&' : '?'}limit=1000` : url;
    const largest = long.replace(/\/(orders|checkouts)\/\d+/, '/$1/121');
    const all = (to: string): EndpointVisit[] => {
      const visit = { path, before: before.map((one) => sentOf(one.method, one.url, one.body)) };
      const request = sentOf(method, to, body);
      if (method !== 'GET') return [{ ...visit, request }];
      return [
        { ...visit, request },
        { ...visit, request: { ...request, method: 'HEAD' } },
        { ...visit, request, isConditional: true },
      ];
    };
    return [...new Set([long, largest])].flatMap(all);
  });
}

function sentOf(method: string, url: string, body?: object): Sent {
  return {
    method,
    url,
    ...(body !== undefined && { body: JSON.stringify(body), type: json }),
  };
}

/** Returns the median time of the later half of requests. */
async function measure(visit: EndpointVisit, send: Send, count: number): Promise<number> {
  const took: number[] = [];
  for (let round = 0; round < count; round++) {
    if (round === 0 || !['GET', 'HEAD'].includes(visit.request.method))
      await send({ method: 'POST', url: '/_backlot/snapshot/full/restore' });
    for (const one of visit.before) await send(one);
    const request = await prepared(visit, send);
    const start = process.cpuUsage();
    await send(request);
    const { user, system } = process.cpuUsage(start);
    took.push((user + system) / 1000);
  }
  return median(took.slice(count / 2));
}

/** Returns the request, with the file to import or the `ETag` to compare. */
async function prepared({ request, isConditional }: EndpointVisit, send: Send): Promise<Sent> {
  if (isConditional !== true) return request;
  const { etag } = (await send({ ...request, method: 'HEAD' })).headers;
  return { ...request, headers: { 'if-none-match': etag ?? '""' } };
}

/** Returns a client of a session, which accepts gzip and keeps its connection. */
function sender(port: number, session: string): Send {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return async ({ method, url, headers, body, type }) => {
    const sent = open({
      port,
      host: '127.0.0.1',
      agent,
      method,
      path: url,
      headers: {
        'accept-encoding': 'gzip',
        'x-backlot-session': session,
        ...(type !== undefined && { 'content-type': type }),
        ...headers,
      },
    }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    if (url.startsWith('/_backlot/events')) response.destroy();
    else await once(response.resume(), 'end');
    return response;
  };
}
