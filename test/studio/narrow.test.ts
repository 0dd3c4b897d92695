/** @module-tag chromium */
import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { findingsFrom } from '../support/chaos-findings.ts';
import { openStudio, testPage, testServer } from '../support/studio.ts';

useBrowser();

const [width, height] = [390, 844];
const context = { viewport: { width, height } };

async function placeOf(part: Locator): Promise<{ y: number; height: number }> {
  return (await part.boundingBox()) ?? { y: Number.NaN, height: Number.NaN };
}

/** Waits until the end of an element, or of what fits, is between the time line and the sections. */
async function isInSight(page: Page, part: Locator): Promise<void> {
  const above = page.locator('.timeline');
  const below = page.getByRole('navigation', { name: 'Sections' });
  await expect
    .poll(async () => {
      const [shown, line, sections] = await Promise.all([part, above, below].map(placeOf));
      const [top, bottom] = [line!.y + line!.height, sections!.y];
      const end = Math.min(shown!.y + shown!.height, shown!.y + bottom - top - 90);
      return shown!.y >= top && end <= bottom;
    })
    .toBe(true);
}

testPage(
  'at 390 px, the first row of the activity begins within 160 px, and the sections are always in view',
  async () => {
    const { page, call, click, shows } = await openStudio({ context });
    for (let id = 1; id <= 40; id++) await call(`PATCH /api/users/${id}`, { firstName: 'Grace' });
    // All are listed then: of a flood, a note says how many are.
    await page.reload();
    const first = page.locator('[data-entry="40"]');
    await first.waitFor();
    await expect.poll(async () => (await placeOf(first)).y).toBeLessThanOrEqual(160);
    await page.evaluate(() => scrollTo({ top: 1e6 }));
    const sections = page.getByRole('navigation', { name: 'Sections' });
    const { y, height: tall } = (await sections.boundingBox())!;
    expect(y + tall).toBeCloseTo(height, 0);
    // The last row is above them.
    const last = page.locator('[data-entry="1"]');
    const end = async () => (await placeOf(last)).y + (await placeOf(last)).height;
    await expect.poll(end).toBeLessThanOrEqual(y);
    await click('Docs');
    await shows(/Your app uses 1 of \d+/);
  },
);

test('an entry far down the list is in view when its link is opened at 390 px', async () => {
  const { page, call, visitRoute } = await openStudio({ path: '/_backlot/#/home', context });
  for (let id = 1; id <= 50; id++) {
    await call(`PATCH /api/users/${id}`, { firstName: 'Grace' });
    await call(`PATCH /api/users/${id}`, { firstName: 'Ada' });
  }
  await visitRoute('#/activity?open=2');
  const detail = page.locator('.detail', { hasText: '#2' });
  await detail.waitFor();
  await isInSight(page, detail);
});

testServer('what opens in Docs, Faults and Chaos at 390 px is scrolled into view', async () => {
  const { page, call, click, visitRoute, shows } = await openStudio({
    path: '/_backlot/#/docs/submitCheckoutStep',
    context,
    chaos: findingsFrom(),
  });
  for (let at = 0; at < 12; at++) await call('POST /_backlot/faults', { delay: 1 });
  await page.locator('.timeline').waitFor();
  const response = page.locator('details', { hasText: /^404/ });
  await response.locator('summary').click();
  await isInSight(page, response);
  await visitRoute('#/rules');
  await shows(/^12 /m);
  await click('Edit fault 12');
  const editor = page.locator('section', { hasText: 'Edit fault 12' }).first();
  await isInSight(page, editor);
  await visitRoute('#/chaos');
  await page.getByRole('button', { name: 'red, drop', exact: true }).last().click();
  await isInSight(page, page.locator('.finding'));
});
