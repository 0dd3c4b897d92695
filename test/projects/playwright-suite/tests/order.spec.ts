import { expect, test } from 'backlot/playwright';

test('an order shows its total', async ({ office, page }) => {
  const { id } = await office.given.anOrder({ awaits: 'payment' });
  await page.goto(`/${id}`);
  await expect(page.locator('h1')).toHaveText('€17.4');
});

test('a payment leads to the next step', async ({ office, page }) => {
  const { id } = await office.given.anOrder({ awaits: 'payment' });
  await page.goto(`/${id}`);
  await page.getByRole('button').click();
  await expect(page.locator('#step')).toHaveText('payment');
});

test('a server renders the total', async ({ office, page }) => {
  const { id } = await office.given.anOrder({ awaits: 'payment' });
  await page.goto(`/server/${id}`);
  await expect(page.locator('h1')).toHaveText('€17.4');
});
