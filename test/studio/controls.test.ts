/** @module-tag chromium */
import { expect, test } from 'vitest';
import { showsText, useBrowser } from '../support/browser.ts';
import { submitStep } from '../support/checkout-steps.ts';
import { openStudio, startServer, testPage, testServer, visit } from '../support/studio.ts';

useBrowser();

const cart = { channel: 1, user: 1, currency: 'EUR' };

test('a request names the fault and the rule of the script that it met, and a read that met one is no change', async () => {
  const { click, shows, call, page, read } = await openStudio();
  await call('POST /_backlot/reset', { scenario: 'awaiting-purchase' });
  await call('POST /_backlot/script', { on: 'purchase', outcome: 'declined' });
  await submitStep(call, 1, 'purchase');
  await call('POST /_backlot/faults', { status: 503, match: { method: 'DELETE' } });
  await call('DELETE /api/orders/1');
  await shows(/503\s+.*could not remove order 1: fault 1/);
  await shows(/could not pay order 1: declined by script 1/);
  await click(/could not remove order 1/, page.locator('.windowed'));
  await shows(/fault 1/, page.locator('.detail'));
  await call('POST /_backlot/faults', { delay: 1, match: { method: 'GET' } });
  const { of } = await read('timeline');
  await call('GET /api/orders/1');
  await click(/Show 2 new entries/);
  await shows(/read order 1, \+1 ms by fault 2/);
  expect((await read('timeline')).of).toBe(of);
});

test('a click on a removed rule does not affect the rule that replaced it', async () => {
  const { page, shows, call, read } = await openStudio({ path: '/_backlot/#/rules' });
  await call('POST /_backlot/faults', { status: 503 });
  await call('POST /_backlot/faults', { status: 500 });
  await page.getByRole('button', { name: 'Delete fault 1' }).hover();
  await page.mouse.down();
  await call('DELETE /_backlot/faults/1');
  await page.getByRole('button', { name: 'Delete fault 1' }).waitFor({ state: 'detached' });
  await page.mouse.up();
  await call('GET /api/channels/1');
  await shows(/2 \S+[^]*met 1 ×/);
  expect(await read('faults')).toHaveLength(1);
});

test('a button keeps its place while its section updates', async () => {
  const { page, shows, call, read } = await openStudio({ path: '/_backlot/#/rules' });
  await call('POST /_backlot/faults', { status: 503 });
  const button = page.getByRole('button', { name: 'Delete fault 1' });
  await button.hover();
  await expect.poll(() => button.evaluate((one) => one.matches(':hover'))).toBe(true);
  await page.mouse.down();
  await call('GET /api/channels/1');
  await shows(/met 1 ×/);
  await page.mouse.up();
  await expect.poll(() => read('faults')).toEqual([]);
});

test('an invalid duration is reported, and a negative one turns the clock back', async () => {
  const { page, shows, read } = await openStudio({ path: '/_backlot/#/time' });
  const field = page.getByLabel('Advance by');
  await field.fill('tomorrow');
  await page.keyboard.press('Enter');
  await shows(/“tomorrow” is no duration/, page.getByRole('status'));
  expect(await field.inputValue()).toBe('tomorrow');
  expect(await read('clock')).toMatchObject({ now: '2026-03-02T09:00:00+0000' });
  await field.fill('-P1D');
  await page.keyboard.press('Enter');
  await expect.poll(() => read('clock')).toMatchObject({ now: '2026-03-01T09:00:00+0000' });
  await expect.poll(() => page.getByRole('status').innerText()).not.toMatch(/no duration/);
});

test('a reset returns to the present scenario, which a text describes', async () => {
  const { page, shows, click, call, read } = await openStudio({ path: '/_backlot/#/time' });
  await call('POST /api/orders/', cart);
  await shows(/A shop for coffee and outdoor equipment/);
  await click('Reset to default');
  await expect.poll(async () => (await call('GET /_backlot/tables/orders/121')).status).toBe(404);
  await page.getByRole('combobox', { name: 'Scenario', exact: true }).selectOption('filled-cart');
  await shows(/A cart, order 1, with three items/);
  await click('Reset to filled-cart');
  await expect.poll(() => read('health')).toMatchObject({ scenario: 'filled-cart' });
  await click('Orders');
  await shows(/Changed\s+1\s/);
});

// A reload ends the back office of a page.
testServer('the history says which entries are no longer kept', async () => {
  const { page, shows, click, call } = await openStudio({ settings: { journalSize: 2 } });
  for (const id of [1, 2, 1, 2, 1]) await call(`GET /api/channels/${id}`);
  await page.reload();
  await shows(/Before #4, only changes are kept\./);
  expect(await page.locator('.windowed').getByRole('listitem').count()).toBe(2);
  // The clock of the shop is frozen in another year.
  const title = await page.locator('.windowed .when').first().getAttribute('title');
  expect(Date.now() - Date.parse(title!)).toBeLessThan(600_000);
  await page.locator('.windowed .line').first().click();
  await shows(` · ${title!.slice(11)} · `, page.locator('.detail'));
  await shows(/ ms\s+GET \S+\s+node\s+2026-03-02 09:00:00 by the clock/, page.locator('.detail'));
  await click('Time');
  await click('Delete the history …');
  await click('Delete for ever');
  await shows(/Deleted the history/);
  await click('Activity');
  await shows(/No requests yet/);
  await shows(/Entries before #6 are not kept\./);
});

test('a payment and a shipment of an order have the transitions that are possible', async () => {
  const { click, shows, read } = await openStudio({ path: '/_backlot/#/orders/105' });
  await click('ship shipment 106');
  await shows(/way taken: ready → shipped/);
  await click('return shipment 106');
  await shows(/shipment 106 returned/);
  expect(await read('tables/shipments/106')).toMatchObject({ state: 'returned' });
  await click('refund payment 96');
  await shows(/payment 96 refunded[^]*present state: refunded\s+possible next: none/);
});

testPage(
  'a page of a session controls that session only, which the shared page resets',
  async () => {
    const { page, shows, click, call, read } = await openStudio({ path: '/_backlot/#/time' });
    await page.getByLabel('Open a session').getByLabel('Name').fill('ada');
    await page.keyboard.press('Enter');
    await shows(/ada default, \d+ requests?, idle \d+ s/);
    await page.getByRole('link', { name: 'ada', exact: true }).click();
    await shows(/session ada/);
    expect(new URL(page.url()).pathname).toBe('/s/ada/_backlot/');
    await click('Time');
    await click('+1 h of the clock');
    await shows(/10:00 /);
    expect((await call('GET /s/ada/_backlot/clock')).body.now).toBe('2026-03-02T10:00:00+0000');
    expect(await read('clock')).toMatchObject({ now: '2026-03-02T09:00:00+0000' });
    await page.goBack();
    await page.goBack();
    await click('Reset session ada');
    await expect
      .poll(async () => (await call('GET /s/ada/_backlot/clock')).body.now)
      .toBe('2026-03-02T09:00:00+0000');
  },
);

testServer('the page says why a session was removed', async () => {
  let now = 0;
  const { shows, call } = await openStudio({
    path: '/_backlot/#/time',
    sessionIdle: 'PT1M',
    milliseconds: () => now,
  });
  await call('POST /_backlot/sessions', { name: 'eve' });
  // A list that was loaded before the session is loaded again after a request.
  await call('GET /api/users/1');
  await shows(/eve default, \d+ requests?, idle 0 s/);
  now = 61_000;
  await call('GET /s/ada/api/users/1');
  await call('GET /api/users/1');
  await shows(/eve was deleted: it was idle for PT1M/);
});

testPage(
  'a visitor who may not list sessions sees the own one, and no request is refused',
  async () => {
    const { url } = await startServer({ sessions: 'own', newName: () => 'ada-1' });
    const page = await visit(`${url}/_backlot/`);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    for (const section of ['Activity', 'Orders', 'Data', 'Faults', 'Docs', 'Time']) {
      await page.getByRole('navigation').getByRole('link', { name: section, exact: true }).click();
      await page.locator('#main .card').first().waitFor();
    }
    await page.getByRole('heading', { name: 'Snapshots' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Sessions' }).count()).toBe(0);
    await page.getByRole('button', { name: '+1 h of the clock' }).click();
    await showsText(page.locator('.clock'), /10:00 UTC/);
    await page.getByRole('button', { name: /your shop/ }).waitFor();
    expect(refused).toEqual([]);
  },
);
