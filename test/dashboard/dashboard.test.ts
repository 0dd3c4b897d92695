import { chromium, type Browser, type Locator, type Page } from 'playwright';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { chromiumLaunch } from '../support/chromium.ts';
import { startProgram, type Program } from '../support/program.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };

let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch(await chromiumLaunch());
});

afterAll(() => browser.close());

interface Visit extends Program {
  readonly page: Page;
  /** Returns a section of the page by its heading. */
  readonly part: (heading: string) => Locator;
  readonly press: (heading: string, name: string) => Promise<void>;
}

/**
 * Starts a server and opens a page of it in a browser. The test fails for every error in the page and for everything that
 * its Content-Security-Policy blocks.
 */
async function visit(path: string, ...flags: string[]): Promise<Visit> {
  const program = await startProgram('--quiet', ...flags);
  const page = await browser.newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(String(error)));
  page.on('console', (message) => {
    if (/Content.Security.Policy|Trusted.?(Type|HTML|Script)/i.test(message.text())) {
      failures.push(message.text());
    }
  });
  onTestFinished(async () => {
    await page.close();
    expect(failures).toEqual([]);
  });
  await page.goto(`${program.url}${path}`);
  const part = (heading: string): Locator =>
    page.locator('section', { has: page.getByRole('heading', { name: heading, exact: true }) });
  const press = (heading: string, name: string): Promise<void> =>
    part(heading).getByRole('button', { name, exact: true }).first().click();
  return { ...program, page, part, press };
}

/** Waits until a section of the page shows a text. */
async function says(part: Locator, text: string | RegExp): Promise<void> {
  await expect.poll(() => part.innerText(), { timeout: 10_000 }).toMatch(text);
}

test('the dashboard shows the shop and updates when it changes', async () => {
  const { page, part, call } = await visit('/_backlot/');
  await says(part('Scenario'), /A shop for coffee and outdoor equipment/);
  const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts();
  expect(headings).toEqual([
    'Scenario',
    'Clock',
    'Snapshots',
    'Faults',
    'Sessions',
    'Transitions',
    'Orders',
    'Requests',
  ]);
  await says(part('Clock'), /2026-03-02 09:00:00 UTC, frozen/);
  await says(part('Faults'), /No faults/);
  expect(await part('Scenario').locator('option').allInnerTexts()).toContain('sale');
  await call('POST /api/orders/', cart);
  await call('GET /api/orders/99999');
  await says(part('Orders'), /121\s/);
  await says(part('Requests'), /404\s*GET \/api\/orders\/99999[^]*201\s*POST \/api\/orders\//);
});

test('the layout of the dashboard does not shift while it loads', async () => {
  const { page, part } = await visit('/_backlot/');
  await says(part('Requests'), /No requests/);
  await page.evaluate(() => {
    const moved: string[] = [];
    const watch = new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) moved.push(`${startTime} ms after the start`);
    });
    watch.observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { moved });
  });
  // It asks again and shows what it hears in the meantime.
  await page.waitForTimeout(2500);
  expect(await page.evaluate('moved')).toEqual([]);
});

test('a button keeps its place while the dashboard updates', async () => {
  const { page, part, press, call } = await visit('/_backlot/');
  await press('Faults', 'Return 503');
  await part('Faults').getByRole('button', { name: 'Delete' }).hover();
  await page.mouse.down();
  await call('GET /api/channels/1');
  await says(part('Faults'), /matched 1 ×/);
  await page.mouse.up();
  await says(part('Faults'), /No faults/);
});

test('a click on a removed row does not affect the row that replaced it', async () => {
  const { page, part, press, call } = await visit('/_backlot/');
  for (const id of [1, 2]) {
    await press('Faults', 'Return 503');
    await says(part('Faults'), `#${id} all`);
  }
  await part('Faults').getByRole('button', { name: 'Delete' }).first().hover();
  await page.mouse.down();
  await call('DELETE /_backlot/faults/1');
  await expect.poll(() => part('Faults').innerText(), { timeout: 10_000 }).not.toContain('#1');
  await page.mouse.up();
  await call('GET /api/channels/1');
  await says(part('Faults'), /#2 all → 503, matched 1 ×/);
});

test('a new order keeps the other orders in the list', async () => {
  const { page, part, call } = await visit('/_backlot/');
  const look = part('Orders').locator('tr', { hasText: '000000094' }).getByRole('button');
  await look.focus();
  await call('POST /api/orders/', cart);
  await says(part('Orders'), /\b121\s/);
  await page.keyboard.press('Enter');
  await says(part('Transitions'), /order 105 is confirmed/);
});

test('an expanded request stays open when other requests arrive', async () => {
  const { page, part, call } = await visit('/_backlot/');
  await call('GET /api/channels/1');
  await part('Requests').getByText('/api/channels/1').click();
  await says(part('Requests'), /"status": 200/);
  await call('GET /api/orders/99999');
  await says(part('Requests'), /404\s*GET \/api\/orders\/99999/);
  await says(part('Requests'), /"status": 200/);
  await call('DELETE /_backlot/journal');
  await call('GET /api/channels/2');
  await says(part('Requests'), /\/api\/channels\/2/);
  expect(await part('Requests').innerText()).not.toMatch(/channels\/1|99999/);
  await page.getByRole('button', { name: 'Clear' }).click();
  await says(part('Requests'), /No requests/);
});

test('the dashboard reports a server that does not respond until it responds again', async () => {
  const { page, part } = await visit('/_backlot/');
  await says(part('Requests'), /No requests/);
  await page.route('**/_backlot/clock', (route) => route.abort());
  await says(page.getByRole('status'), /Failed to fetch/);
  await page.unroute('**/_backlot/clock');
  await expect.poll(() => page.getByRole('status').isVisible(), { timeout: 10_000 }).toBe(false);
});

test('the dashboard resets the shop, to another scenario too', async () => {
  const { part, press, call } = await visit('/_backlot/');
  await call('POST /api/orders/', cart);
  await says(part('Orders'), /\b121\b/);
  await press('Scenario', 'Reset');
  await expect.poll(async () => (await call('GET /api/orders/121')).status).toBe(404);
  await part('Scenario').locator('select').selectOption('filled-cart');
  await says(part('Scenario'), /A cart, order 1, with three items/);
  await press('Scenario', 'Reset');
  await expect
    .poll(async () => (await call('GET /_backlot/health')).body.scenario)
    .toBe('filled-cart');
  await says(part('Orders'), /awaits\s+1\s/);
});

test('the dashboard advances the clock and shows the error for an invalid duration', async () => {
  const { page, part, press, call } = await visit('/_backlot/');
  const now = async (): Promise<string> => (await call('GET /_backlot/clock')).body.now;
  await press('Clock', '+1 day');
  await says(part('Clock'), /2026-03-03 09:00:00 UTC/);
  expect(await now()).toBe('2026-03-03T09:00:00+0000');
  await part('Clock').getByLabel('Duration').fill('tomorrow');
  await press('Clock', 'Advance');
  await says(page.getByRole('status'), /Expected a duration such as PT3H or P1D/);
  expect(await now()).toBe('2026-03-03T09:00:00+0000');
  await part('Clock').getByLabel('Duration').fill('-P1D');
  await press('Clock', 'Advance');
  await says(part('Clock'), /2026-03-02 09:00:00 UTC/);
  expect(await page.getByRole('status').isVisible()).toBe(false);
  await press('Clock', 'Start');
  await says(part('Clock'), /09:00:0[1-9] UTC, ticking/);
});

test('the dashboard adds a fault, which applies, and deletes it', async () => {
  const { part, press, call } = await visit('/_backlot/');
  const status = async (): Promise<number> => (await call('GET /api/channels/1')).status;
  await press('Faults', 'Return 503');
  await says(part('Faults'), /#1 all → 503/);
  expect(await status()).toBe(503);
  await says(part('Faults'), /matched 1 ×/);
  await says(part('Requests'), /503\s*GET \/api\/channels\/1 .*fault 1/);
  await press('Faults', 'Delete');
  await says(part('Faults'), /No faults/);
  expect(await status()).toBe(200);
});

test('the dashboard takes a snapshot, applies a transition and restores the snapshot', async () => {
  const { part, press, call } = await visit('/_backlot/');
  const state = async (): Promise<string> => (await call('GET /api/orders/105')).body.state;
  await part('Snapshots').getByLabel('Snapshot name').fill('before');
  await press('Snapshots', 'Take snapshot');
  await says(part('Snapshots'), /before, 2026-03-02 09:00/);
  await part('Orders').locator('tr', { hasText: '000000094' }).getByRole('button').click();
  await says(part('Transitions'), /order 105 is confirmed/);
  await press('Transitions', 'cancel');
  await says(part('Transitions'), /order 105 is cancelled/);
  expect(await state()).toBe('cancelled');
  await press('Snapshots', 'Restore');
  await expect.poll(state).toBe('confirmed');
  await press('Snapshots', 'Delete');
  await says(part('Snapshots'), /No snapshots/);
});

test('the dashboard opens sessions, and below the path of a session it controls only that one', async () => {
  const { page, part, press, call } = await visit('/_backlot/');
  await part('Sessions').getByLabel('Session name').fill('ada');
  await press('Sessions', 'Create');
  await part('Sessions').getByRole('link', { name: 'ada' }).click();
  await says(page.locator('header'), /session ada/);
  await press('Clock', '+1 h');
  await says(part('Clock'), /10:00:00 UTC/);
  expect((await call('GET /s/ada/_backlot/clock')).body.now).toBe('2026-03-02T10:00:00+0000');
  expect((await call('GET /_backlot/clock')).body.now).toBe('2026-03-02T09:00:00+0000');
});

test('the dashboard asks for the token that the control API requires', async () => {
  const { page, part, press } = await visit('/_backlot/', '--control-token', 'sesame');
  await page.getByLabel('Token of the control API').fill('sesame');
  await page.getByRole('button', { name: 'Use token' }).click();
  await says(part('Clock'), /2026-03-02 09:00:00 UTC/);
  await press('Clock', '+1 h');
  await says(part('Clock'), /10:00:00 UTC/);
});

test('in a demo, the dashboard controls the session of its visitor and reports what is forbidden', async () => {
  const { part, press, call } = await visit('/_backlot/', '--demo');
  await says(part('Clock'), /2026-03-02 09:00:00 UTC/);
  await press('Clock', '+1 h');
  await says(part('Clock'), /10:00:00 UTC/);
  await press('Faults', 'Return 503');
  await says(part('Faults'), /#1 all → 503/);
  await says(part('Sessions'), /cannot see those of others/);
  // Whoever comes without the cookie of that visitor finds the shop as it was.
  expect((await call('GET /_backlot/clock')).body.now).toBe('2026-03-02T09:00:00+0000');
  expect((await call('GET /api/channels/1')).status).toBe(200);
});

test('the docs page lists the endpoints and how to get a token', async () => {
  const { page } = await visit('/_backlot/');
  await page.getByRole('link', { name: 'API reference' }).click();
  await expect.poll(() => page.title()).toBe('Backlot API reference');
  const purchase = page.locator('#checkouts > details', { hasText: 'One of several' });
  await purchase.locator('summary').first().click();
  await purchase.getByText('Example: Purchase: pay by card').click();
  await says(purchase, /"number": "4242424242424242"/);
  await says(page.locator('#authentication'), /secret_demo_client/);
});

test('no page is wider than its screen', async () => {
  const { page, part, call, url } = await visit('/_backlot/');
  await call('POST /_backlot/faults', { status: 503, body: { note: 'x'.repeat(200) }, first: 1 });
  await call(`GET /api/orders/?criteria[number]=${'9'.repeat(200)}`);
  await page.setViewportSize({ width: 390, height: 800 });
  await says(part('Requests'), /503/);
  const excess = (): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await excess()).toBeLessThanOrEqual(0);
  await page.goto(`${url}/_backlot/docs`);
  await page.evaluate(() => {
    for (const one of document.querySelectorAll('details')) one.open = true;
  });
  expect(await excess()).toBeLessThanOrEqual(0);
});
