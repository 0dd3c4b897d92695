/** @module-tag chromium */
import type { Locator } from 'playwright';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openStudio } from '../support/studio.ts';

useBrowser();

test('an order goes through all five steps by two clicks from the list', async () => {
  const { click, clicks, shows, call } = await openStudio({ path: '/_backlot/#/orders' });
  await click(/^119$/);
  await click(/^More of order 119/);
  await click(/^Do all that are left/);
  await shows(/order 119 confirmed/);
  await shows(/(✓ \w+\s+, done\s+#\d+[^✓]*){5}/);
  expect((await call('GET /api/orders/119')).body.state).toBe('confirmed');
  expect(clicks()).toBeLessThanOrEqual(3);
});

test('a declined card is refused in words, in the notice and in the row of the request, and not in the colour of success', async () => {
  const { click, clicks, shows, page } = await openStudio({ path: '/_backlot/#/orders' });
  await click(/^102$/);
  await click(/^More of order 102/);
  await click(/^Pay with a declined card/);
  await shows(/Order 102: payment failed/, page.getByRole('status'));
  await shows(/payment \d+ failed/);
  await shows(/could not pay order 102: card declined/, page.locator('.touched'));
  expect(clicks()).toBeLessThanOrEqual(3);
  const success = await colourOf(page.locator('.rail .done [aria-hidden]').first());
  expect(await colourOf(page.getByLabel('Payments').getByText('failed'))).not.toBe(success);
  const sign = page.locator('.touched .line', { hasText: 'card declined' }).locator('.status');
  expect(await colourOf(sign)).not.toBe(success);
});

function colourOf(text: Locator): Promise<string> {
  return text.evaluate((one) => getComputedStyle(one).color);
}

test('the last action is undone by one click', async () => {
  const { click, shows, read } = await openStudio({ path: '/_backlot/#/orders/105' });
  await click(/^cancel order 105/);
  await shows(/order 105 cancelled/);
  await click(/^Undo You cancelled order 105/);
  await expect.poll(() => read('tables/orders/105')).toMatchObject({ state: 'confirmed' });
  await shows(/order 105 confirmed/);
});
