/** @module-tag chromium */
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openStudio, testPage } from '../support/studio.ts';

useBrowser();

test('home has the address to copy, a request that runs, traffic, the last orders, what comes next and a reset', async () => {
  const { page, click, clicks, shows, read } = await openStudio({
    path: '/_backlot/#/home',
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  await click('Copy address of the store API');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^http.*\/api$/);
  await click('Send your first request');
  await shows(/200\s+All orders[^]*"page": 1/);
  await shows(/What happens now\s+200\s+\S.* read orders/);
  await shows(/Last orders[^]*order 120\s+cart\s+[\d.]+ EUR[^]*What comes next[^]*cart expires/);
  await page.getByRole('combobox', { name: 'Scenario' }).selectOption('sale');
  await click('Reset to sale');
  await expect.poll(() => read('health')).toMatchObject({ scenario: 'sale' });
  expect(clicks()).toBe(3);
});

testPage(
  'the studio begins at home, and its icon has a dot once a request is refused elsewhere',
  async () => {
    const { page, click, shows, call } = await openStudio({ path: '/_backlot/' });
    await shows(/Begin again/);
    const icon = () => page.locator('link[rel=icon]').getAttribute('href');
    expect(await icon()).not.toContain('circle');
    await call('GET /api/nothing');
    await expect.poll(icon).toContain('circle');
    await click('Activity');
    await expect.poll(icon).not.toContain('circle');
  },
);
