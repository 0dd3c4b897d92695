/** @module-tag chromium */
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openStudio, testPage } from '../support/studio.ts';

useBrowser();

test('home has the address to copy and a request that runs, which what happened, the last orders and what comes next then replace', async () => {
  const { page, click, clicks, shows, read } = await openStudio({
    path: '/_backlot/#/home',
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  await click('Copy address of the store API');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^http.*\/api$/);
  await shows(/Waiting for the first request/);
  await click('Send it from here');
  await shows(/What happened last\s+#1\s+200\s+.*read orders[^]*All 1 in Activity/);
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

test('home says what happened last, with number and order, without a click, and lists no cart that ran out', async () => {
  const { page, call, clicks, shows, declineOrder } = await openStudio({
    path: '/_backlot/#/home',
  });
  await declineOrder();
  await call('PUT /_backlot/clock', { advance: 'P1D' });
  const last = page.locator('section', { hasText: 'What happened last' }).last();
  await shows(
    /#\d+\s+●\s+[^\n]*clock \+1 day[^]*#\d+\s+200\s+[^\n]*order 119: card declined/,
    last,
  );
  await last.getByRole('link', { name: 'order 119' }).first().waitFor();
  const orders = page.locator('section', { hasText: 'Last orders' }).last();
  await expect.poll(() => orders.innerText()).not.toContain('abandoned');
  expect(clicks()).toBe(0);
});
