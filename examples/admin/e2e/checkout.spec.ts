import { expect, test } from 'backlot/playwright';
import type { Page } from '@playwright/test';

const address = {
  'First name': 'Ada',
  'Last name': 'Novak',
  Street: 'Quay Street 4',
  Postcode: 'H91 X2Y3',
  City: 'Galway',
  Country: '1',
};

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill('api@example.com');
  await page.getByLabel('Password').fill('api');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a cart becomes a paid order', async ({ page, office }) => {
  const { id } = await office.given.anOrder({ awaits: 'addressing' });
  await page.goto(`/#/${id}`);
  await signIn(page);
  for (const [label, value] of Object.entries(address)) await page.getByLabel(label).fill(value);
  for (const name of ['Send to this address', 'Choose a delivery', 'Choose a payment'])
    await page.getByRole('button', { name }).click();
  await page.getByRole('button', { name: 'Confirm the order' }).click();
  await page.getByLabel('Name on the card').fill('Ada Novak');
  await page.getByLabel('Security code').fill('123');
  await page.getByRole('button', { name: 'Pay by card' }).click();
  await expect(page.getByText('payment completed')).toBeVisible();
  await expect(office).toHaveReceived('PUT /api/checkouts/:order_id', { times: 5, status: 200 });
});

test('a wrong password says so', async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('E-mail').fill('api@example.com');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
});

test('the demo is static, and has a shop of its own', async ({ page }) => {
  await page.goto('http://127.0.0.1:4403/');
  await signIn(page);
  await expect(page.getByRole('link', { name: /^Order \d+$/ })).toHaveCount(20);
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText('Page 2 of')).toBeVisible();
});
