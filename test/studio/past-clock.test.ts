/** @module-tag chromium */
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openStudio } from '../support/studio.ts';

useBrowser();

test('the time line dragged back shows the clock, the expiry and the names of that time', async () => {
  const { page, call, read, shows } = await openStudio({ path: '/_backlot/#/orders/119' });
  await call('PUT /_backlot/clock', { advance: 'PT10M' });
  const { order } = await read('orders/119/view');
  await call('PUT /_backlot/clock', { advance: 'P2D' });
  await call(`PATCH /_backlot/tables/users/${order.user_id}`, { first_name: 'Renamed' });
  await shows(/Wed\s*4 Mar, 09:10/, page.locator('.now'));
  await shows(/Renamed/, page.locator('.about-order'));
  const slider = page.getByRole('slider');
  await slider.focus();
  await slider.press('Home');
  await slider.press('ArrowRight');
  await shows(/Mon\s*2 Mar, 09:10/, page.locator('.now'));
  await shows(/in 2 h 38 min/, page.locator('.about-order'));
  expect(await page.locator('.about-order').innerText()).not.toContain('Renamed');
});
