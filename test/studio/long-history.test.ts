/** @module-tag chromium */
import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openStudio, scrolled } from '../support/studio.ts';

useBrowser();

test('a long history is scrolled to its first entry, and new requests do not move it', async () => {
  const { page, call, shows } = await openStudio();
  await shows(/No requests yet/);
  // At most 20 of those that come at once are sent, and a row stands for the others.
  await Promise.all(Array.from({ length: 60 }, (_, id) => call(`GET /api/orders/${9000 + id}`)));
  await expect.poll(() => rowOf(page, 60).count()).toBe(1);
  await loadGaps(page);
  const first = rowOf(page, 1);
  await expect
    .poll(async () => {
      await scrolled(page).evaluate((element) => element.scrollTo({ top: 1e6 }));
      return first.count();
    })
    .toBe(1);
  await page.waitForTimeout(100);
  const place = await first.boundingBox();
  await call('GET /api/orders/99999');
  await shows(/Show 1 new entry/);
  expect(await first.boundingBox()).toEqual(place);
});

test('no request is missing that comes while the studio loads', async () => {
  const { page, call, reopen } = await openStudio();
  let sent = 0;
  for (let times = 0; times < 5; times++) {
    const opened = reopen();
    for (let id = 1; id <= 15; id++) {
      await call(`GET /api/orders/${9000 + id}`);
      sent += 1;
    }
    await opened;
    await expect.poll(() => rowOf(page, sent).count()).toBe(1);
    expect(await page.getByRole('button', { name: /more request/ }).count()).toBe(0);
  }
});

function rowOf(page: Page, id: number): Locator {
  return page.locator(`[data-entry="${id}"]`);
}

async function loadGaps(page: Page): Promise<void> {
  const gap = page.getByRole('button', { name: /more request/ });
  while ((await gap.count()) > 0) {
    await gap.first().click();
    await page.waitForTimeout(200);
  }
}
