/** @module-tag chromium */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { traceIn } from '../../src/engine/lib/trace-file.ts';
import { useBrowser } from '../support/browser.ts';
import { submitStep } from '../support/checkout-steps.ts';
import { openStudio, testPage, visit } from '../support/studio.ts';

useBrowser();

// What happened last is in home.test.ts, and what the app never called in docs.test.ts, both with their clicks.
// Why the total is what it is, the comparison of two orders and the promotions are in why.test.ts; 100,000 orders in
// large.test.ts; a state by link in others.test.ts; a file that opens elsewhere and the trace of a test in
// test/dashboard/trace-page.test.ts.

testPage('checkout fails for one user by two clicks, and for no other', async () => {
  const { page, call, click, clicks, shows } = await openStudio({
    path: '/s/ada/_backlot/#/rules?effect=status',
  });
  await click('Begin it');
  await shows(/Add a fault/);
  await call('PUT /s/ada/api/checkouts/111', {});
  await page.getByLabel('Endpoint').fill('PUT /api/checkouts/:order_id');
  await shows(/Would have met 1 of the last 1/);
  await click(/^Add (fault|script)$/);
  await shows(/You added fault 1/, page.getByRole('status').last());
  expect(clicks()).toBe(2);
  expect((await call('PUT /s/ada/api/checkouts/111', {})).status).toBe(503);
  expect((await call('PUT /s/eve/api/checkouts/111', {})).status).not.toBe(503);
  expect((await call('PUT /api/checkouts/111', {})).status).not.toBe(503);
});

test('every request is slowed down by three clicks, and is seen to be slow', async () => {
  const { page, call, click, clicks, shows } = await openStudio({ path: '/_backlot/#/activity' });
  await click('Faults');
  await click('Slow down every request by 2 s');
  await page.getByRole('textbox', { name: 'Milliseconds' }).fill('1100');
  await click(/^Add (fault|script)$/);
  await shows(/every request\s+→\s+[^]*1100/);
  await call('GET /api/channels/1');
  expect(clicks()).toBe(3);
  await click('Activity');
  await shows(/Slow\s*1/);
});

test('the next payment of one user is declined by three clicks', async () => {
  const { page, click, clicks, read, shows } = await openStudio({ path: '/_backlot/#/activity' });
  await click('Faults');
  await click('Decline the next payment');
  await page.getByRole('textbox', { name: 'Conditions', exact: true }).fill('user=35');
  await click(/^Add (fault|script)$/);
  await shows(/purchase · user 35\s+→\s+declined/);
  expect(clicks()).toBe(3);
  expect(await read('script')).toMatchObject([
    { on: 'purchase', match: { user: 35 }, first: 1, outcome: 'declined' },
  ]);
});

test('the record of a user says which request set a field, which opens by one click', async () => {
  const { page, call, click, clicks, shows } = await openStudio({
    path: '/_backlot/#/data/users/1',
  });
  await call('PATCH /api/users/1', { firstName: 'Grace' });
  await call('PATCH /api/users/1', { lastName: 'Hopper' });
  const field = page.locator('.record > div', { hasText: /^first_name/ });
  await shows(/Grace\s+set by #1 .*changed user 1: first_name/, field);
  await click(/^#1 /, field);
  await shows(/± user 1\s+changed\s+first_name Aoife →/);
  expect(clicks()).toBe(1);
});

test('the last step is taken back by one click, and taken again by another', async () => {
  const { call, click, clicks, read } = await openStudio({ path: '/_backlot/#/orders/119' });
  await submitStep(call, 119, 'addressing');
  const order = () => read('tables/orders/119');
  await click(/^Undo /);
  await expect.poll(order).toMatchObject({ checkout_state: 'cart' });
  await click(/^Redo/);
  await expect.poll(order).toMatchObject({ checkout_state: 'addressing' });
  expect(clicks()).toBe(2);
});

test('two clicks go to a day later and tell what happened, and why', async () => {
  const { page, click, clicks, shows } = await openStudio({ path: '/_backlot/#/orders/119' });
  await click('Time');
  await click(/^\+1 day/);
  await shows(/You moved the clock \+1 day: \d+ carts abandoned/, page.getByRole('status').last());
  expect(clicks()).toBe(2);
});

testPage('one visitor of a demo is watched by three clicks', async () => {
  const { page, call, click, clicks, shows } = await openStudio({ path: '/_backlot/#/home' });
  await call('GET /s/ada/api/orders/105');
  await call('GET /s/ada/api/orders/106');
  await page.reload();
  await shows(/ada\s+default, 2 requests, idle \d+ s/);
  await click('ada');
  await shows(/session ada/);
  await shows(/read order 106/);
  await call('PUT /s/ada/api/orders/105', {});
  await shows(/could not change \/api\/orders\/105/);
  expect(clicks()).toBeLessThanOrEqual(3);
});

test('what a session did is sent again to a reset shop from Time, which tells what came out differently', async () => {
  const { click, clicks, shows, page, call, read } = await openStudio();
  await call('PATCH /_backlot/tables/users/1', { first_name: 'Grace' });
  await call('GET /api/users/1');
  for (const step of ['addressing', 'shipping', 'payment'] as const)
    await submitStep(call, 119, step);
  await call('PUT /_backlot/clock', { advance: 'PT10M' });
  await submitStep(call, 119, 'shipping', { shipments: { 0: { method: 99 } } });
  await shows(/could not choose shipping/, page.locator('.windowed'));
  await click('Time');
  await click('Send all again to a reset shop');
  const notice = page.getByRole('status').last();
  await shows(/Sent 5 requests again to a reset shop: all came out as before\./, notice);
  expect(await read('tables/orders/119')).toMatchObject({ checkout_state: 'payment' });
  expect(await read('tables/users/1')).not.toMatchObject({ first_name: 'Grace' });
  expect((await read('clock')).now).toBe('2026-03-02T09:10:00+0000');
  await call('POST /_backlot/faults', { status: 503, match: { path: '/api/users/:user_id' } });
  await call('GET /api/users/1');
  await click('Send all again to a reset shop');
  await shows(
    /Sent 6 requests again[^]*1 came out differently\. #\d+ GET \/api\/users\/1: 503 .* → 200/,
    notice,
  );
  expect(clicks()).toBe(3);
});

testPage('an undo tells another page, which takes it back by one click', async () => {
  const { page, url, call, click, clicks, shows, office } = await openStudio({
    path: '/_backlot/#/orders/105',
  });
  const other = await visit(`${url}/_backlot/#/orders/105`);
  await other.getByRole('button', { name: 'cancel order 105' }).waitFor();
  await click(/^ship order 105/);
  await shows(/order 105 shipped/);
  await other.getByRole('button', { name: /^Undo/ }).first().click();
  await expect.poll(() => office.db.orders.get(105)?.state).toBe('confirmed');
  const line = page.getByRole('region', { name: 'Time line' });
  await shows(/#2 Another page took back: shipped order 105/, line);
  await click(/^Redo You shipped/, line);
  await expect.poll(() => office.db.orders.get(105)?.state).toBe('shipped');
  expect(clicks()).toBeLessThanOrEqual(3);
  expect((await call('GET /api/orders/105')).status).toBe(200);
});

test('the last order of Freja is found by two clicks from any page', async () => {
  const { page, click, clicks, shows, showsRoute } = await openStudio({ path: '/_backlot/#/time' });
  await click(/^Find/);
  await page.keyboard.type('freja');
  const choice = page.getByRole('option', { name: /^Order 119 email lindholm\.freja/ });
  // Choices come while one types, and are no buttons.
  await choice.click();
  await showsRoute('#/orders/119');
  await shows(/Freja Lindholm lindholm\.freja@example\.org/);
  expect(clicks() + 1).toBe(2);
});

test('one drag shows an order before a request, and when it expired then, and Escape takes it back', async () => {
  const { page, click, clicks, call, read, shows } = await openStudio({
    path: '/_backlot/#/orders',
  });
  for (const step of ['addressing', 'shipping', 'payment'] as const)
    await submitStep(call, 119, step);
  await call('PUT /_backlot/clock', { advance: 'P1D' });
  await shows(/Moved the clock \+1 day/, page.getByRole('region', { name: 'Time line' }));
  await click(/^119$/);
  await shows(/order 119 abandoned/);
  const { x, y, width, height } = (await page.locator('#timeline').boundingBox())!;
  await page.mouse.move(x + width - 8, y + height / 2);
  await page.mouse.down();
  // Four changes: the last stop but one is before the clock moved.
  await page.mouse.move(x + 6 + (width - 12) * 0.75, y + height / 2, { steps: 4 });
  await shows(/order 119 cart[^]*payment 100 new/);
  await shows(/Expires\s+in 2 h 48 min/, page.locator('.about-order'));
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await shows(/order 119 abandoned/);
  expect(await read('tables/orders/119')).toMatchObject({ state: 'abandoned' });
  expect(clicks() + 1).toBe(2);
});

testPage('an order is sent to a colleague as a file by three clicks from its page', async () => {
  const { page, click, clicks, call, shows } = await openStudio({
    path: '/_backlot/#/orders/119',
  });
  await call('PATCH /_backlot/tables/orders/119', { email: 'grace@example.com' });
  await shows(/grace@example\.com/);
  await click('Activity');
  await click(/^Share/);
  await shows(/The shop and its 1 entry\. Any browser opens it, without Backlot\./);
  const saved = page.waitForEvent('download');
  await click(/^File/);
  const trace = await traceIn(new Blob([await readFile(await (await saved).path())]));
  expect(JSON.stringify(trace)).toContain('grace@example.com');
  expect(clicks()).toBe(3);
});
