/// <reference types="vite/client" />
import { http, HttpResponse } from 'msw';
import { setupWorker } from 'msw/browser';
import { afterEach, expect, test, vi } from 'vitest';
import {
  startWorker,
  type WorkerBackOffice,
  type WorkerOptions,
} from '../../src/mounts/browser.ts';

// Two starts in one page: React's StrictMode runs an effect twice, and a hot reload runs the mock module again.

const started: WorkerBackOffice[] = [];

afterEach(async () => {
  for (const office of started.splice(0)) await office.stop();
});

async function start(options: WorkerOptions = {}): Promise<WorkerBackOffice> {
  const office = await startWorker(options);
  started.push(office);
  return office;
}

/** Creates an order through the page's network. Returns its id, or undefined if no back office answers. */
async function createOrder(): Promise<number | undefined> {
  const body = new URLSearchParams({ channel: '1', user: '1', currency: 'EUR' });
  const response = await fetch('/api/orders/', { method: 'POST', body });
  return response.status === 201 ? (await response.json()).id : undefined;
}

/** Whether this back office answers the requests of the page. */
async function answers(office: WorkerBackOffice): Promise<boolean> {
  const before = office.journal.count();
  await fetch('/api/channels/1');
  return office.journal.count() === before + 1;
}

const isMocked = async (): Promise<boolean> =>
  (await fetch('/api/channels/1')).headers.get('content-type') === 'application/json';

test('of two starts at once, the last one answers', async () => {
  const [first, second] = await Promise.all([start(), start({ scenario: 'empty' })]);
  expect(await answers(second)).toBe(true);
  expect(await answers(first)).toBe(false);
});

test('stop of an old back office does nothing', async () => {
  const first = await start();
  const second = await start();
  await first.stop();
  expect(await answers(second)).toBe(true);
  await second.stop();
  expect(await isMocked()).toBe(false);
});

test('an effect that runs twice, and is cleaned up in between, leaves the second back office', async () => {
  const first = start();
  const stopped = first.then((office) => office.stop());
  const second = await start();
  await stopped;
  expect(await answers(second)).toBe(true);
});

test('an effect that is cleaned up at the end leaves no back office', async () => {
  const [first, second] = [start(), start()];
  await Promise.all([first, second].map(async (one) => (await one).stop()));
  expect(await isMocked()).toBe(false);
});

test('a request in the moment after a stop goes to the network', async () => {
  for (let count = 0; count < 40; count++) {
    await (await start()).stop();
    expect(await isMocked()).toBe(false);
  }
});

test('requests in flight end, however often the worker is stopped and started', async () => {
  const sending = new AbortController();
  const send = async (url: string, init?: RequestInit): Promise<void> => {
    while (!sending.signal.aborted) {
      const response = await fetch(url, init);
      await response.arrayBuffer();
    }
  };
  const body = 'x'.repeat(200_000);
  const loops = [
    ...['/package.json?1', '/package.json?2', '/api/channels/1'].map(async (url) => send(url)),
    send('/nothing', { method: 'POST', body }),
  ];
  for (let count = 0; count < 30; count++) {
    const office = await start();
    // In a loop of its own, requests are on their way at any moment.
    await fetch('/api/channels/1');
    await office.stop();
  }
  sending.abort();
  await Promise.all(loops);
});

test('after a stop, another worker of the page answers', async () => {
  await (await start()).stop();
  const other = setupWorker(http.get('/api/channels/1', () => HttpResponse.json({ id: 'own' })));
  await other.start({ quiet: true, onUnhandledRequest: 'bypass' } as object);
  const response = await fetch('/api/channels/1');
  await other.stop();
  expect(await response.json()).toEqual({ id: 'own' });
});

test('no request passes to the network while one start replaces another', async () => {
  await start();
  const end = new AbortController();
  const requests = (async () => {
    const results: boolean[] = [];
    while (!end.signal.aborted) results.push(await isMocked());
    return results;
  })();
  for (let count = 0; count < 5; count++) {
    const last = await start();
    await Promise.all([last.stop(), start(), isMocked()]);
  }
  end.abort();
  const results = await requests;
  expect(results.length).toBeGreaterThan(1);
  expect(results).not.toContain(false);
});

test('a start that fails leaves the earlier back office', async () => {
  const first = await start();
  await expect(start({ scenario: 'nowhere' as 'empty' })).rejects.toThrow(/'nowhere' not found/);
  expect(await answers(first)).toBe(true);
  await expect(start({ workerUrl: '/nothing/here.js' })).rejects.toThrow(/here\.js not found/);
  expect(await answers(first)).toBe(true);
  expect(await createOrder()).toBeDefined();
});

test('a start that fails with another worker script is rolled back', async () => {
  const first = await start();
  const outOfScope = new URL('/test/browser/app/public/idle.js', location.href).href;
  await expect(start({ workerUrl: outOfScope })).rejects.toThrow(/serves only pages below/);
  expect(await answers(first)).toBe(true);
});

test('a start that fails behind a stop leaves the page off the mock', async () => {
  const first = await start();
  const stopped = first.stop();
  await expect(start({ scenario: 'nowhere' as 'empty' })).rejects.toThrow(/'nowhere' not found/);
  await stopped;
  expect(await isMocked()).toBe(false);
});

test('a start with other log options replaces the worker', async () => {
  const logged = vi.spyOn(console, 'groupCollapsed').mockReturnValue();
  await start();
  const second = await start({ quiet: false });
  expect(await answers(second)).toBe(true);
  logged.mockRestore();
  await start();
});

test('a start restores what an earlier one has saved', async () => {
  const keep = `test ${crypto.randomUUID()}`;
  await start({ keep });
  const id = await createOrder();
  const next = start({ keep });
  const later = await createOrder();
  const second = await next;
  expect(second.db.orders.get(id!)?.state).toBe('cart');
  await expect.poll(() => second.db.orders.get(later!)?.state).toBe('cart');
});

test('a module that a hot reload has loaded twice shares the queue', async () => {
  const path = '../../src/mounts/browser.ts?again';
  const again = (await import(/* @vite-ignore */ path)) as { startWorker: typeof startWorker };
  expect(again.startWorker).not.toBe(startWorker);
  const [first, second] = await Promise.all([start(), again.startWorker()]);
  started.push(second);
  await first.stop();
  expect(await answers(second)).toBe(true);
  const third = await start();
  await second.stop();
  expect(await answers(third)).toBe(true);
});

test('a start opens a state, and one of the name of no state fails and intercepts nothing', async () => {
  const office = await start({ state: 'order.awaiting-payment' });
  const { id, url = '', awaits } = office.opened ?? {};
  expect(awaits).toBe('payment');
  expect(await (await fetch(url)).json()).toMatchObject({ id, checkout_state: 'shipping' });
  await office.stop();
  await expect(start({ state: 'order.lost' })).rejects.toThrow("State 'order.lost' not found.");
  expect(await isMocked()).toBe(false);
  const banner = document.querySelector('[role=alert]');
  expect(banner?.textContent).toContain("Backlot: State 'order.lost' not found. Did you mean ");
  banner?.remove();
});

test('a page that keeps its shop opens a state once, until what it opened is gone', async () => {
  const options = { keep: `opened ${Math.random()}`, state: 'payment.failed' };
  const first = await start(options);
  const { opened, db } = first;
  const count = db.orders.all().length;
  await first.saved();
  const again = await start(options);
  expect([again.opened, again.db.orders.all().length]).toEqual([opened, count]);
  again.reset();
  await again.saved();
  const anew = await start(options);
  expect([anew.opened?.state, anew.db.orders.all().length]).toEqual(['payment.failed', count]);
});
