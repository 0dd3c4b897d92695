/** @module-tag chromium */
import { test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { startServer, visit } from '../support/studio.ts';

useBrowser();

// How long each takes: npm run bench -- studio.
test(
  'with 3,000 orders, Orders and Data open, and a filter can be typed',
  { tags: 'long' },
  async () => {
    const { url } = await startServer({ scenario: 'large' });
    const page = await visit(`${url}/_backlot/#/orders`);
    const rows = page.locator('#main tbody tr');
    await rows.nth(20).waitFor();
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await page.getByRole('link', { name: /^orders [\d,]{5,}/ }).click();
    await rows.nth(20).waitFor();
    await page.getByLabel('Filter by email', { exact: true }).pressSequentially('no-such@x');
    await page.getByText('No record matches.').waitFor();
  },
);
