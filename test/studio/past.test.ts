/** @module-tag chromium */
import { setTimeout } from 'node:timers/promises';
import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openStudio, testServer, type Studio } from '../support/studio.ts';

useBrowser();

const cart = { channel: 1, user: 1, currency: 'EUR' };

testServer('an open row stays in its place in a flood of more than the page lists', () =>
  flood({ seconds: 30, rate: 80 }),
);

testServer(
  'an open row stays in its place in five minutes at 500 requests a second',
  { tags: 'long', timeout: 240_000 },
  () => flood({ seconds: 300, rate: 500 }),
);

/** Sends requests, four batches for each second of the page's clock. */
async function flood({ seconds, rate }: { readonly seconds: number; readonly rate: number }) {
  const { page, office, call, reopen, shows, read } = await openStudio();
  await call('POST /api/orders/', cart);
  await page.clock.install();
  await reopen();
  const row = rowOf(page, 1);
  await row.click();
  await expect.poll(() => row.getAttribute('aria-expanded')).toBe('true');
  const place = await row.boundingBox();
  for (let quarter = 1; quarter <= seconds * 4; quarter++) {
    for (let sent = 0; sent < rate / 4; sent++) office.answer(requestAt(sent));
    await setTimeout(5);
    if (quarter % 16 === 0) await page.clock.fastForward(4000);
  }
  expect(await row.boundingBox()).toEqual(place);
  expect(await row.getAttribute('aria-expanded')).toBe('true');
  await shows(new RegExp(`Show ${seconds * rate} new entries`));
  expect(await page.locator('body').innerText()).not.toContain('No requests yet');
  const { of } = await read('timeline');
  expect(of).toBe(1 + seconds * 4 * Math.ceil(rate / 4 / 10));
  await page.clock.fastForward(10_000);
  await shows(new RegExp(` (·|of) ${of} changes`));
}

/** Mostly reads, and one write in ten. */
function requestAt(at: number) {
  if (at % 10 > 0) return { method: 'GET', url: `/api/channels/${1 + (at % 4)}`, headers: {} };
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ firstName: `Ada ${at}` });
  return { method: 'PATCH', url: '/api/users/1', headers, body };
}

test('after a restored snapshot and a reset, the charts of an order show only the way that it took', async () => {
  const { shows, call, page } = await openStudio({ path: '/_backlot/#/orders/105' });
  await call('POST /_backlot/snapshot', { name: 'start' });
  await call('POST /_backlot/transitions/order/105', { transition: 'ship' });
  await shows(/way taken: confirmed → shipped/);
  await call('POST /_backlot/snapshot', { name: 'shipped' });
  await call('POST /_backlot/snapshot/start/restore');
  await shows(/order 105 confirmed/);
  expect(await page.locator('.journey').innerText()).not.toContain('way taken');
  await call('POST /_backlot/transitions/order/105', { transition: 'cancel' });
  await shows(/way taken: confirmed → cancelled/);
  await call('POST /_backlot/snapshot/shipped/restore');
  await shows(/way taken: confirmed → shipped/);
  expect(await page.locator('.journey').innerText()).not.toContain('→ cancelled');
  await call('POST /_backlot/reset');
  await shows(/order 105 confirmed/);
  expect(await page.locator('.journey').innerText()).not.toContain('way taken');
  await shows(/not in effect/, page.locator('.touched'));
});

test('the time line counts and shows all changes of a long history, whatever the page has received', async () => {
  const { shows, call, page, click, read } = await openStudio({ path: '/_backlot/#/orders/119' });
  await call('PATCH /_backlot/tables/orders/119', { email: 'first@example.com' });
  for (let sent = 0; sent < 60; sent += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        call('PATCH /_backlot/tables/orders/119', { email: `e${sent + at}@example.com` }),
      ),
    );
  await shows(/After #61 · 61 changes/);
  await drag(page, 1);
  await shows(/After #1 · 61 changes/);
  await shows(/Let go to take back 60 changes/);
  await shows(/first@example\.com/, page.locator('.order .stack'));
  await drag(page, 0);
  await shows(/Let go to take back 61 changes/);
  await drag(page, 61, 'change');
  await click(/^Ship to Cork, Ireland of order 119/);
  await shows(/addressed order 119 to Cork/, page.getByRole('status').last());
  for (let sent = 0; sent < 40; sent += 20)
    await Promise.all(Array.from({ length: 20 }, () => call('POST /api/orders/', cart)));
  const before = await read('timeline');
  await shows(` · ${before.of} changes`);
  await click(/^Undo create (node a|A)dded order/, page.getByRole('region', { name: 'Time line' }));
  await shows(` · ${before.of} changes, 1 undone`);
});

test('clearing the filter keeps the history, which is deleted elsewhere, once that is confirmed', async () => {
  const { shows, call, click, page, read } = await openStudio();
  await call('POST /api/orders/', cart);
  await call('GET /api/orders/121');
  const count = async () => (await read('journal?view=summary')).summaries.length;
  await page.getByLabel('Filter the history').fill('is:rejected');
  await shows(/No entry passes the filter/);
  await click('Clear filter');
  await expect.poll(() => rowOf(page, 2).count()).toBe(1);
  expect(await page.getByLabel('Filter the history').inputValue()).toBe('');
  expect(await page.getByRole('button', { name: 'Clear' }).count()).toBe(0);
  expect(await count()).toBe(2);
  await click('Time');
  await click('Delete the history …');
  await shows(/deletes all recorded requests and every undo/);
  await click('Keep the history');
  expect(await count()).toBe(2);
  await click('Delete the history …');
  await click('Delete for ever');
  await page.getByRole('region', { name: 'Time line' }).waitFor({ state: 'detached' });
  expect(await count()).toBe(0);
  expect((await call('GET /api/orders/121')).status).toBe(200);
});

test('a click opens the row that was under the pointer while an app polls', async () => {
  const studio = await openStudio();
  const { page, call } = studio;
  for (let id = 1; id <= 8; id++) await call(`GET /api/orders/${9000 + id}`);
  await rowOf(page, 8).waitFor();
  for (let times = 0; times < 3; times++) {
    await page.mouse.move(5, 5);
    await poll(studio, 3);
    const rows = page.locator('[data-entry]');
    const { x, y, height } = (await rows.nth(3).boundingBox())!;
    await page.mouse.move(x + 60, y + height / 2);
    const under = await idAt(page, x + 60, y + height / 2);
    await poll(studio, 3);
    await page.mouse.down();
    await page.mouse.up();
    const opened = page.locator('[data-entry][aria-expanded=true]');
    await opened.waitFor();
    expect(await opened.getAttribute('data-entry')).toBe(under);
    await page.keyboard.press('Enter');
    await opened.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'All', exact: true }).click();
  }
});

test('a paused list shows how many entries have come, and lists them when it goes on', async () => {
  const { page, call, click, shows } = await openStudio();
  await call('GET /api/orders/9001');
  await rowOf(page, 1).waitFor();
  await click('Pause the list');
  await call('GET /api/orders/9002');
  await shows(/Show 1 new entry/);
  expect(await rowOf(page, 2).count()).toBe(0);
  await click('Show 1 new entry');
  await rowOf(page, 2).waitFor();
  await call('GET /api/orders/9003');
  await shows(/Show 1 new entry/);
  await click('Resume the list');
  await rowOf(page, 3).waitFor();
});

/** Sends requests, and waits until the page has received them. */
async function poll({ page, call }: Studio, count: number): Promise<void> {
  const [received] = await Promise.all([
    page.evaluate(() => performance.now()),
    ...Array.from({ length: count }, () => call('GET /api/orders/1')),
  ]);
  // Batches come each quarter of a second.
  await expect.poll(() => page.evaluate(() => performance.now())).toBeGreaterThan(received + 600);
}

function idAt(page: Page, x: number, y: number): Promise<string | null> {
  return page.evaluate(
    ([left, top]) => {
      let element = document.elementFromPoint(left, top);
      while (element?.shadowRoot) element = element.shadowRoot.elementFromPoint(left, top);
      return element?.closest('[data-entry]')?.getAttribute('data-entry') ?? null;
    },
    [x, y] as const,
  );
}

function rowOf(page: Page, id: number): Locator {
  return page.locator(`[data-entry="${id}"]`);
}

async function drag(page: Page, to: number, then: 'input' | 'change' = 'input'): Promise<void> {
  await page.locator('#timeline').evaluate(
    (input: HTMLInputElement, [value, event]) => {
      input.value = String(value);
      input.dispatchEvent(new Event('input', { bubbles: true }));
      if (event === 'change') input.dispatchEvent(new Event('change', { bubbles: true }));
    },
    [to, then] as const,
  );
}
