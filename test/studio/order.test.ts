import { expect, test } from 'vitest';
import { isFocused, openStudio, useBrowser } from '../support/studio.ts';

useBrowser();

test('the page of an order loads it by one request, and its lines of money add up to its total', async () => {
  const { page, shows, visitRoute } = await openStudio({ path: '/_backlot/#/time' });
  await shows(/What comes next/);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  await visitRoute('#/orders/1');
  await shows(/includes tax VAT/);
  // A back office in the page answers without a request.
  const loads = sent.filter((path) => /orders|tables|transitions/.test(path));
  expect(loads.filter((path) => path !== '/_backlot/orders/1/view')).toEqual([]);
  const amounts = await page.locator('[aria-label=Sum] dd').allInnerTexts();
  const [total, ...parts] = amounts.map((text) => Math.round(parseFloat(text) * 100)).toReversed();
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.reduce((one, other) => one + other)).toBe(total);
});

test('the focus stays near a button that its action removes', async () => {
  const { page, shows, call, click } = await openStudio({ path: '/_backlot/#/orders/119' });
  await shows(/Do addressing/);
  const press = async (name: string): Promise<void> => {
    await page.getByRole('button', { name }).focus();
    await page.keyboard.press('Enter');
  };
  await press('Do addressing');
  await shows(/Do shipping/);
  await expect.poll(() => isInRoom(page)).toBe(true);
  await press('Do all that are left');
  await shows(/order 119 confirmed/);
  await expect.poll(() => isInRoom(page)).toBe(true);
  await press('cancel order 119');
  await shows(/order 119 cancelled/);
  await expect.poll(() => isInRoom(page)).toBe(true);
  for (const status of [503, 500, 502]) await call('POST /_backlot/faults', { status });
  await click('Rules');
  await press('Delete fault 2');
  await page.getByRole('button', { name: 'Delete fault 2' }).waitFor({ state: 'detached' });
  const next = page.getByRole('button', { name: /^\S+ fault 3/ }).first();
  await expect.poll(() => isFocused(next)).toBe(true);
  await press('Delete fault 3');
  await press('Delete fault 1');
  await shows(/No rules/);
  await expect.poll(() => isInRoom(page)).toBe(true);
});

/** Whether the focus is in the room, and not lost to the body of the page. */
function isInRoom(page: Awaited<ReturnType<typeof openStudio>>['page']): Promise<boolean> {
  return page.locator('main').evaluate((main) => {
    const root = main.getRootNode() as Document | ShadowRoot;
    return main.contains(root.activeElement);
  });
}
