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
