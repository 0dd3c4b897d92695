/** @module-tag chromium */
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openStudio } from '../support/studio.ts';

useBrowser();

test('a row says its number, what was done, how long it took and when, and reads that follow one another are one row', async () => {
  const { page, shows, click, call, declineOrder } = await openStudio();
  await declineOrder();
  for (let id = 1; id <= 5; id++) await call(`GET /api/orders/${id}`);
  await call('PUT /_backlot/clock', { advance: 'P1D' });
  const list = page.locator('.windowed');
  await shows(
    /#4\s+200\s+node placed order 119, 54\.40 EUR\s+PUT \/api\/checkouts\/119[^]*\sms\s+[\d:]{8}/,
    list,
  );
  await shows(/#11\s+●\s+Moved the clock \+1 day: \d+ carts abandoned\s+[\d:]{8}/, list);
  await shows(/5 × GET \/api\/orders\/:id/, list);
  expect(await page.locator('[data-entry]').count()).toBe(6);
  await click(/5 × GET/, list);
  await expect.poll(() => page.locator('[data-entry]').count()).toBe(11);
});

test('a row tells in one sentence what was done or rejected, and an entry has all of it', async () => {
  const { page, shows, click, call, declineOrder } = await openStudio();
  await declineOrder();
  await call('PUT /api/checkouts/119', { cardholderName: 'Ada', nickname: 'home' });
  await call('PUT /api/checkouts/119', { type: 'visa' });
  await call('GET /api/order/119');
  const told = (id: number) => page.locator(`.windowed [data-entry="${id}"] .what`);
  await shows(/placed order 119, 54\.40 EUR$/, told(4));
  await shows(/could not pay order 119: card declined$/, told(5));
  await shows(/could not pay order 119: extra fields/, told(6));
  await shows(/could not pay order 119: cardholderName, number/, told(7));
  await shows(/could not read \/api\/order\/119: no endpoint$/, told(8));
  await click(/404/, page.locator('.windowed'));
  await shows(/Endpoint GET \/api\/order\/119 not found\. Did you mean/, page.locator('.detail'));
});

test('the kinds of entries have counts, and one click shows those of one', async () => {
  const { page, shows, click, call, declineOrder } = await openStudio();
  await call('POST /_backlot/faults', { delay: 600, match: { path: '/api/channels/' } });
  await declineOrder();
  await call('GET /api/channels/');
  await call('GET /api/nothing');
  const kinds = page.getByRole('group', { name: 'Kinds of entries' });
  await shows(/All\s+Writes 6\s+Errors 2\s+Slow 1/, kinds);
  await click(/^Slow/, kinds);
  await shows(/\+600 ms by fault 1/, page.locator('.windowed'));
  expect(await page.locator('[data-entry]').count()).toBe(1);
  await click(/^All/, kinds);
  await expect.poll(() => page.locator('[data-entry]').count()).toBe(8);
});

test('from 1100 px on an entry opens beside the list, and below within it', async () => {
  const { page, click, call, shows } = await openStudio();
  await call('GET /api/nothing');
  await click(/^#\d+ 404/);
  await page.locator('.pane .detail').waitFor();
  await page.setViewportSize({ width: 900, height: 700 });
  await page.locator('.windowed .detail').waitFor();
  await shows(/Did you mean|not found/, page.locator('.windowed .because'));
});

test('a refused request is sent again with values that are accepted', async () => {
  const { page, click, call, read } = await openStudio();
  await call('POST /api/users/', { email: 'x', firstName: 'Ada', lastName: 'Novak' });
  await click(/^#\d+ 400/);
  await click(/^Fix and send/);
  await page.locator('.composer').waitFor();
  await click(/^Send POST/);
  await expect.poll(() => read('tables/users/61')).toMatchObject({ first_name: 'Ada' });
});

test('the tape has a tick for each change in the colour of its outcome, with its name', async () => {
  const { page, call, declineOrder, shows } = await openStudio();
  await declineOrder();
  await call('PUT /_backlot/clock', { advance: 'P1D' });
  await shows(/After #6 · 6 changes/);
  const ticks = page.locator('.slots i');
  const classes = () => ticks.evaluateAll((all) => all.map((one) => one.classList[0]));
  expect(await classes()).toEqual(['ok', 'ok', 'ok', 'ok', 'warn', 'info']);
  expect(await page.locator('.slots').innerText()).toMatch(/^1\s+2\s+3\s+4\s+5\s+6$/);
  const name = page.locator('.timeline .name');
  await shows(/^#6 Moved the clock \+1 day: \d+ carts abandoned$/, name);
  const slider = page.locator('#timeline');
  const { x, y, width, height } = (await slider.boundingBox())!;
  await page.mouse.move(x + 6 + ((width - 12) * 3.5) / 6, y + height / 2);
  await shows(/^#4 (node p|P)laced order 119, 54\.40 EUR$/, name);
  await slider.press('ArrowLeft');
  await shows(/After #5 · 6 changes, 1 undone/);
  expect(await page.locator('.slots .dim').getAttribute('class')).toMatch(/^info /);
});

test('the tape shows below its line what changed nothing, in the place that it has between the changes', async () => {
  const { page, call, shows } = await openStudio();
  await call('PATCH /_backlot/tables/users/1', { first_name: 'Grace' });
  await call('GET /api/nothing');
  await call('GET /api/users/1');
  await call('PATCH /_backlot/tables/users/1', { first_name: 'Ada' });
  await call('GET /api/users/1');
  await shows(/After #4 · 2 changes/);
  const slots = page.locator('.slots i');
  await expect.poll(() => slots.count()).toBe(3);
  const heights = await slots.evaluateAll((all) =>
    all.map((one) => [
      one.getAttribute('class'),
      Number.parseFloat(getComputedStyle(one, '::after').height) > 0,
    ]),
  );
  expect(heights).toEqual([
    ['info others-plain', false],
    ['info others-bad', true],
    [' others-plain', true],
  ]);
  const name = page.locator('.timeline .name');
  await shows(/^#4 Changed user 1: first_name Grace → Ada$/, name);
});

test('the journey of an order has a lane for each record over its requests, which opens the chart', async () => {
  const { page, click, declineOrder, shows } = await openStudio({
    path: '/_backlot/#/orders/119',
  });
  await declineOrder();
  await shows(/payment \d+ failed/);
  const lane = (name: RegExp) => page.getByRole('button', { name });
  await lane(/^Chart of order 119: cart ?pending$/).waitFor();
  await lane(/^Chart of payment \d+: new ?failed$/).waitFor();
  await shows(/#1\s+addressing\s+#2\s+shipping\s+#3\s+payment\s+#4\s+confirm\s+#5\s+purchase/);
  await click(/^Chart of order 119/);
  await page.locator('.present rect').waitFor();
});
