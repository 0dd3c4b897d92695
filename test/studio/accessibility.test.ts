import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';
import type { AxeResults } from 'axe-core';
import { expect, test } from 'vitest';
import {
  openStudio,
  ownsCookies,
  scrolled,
  shownIn,
  testPage,
  useBrowser,
  type ServerOptions,
  type Studio,
} from '../support/studio.ts';

useBrowser();

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Routes, each with what it shows once it is loaded. */
const routes = [
  ['#/requests', /purchase/],
  ['#/requests?open=5', /Response 200/],
  ['#/orders', /Awaits\s+\d/],
  ['#/orders/119', /Parcels[^]*What touched it/],
  ['#/data', /stock items/],
  ['#/data/stock', /CK-MUG/],
  ['#/data/orders', /1–50 of/],
  ['#/data/orders/119', /checkout_state/],
  ['#/data/variants/1', /Edit\s+variant 1/],
  ['#/rules', /not met yet/],
  ['#/time', /morning/],
  ['#/docs', /Authentication/],
  ['#/docs/listOrders', /Responses/],
  ['#/docs/submitCheckoutStep', /Responses/],
] as const;
const looks = [
  { colorScheme: 'dark', width: 360 },
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'light', width: 1280, forcedColors: 'active' },
  { colorScheme: 'dark', width: 360, forcedColors: 'active' },
] as const;
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
    await page.getByRole('combobox', { name: /^Find/ }).fill('order');
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
    await page.getByRole('textbox', { name: 'Status', exact: true }).fill('9');
    await shows(/status: Too small/);
    await check('an invalid rule');
    await click('Add rule');
    await shows(/Added a rule:/, notice);
    await check('a notice of an error');
    await checkRoute('#/orders/105', /order 105 confirmed/);
    await click(/^cancel order 105/);
    await shows(/Cancel: order 105\s+Undo/, notice);
    await check('a notice with an undo');
    await call('POST /_backlot/snapshot/morning/restore');
    await checkRoute('#/requests', /not in effect/);
    await click('Pause the list');
    await call('GET /api/orders/1');
    await shows(/Show 1 new entry/);
    await check('a paused list');
    await checkRoute('#/orders/9999', /There is no such order/);
    await checkRoute('#/data/nothing', /There is no table nothing/i);
    await checkRoute('#/docs/nothing', /There is no operation nothing/i);
    expect(found).toEqual([]);
  },
);

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
    expect([...found, ...other.found]).toEqual([]);
  },
);

/** Opens a shop with entries, rules and a snapshot. */
async function openShop(look: Look): Promise<Checked> {
  const studio = await openLook(look, {});
  const { call, declineOrder, shows } = studio;
  await call('POST /_backlot/snapshot', { name: 'morning' });
  await declineOrder();
  const match = { path: '/api/orders/:order_id' };
  await call('POST /_backlot/faults', { match, nth: 9, status: 503 });
  const card = { on: 'purchase', match: { card: '4242' }, outcome: 'declined' };
  await call('POST /_backlot/script', card);
  await shows(/purchase/);
  return studio;
}

type Look = (typeof looks)[number];

interface Checked extends Studio {
  /** What `check` has found. */
  readonly found: readonly string[];
  /** Notes the violations of what the page shows. */
  readonly check: (name: string) => Promise<void>;
  /** Shows a route, and checks it once it is loaded. */
  readonly checkRoute: (route: string, loaded: RegExp) => Promise<void>;
}

async function openLook(
  { colorScheme, width, ...look }: Look,
  options: ServerOptions,
): Promise<Checked> {
  const viewport = { width, height: 800 };
  const studio = await openStudio({
    ...options,
    context: { colorScheme, viewport, ...look, bypassCSP: true, reducedMotion: 'reduce' },
  });
  const { page, visitRoute, shows } = studio;
  await page.addScriptTag({ content: axe });
  const found: string[] = [];
  const check = async (name: string) => {
    found.push(...(await violations(page)).map((one) => `${name}: ${one}`));
    const excess = await scrolled(page).evaluate((one) => one.scrollWidth - one.clientWidth);
    if (excess > 0) found.push(`${name} is ${excess} px too wide`);
  };
  const checkRoute = async (route: string, loaded: RegExp) => {
    await visitRoute(route);
    await shows(loaded);
    await check(route);
  };
  return { ...studio, found, check, checkRoute };
}

async function violations(page: Page): Promise<string[]> {
  // The rows of a long list are alike.
  const rows = "['.stock > li:nth-child(n + 5)', 'tbody > tr:nth-child(n + 9)']";
  const results = await page.evaluate<AxeResults>(
    `axe.run({ include: '${shownIn}', exclude: ${rows} })`,
  );
  return results.violations.map(
    ({ id, nodes }) => `${id} ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
  );
}

test('an order goes to its purchase by keyboard alone', async () => {
  const { page, read, shows } = await openStudio();
  await shows(/No requests yet/);
  await page.keyboard.press('Tab');
  await pressUntil(page, 'Orders');
  await shows(/Awaits/);
  await pressUntil(page, '119');
  await shows(/Do addressing/);
  await pressUntil(page, 'Do all that are left');
  await expect.poll(() => read('tables/orders/119')).toMatchObject({ state: 'confirmed' });
});

/** Moves the focus by Tab to the element with this text, and presses it. */
async function pressUntil(page: Page, text: string): Promise<void> {
  for (let at = 0; at < 60; at++) {
    const focused = await focusedText(page);
    if (focused.startsWith(text)) {
      await page.keyboard.press('Enter');
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${text}`);
}

function focusedText(page: Page): Promise<string> {
  return page.evaluate(() => {
    let focused = document.activeElement;
    for (let inner = focused; inner !== null; inner = inner.shadowRoot?.activeElement ?? null)
      focused = inner;
    return focused?.textContent ?? '';
  });
}

test('with forced colours, a chart differs in more than its colours, and what is chosen has an outline', async () => {
  const { page, shows } = await openStudio({
    path: '/_backlot/#/orders/105',
    context: { forcedColors: 'active' },
  });
  await shows(/order 105 confirmed/);
  const fillOf = (kind: string) =>
    page
      .locator(`.${kind} rect`)
      .first()
      .evaluate((box) => getComputedStyle(box).fill);
  const strokeOf = (kind: string) =>
    page
      .locator(`.${kind} rect`)
      .first()
      .evaluate((box) => getComputedStyle(box).stroke);
  expect(await fillOf('present')).not.toBe(await fillOf('other'));
  expect(await strokeOf('next')).not.toBe(await strokeOf('other'));
  const chosen = page.getByRole('link', { name: 'Orders', exact: true });
  expect(await chosen.evaluate((link) => getComputedStyle(link).outlineStyle)).toBe('solid');
  await page.keyboard.press('Control+k');
  const option = page.locator('[role=option][aria-selected=true]');
  expect(await option.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('solid');
});

test('by keyboard alone, a refused request is read, and the shop goes back to before an entry and forward again', async () => {
  const { page, read, shows, declineOrder, call } = await openStudio();
  await declineOrder();
  await call('GET /api/orders/99999');
  await shows(/404/);
  await page.getByLabel('Filter the history').focus();
  await page.keyboard.type('is:rejected');
  await pressUntil(page, '404GET');
  await shows(/Refused: nothing was changed[^]*Response 404/);
  await page.getByLabel('Filter the history').fill('step:confirm');
  await pressUntil(page, '200PUT');
  await shows(/Go back to before this/);
  await pressUntil(page, 'Go back to before this');
  await expect.poll(() => read('tables/orders/119')).toMatchObject({ checkout_state: 'payment' });
  const slider = page.getByRole('slider');
  await expect
    .poll(() => slider.evaluate((one: HTMLInputElement) => one.value !== one.max))
    .toBe(true);
  await slider.focus();
  await page.keyboard.press('End');
  await expect.poll(() => read('tables/orders/119')).toMatchObject({ checkout_state: 'finalize' });
});
