/** @module-tag chromium */
import { expect, test } from 'vitest';
import { showsText, useBrowser } from '../support/browser.ts';
import { openStudio, testPage, testServer } from '../support/studio.ts';

useBrowser();

const cart = { channel: 1, user: 1, currency: 'EUR' };

test('the time line says who made the last change, and how many of those that it takes back are yours', async () => {
  const { page, click, shows, call } = await openStudio({ path: '/_backlot/#/orders/105' });
  const line = page.getByRole('region', { name: 'Time line' });
  await click(/^cancel order 105/);
  await shows(/#1 You cancelled order 105/, line);
  await call('POST /api/orders/', cart);
  await shows(/#2 (node a|A)dded order 121$/m, line);
  await page.locator('#timeline').evaluate((input: HTMLInputElement) => {
    input.value = '0';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await shows(/Let go to take back 2 changes, 1 by you/, line);
});

test('undo and redo name what they take back and bring back, and changes of others stay', async () => {
  const { page, click, shows, call, read } = await openStudio({ path: '/_backlot/#/orders/105' });
  const notice = page.getByRole('status').last();
  const line = page.getByRole('region', { name: 'Time line' });
  await call('POST /api/orders/', cart);
  await click(/^ship order 105/);
  await click(/^Undo You shipped order 105/);
  await shows(/^You took back: shipped order 105$/, notice);
  await shows(/#3 You took back: shipped order 105/, line);
  await click(/^Redo You shipped order 105/, line);
  await shows(/^You brought back: shipped order 105$/, notice);
  expect(await read('tables/orders/105')).toMatchObject({ state: 'shipped' });
  expect(await read('tables/orders/121')).toMatchObject({ state: 'cart' });
});

test('what a page did is its own after it is loaded again, too', async () => {
  const { page, click, shows, reopen, visitRoute } = await openStudio({
    path: '/_backlot/#/orders/105',
  });
  const line = page.getByRole('region', { name: 'Time line' });
  await click(/^cancel order 105/);
  await shows(/#1 You cancelled order 105/, line);
  await reopen();
  await visitRoute('#/orders/105');
  await shows(/#1 You cancelled order 105/, line);
});

test('an entry says how much going back to before it takes back', async () => {
  const { page, click, shows, declineOrder } = await openStudio();
  await declineOrder();
  await click(/placed order 119/, page.locator('.windowed'));
  await shows(/Going back also takes back 1 change, none by you/);
  await click(/Back to before/);
  await shows(/You took back 2 changes/);
  await shows(/After #3 · 5 changes, 2 undone/);
  await shows(/not in effect/);
});

testPage(
  'a visitor without the token of the control API reads the docs and calls the store API',
  async () => {
    const { page, click, shows, url, office } = await openStudio({ controlToken: 'sesame' });
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    await page.reload();
    await shows(/The control API of this server requires a token/);
    for (const section of ['Activity', 'Orders', 'Data', 'Faults', 'Time']) {
      await click(section);
      await expect.poll(() => page.title()).toContain(section);
      expect(await page.locator('#main .card').count()).toBe(1);
    }
    await click(/store API$/);
    await shows(/You may call the store API, but not the control API/);
    await shows(`${url}/api`, page.getByRole('group', { name: 'Session' }));
    await page.keyboard.press('Escape');
    await page.goto(`${url}/_backlot/#/docs/getOrder`);
    await click(/^Send GET \/api\/orders/);
    await page.locator('.response > p b', { hasText: '200' }).waitFor();
    expect(refused).toEqual([]);
    await page.goto(`${url}/_backlot/#/orders`);
    await page.getByLabel('Token of the control API').fill('sesame');
    await click('Use token');
    await click(/^105$/);
    await click(/^ship order 105/);
    await expect.poll(() => office.db.orders.get(105)?.state).toBe('shipped');
  },
);

test('each unit of an order has the transitions that are possible', async () => {
  const { page, click, shows, read } = await openStudio({ path: '/_backlot/#/orders/105' });
  const parcels = page.getByRole('region', { name: 'Parcels' });
  // Each state is a button that says why.
  await shows(
    /Shipment 106 ready\s.*why\?\s+from Galway warehouse by International Tracked/,
    parcels,
  );
  await shows(/Unit 249 sold\s.*why\?\s+of LT-HDL/, parcels);
  await click('return inventory unit 249');
  await shows(/Unit 249 returned\s.*why\?\s+of LT-HDL/, parcels);
  expect(await read('tables/inventory_units/250')).toMatchObject({ inventory_state: 'sold' });
  expect(await parcels.getByRole('button', { name: /^return inventory/ }).count()).toBe(1);
});

test('an order that is over says that no step is left', async () => {
  const { page, shows, call } = await openStudio({ path: '/_backlot/#/orders/118' });
  await page.getByRole('button', { name: /^Choose .+ of order 118/ }).waitFor();
  await call('PUT /_backlot/clock', { advance: 'P1D' });
  await shows(/No step is left: the order is abandoned/);
});

testPage('a link to a snapshot of the shared shop begins a session with its state', async () => {
  const { page, click, shows, office } = await openStudio({
    newName: () => 'ada-1',
    path: '/_backlot/#/time',
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  office.checkout.transition('order', 105, 'ship');
  await page.getByLabel('Take a snapshot').getByLabel('Name').fill('shipped-one');
  await page.keyboard.press('Enter');
  await click('Copy link to a session from the snapshot shipped-one');
  await click('Copied');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.goto(link);
  await shows(/session ada-1/, page.locator('header'));
  await click('Orders');
  await click(/^105$/);
  await shows(/order 105 shipped/);
});

testServer(
  'the open sessions are offered to a rule, and the panel of the session leads to them',
  async () => {
    const { page, click, shows, call } = await openStudio({ path: '/_backlot/#/rules' });
    await call('POST /_backlot/sessions', { name: 'ada' });
    await click('Activity');
    await click('Faults');
    await click('Answer every request with 503');
    await page.locator('datalist#sessions option[value=ada]').waitFor({ state: 'attached' });
    expect(
      await page.getByRole('combobox', { name: 'Session', exact: true }).getAttribute('list'),
    ).toBe('sessions');
    await click(/shared shop/);
    await click('1 session on this server');
    await shows(/ada default, \d+ requests?, idle \d+ s/);
  },
);

test('a rule that a request leads to meets the requests of its step and its record only', async () => {
  const { page, click, shows, call, read } = await openStudio({ scenario: 'awaiting-confirm' });
  const [row, ...others] = (await read('tables/orders?sort=-id')).rows.filter(
    ({ state }: { state: string }) => state === 'cart',
  );
  for (const { id } of [row, ...others]) await call(`PUT /api/checkouts/${id}`, {});
  await shows(new RegExp(`PUT\\s+/api/checkouts/${row.id}`));
  await click(new RegExp(`PUT /api/checkouts/${row.id} `));
  await click(/^Break it/);
  await shows(/Would have met 1 of the last/);
  const step = page.getByRole('combobox', { name: 'Step', exact: true });
  expect(await step.inputValue()).toBe('confirm');
  expect(await page.getByLabel('Endpoint').inputValue()).toBe('PUT /api/checkouts/:order_id');
  expect(await page.getByLabel('Parameters').inputValue()).toBe(`order_id=${row.id}`);
  await page.getByLabel('Parameters').fill(`user=${row.user_id}`);
  await shows(
    /no such parameter[^]*“decide the payment” or “reject the step” has the condition user/,
  );
  await page.getByRole('combobox', { name: 'Effect', exact: true }).selectOption('reject the step');
  const order = page.getByRole('textbox', { name: 'Conditions', exact: true });
  expect(await order.inputValue()).toBe(`order=${row.id} user=${row.user_id}`);
  await shows(/Would have met 1 of the last/);
  await click(/^Add (fault|script)$/);
  await expect
    .poll(() => read('script'))
    .toMatchObject([{ on: 'confirm', match: { order: row.id, user: row.user_id } }]);
});

testPage('a demo says whose shop is shown, without its token and with it', async () => {
  const { page, click } = await openStudio({
    sessions: 'own',
    controlToken: 'sesame',
    newName: () => '0b7ff5de-4c7c-4d5c-9c8b-3f6f2b0d8f11',
  });
  const who = page.locator('.who');
  await showsText(who, /store API$/);
  await page.getByLabel('Token of the control API').fill('sesame');
  await click('Use token');
  await showsText(who, /your shop$/);
});
