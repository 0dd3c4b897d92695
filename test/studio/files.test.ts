/** @module-tag chromium */
import { expect } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { dropFile } from '../support/drop.ts';
import { openStudio, testPage } from '../support/studio.ts';

useBrowser();

testPage('a scenario that is dropped resets the shop, which can be undone', async () => {
  const { page, office, shows, click } = await openStudio({ scenario: 'filled-cart' });
  const drop = (name: string, content: unknown) => dropFile(page, name, content);
  const orders = () => office.db.orders.count();
  const before = orders();
  await drop('none.json', { name: 'none', description: 'Nothing.', extends: 'empty' });
  await shows(/You reset the shop to none/);
  expect(orders()).toBe(0);
  await click(/^Undo/);
  await expect.poll(orders).toBe(before);
  await drop('wrong.json', { name: 'wrong', description: '', extends: 'nowhere' });
  await shows(/Scenario 'nowhere' not found/);
  await drop('list.json', []);
  await shows(/must be an export of a back office/);
  expect(orders()).toBe(before);
});
