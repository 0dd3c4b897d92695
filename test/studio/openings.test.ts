/** @module-tag chromium */
import type { Locator } from 'playwright';
import { expect } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openStudio, testPage } from '../support/studio.ts';

useBrowser();

const widths = [360, 768, 1280, 1920];

/** Pages with something to open, and a text that they have once they are loaded. */
const routes = [
  ['activity', /PATCH/],
  ['activity?open=2', /Copy as/],
  ['orders', /Changed/],
  ['orders/119', /did not apply/],
  ['data/variants/1', /On hand/],
] as const;

/** What opens beside its button: menus, reasons, the session; and the palette. */
const openers = 'button[popovertarget], button.find';

testPage('all that opens lies within the window, at each width', async () => {
  const { page, call, visitRoute, shows } = await openStudio({ path: '/_backlot/#/time' });
  await call('PATCH /api/users/1', { firstName: 'Grace' });
  await call('PUT /api/checkouts/119', {});
  const found: string[] = [];
  const opened = new Set<string>();
  for (const [route, text] of routes) {
    await visitRoute(`#/${route}`);
    await shows(text);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 700 });
      // Of those that are alike, such as one of each unit, one is tried.
      const tried = new Set<string>();
      for (const opener of await page.locator(openers).all()) {
        if (!(await opener.isVisible())) continue;
        const name = (await opener.innerText()).replaceAll(/\d+/g, 'n');
        if (tried.has(name)) continue;
        tried.add(name);
        await opener.click();
        const part = page.locator(':popover-open, dialog[open]');
        await part.locator('[aria-busy=true]').waitFor({ state: 'detached' });
        opened.add(name);
        if (!(await isSeen(part))) found.push(`${route} at ${width}: ${name}`);
        await page.keyboard.press('Escape');
        await part.waitFor({ state: 'hidden' });
      }
    }
  }
  expect(found).toEqual([]);
  expect([...opened].map((name) => name.replaceAll('\n', ' '))).toEqual(
    expect.arrayContaining([
      'Find Ctrl K',
      'Share ▾ this shop',
      expect.stringMatching(/^Copy as/),
      'cart order n: why?',
      expect.stringMatching(/^n on hand, .*why\?$/),
    ]),
  );
});

/** Whether a person sees all of an element, and not a part that something around it cuts off. */
function isSeen(part: Locator): Promise<boolean> {
  return part.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    const corners = [
      [left + 16, top + 16],
      [right - 16, top + 16],
      [left + 16, bottom - 16],
      [right - 16, bottom - 16],
    ] as const;
    return (
      left >= 0 &&
      top >= 0 &&
      right <= clientWidth &&
      bottom <= clientHeight &&
      corners.every(([x, y]) => element.contains(document.elementFromPoint(x, y)))
    );
  });
}

testPage(
  'what a row of a list unfolds is as wide as what is seen of it, at each width',
  async () => {
    const { page, visitRoute, shows } = await openStudio({
      scenario: 'sale',
      path: '/_backlot/#/orders',
    });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 700 });
      await visitRoute('#/orders');
      await shows(/Total/);
      await page.getByRole('button', { name: /^cart order 1: why/ }).click();
      const reasons = page.getByRole('region', { name: 'Why: order 1' });
      await reasons.getByText('What is possible next').waitFor();
      const { x, width: own } = (await reasons.boundingBox())!;
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + own).toBeLessThanOrEqual(width);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await page.getByRole('button', { name: /^cart order 1: why/ }).click();
    }
  },
);
