import { expect, test } from 'backlot/playwright';

test('a search shows what was typed last', async ({ page }) => {
  await page.goto('/search');
  const field = page.getByRole('searchbox');
  await field.fill('la');
  await field.fill('lamp');
  await expect(page.getByText('1 found')).toBeVisible();
});

test('one search after the other', async ({ page }) => {
  await page.goto('/search');
  const field = page.getByRole('searchbox');
  await field.fill('la');
  await expect(page.getByText('8 found')).toBeVisible();
  await field.fill('lamp');
  await expect(page.getByText('1 found')).toBeVisible();
});
