import { bypass, http, HttpResponse } from 'msw';
import * as undici from 'undici';
import { afterEach, expect, test, vi } from 'vitest';
import {
  createBackOffice,
  type ListenOptions,
  type NodeBackOffice,
} from '../../src/mounts/node.ts';
import { clients, messagesOf, ownServer } from './clients.ts';

const shop = 'http://shop.test';
const opened: NodeBackOffice[] = [];

afterEach(() => {
  for (const backOffice of opened.splice(0)) backOffice.close();
  vi.restoreAllMocks();
});

function listening(options: ListenOptions = {}, baseUrl?: string): NodeBackOffice {
  const backOffice = createBackOffice({ baseUrl });
  backOffice.listen(options);
  opened.push(backOffice);
  return backOffice;
}

test('a handler of the user asks the back office with what bypass returns', async () => {
  const raised = http.get('/api/users/7', async ({ request }) => {
    const { url, headers } = bypass(request);
    const sent = await undici.fetch(url, { headers: [...headers] });
    return HttpResponse.json({ ...((await sent.json()) as object), loyalty: 3 });
  });
  listening({ handlers: [raised] });
  const { body } = await undici.request(`${shop}/api/users/7`);
  expect(await body.json()).toMatchObject({ id: 7, loyalty: 3 });
});

const ownClients: Record<string, (dispatcher: undici.Dispatcher, url: string) => Promise<unknown>> =
  {
    'undici.request': async (dispatcher, url) =>
      (await undici.request(url, { dispatcher })).body.json(),
    'undici.fetch': async (dispatcher, url) => (await undici.fetch(url, { dispatcher })).json(),
    'a Request of undici': async (dispatcher, url) =>
      (await undici.fetch(new undici.Request(url, { dispatcher }))).json(),
    'a method of the client': async (dispatcher, url) => {
      const { origin, pathname } = new URL(url);
      return (await dispatcher.request({ origin, path: pathname, method: 'GET' })).body.json();
    },
  };

const openClient: Record<string, (origin: string) => undici.Dispatcher> = {
  Agent: () => new undici.Agent(),
  Pool: (origin) => new undici.Pool(origin),
  Client: (origin) => new undici.Client(origin),
};

const allClients = Object.keys(openClient).flatMap((kind) =>
  Object.keys(ownClients).map((name) => [kind, name] as const),
);

test.each(allClients)(
  'a request of an undici %s, sent by %s, is rejected before it is sent',
  async (kind, name) => {
    const { url, received } = await ownServer();
    listening({}, url);
    const client = openClient[kind]?.(url) as undici.Dispatcher;
    const sent = ownClients[name]?.(client, `${url}/api/users/7`);
    const error: unknown = await sent?.catch((one: unknown) => one);
    await client.destroy();
    expect(messagesOf(error).join(' ')).toContain('office.dispatcher()');
    expect(received).toEqual([]);
  },
);

test('a request on a connection of undici that was opened before listen is rejected', async () => {
  const { url, received } = await ownServer();
  const client = new undici.Client(url);
  await (await client.request({ path: '/before', method: 'GET' })).body.text();
  listening({}, url);
  const error: unknown = await client
    .request({ path: '/api/users/7', method: 'GET' })
    .catch((one: unknown) => one);
  await client.destroy();
  expect(messagesOf(error).join(' ')).toContain('office.dispatcher()');
  expect(received).toEqual(['/before']);
});

/** `fetch` of happy-dom has no dispatchers. */
const dispatchers: Record<string, (url: string, dispatcher: object) => Promise<Response>> =
  'happyDOM' in globalThis
    ? {}
    : {
        'to fetch': (url, dispatcher) => fetch(url, { dispatcher } as RequestInit),
        'to a Request': (url, dispatcher) => fetch(new Request(url, { dispatcher } as RequestInit)),
      };

test.each(Object.entries(dispatchers))(
  'fetch receives responses when an Agent is passed %s',
  async (_, send) => {
    const { url, received } = await ownServer();
    const office = listening({}, url);
    const dispatcher = new undici.Dispatcher1Wrapper(new undici.Agent());
    const texts = [];
    for (let time = 0; time < 2; time++) {
      texts.push(await (await send(`${url}/api/users/7`, dispatcher)).text());
      // From here on, MSW is open.
      await clients['node:http']?.(`${url}/api/users/7`);
    }
    const wanted = await (await office.fetch(`${url}/api/users/7`)).text();
    expect([texts, received]).toEqual([[wanted, wanted], []]);
  },
);

test('onUnhandledRequest decides about undici clients that cannot be intercepted', async () => {
  const { url, received } = await ownServer();
  const client = new undici.Client(url);
  const send = async () => (await client.request({ path: '/api/users/7', method: 'GET' })).body;
  await (await send()).text();
  const seen: string[] = [];
  const first = listening({ onUnhandledRequest: ({ method }) => seen.push(method) }, url);
  await (await send()).text();
  first.close();
  const warned = vi.spyOn(console, 'warn').mockReturnValue();
  const second = listening({ onUnhandledRequest: 'warn' }, url);
  await (await send()).text();
  second.close();
  listening({ onUnhandledRequest: 'bypass' }, url);
  await (await send()).text();
  await client.destroy();
  expect([received.length, seen, warned.mock.calls.length]).toEqual([4, ['GET'], 1]);
});

test('dispatcher sends the requests of undici to its back office, which need not listen', async () => {
  const one = createBackOffice();
  const other = createBackOffice();
  const body = JSON.stringify({ channel: 1, user: 1, currency: 'EUR' });
  const headers = { 'content-type': 'application/json' };
  const sent = { method: 'POST', headers, body } as const;
  const before = other.db.orders.count();
  const statuses = [
    (await undici.request(`${shop}/api/orders/`, { ...sent, dispatcher: one.dispatcher() }))
      .statusCode,
    (await undici.fetch(`${shop}/api/orders/`, { ...sent, dispatcher: one.dispatcher() })).status,
  ];
  expect(statuses).toEqual([201, 201]);
  expect([one.db.orders.count(), other.db.orders.count()]).toEqual([before + 2, before]);
});

test('dispatcher takes part in undici as other dispatchers do', async () => {
  const office = createBackOffice({ baseUrl: 'https://shop.example' });
  const lines: string[] = [];
  const dispatcher = office.dispatcher().compose((dispatch) => (options, handler) => {
    lines.push(`${options.method} ${options.path}`);
    return dispatch(options, handler);
  });
  const url = 'https://shop.example/api/users/7';
  const { statusCode } = await undici.request(url, {
    dispatcher: dispatcher as object as undici.Dispatcher,
  });
  expect([statusCode, lines]).toEqual([200, ['GET /api/users/7']]);
  await expect(
    undici.request(`${shop}/api/users/7`, { dispatcher: office.dispatcher() }),
  ).rejects.toThrow('it answers under https://shop.example/api');
  await dispatcher.close();
});
