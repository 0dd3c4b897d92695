/** @module-tag chromium */
import { expect, test } from 'vitest';
import { showsText } from '../support/browser.ts';
import { startSections } from './section.ts';

const visit = startSections();

test('the stock of a variant is seen and set with two clicks', async () => {
  const { page, read, clicks } = await visit('/_backlot/');
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Search stock' }).fill('CK-MUG galway');
  const name = 'stock of variant 1 at Galway warehouse';
  await page.getByLabel(`On hand: ${name}`).fill('7');
  await page.getByRole('button', { name: `Set ${name}` }).click();
  await expect
    .poll(() => read('stock/1'))
    .toContainEqual(expect.objectContaining({ stock_location_id: 1, on_hand: 7 }));
  expect(await clicks()).toBe(2);
});

test('any table is filtered, sorted and paged, and its references are followed', async () => {
  const { page, clicks, visitRoute } = await visit('/_backlot/#/data');
  await page.getByRole('link', { name: 'order items 256 records' }).click();
  const rows = page.getByRole('region', { name: 'Records: order items' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(50);
  await page.getByRole('link', { name: 'quantity' }).click();
  await page
    .getByRole('columnheader', { name: 'quantity' })
    .and(page.locator('[aria-sort=ascending]'))
    .waitFor();
  await page.getByLabel('Filter by order_id').fill('105');
  await expect.poll(() => rows.count()).toBeLessThan(10);
  await rows.first().getByRole('link', { name: '105' }).click();
  await page.getByRole('heading', { name: 'order 105', exact: true }).waitFor();
  expect(await clicks()).toBe(3);
  await visitRoute('#/data/users');
  await page.getByLabel('Filter by email', { exact: true }).fill('OISIN');
  await page.getByRole('cell', { name: 'oisin.mcgrath@example.org' }).first().waitFor();
});

test('a record is edited, and each of its fields names the entry that set it', async () => {
  const { page, read } = await visit('/_backlot/#/data/orders/105');
  await page.getByRole('button', { name: 'Edit order 105' }).click();
  await page.getByRole('textbox', { name: 'email', exact: true }).fill('ada@example.org');
  await page.getByRole('button', { name: 'Save order 105' }).click();
  await expect.poll(() => read('tables/orders/105')).toMatchObject({ email: 'ada@example.org' });
  const row = page.locator('.record > div', { hasText: 'email' });
  await row
    .getByRole('link', { name: /^#1 You changed order 105: email/ })
    .first()
    .waitFor();
  await page.getByText('ada@example.org').first().waitFor();
  await page
    .getByRole('button', { name: /^Undo You changed order 105: email/ })
    .last()
    .click();
  await expect
    .poll(() => read('tables/orders/105'))
    .not.toMatchObject({ email: 'ada@example.org' });
});

test('an invalid value is rejected with the field, and the form keeps what was entered', async () => {
  const { page } = await visit('/_backlot/#/data/variants/1');
  await page.getByRole('button', { name: 'Edit variant 1' }).click();
  await page.getByRole('textbox', { name: 'price', exact: true }).fill('expensive');
  await page.getByRole('button', { name: 'Save variant 1' }).click();
  await page
    .getByRole('status')
    .getByText(/price: Invalid input/)
    .waitFor();
  expect(await page.getByRole('textbox', { name: 'price', exact: true }).inputValue()).toBe(
    'expensive',
  );
});

test('orders are found by a part of a name, an e-mail or a number, with their count', async () => {
  const { page } = await visit('/_backlot/#/orders');
  const list = page.locator('#orders-title').locator('../..');
  await showsText(list, /1–50 of\s120/);
  await page.getByRole('searchbox', { name: /of an order/ }).fill('FREJA lind');
  await page.keyboard.press('Enter');
  await showsText(list, /119[^]*cart/);
  await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
  await page.getByRole('searchbox', { name: /of an order/ }).fill('000094');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
});

test('the search for stock sees all items', async () => {
  const { page, read } = await visit('/_backlot/#/data/stock');
  const { total, rows } = await read('tables/stock_items?sort=-id&limit=1');
  expect(total).toBeGreaterThan(200);
  const { sku } = await read(`tables/variants/${rows[0].variant_id}`);
  await page.getByRole('searchbox', { name: 'Search stock' }).fill(sku);
  await expect
    .poll(() => page.locator('.stock > li').first().innerText(), { timeout: 10_000 })
    .toContain(sku);
});
