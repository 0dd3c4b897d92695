/** @module-tag chromium */
import { expect, test } from 'vitest';
import { isFocused, scrolled, testPage } from '../support/studio.ts';
import { startSections } from './section.ts';

const visit = startSections();

const targets = [
  ['order 105', '#/orders/105'],
  ['stock 7', '#/data/variants/7'],
  ['shipment 12', '#/data/shipments/12'],
  ['#3', '#/activity?open=3'],
  ['addOrderItem', '#/docs/addOrderItem'],
  ['rules', '#/rules'],
  ['stock items', '#/data/stock_items'],
  ['000000094', '#/orders/105'],
  ['ck-mug', '#/data/variants/1'],
  ['slow', '#/rules'],
  ['unused', '#/docs'],
  ['why', '#/orders'],
  ['compare', '#/orders'],
] as const;

testPage('the palette leads from a word to what it means by keyboard', async () => {
  const { page, clicks, showsRoute } = await visit('/_backlot/#/time');
  await page.getByRole('link', { name: 'Time', exact: true }).waitFor();
  for (const [text, hash] of targets) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Find/ }).fill(text);
    await page.keyboard.press('Enter');
    await showsRoute(hash);
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
  expect(await clicks()).toBe(0);
});

test('the palette finds people, money and states, and shows resets and control operations only if they are asked for', async () => {
  const { page, declineOrder } = await visit('/_backlot/#/activity');
  await declineOrder();
  await page.getByRole('link', { name: 'Time', exact: true }).focus();
  await page.keyboard.press('Control+k');
  const found = (name: RegExp) => page.getByRole('option', { name }).first().waitFor();
  const find = (text: string) => page.getByRole('combobox', { name: /^Find/ }).fill(text);
  await find('freja');
  await found(/^Order 119 email lindholm\.freja/);
  await found(/^User \d+ first_name Freja/);
  await find('54.40');
  await found(/^Order 119 total 54\.40/);
  await find('declined');
  await found(/^Declined: 1 requests/);
  await find('confirmed');
  await found(/^Order \d+ state confirmed/);
  await find('snapshot');
  await found(/^Requests that contain/);
  expect(await page.getByRole('option', { name: '/_backlot/' }).count()).toBe(0);
  await find('control snapshot');
  await found(/\/_backlot\/snapshot/);
  await find('sale');
  await found(/^Requests that contain/);
  expect(await page.getByRole('option', { name: /^Reset/ }).count()).toBe(0);
});

testPage('Enter waits for what the server knows, unless the palette is closed', async () => {
  const { page, showsRoute } = await visit('/_backlot/#/time');
  await page.getByRole('link', { name: 'Time', exact: true }).waitFor();
  const answered = Promise.withResolvers<unknown>();
  await page.route('**/_backlot/tables', async (route) => {
    await answered.promise;
    await route.continue();
  });
  const enter = async (text: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Find/ }).fill(text);
    await page.keyboard.press('Enter');
  };
  await enter('stock locations');
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await enter('stock items');
  await page.getByRole('option', { name: /^Requests that contain/ }).waitFor();
  await showsRoute('#/time');
  answered.resolve(undefined);
  await showsRoute('#/data/stock_items');
});

test('the palette moves the clock and resets to a scenario', async () => {
  const { page, read } = await visit('/_backlot/');
  const link = page.getByRole('link', { name: 'Time', exact: true });
  await link.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('+1 day');
  await page.keyboard.press('Enter');
  await expect.poll(() => read('clock')).toMatchObject({ now: '2026-03-03T09:00:00+0000' });
  // A panel receives keys only while it has the focus.
  await expect.poll(() => isFocused(link)).toBe(true);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('reset sale');
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: /^Keep the shop/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => read('health')).toMatchObject({ scenario: 'sale' });
});

test('Enter alone resets nothing, and a reset is undone by its notice', async () => {
  const { page, read, call } = await visit('/_backlot/');
  await call('PATCH /api/users/1', { firstName: 'Grace' });
  const link = page.getByRole('link', { name: 'Time', exact: true });
  await link.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('reset slow');
  await page.keyboard.press('Enter');
  const keep = page.getByRole('option', { name: 'Keep the shop as it is Reset the shop to' });
  expect(await keep.getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('Enter');
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await read('health')).toMatchObject({ scenario: 'default' });
  await link.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('reset slow');
  await page.getByRole('option', { name: /^Reset to the scenario slow/ }).click();
  await page.getByRole('option', { name: /^Reset to the scenario slow/ }).click();
  await expect.poll(() => read('health')).toMatchObject({ scenario: 'slow-payments' });
  await page
    .getByRole('button', { name: /^Undo You reset the shop to/ })
    .last()
    .click();
  await expect.poll(() => read('health')).toMatchObject({ scenario: 'default' });
  expect(await read('tables/users/1')).toMatchObject({ first_name: 'Grace' });
});

test('the palette undoes the last change, changes the theme and leads to what shares the shop', async () => {
  const { page, read, call, shows } = await visit('/_backlot/#/activity');
  await call('PATCH /api/users/1', { firstName: 'Grace' });
  await shows(/1 change/);
  const link = page.getByRole('link', { name: 'Time', exact: true });
  const enter = async (text: string): Promise<void> => {
    await link.focus();
    await page.keyboard.press('Control+k');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor({ state: 'detached' });
  };
  await enter('undo');
  await expect.poll(() => read('tables/users/1')).not.toMatchObject({ first_name: 'Grace' });
  await enter('redo');
  await expect.poll(() => read('tables/users/1')).toMatchObject({ first_name: 'Grace' });
  await enter('theme dark');
  const scheme = () => scrolled(page).evaluate((element) => getComputedStyle(element).colorScheme);
  await expect.poll(scheme).toBe('dark');
  await enter('share');
  await page.getByRole('button', { name: /^File/ }).waitFor();
});

test('the palette closes with Escape and gives the focus back', async () => {
  const { page } = await visit('/_backlot/#/time');
  await page.getByLabel('Advance by').focus();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Find/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: /^Find/ }).waitFor({ state: 'detached' });
  expect(await isFocused(page.getByLabel('Advance by'))).toBe(true);
});
