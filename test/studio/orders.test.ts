/** @module-tag chromium */
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openStudio } from '../support/studio.ts';

useBrowser();

test('the list of orders shows when each was changed, the last one first', async () => {
  const { page, call, visitRoute, shows } = await openStudio();
  await call('PUT /_backlot/clock', { advance: 'PT10M' });
  await call('POST /_backlot/transitions/order/105', { transition: 'cancel' });
  await visitRoute('#/orders');
  await shows(/Changed[^]*\b105\b/);
  const times = page.locator('tbody time');
  const all = await times.evaluateAll((list) =>
    list.map((one) => one.getAttribute('datetime') ?? ''),
  );
  expect(all).toHaveLength(await page.locator('tbody tr').count());
  expect(all).toEqual(all.toSorted().toReversed());
  expect(await times.first().innerText()).toBe('2 Mar, 09:10');
});

test('why a total is so is in sight where it was asked, and begins with the total, at 390 px as well', async () => {
  const { page, click, clicks } = await openStudio({
    path: '/_backlot/#/orders',
    context: { viewport: { width: 390, height: 844 } },
  });
  await click('total of order 108: why?');
  const why = page.getByRole('region', { name: 'Why: total of order 108' });
  await why.getByRole('heading', { name: 'Order 108: 66.69 GBP' }).waitFor();
  const foot = () => why.evaluate((shown) => shown.getBoundingClientRect().bottom);
  await expect.poll(foot).toBeLessThanOrEqual(844);
  expect(clicks()).toBe(1);
});
