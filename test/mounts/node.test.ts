import axios from 'axios';
import { http, HttpResponse, passthrough } from 'msw';
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

test.each(Object.keys(clients))(
  '%s receives responses while a back office listens',
  async (name) => {
    const backOffice = listening();
    const wanted = await backOffice.fetch('/api/users/7');
    expect(await clients[name]?.(`${shop}/api/users/7`)).toEqual({
      status: 200,
      text: await wanted.text(),
    });
  },
);

test.each(Object.keys(clients))(
  '%s is rejected for a URL that no back office covers',
  async (name) => {
    const said = vi.spyOn(console, 'error').mockReturnValue();
    listening({}, 'https://shop.example');
    const error: unknown = await clients[name]?.(`${shop}/orders/3`).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(Error);
    // Some clients show their user the reason; for the others it stands in the log.
    const told = [messagesOf(error), said.mock.calls].flat(2).join(' ');
    expect(told).toContain('The closest endpoint is GET /api/orders/:order_id/.');
  },
);

test.each(Object.keys(clients))(
  '%s receives the response of a handler of the user, and of the back office where none answers',
  async (name) => {
    const report = http.get('/api/reports/:year', ({ params }) =>
      HttpResponse.text(`Report of ${String(params['year'])}`, { status: 203 }),
    );
    const other = http.get('http://pay.test/fees', () => HttpResponse.text('1.50'));
    const backOffice = listening({ handlers: [report, other] }, shop);
    const send = clients[name]!;
    expect(await send(`${shop}/api/reports/2026`)).toEqual({ status: 203, text: 'Report of 2026' });
    expect(await send('http://pay.test/fees')).toEqual({ status: 200, text: '1.50' });
    expect(await send(`${shop}/api/users/7`)).toMatchObject({ status: 200 });
    expect(backOffice.journal.entries().map(({ url }) => url)).toEqual(['/api/users/7']);
  },
);

test.each<NonNullable<ListenOptions['clients']>>(['all', 'fetch'])(
  'a handler can read a body, ask the back office and refuse, for the clients %s',
  async (clientsOf) => {
    const seen: unknown[] = [];
    const backOffice = listening({
      clients: clientsOf,
      handlers: [
        http.post('/api/orders/', async ({ request }) => void seen.push(await request.json())),
        http.get('/api/users/7', async ({ request }) => {
          const user = (await (await backOffice.fetch(request.url)).json()) as object;
          return HttpResponse.json({ ...user, loyalty: 3 });
        }),
        http.get('/api/users/9', () => HttpResponse.error()),
      ],
    });
    const order = { channel: 1, user: 1, currency: 'EUR' };
    const headers = { 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify(order) };
    expect((await fetch(`${shop}/api/orders/`, sent)).status).toBe(201);
    expect(seen).toEqual([order]);
    const user: unknown = await (await fetch(`${shop}/api/users/7`)).json();
    expect(user).toMatchObject({ id: 7, loyalty: 3 });
    await expect(fetch(`${shop}/api/users/9`)).rejects.toThrow();
  },
);

test.each(Object.keys(clients))(
  '%s reaches the network by the passthrough of a handler',
  async (name) => {
    const { url } = await ownServer();
    // Without the handler, the back office answers.
    listening({ handlers: [http.get('/api/users/7', () => passthrough())] }, url);
    expect(await clients[name]?.(`${url}/api/users/7`)).toEqual({ status: 200, text: 'own' });
  },
);

function named(name: string): ListenOptions {
  return { handlers: [http.get('/api/name', () => HttpResponse.text(name))] };
}

async function readName(): Promise<string> {
  return (await fetch(`${shop}/api/name`)).text();
}

test('handlers answer the requests of their own back office, before those of earlier ones', async () => {
  const [one, two] = [listening(named('one')), listening(named('two'))];
  expect(await readName()).toBe('two');
  expect(await Promise.all([one.within(readName), two.within(readName)])).toEqual(['one', 'two']);
  two.close();
  expect(await readName()).toBe('one');
});

/** The form data of axios for Node.js is not that of a page. */
function postForm(values: Readonly<Record<string, string | number>>) {
  if (!('document' in globalThis)) return axios.postForm(`${shop}/api/orders/`, values);
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.append(name, String(value));
  return axios.post(`${shop}/api/orders/`, form);
}

test('every client can send a body', async () => {
  const backOffice = listening();
  const order = { channel: 1, user: 1, currency: 'EUR' };
  const json = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  } as const;
  const before = backOffice.db.orders.count();
  const statuses = [
    (await fetch(`${shop}/api/orders/`, json)).status,
    (await axios.post(`${shop}/api/orders/`, order)).status,
    (await postForm(order)).status,
    (await undici.request(`${shop}/api/orders/`, json)).statusCode,
    (await undici.fetch(`${shop}/api/orders/`, json)).status,
    (
      await undici.fetch(`${shop}/api/orders/`, {
        method: 'POST',
        body: new URLSearchParams({ channel: '1', user: '1', currency: 'EUR' }),
      })
    ).status,
  ];
  expect(statuses).toEqual(statuses.map(() => 201));
  expect(backOffice.db.orders.count() - before).toBe(statuses.length);
});

test.each<[string, string[] | Iterable<[string, string]> | Record<string, string[]>]>([
  ['a list of names and values', ['content-type', 'application/json']],
  ['a Map', new Map([['content-type', 'application/json']])],
  ['lists of values', { 'content-type': ['application/json'] }],
])('undici.request can send its headers as %s', async (_, headers) => {
  listening();
  const body = JSON.stringify({ channel: 1, user: 1, currency: 'EUR' });
  const sent = { method: 'POST', headers, body } as const;
  expect((await undici.request(`${shop}/api/orders/`, sent)).statusCode).toBe(201);
});

test('undici.request streams a response that is larger than its buffer', async () => {
  const backOffice = listening();
  const url = `${shop}/api/products/?limit=1000`;
  const wanted = await (await backOffice.fetch(url)).text();
  const { body } = await undici.request(url, { highWaterMark: 1000 });
  let text = '';
  for await (const chunk of body.setEncoding('utf8')) text += String(chunk);
  expect(text === wanted).toBe(true);
});

test('undici.request is rejected with the reason of its signal', async () => {
  const backOffice = listening();
  backOffice.faults.add({ delay: 50 });
  const client = new AbortController();
  const request = undici.request(`${shop}/api/users/7`, { signal: client.signal });
  client.abort(new Error('No longer needed'));
  await expect(request).rejects.toThrow('No longer needed');
});

test('requests of undici that no back office covers can go to the network', async () => {
  listening({ onUnhandledRequest: 'bypass' }, 'https://shop.example');
  await expect(undici.request('http://127.0.0.1:1/elsewhere')).rejects.toThrow('ECONNREFUSED');
});

test('listen can intercept only the global fetch, without MSW', async () => {
  const before = globalThis.fetch;
  const backOffice = listening({ clients: 'fetch' });
  expect((await fetch(`${shop}/api/users/7`)).status).toBe(200);
  await expect(fetch(`${shop}/orders/`)).rejects.toThrow(
    'The closest endpoint is GET /api/orders/',
  );
  backOffice.close();
  expect(globalThis.fetch).toBe(before);
});

test('onUnhandledRequest decides about requests that no back office covers', async () => {
  const seen: string[] = [];
  const warned = vi.spyOn(console, 'warn').mockReturnValue();
  listening({
    clients: 'fetch',
    onUnhandledRequest({ method, url }, message) {
      seen.push(`${method} ${url}`);
      throw new Error(`not here: ${message}`);
    },
  });
  await expect(fetch(`${shop}/elsewhere`)).rejects.toThrow('not here: No back office answers');
  expect(seen).toEqual([`GET ${shop}/elsewhere`]);
  const quiet = listening({ clients: 'fetch', onUnhandledRequest: 'bypass' });
  await expect(fetch('http://127.0.0.1:1/elsewhere')).rejects.toThrow();
  expect(warned).not.toHaveBeenCalled();
  quiet.close();
  listening({ clients: 'fetch', onUnhandledRequest: 'warn' });
  await expect(fetch('http://127.0.0.1:1/elsewhere')).rejects.toThrow();
  expect(warned).toHaveBeenCalledOnce();
});

function create(base: string) {
  return axios.post(`${base}/api/orders/`, { channel: 1, user: 1, currency: 'EUR' });
}

test('two back offices listen at two base URLs', async () => {
  const one = listening({}, 'https://one.example');
  const two = listening({}, 'https://two.example/backend');
  await create('https://one.example');
  await create('https://two.example/backend');
  await create('https://two.example/backend');
  const fresh = createBackOffice().db.orders.count();
  expect([one.db.orders.count(), two.db.orders.count()]).toEqual([fresh + 1, fresh + 2]);
});

test('requests inside within go to that back office', async () => {
  const offices = [listening(), listening(), listening()];
  await Promise.all(
    offices.map((office, index) =>
      office.within(async () => {
        for (let time = 0; time <= index; time++) {
          await axios.post(`${shop}/api/orders/`, { channel: 1, user: 1, currency: 'EUR' });
          await fetch(`${shop}/api/orders/`, {
            method: 'POST',
            body: new URLSearchParams('channel=1&user=1&currency=EUR'),
          });
        }
      }),
    ),
  );
  const fresh = createBackOffice().db.orders.count();
  expect(offices.map((office) => office.db.orders.count() - fresh)).toEqual([2, 4, 6]);
});

test('within and enter require a back office that listens', () => {
  const backOffice = createBackOffice();
  const message = 'does not listen: call listen() first';
  expect(() => backOffice.within(() => undefined)).toThrow(message);
  expect(() => backOffice.enter()).toThrow(message);
});

test('links begin with the base URL of the request', async () => {
  const backOffice = createBackOffice({ baseUrl: 'https://shop.example/backend' });
  const page = await (
    await backOffice.fetch('https://shop.example/backend/api/users/?limit=1')
  ).json();
  expect(page._links.next.href).toBe('/backend/api/users/?page=2&limit=1');
  const next = await backOffice.fetch(new URL(page._links.next.href, 'https://shop.example'));
  expect(next.status).toBe(200);
});

test('a back office that listens rejects listen until it is closed', () => {
  const backOffice = listening();
  expect(() => backOffice.listen()).toThrow('already listens');
  backOffice.close();
  backOffice.close();
  expect(() => backOffice.listen()).not.toThrow();
});
