import axios from 'axios';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, test as plain, vi } from 'vitest';
import { createBackOffice } from '../../src/mounts/node.ts';
import { createTest, test } from '../../src/mounts/vitest.ts';

const url = 'http://shop.test/api/orders/';
const body = new URLSearchParams('channel=1&user=1&currency=EUR');
const clients: Record<'fetch' | 'axios' | 'undici', () => Promise<unknown>> = {
  fetch: () => fetch(url, { method: 'POST', body }),
  axios: () => axios.post(url, body),
  undici: () => request(url, { method: 'POST', body: body.toString() }),
};
const names = ['fetch', 'axios', 'undici'] as const;

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => vi.restoreAllMocks());

describe('after the test that began them', () => {
  const ended = Promise.withResolvers<unknown>();
  const late: Promise<PromiseSettledResult<unknown>[]>[] = [];

  test('a test begins requests and awaits none', ({ office }) => {
    const sent = names.map((name) => ended.promise.then(clients[name]));
    const polled = new Promise((resolve) => {
      setTimeout(() => resolve(fetch(url)), 20);
    });
    late.push(Promise.allSettled([...sent, polled]));
    expect(office.journal.count()).toBe(0);
  });

  test('its requests are refused in the next test, whose shop and journal they do not reach', async ({
    office,
  }) => {
    ended.resolve(undefined);
    const [results = []] = await Promise.all(late);
    const message = expect.stringContaining(`POST ${url} is sent after its test has ended`);
    const [ofFetch, ofAxios, ofUndici, ofTimer] = results;
    expect(ofFetch).toMatchObject({ reason: { cause: { message } } });
    expect(ofAxios).toMatchObject({ reason: { message: 'Network error' } });
    expect(console.error).toHaveBeenCalledWith(message);
    expect(ofUndici).toMatchObject({ reason: { message } });
    const read = expect.stringContaining(`GET ${url} is sent after its test has ended`);
    expect(ofTimer).toMatchObject({ reason: { cause: { message: read } } });
    expect(office.journal.count()).toBe(0);
    expect((await fetch(url, { method: 'POST', body })).status).toBe(201);
  });

  plain('a test of vitest itself is not taken for the test before it', async () => {
    using office = createBackOffice();
    office.listen();
    expect((await fetch(url)).status).toBe(200);
    expect(office.journal.count()).toBe(1);
  });
});

describe('beside tests that run at the same time', () => {
  const ended = Promise.withResolvers<unknown>();
  const late = Promise.withResolvers<unknown>();

  test.concurrent('a test ends before its request is sent', ({ office, onTestFinished }) => {
    void ended.promise.then(clients.fetch).catch(late.resolve);
    // Vitest runs it before it closes the back office.
    onTestFinished(() => void setTimeout(ended.resolve, 20, undefined));
    expect(office.journal.count()).toBe(0);
  });

  test.concurrent.for([1, 2])(
    'requests of the ended test are refused and others answered, %i',
    async (times, { office }) => {
      expect(await late.promise).toMatchObject({
        cause: { message: expect.stringContaining('after its test has ended') },
      });
      for (let time = 0; time < times; time++) await clients.fetch();
      expect(office).toHaveReceived('POST /api/orders/', { times });
    },
  );
});

describe('with other clients than the test that began it', () => {
  const ended = Promise.withResolvers<unknown>();
  const late: Promise<unknown>[] = [];

  createTest({ baseUrl: 'http://shop.test' })('a test of all clients ends', ({ office }) => {
    late.push(ended.promise.then(clients.fetch).catch((error: unknown) => error));
    expect(office.journal.count()).toBe(0);
  });

  createTest({ clients: 'fetch' })(
    'a test of fetch only refuses its request',
    async ({ office }) => {
      ended.resolve(undefined);
      expect(await late[0]).toMatchObject({ message: expect.stringContaining('has ended') });
      expect(office.journal.count()).toBe(0);
    },
  );
});

plain('a back office that listens again answers what runs within it', async () => {
  using office = createBackOffice();
  using other = createBackOffice();
  other.listen();
  office.listen();
  await office.within(async () => {
    office.close();
    await expect(fetch(url)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('errors#late-request') },
    });
    office.listen();
    expect((await fetch(url)).status).toBe(200);
  });
  expect([office.journal.count(), other.journal.count()]).toEqual([1, 0]);
});
