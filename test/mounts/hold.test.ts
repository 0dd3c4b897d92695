import http from 'node:http';
import { setupServer } from 'msw/node';
import * as undici from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { mswVersion } from '../../src/mounts/node/load-msw.ts';
import { createBackOffice, type NodeBackOffice } from '../../src/mounts/node.ts';
import { runs } from '../support/runs.ts';

const isMsw3 = mswVersion().startsWith('3');
const url = 'http://shop.test/api/orders/';

function listening(): NodeBackOffice {
  const office = createBackOffice();
  office.listen();
  onTestFinished(() => office.close());
  office.faults.add({ match: { path: '/api/orders' }, hold: 'orders' });
  return office;
}

/** A part of a page that loads a list. */
function orderList() {
  const view = { text: 'Loading…' };
  const loaded = fetch(url)
    .then(async (response) => ({ total: 0, ...(await response.json()) }))
    .then(({ total }) => void (view.text = `${total} orders`));
  return { view, loaded };
}

const times = runs(100);

test(`a loading state is tested without a timer, ${times} times`, async () => {
  const office = listening();
  for (let run = 0; run < times; run++) {
    const { view, loaded } = orderList();
    expect(view.text).toBe('Loading…');
    // In half of the runs, the release comes before the request.
    if (run % 2 === 0) await expect.poll(() => office.held().length, { interval: 0 }).toBe(1);
    expect(view.text).toBe('Loading…');
    office.release('orders');
    await loaded;
    expect(view.text).toMatch(/^\d+ orders$/);
    office.reset();
    office.faults.add({ match: { path: '/api/orders' }, hold: 'orders' });
  }
});

const clients: Record<string, (to: string, signal?: AbortSignal) => Promise<number>> = {
  fetch: async (to, signal) => (await fetch(to, { signal: signal ?? null })).status,
  'undici.request': async (to, signal) =>
    (await undici.request(to, { signal: signal ?? null })).statusCode,
  'node:http': (to, signal) =>
    new Promise((resolve, reject) => {
      http
        .get(to, { signal }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
        .on('error', reject);
    }),
};

test.each(Object.entries(clients))('a hold keeps the responses of %s', async (_, send) => {
  const office = listening();
  const status = send(url);
  await expect.poll(() => office.held().length).toBe(1);
  expect(office.release('orders')).toBe(1);
  expect(await status).toBe(200);
});

/** MSW 2 does not report that a client of `node:http` has disconnected. */
const abortable = Object.entries(clients).filter(([name]) => name !== 'node:http' || isMsw3);

test.each(abortable)('a request that %s aborts is not held', async (_, send) => {
  const office = listening();
  const client = new AbortController();
  const status = send(url, client.signal).catch(() => 'aborted');
  await expect.poll(() => office.held().length).toBe(1);
  client.abort();
  expect(await status).toBe('aborted');
  await expect.poll(() => office.held().length).toBe(0);
});

test('a back office that closes sends the responses that it holds', async () => {
  const office = listening();
  const status = fetch(url).then((response) => response.status);
  await expect.poll(() => office.held().length).toBe(1);
  office.close();
  expect(await status).toBe(200);
});

test('MSW handlers hold responses', async () => {
  const office = createBackOffice();
  office.faults.add({ hold: 'all' });
  const server = setupServer(...office.handlers);
  server.listen();
  onTestFinished(() => server.close());
  const status = fetch(url).then((response) => response.status);
  await expect.poll(() => office.held().length).toBe(1);
  office.release('all');
  expect(await status).toBe(200);
});
