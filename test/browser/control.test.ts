import { afterEach, expect, test } from 'vitest';
import { startWorker, type WorkerBackOffice } from '../../src/adapters/browser.ts';

// The control API and the dashboard of a back office in a page.

let office: WorkerBackOffice;

afterEach(() => office.stop());

async function control(line: string, body?: object, base = ''): Promise<unknown> {
  const [method = 'GET', path = ''] = line.split(' ');
  const headers = { 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  const response = await fetch(`${base}/_backlot/${path}`, { method, ...sent });
  return response.status === 204 ? undefined : response.json();
}

/** Returns the text of a part of the dashboard. */
function shown(frame: HTMLIFrameElement, heading: string): string {
  const headings = Array.from(frame.contentDocument?.querySelectorAll('h2') ?? []);
  const title = headings.find(({ textContent }) => textContent === heading);
  return title?.closest('section')?.innerText ?? '';
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
])('the dashboard of the base URL %s works in a frame of the page', async (baseUrl, base) => {
  office = await startWorker({ baseUrl });
  const frame = await office.openDashboard();
  await expect.poll(() => shown(frame, 'Clock')).toMatch(/2026-03-02 09:00:00 UTC, frozen/);
  expect(frame.contentDocument!.styleSheets[0]!.href).toBe(
    new URL(`${base}/_backlot/page.css`, location.href).href,
  );
  expect(shown(frame, 'Sessions')).toMatch(/This back office has no sessions/);
  frame.contentDocument!.querySelector<HTMLElement>('[data-advance="P1D"]')!.click();
  await expect.poll(() => office.clock.now()).toContain('2026-03-03');
  expect(await control('GET clock', undefined, base)).toMatchObject({ mode: 'frozen' });
  frame.remove();
});

test('the links of the dashboard open in its frame', async () => {
  office = await startWorker();
  const frame = await office.openDashboard();
  const link = (text: string): HTMLAnchorElement | undefined =>
    Array.from(frame.contentDocument?.querySelectorAll('a') ?? []).find(
      ({ textContent }) => textContent === text,
    );
  const loaded = (): Document | null => (frame.inert ? null : frame.contentDocument);
  const title = (): string | undefined => loaded()?.title;
  await expect.poll(title, { timeout: 10_000 }).toBe('Backlot');
  link('API reference')!.click();
  await expect.poll(title, { timeout: 10_000 }).toBe('Backlot API reference');
  link('orders')!.click();
  expect(title()).toBe('Backlot API reference');
  link('Dashboard')!.click();
  await expect.poll(title, { timeout: 10_000 }).toBe('Backlot');
  link('OpenAPI document')!.click();
  const text = () => loaded()?.body.textContent;
  await expect.poll(text, { timeout: 10_000 }).toMatch(/"openapi":/);
  frame.remove();
});
