/** @module-tag chromium */
import { dropFile } from '../support/drop.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openStudio, testPage } from '../support/studio.ts';

useBrowser();

/** The entries that a pointer would meet, from the top to the bottom of the page. */
function entriesSeen(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const seen = new Set<string>();
    for (let y = 0; y < innerHeight; y += 4) {
      const entry = document.elementFromPoint(200, y)?.closest<HTMLElement>('[data-entry]');
      seen.add(entry?.dataset['entry'] ?? '');
    }
    return [...seen];
  });
}

testPage.each([1280, 360])(
  'a notice covers no row of the list, and moves none: %i px',
  async (width) => {
    const { page, call, click, shows } = await openStudio({
      context: { viewport: { width, height: 700 } },
    });
    for (let id = 1; id <= 30; id++) await call(`PATCH /api/users/${id}`, { firstName: 'Grace' });
    await shows(/#?.*PATCH/);
    await expect.poll(() => entriesSeen(page)).toContain('30');
    await dropFile(page, 'list.json', []);
    const notice = page.locator('.notice');
    await notice.waitFor();
    const withNotice = await entriesSeen(page);
    await click('Close message');
    await notice.waitFor({ state: 'detached' });
    expect(await entriesSeen(page)).toEqual(withNotice);
  },
);

/** The places of the time line, its tape and what is below it. */
function placesIn(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const [bar, tape, main] = ['.timeline', '.tape', '#main'].map((selector) =>
      document.querySelector(selector)!.getBoundingClientRect(),
    );
    return { bar: bar!.bottom, tape: [tape!.x, tape!.width, tape!.y], main: main!.top };
  });
}

testPage.each([1280, 360])(
  'a drag on the time line moves nothing of the page: %i px',
  async (width) => {
    const { page, call, shows } = await openStudio({
      path: '/_backlot/#/orders/119',
      context: { viewport: { width, height: 700 } },
    });
    for (let id = 1; id <= 12; id++) await call(`PATCH /api/users/${id}`, { firstName: 'Grace' });
    await shows(/After\s+#12\s+·\s+12\s+changes/);
    const before = await placesIn(page);
    for (const value of ['9', '3']) {
      await page.locator('#timeline').evaluate((input: HTMLInputElement, at) => {
        input.value = at;
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }, value);
      await shows(/Let go to take back/);
      expect(await placesIn(page)).toEqual(before);
    }
  },
);

testPage.each([1280, 360])('home shifts nothing while it loads: %i px', async (width) => {
  const { page, shows, call } = await openStudio({
    context: { viewport: { width, height: 900 } },
  });
  await call('POST /_backlot/sessions', { name: 'ada' });
  await call('GET /api/orders/1');
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { sources } = entry as PerformanceEntry & { sources: { node: Element | null }[] };
        for (const { node } of sources) shifts.push(`${node?.className} ${node?.textContent}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  let loaded = 0;
  await page.route('**/_backlot/**', async (route) => {
    // Nothing is loaded at the same time as something else.
    await sleep(40 * (++loaded % 5));
    await route.continue();
  });
  await page.evaluate(() => void (location.hash = '#/home'));
  await page.reload();
  await shows(/ada[^]*default, 0 requests/);
  await shows(/cart expires/);
  await page.waitForTimeout(500);
  expect(await page.evaluate('PerformanceObserver.supportedEntryTypes')).toContain('layout-shift');
  expect(await page.evaluate('shifts')).toEqual([]);
  const columns = await page
    .locator('#main ol li:has(time) > .grow')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
  expect(columns).toHaveLength(5);
  expect(new Set(columns).size).toBe(1);
});

test('with forced colours, each lane of the journey has an edge, and the last state another one', async () => {
  const { page, declineOrder, visitRoute, shows } = await openStudio({
    context: { forcedColors: 'active' },
  });
  await declineOrder();
  await visitRoute('#/orders/119');
  await shows(/Journey[^]*payment/);
  const stays = await page.locator('.stay').evaluateAll((all) =>
    all.map((one) => {
      const { borderTopStyle, borderTopWidth } = getComputedStyle(one);
      return `${borderTopStyle} ${borderTopWidth} ${one.classList.contains('lasts')}`;
    }),
  );
  expect(new Set(stays)).toEqual(new Set(['solid 1px false', 'solid 2px true']));
});
