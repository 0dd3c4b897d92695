import type { Locator } from 'playwright';
import { expect, test } from 'vitest';
import { isFocused, openStudio, useBrowser, type Studio } from '../support/studio.ts';
import { looks, openLook } from './axe.ts';

useBrowser();

/** The studio of the scenario `sale`, whose carts have promotions. */
async function openSale(path = '/_backlot/#/orders/1'): Promise<Studio> {
  return openStudio({
    scenario: 'sale',
    path,
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
}

/** Asks why the total of the shown order is what it is. Returns the reasons. */
async function askTotal({ page, click, shows }: Studio): Promise<Locator> {
  await click(/total of order \d+: why\?/);
  const reasons = page.getByRole('region', { name: /^Why: total/ });
  await shows(/Not applied/, reasons);
  return reasons;
}

/** The amount in a text such as `-24.59 EUR`, in minor units. */
function minor(text: string): number {
  return Math.round(Number.parseFloat(text.replaceAll(/[(,]/g, '')) * 100);
}

test('a click on the total shows its lines, whose last sum is the total', async () => {
  const studio = await openSale();
  const { read, shows, clicks } = studio;
  const reasons = await askTotal(studio);
  expect(clicks()).toBe(1);
  const { total, lines } = await read('orders/1/why');
  await shows(/Why 134\.31 EUR\?\s+It would be the same now/, reasons);
  const shown = reasons.getByRole('list', { name: 'Lines of the total of order 1' });
  const sums = (await shown.locator('.amount small').allInnerTexts())
    .filter((text) => text !== 'does not count')
    .map((text) => minor(text.replace(/^.*so far\s*/s, '')));
  const counted = lines.filter((line: { counts: boolean }) => line.counts);
  expect(sums).toEqual(counted.map(({ running }: { running: number }) => running));
  expect(sums.at(-1)).toBe(total);
  await shows(/VAT \(23%\)[^]*\(30\.65 EUR\)\s*does not count/, shown);
  const widths = await shown
    .locator('.bar i')
    .evaluateAll((bars) => bars.map((bar) => (bar as HTMLElement).getBoundingClientRect().width));
  // Each bar is as long as its amount.
  expect(widths[0]! / widths.at(-1)!).toBeCloseTo(139 / 134.31, 1);
});

test('each amount of an order can be asked, and its own line has the focus then', async () => {
  const { page, shows } = await openSale();
  await shows(/includes tax VAT/);
  for (const [name, line] of [
    [/unit_price of item 2 of order 1: why/, /Kilronan Ceramic Dripper\s+1 × 24\.90/],
    [/promotion Spring sale: 15 % off with clothing of order 1: why/, /15 % of items 163\.90/],
    [/tax VAT \(23%\) of order 1: why/, /25\.99 \+ 4\.66, included in prices/],
    [/shipping DPD Next Day of order 1: why/, /flat rate 7\.95, 3 units from Galway warehouse/],
  ] as const) {
    await page.getByRole('button', { name }).click();
    const asked = page.locator('.why .asked');
    await shows(line, asked);
    await expect.poll(() => isFocused(asked)).toBe(true);
  }
});

test('reasons open, act and close by keys alone, and the focus returns to what was asked', async () => {
  const { page, shows } = await openSale();
  const total = page.getByRole('button', { name: 'total of order 1: why?' });
  await total.focus();
  await page.keyboard.press('Enter');
  const reasons = page.getByRole('region', { name: /^Why: total/ });
  await shows(/Not applied/, reasons);
  await expect.poll(() => isFocused(reasons)).toBe(true);
  expect(await total.getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('Tab');
  expect(await isFocused(reasons.getByRole('button', { name: /^Copy/ }))).toBe(true);
  await page.keyboard.press('Escape');
  await reasons.waitFor({ state: 'detached' });
  expect(await isFocused(total)).toBe(true);
  await page.keyboard.press('Enter');
  await shows(/Not applied/, reasons);
  await reasons.getByRole('button', { name: /^Close reasons/ }).press('Enter');
  expect(await isFocused(total)).toBe(true);
  const state = page.getByRole('button', { name: 'cart order 1: why?' });
  await state.press('Enter');
  await shows(/What is possible next/, page.getByRole('region', { name: 'Why: order 1' }));
  await page.keyboard.press('Escape');
  expect(await isFocused(state)).toBe(true);
});

test('a promotion that does not apply has the fact that lacks, and one click goes to its date', async () => {
  const studio = await openSale();
  const { shows, click, clicks, read } = studio;
  const reasons = await askTotal(studio);
  const idle = reasons.getByRole('list', { name: 'Not applied' });
  await shows(/Tents: 40 off[^]*✗\s+not met:\s+items over 300\.00: 163\.90/, idle);
  await shows(/Easter: two or more\s+✗\s+not met:\s+after 2026-04-02/, idle);
  await click(/^Go there Easter/, idle);
  await expect.poll(() => read('clock')).toMatchObject({ now: '2026-04-02T00:00:01+0000' });
  const changed = reasons.getByRole('list', { name: 'What has changed' });
  await shows(/Easter: two or more\s+✓\s+met:\s+after 2026-04-02/, changed);
  await shows(/Spring sale: 15 % off with clothing\s+✗\s+not met:\s+before 2026-03-14/, changed);
  expect(await idle.innerText()).not.toContain('Easter');
  expect(clicks()).toBe(2);
});

test('the coupon that a promotion lacks is added to the cart by one click, which changes the total', async () => {
  const studio = await openSale();
  const { click, shows, read, page } = studio;
  const reasons = await askTotal(studio);
  await click('Add SPRING10 to order 1', reasons);
  await expect.poll(() => read('tables/orders/1')).toMatchObject({ coupon_ids: [1] });
  const { total } = await read('orders/1/why');
  expect(total).toBeLessThan(13431);
  await shows(`Why ${(total / 100).toFixed(2)} EUR?`, reasons);
  await shows(/✓\s+met:\s+the coupon SPRING10/, reasons.getByRole('list', { name: /^Lines/ }));
  await click(/^Undo You /, page.getByRole('status').last());
  await shows(/Why 134\.31 EUR\?/, reasons);
});

test('the lines of two orders are compared, joined by rule', async () => {
  const studio = await openSale();
  const { click, shows } = studio;
  const reasons = await askTotal(studio);
  await reasons.getByLabel('Compare with order').fill('3');
  await click('Compare order 1 with order 3', reasons);
  const table = reasons.getByRole('table', { name: 'Order 1 beside order 3' });
  await table.waitFor();
  const cells = async (name: string) =>
    (await table.getByRole('row', { name }).getByRole('cell').allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, ' '),
    );
  expect(await cells('Free delivery in Ireland')).toEqual([
    'Free delivery in Ireland',
    '-7.95 EUR',
    '-4.50 EUR',
  ]);
  expect(await cells('Spring sale: 15 % off with clothing')).toEqual([
    'Spring sale: 15 % off with clothing',
    '-24.59 EUR',
    '✗ not met: items of Clothing: none',
  ]);
  expect(await cells('Summer Quilt')).toEqual(['Summer Quilt', 'none', '149.00 EUR']);
  await shows(/Total 134\.31 EUR beside 129\.10 EUR of order 3/, reasons);
});

test('reasons are copied as the text that the program prints', async () => {
  const studio = await openSale();
  const { click, page } = studio;
  const reasons = await askTotal(studio);
  await click(/^Copy/, reasons);
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(
      /^Order 1, cart: 134\.31 EUR\n\n {2}Fisherman's Rib Sweater[^]*\n {2}Total +134\.31\n\nNot applied\n {2}Tents/,
    );
});

test('a state says by which request it came and what is possible next, and a stock level who holds it', async () => {
  const { page, click, shows, call, visitRoute } = await openStudio({
    path: '/_backlot/#/orders/119',
  });
  const { body } = await call('GET /_backlot/orders/119/view');
  const [{ variant_id: variant }] = body.tables.order_items;
  await click(/^More of order 119/);
  await click(/^Do all that are left of order 119/);
  await click(/Shipping/, page.locator('.touched'));
  await page.getByRole('tab', { name: 'Why' }).click();
  await page.getByText(/^Order 119 had [\d,.]+ EUR after it/).click();
  await shows(
    /\d units? from /,
    page.getByRole('list', { name: 'Lines of the total of order 119' }),
  );
  await click('confirmed order 119: why?');
  const state = page.getByRole('region', { name: 'Why: order 119' });
  await shows(/pending → confirmed by confirm, #\d+ PUT \/api\/checkouts\/119/, state);
  await shows(/after payment 100: complete/, state);
  await shows(/✗\s+not possible:\s+release: Cannot release order 119/, state);
  await shows(/✓\s+possible:\s+ship → shipped/, state);
  await click(/^completed payment 100: why/, page.getByLabel('Payments'));
  await shows(/Why is payment 100 completed\?/);
  await visitRoute(`#/data/variants/${variant}`);
  await click(/ of variant \d+ at .+: why/);
  const stock = page.getByRole('region', { name: /^Why: of variant/ });
  await shows(/PUT \/api\/checkouts\/119[^]*sell \d+ of order 119[^]*-\d+ on hand/, stock);
  await stock.getByRole('link', { name: 'order 119' }).first().click();
  await shows(/order 119 confirmed/);
});

test('the status of a request says which fields were refused, what is accepted, and why no rule applied', async () => {
  const { page, click, shows, call } = await openStudio({
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  await call('POST /_backlot/faults', { status: 503, match: { path: '/api/products/:id' } });
  await call('POST /api/users/', { email: 'x' });
  await click(/^400 ?POST/, page.locator('.windowed'));
  const reasons = page.getByRole('region', { name: /^Why: #\d+/ });
  await shows(/Why was #\d+ rejected\?/, reasons);
  await shows(
    /email\s+x\s+an email address\s+This value is not a valid email address\.\s+\S+@\S+\s+an email address/,
    reasons,
  );
  await shows(
    /fault 1 did not apply\s+✗\s+not met:\s+path \/api\/products\/:id: \/api\/users\//,
    reasons,
  );
  await click(/^Copy reasons/, reasons);
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('✗ email: sent "x", accepts an email address');
  await call('GET /api/products/1');
  await click(/^Show 1 new entry/);
  await click(/^503 ?GET/, page.locator('.windowed'));
  await shows(/fault 1 applied/);
});

test('nothing is asked of the past while the time line is dragged', async () => {
  const { page, shows, click } = await openSale();
  await click(/^Choose .* of order 1/);
  await shows(/Confirm \d/);
  await page.locator('#timeline').evaluate((input: HTMLInputElement) => {
    input.value = '0';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await shows(/Let go to take back/);
  await expect.poll(() => page.locator('.ask').count()).toBe(0);
});

test('the reasons of totals, states, stock and refusals have no accessibility violation', () =>
  expectAccessible(looks[0]));

test.each(looks.slice(1))(
  'reasons have no accessibility violation: $colorScheme, $width px, forced colours $forcedColors',
  { tags: 'long' },
  (look) => expectAccessible(look),
);

async function expectAccessible(look: (typeof looks)[number]): Promise<void> {
  const studio = await openLook(look, { scenario: 'sale' }, '/_backlot/#/orders/1');
  const { call, check, click, found, page, shows, visitRoute } = studio;
  await call('POST /_backlot/faults', { status: 503, match: { path: '/api/products/:id' } });
  await call('POST /api/users/', { email: 'x' });
  const reasons = await askTotal(studio);
  await click(/^Compare order 1/, reasons);
  await reasons.getByRole('table').waitFor();
  await click('cart order 1: why?');
  await shows(/What is possible next/);
  await check('the reasons of an order');
  await visitRoute('#/data/stock');
  await page.locator('.ask').first().click();
  await shows(/before the history/);
  await check('the reasons of a stock level');
  await visitRoute('#/activity');
  await click(/^400 ?POST/, page.locator('.windowed'));
  await shows(/did not apply/);
  await check('the reasons of a refusal');
  expect(found).toEqual([]);
}

test('totals and states in the list of orders can be asked', async () => {
  const { page, shows } = await openSale('/_backlot/#/orders');
  const total = page.getByRole('button', { name: /total of order 1: why\?$/ });
  const state = page.getByRole('button', { name: /^cart order 1: why\?$/ });
  await total.click();
  await shows(/Why 134\.31 EUR\?/, page.getByRole('region', { name: /^Why: total of order 1/ }));
  await state.click();
  await shows(/abandon/, page.getByRole('region', { name: /^Why: order 1/ }));
  expect(await page.getByRole('region', { name: /^Why:/ }).count()).toBe(1);
  await page.getByRole('button', { name: /^Close reasons/ }).click();
  expect(await isFocused(state)).toBe(true);
});

test('a promotion has one name in all that the page of an order shows', async () => {
  const { page, read, visitRoute, shows, click } = await openStudio({ scenario: 'sale' });
  const { rows } = await read('tables/promotions');
  const names: string[] = rows.map(({ name }: { readonly name: string }) => name);
  await visitRoute('#/orders/1');
  await shows(/Money[^]*promotion/);
  const sums = await page.locator('.sums dt').allInnerTexts();
  const given = sums.flatMap((text) => /^promotion (.*)$/.exec(text)?.[1] ?? []);
  expect(given.length).toBeGreaterThan(1);
  expect(given.filter((name) => !names.includes(name))).toEqual([]);
  await click(/total of order 1: why/);
  await shows(/Not applied/);
  const labels = await page.locator('.why .falls div > :first-child').allInnerTexts();
  expect(labels).toEqual(expect.arrayContaining(given));
  const others = await page.locator('.why [aria-label="Not applied"] li a').allInnerTexts();
  expect(names).toEqual(expect.arrayContaining(others));
});
