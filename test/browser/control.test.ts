import { afterEach, expect, test } from 'vitest';
import { startWorker, type WorkerBackOffice } from '../../src/mounts/browser.ts';

// The control API and the studio of a back office in a page.

let office: WorkerBackOffice;

afterEach(() => office.stop());

async function control(line: string, body?: object, base = ''): Promise<unknown> {
  const [method = 'GET', path = ''] = line.split(' ');
  const headers = { 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  const response = await fetch(`${base}/_backlot/${path}`, { method, ...sent });
  return response.status === 204 ? undefined : response.json();
}

/** Clicks a link or a button in a frame when it is there. */
async function click(frame: HTMLIFrameElement, text: string): Promise<void> {
  const find = () =>
    Array.from(frame.contentDocument?.querySelectorAll<HTMLElement>('a, button') ?? []).find(
      ({ textContent }) => textContent.trim() === text,
    );
  await expect.poll(find, { message: text }).toBeDefined();
  find()!.click();
}

test('the page controls its back office over HTTP', async () => {
  office = await startWorker();
  expect(await control('GET health')).toMatchObject({ status: 'ok', scenario: 'default' });
  await control('PUT clock', { advance: 'P1D' });
  expect(office.clock.now()).toContain('2026-03-03');
  await control('POST faults', { status: 503, first: 1 });
  expect((await fetch('/api/channels/1')).status).toBe(503);
  await control('POST reset', { scenario: 'empty' });
  expect(office.scenario.name).toBe('empty');
});

test('a reset over HTTP to a scenario that is generated loads the generator', async () => {
  office = await startWorker();
  expect(await control('POST reset', { scenario: 'large' })).toMatchObject({ scenario: 'large' });
});

test('a request over HTTP waits for a request of the page', async () => {
  office = await startWorker();
  const waiting = control('POST journal/wait', { request: 'GET /api/users/:user_id' });
  await fetch('/api/users/3');
  expect(await waiting).toMatchObject({ id: 1, url: '/api/users/3' });
});

test('with keep, a change over HTTP is saved', async () => {
  const keep = `test ${crypto.randomUUID()}`;
  office = await startWorker({ keep });
  await control('PUT clock', { now: '2026-06-01T00:00:00Z' });
  await office.stop();
  office = await startWorker({ keep });
  expect(office.clock.now()).toContain('2026-06-01');
});

test.each([
  ['*', ''],
  ['/backend', '/backend'],
  ['https://shop.example/backend', 'https://shop.example/backend'],
])('the studio of the base URL %s works in a frame of the page', async (baseUrl, base) => {
  office = await startWorker({ baseUrl });
  const frame = await office.openStudio();
  const header = () => frame.contentDocument?.querySelector('header')?.innerText ?? '';
  await expect.poll(header).toMatch(/\b2 Mar, 09:00/);
  expect(Array.from(frame.contentDocument!.styleSheets, ({ href }) => href)).toContain(
    new URL(`${base}/_backlot/studio.css`, location.href).href,
  );
  await click(frame, 'Orders');
  await click(frame, '105');
  // No history is recorded, so the studio reads the clock when it does something itself.
  await control('PUT clock', { advance: 'PT1H' }, base);
  await click(frame, 'cancel order 105');
  await expect.poll(() => office.db.orders.get(105)?.state).toBe('cancelled');
  await expect.poll(header).toMatch(/\b2 Mar, 10:00/);
  // A part of the studio that it loads later.
  await click(frame, 'Docs');
  await expect.poll(() => frame.contentDocument?.body.innerText).toContain('Authentication');
  frame.remove();
});

test('an EventSource of the page receives entries of its back office', async () => {
  office = await startWorker();
  const source = new EventSource('/_backlot/events');
  try {
    await new Promise((resolve) => {
      source.addEventListener('open', resolve, { once: true });
    });
    const event = new Promise<string>((resolve) => {
      source.addEventListener('entries', ({ data }) => resolve(String(data)), { once: true });
    });
    await fetch('/api/users/3');
    expect(JSON.parse(await event)).toMatchObject({ entries: [{ id: 1 }] });
  } finally {
    source.close();
  }
});
