/** @module-tag chromium */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openStudio, ownsCookies, testPage } from '../support/studio.ts';
import { looks, openLook, openShop, routes } from './axe.ts';

useBrowser();

// A panel has the style sheet of the page: one look shows what its frame does to it.
const looksHere = ownsCookies ? looks : looks.slice(0, 1);

test('no section has an accessibility violation', async () => {
  const { checkRoute, found } = await openShop(looks[0]);
  for (const [route, loaded] of routes.filter((_, at) => at % 2 === 1))
    await checkRoute(route, loaded);
  expect(found).toEqual([]);
});

test.each(looksHere)(
  'no route has an accessibility violation: $colorScheme, $width px, forced colours $forcedColors',
  { tags: 'long' },
  async (look) => {
    const { checkRoute, found } = await openShop(look);
    for (const [route, loaded] of routes) await checkRoute(route, loaded);
    expect(found).toEqual([]);
  },
);

test.each(looksHere)(
  'nothing that opens in a section has an accessibility violation: $colorScheme, $width px, forced colours $forcedColors',
  { tags: 'long' },
  async (look) => {
    const { page, click, shows, call, check, checkRoute, found } = await openShop(look);
    const notice = page.getByRole('status').last();
    await page.locator('.find').click();
    await page.getByRole('combobox', { name: /^Find/ }).fill('reset');
    await shows(/Reset to the scenario/);
    await check('the palette');
    await page.getByRole('combobox', { name: /^Find/ }).fill('nothing like this');
    await shows(/^(?![^]*Reset to the scenario)/);
    await check('the palette without a result');
    await page.keyboard.press('Escape');
    await page.locator('.who').click();
    await check('the panel of the session');
    await page.keyboard.press('Escape');
    await checkRoute('#/time', /morning/);
    await click('Delete the history …');
    await shows(/deletes all recorded requests/);
    await check('a question');
    await click('Keep the history');
    await checkRoute('#/rules', /not met yet/);
    await click('Answer every request with 503');
    await page.getByRole('textbox', { name: 'Status', exact: true }).fill('9');
    await shows(/status: Too small/);
    await check('an invalid rule');
    await click(/^Add (fault|script)$/);
    await shows(/Added a fault:/, notice);
    await check('a notice of an error');
    await checkRoute('#/orders/105', /order 105 confirmed/);
    await click(/^cancel order 105/);
    await shows(/You cancelled order 105/, notice);
    await check('an action that can be undone');
    await call('POST /_backlot/snapshot/morning/restore');
    await checkRoute('#/chaos', /What the pages survive/);
    await click('red, drop after');
    await shows(/The page says nothing under drop after/);
    await check('a finding');
    await checkRoute('#/activity', /not in effect/);
    await click('Pause the list');
    await call('GET /api/orders/1');
    await shows(/Show 1 new entry/);
    await check('a paused list');
    await checkRoute('#/orders/9999', /There is no order 9999/);
    await checkRoute('#/data/nothing', /There is no table nothing/i);
    await checkRoute('#/docs/nothing', /There is no operation nothing/i);
    expect(found).toEqual([]);
  },
);

test.each(looksHere)(
  'nothing that is filled in, sent or dragged has an accessibility violation: $colorScheme, $width px, forced colours $forcedColors',
  { tags: 'long' },
  async (look) => {
    const { page, click, shows, call, check, checkRoute, found, visitRoute } = await openShop(look);
    const rail = page.locator('.order > .stack');
    const touched = page.locator('.touched');
    await visitRoute('#/activity?open=5');
    for (const part of ['Response', 'Request', 'Headers', 'Changes']) {
      await page.getByRole('tab', { name: part }).click();
      await check(`the part ${part} of an entry`);
    }
    await click(/^Copy as/);
    await check('the forms in which a request is copied');
    await page.keyboard.press('Escape');
    await click(/^Share/);
    await check('the ways to share the shop');
    await page.keyboard.press('Escape');
    await click(/^Send again/);
    await openParts(page);
    await click(/^Send PUT/);
    await page.locator('.response').waitFor();
    await openParts(page);
    await check('a request that was sent again');
    await visitRoute('#/orders/118');
    await click(/^More of order 118/);
    await check('the menu of an order');
    await click(/^Other values/);
    await click(/^Send PUT/, rail);
    await click(/could not choose shipping/, touched);
    await click(/^Send again/, touched);
    await click(/^Send PUT/, touched);
    await touched.locator('.response').waitFor();
    await click(/^Send PUT/, rail);
    await rail.locator('.response').waitFor();
    await check('two responses');
    await dragTo(page, '1');
    await shows(/Let go to take back/);
    await check('an order as it was');
    await checkRoute('#/orders/121', /There is no order 121/);
    await dragTo(page, '99');
    await visitRoute('#/data/orders/105');
    await click('Edit order 105');
    await check('a record that is edited');
    await checkRoute('#/data/orders?where.email=nobody', /No record matches/);
    await visitRoute('#/rules?endpoint=PUT /api/checkouts/:order_id');
    await shows(/Would have met/);
    await page.getByLabel('Effect').selectOption('decide the payment');
    await page.getByLabel('How often').selectOption('only the first …');
    await check('a rule of the script');
    await click('Switch off fault 1');
    await click('Edit fault 1');
    await shows(/, off/);
    await check('a rule that is edited and off');
    await call('POST /_backlot/faults', { hold: 'one', match: { path: '/api/users/:id' } });
    await visitRoute('#/activity');
    await click(/Pause/, page.locator('.requests'));
    const held = call('GET /api/users/1');
    await shows(/Show 1 new entry/);
    await check('a request that has arrived while the list is paused');
    await click('Show 1 new entry');
    await shows(/held by fault/);
    await check('a held response');
    await click(/^Release GET/);
    await held;
    for (const operation of ['listOrders', 'addOrderItem']) {
      await visitRoute(`#/docs/${operation}`);
      await shows(/Responses/);
      await openParts(page);
      await check(`all parts of ${operation}`);
    }
    await visitRoute('#/docs');
    await page.getByRole('searchbox', { name: 'Search operations' }).fill('nothing like this');
    await check('operations without a result');
    expect(found).toEqual([]);
  },
);

/** Opens all parts of a section, also those within others. */
async function openParts(page: Page): Promise<void> {
  const closed = page.locator('#main details:not([open]) > summary');
  while ((await closed.count()) > 0) await closed.first().click();
}

/** Drags the time line, without letting it go. */
async function dragTo(page: Page, value: string): Promise<void> {
  await page.locator('#timeline').evaluate((input: HTMLInputElement, text) => {
    input.value = text;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, value);
}

testPage.each(looks)(
  'a page without a shop has no accessibility violation: $colorScheme, $width px, forced colours $forcedColors',
  { tags: 'long' },
  async (look) => {
    const { page, click, shows, check, found } = await openLook(look, { controlToken: 'sesame' });
    await page.getByLabel('Token of the control API').fill('wrong');
    await click('Use token');
    await shows(/This is not the token/);
    await check('a wrong token');
    let now = 0;
    const demo = { sessions: 'own', newName: () => 'ada-1', sessionLife: 'PT1M' } as const;
    const other = await openLook(look, { ...demo, milliseconds: () => now });
    await other.shows(/No requests yet/);
    now = 61_000;
    await other.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await other.shows(/Your shop was removed/);
    await other.check('a session that has ended');
    const missing = await openLook(look, {}, '/s/typo/_backlot/');
    await missing.shows(/There is no session typo/);
    await missing.check('a session that nobody has begun');
    const lost = await openLook(look, {});
    await lost.shows(/No requests yet/);
    await lost.page.route('**', (route) => route.abort());
    await lost.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await lost.shows(/The server does not respond/);
    await lost.check('a server that does not respond');
    expect([...found, ...other.found, ...missing.found, ...lost.found]).toEqual([]);
  },
);

test('an order goes to its purchase by keyboard alone', async () => {
  const { page, read, shows } = await openStudio();
  await shows(/No requests yet/);
  await page.keyboard.press('Tab');
  await pressUntil(page, /^Orders/);
  await shows(/Orders[^]*Changed/);
  await pressUntil(page, /^119/);
  await shows(/Ship to Cork/);
  await pressUntil(page, /^▾/);
  await pressUntil(page, /^Do all that are left/);
  await expect.poll(() => read('tables/orders/119')).toMatchObject({ state: 'confirmed' });
});

/** Moves the focus by Tab to the element with this text, and presses it. */
async function pressUntil(page: Page, text: RegExp): Promise<void> {
  for (let at = 0; at < 60; at++) {
    const focused = await focusedText(page);
    if (text.test(focused)) {
      await page.keyboard.press('Enter');
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${text.source}`);
}

function focusedText(page: Page): Promise<string> {
  return page.evaluate(() => {
    let focused = document.activeElement;
    for (let inner = focused; inner !== null; inner = inner.shadowRoot?.activeElement ?? null)
      focused = inner;
    return focused?.textContent ?? '';
  });
}

test('by keyboard alone, a refused request is read, and the shop goes back to before an entry and forward again', async () => {
  const { page, read, shows, declineOrder, call } = await openStudio();
  await declineOrder();
  await call('GET /api/orders/99999');
  await shows(/404/);
  await page.getByLabel('Filter the history').focus();
  await page.keyboard.type('is:rejected');
  await pressUntil(page, /^#\d+ 404/);
  await shows(/Rejected. Nothing was changed[^]*Response 404/);
  await page.getByLabel('Filter the history').fill('step:confirm');
  await pressUntil(page, /^#\d+ 200/);
  await shows(/Back to before/);
  await pressUntil(page, /^↶ Back to before/);
  await expect.poll(() => read('tables/orders/119')).toMatchObject({ checkout_state: 'payment' });
  const slider = page.locator('#timeline');
  await expect
    .poll(() => slider.evaluate((one: HTMLInputElement) => one.value !== one.max))
    .toBe(true);
  await slider.focus();
  await page.keyboard.press('End');
  await expect.poll(() => read('tables/orders/119')).toMatchObject({ checkout_state: 'finalize' });
});
