import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';
import type { AxeResults } from 'axe-core';
import { expect, test } from 'vitest';
import { openStudio, ownsCookies, scrolled, shownIn, useBrowser } from '../support/studio.ts';
import { sample } from '../support/runs.ts';

useBrowser();

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const routes = [
  '#/requests',
  '#/requests?open=5',
  '#/orders',
  '#/orders/119',
  '#/data',
  '#/data/stock',
  '#/data/orders',
  '#/data/orders/119',
  '#/data/variants/1',
  '#/rules',
  '#/time',
  '#/docs',
  '#/docs/listOrders',
  '#/docs/submitCheckoutStep',
];
const looks = [
  { colorScheme: 'dark', width: 360 },
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'light', width: 1280, forcedColors: 'active' },
  { colorScheme: 'dark', width: 360, forcedColors: 'active' },
] as const;

// A panel has the style sheet of the page: one look shows what its frame does to it.
test.each(ownsCookies ? sample(looks, 1) : looks.slice(0, 1))(
  'no route has an accessibility violation: $colorScheme, $width px, forced colours $forcedColors',
  async ({ colorScheme, width, ...look }) => {
    const viewport = { width, height: 800 };
    const { page, call, visitRoute, declineOrder, shows } = await openStudio({
      context: { colorScheme, viewport, ...look, bypassCSP: true, reducedMotion: 'reduce' },
    });
    await declineOrder();
    const match = { path: '/api/orders/:order_id' };
    await call('POST /_backlot/faults', { match, first: 2, status: 503 });
    const card = { on: 'purchase', match: { card: '4242' }, outcome: 'declined' };
    await call('POST /_backlot/script', card);
    await call('POST /_backlot/snapshot', { name: 'morning' });
    await page.addScriptTag({ content: axe });
    await shows(/purchase/);
    const found: string[] = [];
    for (const route of routes) {
      await visitRoute(route);
      await page.waitForTimeout(400);
      found.push(...(await violations(page)).map((one) => `${route}: ${one}`));
      const excess = await scrolled(page).evaluate((one) => one.scrollWidth - one.clientWidth);
      if (excess > 0) found.push(`${route} is ${excess} px too wide`);
    }
    await page.getByRole('link', { name: 'Docs', exact: true }).focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Find/ }).fill('order');
    await page.locator('[role=option]').first().waitFor();
    found.push(...(await violations(page)).map((one) => `palette: ${one}`));
    expect(found).toEqual([]);
  },
  120_000,
);

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
