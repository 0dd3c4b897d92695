import { test as visit } from '@playwright/test';
import { expect, test } from 'backlot/playwright';

/** Puts something into the cart, and takes the steps up to the payment. */
async function buy(page) {
  await page.goto('/');
  await page.getByRole('button', { name: /^Add/ }).first().click();
  for (const name of ['Send it to me', 'Choose a delivery', 'Choose a payment', 'Confirm'])
    await page.getByRole('button', { name }).click();
  await page.getByLabel('Card number').waitFor();
}

test('a product is bought', async ({ page, office }) => {
  await buy(page);
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByText('Paid. Thank you.')).toBeVisible();
  await expect(office).toHaveReceived('PUT /api/checkouts/:order_id', { times: 5, status: 200 });
});

test('a declined card says so, and another one is accepted', async ({ page, office }) => {
  await office.given.theScript({ on: 'purchase', outcome: 'declined', first: 1 });
  await buy(page);
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByRole('alert').first()).toHaveText('The card was declined.');
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByText('Paid. Thank you.')).toBeVisible();
});

// As visitors of a demo, whose sessions begin by `proxy.js`.
visit('two visitors have shops of their own', async ({ browser }) => {
  const [one, two] = await Promise.all([browser.newPage(), browser.newPage()]);
  await Promise.all([buy(one), buy(two)]);
  const titles = await Promise.all(
    [one, two].map((page) => page.getByRole('heading', { level: 2 }).innerText()),
  );
  expect(titles).toEqual(['Order 121', 'Order 121']);
});
