/** @module-tag chromium */
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openStudio, ownsCookies, testServer } from '../support/studio.ts';

useBrowser();

test('each step of an order has a button that says what it does, and the page shows the next one after it', async () => {
  const { click, shows, page } = await openStudio({ path: '/_backlot/#/orders/119' });
  for (const action of [
    'Ship to Cork, Ireland',
    'Choose An Post Standard',
    'Choose Credit or debit card',
    'Confirm 54.40 EUR',
    'Pay 54.40 EUR',
  ])
    await click(new RegExp(`^${action} of order 119`));
  await shows(/payment 100 completed/);
  await shows(/You paid order 119, 54\.40 EUR/, page.locator('.touched'));
});

test('an order shows which request, clock move and page changed it', async () => {
  const { click, clicks, shows, page, call } = await openStudio({ path: '/_backlot/#/orders' });
  await call('PATCH /_backlot/tables/orders/119', { email: 'grace@example.com' });
  await call('GET /api/orders/119');
  await call('PUT /_backlot/clock', { advance: 'P3D' });
  await click(/^119$/);
  const touched = page.locator('.touched');
  await shows(
    /\+3 days: 15 carts abandoned[^]*read order 119[^]*Changed order 119: email/,
    touched,
  );
  await click(/\+3 days/, touched);
  await shows(/± order 119\s+changed\s+state cart →\s+to\s+abandoned/, touched);
  expect(clicks()).toBeLessThanOrEqual(3);
});

test('the history is filtered by outcome, step, record and text', async () => {
  const { page, shows, declineOrder, call } = await openStudio();
  await declineOrder();
  await call('GET /api/orders/99999');
  const list = page.getByRole('list', { name: /History/ });
  const filter = page.getByLabel('Filter the history');
  for (const [text, count] of [
    ['is:rejected', 1],
    ['is:declined', 1],
    ['step:purchase', 1],
    ['order:119', 5],
    ['order:119 step:confirm', 1],
    ['payment:100', 2],
    ['99999', 1],
    ['status:2xx method:put', 5],
    ['nothing like this', 0],
  ] as const) {
    await filter.fill(text);
    await expect.poll(() => list.getByRole('listitem').count(), { message: text }).toBe(count);
  }
  await shows(/No entry passes the filter/);
});

test('dragging the time line back shows the order as it was, Escape takes the drag back, letting go restores it', async () => {
  const { shows, page, declineOrder, read } = await openStudio({
    path: '/_backlot/#/orders/119',
  });
  await declineOrder();
  await shows(/order 119 pending/);
  await shows(/After #5 · 5 changes/);
  const box = (await page.locator('#timeline').boundingBox())!;
  await page.mouse.move(box.x + box.width - 8, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 4 });
  await shows(/Let go to take back 2 changes, none by you/);
  await shows(/order 119 cart/);
  expect(await read('tables/orders/119')).toMatchObject({ state: 'pending' });
  const { of } = await read('timeline');
  await page.keyboard.press('Escape');
  await shows(/order 119 pending/);
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  expect(await read('timeline')).toMatchObject({ of, position: of });
  await page.mouse.move(box.x + box.width - 8, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 4 });
  await shows(/order 119 cart/);
  await page.mouse.up();
  await expect.poll(() => read('tables/orders/119')).toMatchObject({ state: 'cart' });
  await page.getByRole('button', { name: /^Redo/ }).click();
  await expect.poll(() => read('tables/orders/119')).toMatchObject({ state: 'pending' });
});

test('an order is shipped, returned and refunded on its own page', async () => {
  const { click, clicks, shows, call } = await openStudio({ path: '/_backlot/#/orders/105' });
  await click(/^ship order 105/);
  await shows(/order 105 shipped/);
  await click(/^return order 105/);
  await shows(/order 105 returned/);
  await click(/^refund payment/);
  await shows(/payment \d+ refunded/);
  expect((await call('GET /api/orders/105')).body.state).toBe('returned');
  expect(clicks()).toBeLessThanOrEqual(3);
});

testServer('a visitor of a demo sees the address of the own shop, for an app', async () => {
  const { page, url, call, click, clicks, shows } = await openStudio({
    sessions: 'own',
    newName: () => 'ada-1',
    // An app names its session by its address.
    path: `${ownsCookies ? '' : '/s/ada-1'}/_backlot/#/orders/119`,
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  // A panel shows a session that its app names, and begins none by itself.
  if (!ownsCookies) await click('Begin it');
  await click(/your shop/);
  const panel = page.getByRole('group', { name: 'Session' });
  await shows('Your shop', panel);
  await shows(`${url}/s/ada-1/api`, panel);
  await click('Copy Point an app at it');
  const lines = await page.evaluate(() => navigator.clipboard.readText());
  expect(lines).toContain(`fetch('${url}/s/ada-1/api' + path)`);
  expect(clicks()).toBeLessThanOrEqual(3);
  await page.keyboard.press('Escape');
  await click(/^Ship to Cork/);
  await expect
    .poll(async () => (await call('GET /s/ada-1/api/orders/119')).body.checkout_state)
    .toBe('addressing');
  expect((await call('GET /api/orders/119')).body.checkout_state).toBe('cart');
});

test('a request is copied as curl and as fetch', async () => {
  const { page, click, call } = await openStudio({
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  await call('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' });
  await click(/added order 121/, page.locator('.windowed'));
  await click(/^Copy as POST/);
  await click(/^Copy as curl/);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(clipboard).toMatch(/^curl .*\/api\/orders\//);
  await click(/^Copy as fetch/);
  await expect.poll(clipboard).toMatch(/fetch\(.http.*\/api\/orders\//);
});
