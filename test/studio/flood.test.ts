/** @module-tag chromium */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { countReceived } from '../support/received.ts';
import { hasServer, isFocused, openStudio, ownsCookies, scrolled } from '../support/studio.ts';

useBrowser();

/** How long requests are sent, and how many in a second. FLOOD_SECONDS=10 for the budget of the bench. */
const seconds = Number(process.env['FLOOD_SECONDS'] ?? 2);
const rate = 500;

// All sections receive the same events.
const others = ownsCookies ? ['#/orders', '#/orders/105'] : [];
const title =
  'at 500 requests a second, %s receives little, and keeps its open row, focus and place';
test.each(['#/activity'])(title, flood);
test.each(others)(title, { tags: 'long' }, flood);

async function flood(route: string): Promise<void> {
  const { page, office, call, declineOrder } = await openStudio({ path: `/_backlot/${route}` });
  await declineOrder();
  await call('PUT /api/orders/105', {});
  const row = page.locator(route === '#/orders' ? 'a[href="#/orders/105"]' : '.line').first();
  await row.click(route === '#/orders' ? { trial: true } : {});
  await row.focus();
  const isOpen = async () => ({
    isFocused: await isFocused(row),
    expanded: await row.getAttribute('aria-expanded'),
    text: (await row.innerText()).slice(0, 20),
    scroll: await scrolled(page).evaluate((one) => one.scrollTop),
  });
  await page.waitForTimeout(1000);
  const before = await isOpen();
  const bytes = await countReceived(page);
  const start = performance.now();
  if (hasServer) {
    for (let sent = 0; performance.now() - start < seconds * 1000;) {
      const due = ((performance.now() - start) / 1000) * rate;
      for (; sent < due; sent++) office.answer(requestAt(sent));
      await page.waitForTimeout(20);
    }
  } else await sendInPage(page);
  const received = bytes() / ((performance.now() - start) / 1000);
  await page.waitForTimeout(500);
  expect(await isOpen()).toEqual(before);
  expect(received).toBeGreaterThan(hasServer ? 100 : -1);
  expect(received).toBeLessThanOrEqual(20_000);
  if (process.env['FLOOD_SECONDS'] !== undefined)
    console.log(route, Math.round(received), 'bytes/s');
}

/** Mostly reads, and one write in ten. */
function requestAt(at: number) {
  if (at % 10 > 0) return { method: 'GET', url: `/api/channels/${1 + (at % 4)}`, headers: {} };
  const body = JSON.stringify({ channel: 1, user: 1, currency: 'EUR' });
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', url: '/api/orders/', headers, body };
}

/** Sends the same requests from the page whose back office answers them. */
function sendInPage(page: Page): Promise<void> {
  const requests = Array.from({ length: seconds * rate }, (_, at) => requestAt(at));
  return page.evaluate(
    async ({ all, perSecond }) => {
      const { office } = globalThis as unknown as { office: { fetch: typeof fetch } };
      const start = performance.now();
      for (const [at, { url, ...init }] of all.entries()) {
        const wait = start + (at / perSecond) * 1000 - performance.now();
        if (wait > 0) {
          const { promise, resolve } = Promise.withResolvers<unknown>();
          setTimeout(resolve, wait);
          await promise;
        }
        void office.fetch(url, init);
      }
    },
    { all: requests, perSecond: rate },
  );
}
