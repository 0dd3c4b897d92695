import { getResponse, http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
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

test.each(Object.keys(clients))('%s reaches a server of this process', async (name) => {
  listening();
  const { url } = await ownServer();
  expect(await clients[name]?.(`${url}/api/users/7`)).toEqual({ status: 200, text: 'own' });
});

test('a server that was started before a back office listens is reached', async () => {
  const { url } = await ownServer();
  listening({}, 'https://shop.example');
  expect((await clients['node:http']?.(`${url}/health`))?.text).toBe('own');
});

test('a base URL that names a server of this process is intercepted', async () => {
  const { url, received } = await ownServer();
  listening({}, url);
  expect((await clients['node:http']?.(`${url}/api/users/7`))?.status).toBe(200);
  expect(received).toEqual([]);
});

test('a rejected request to an unknown server of this machine names the option that lets it pass', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  listening({ clients: 'fetch' });
  await expect(fetch('http://127.0.0.1:1/health')).rejects.toThrow("onUnhandledRequest: 'bypass'");
});

test('a request passes once through what wraps fetch when a back office listens again', async () => {
  const { url } = await ownServer();
  const native = fetch;
  // The stub puts back the `fetch` of a back office that has closed.
  onTestFinished(() => {
    vi.unstubAllGlobals();
    globalThis.fetch = native;
  });
  listening({ clients: 'fetch' });
  const inner = fetch;
  let calls = 0;
  vi.stubGlobal('fetch', (...args: Parameters<typeof fetch>) => {
    calls += 1;
    return calls > 1 ? Promise.reject(new Error('It is called again.')) : inner(...args);
  });
  opened.pop()?.close();
  listening({ clients: 'fetch' });
  expect(await (await fetch(`${url}/api/users/7`)).text()).toBe('own');
  expect(calls).toBe(1);
});

test('the error of fetch has the reason as its cause', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  listening({}, 'https://shop.example');
  const error: unknown = await fetch(`${shop}/orders/3`).catch((one: unknown) => one);
  // The fetch of happy-dom creates an error of its own, so the reason is in the log only.
  const told = 'happyDOM' in globalThis ? said.mock.calls.flat() : messagesOf(error);
  expect(told.join(' ')).toContain('No back office answers');
});

test.each<NonNullable<ListenOptions['clients']>>(['all', 'fetch'])(
  'a URL of no server is not the concern of a back office, for the clients %s',
  async (clientsOf) => {
    const everything = http.all('*', () => HttpResponse.text('own'));
    for (const handlers of [[], [everything]]) {
      const backOffice = listening({ clients: clientsOf, handlers });
      for (const text of ['hi', '/api/orders/'])
        expect(await (await fetch(`data:text/plain,${text}`)).text()).toBe(text);
      const error: unknown = await fetch('file:///api/orders/1').catch((one: unknown) => one);
      expect(error).toBeInstanceOf(Error);
      expect(messagesOf(error).join(' ')).not.toContain('No back office');
      expect(backOffice.journal.entries()).toEqual([]);
    }
  },
);

test('the handlers of a back office leave a URL of no server to others', async () => {
  const { handlers } = createBackOffice();
  const request = new Request('data:text/plain,/api/orders/');
  expect(await getResponse(handlers, request)).toBeUndefined();
});

test.each(['fetch', 'axios over fetch', 'node:http'])(
  '%s is answered by a back office that listens, not by a setupServer of the user',
  async (name) => {
    const own = setupServer(http.get(`${shop}/api/users/7`, () => HttpResponse.text('own')));
    own.listen();
    onTestFinished(() => own.close());
    listening();
    expect((await clients[name]!(`${shop}/api/users/7`)).text).toContain('"id":7');
  },
);
