/** @module-tag chromium */
import type { Locator } from 'playwright';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { isFocused, openStudio, type Studio } from '../support/studio.ts';
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

/** The card that has the total of the shown order, and why. */
function moneyOf(page: Studio['page']): Locator {
  return page.getByRole('region', { name: 'Money' });
}

/** The amount in a text such as `-24.59 EUR`, in minor units. */
function minor(text: string): number {
  return Math.round(Number.parseFloat(text.replaceAll(/[(,]/g, '')) * 100);
}

test('an order says without a click why its total is what it is, and the total leads there', async () => {
  const { page, read, shows, click, clicks } = await openSale();
  const money = moneyOf(page);
  const { total, lines } = await read('orders/1/why');
  const shown = money.getByRole('list', { name: 'Lines of the total of order 1' });
  await shows(/Total\s+134\.31 EUR/, shown);
  expect(clicks()).toBe(0);
  const sums = (await shown.locator('.amount small').allInnerTexts())
    .filter((text) => text !== 'included')
    .map((text) => minor(text.replace(/^.*so far\s*/s, '')));
  const counted = lines.filter((line: { counts: boolean }) => line.counts);
  expect(sums).toEqual(counted.map(({ running }: { running: number }) => running));
  expect(sums.at(-1)).toBe(total);
  await shows(/Kilronan Ceramic Dripper\s+1 × 24\.90/, shown);
  await shows(
    /VAT \(23%\)\s+25\.99 \+ 4\.66, included in prices\s+[^]*\(30\.65 EUR\)\s*included/,
    shown,
  );
  await shows(/15 % of items 163\.90/, shown);
  const widths = await shown
    .locator('.bar i')
    .evaluateAll((bars) => bars.map((bar) => (bar as HTMLElement).getBoundingClientRect().width));
  // Each bar is as long as its amount.
  expect(widths[0]! / widths.at(-1)!).toBeCloseTo(139 / 134.31, 1);
  await page.setViewportSize({ width: 1280, height: 400 });
  await click(/total of order 1: why\?/);
  await expect.poll(() => isFocused(page.locator('#money'))).toBe(true);
  const { y } = (await page.locator('#money').boundingBox())!;
  expect(y).toBeGreaterThan(0);
  expect(y).toBeLessThan(300);
});

test('reasons open at the value, act and close by keys alone, and the focus returns to what was asked', async () => {
  const { page, shows } = await openSale();
  const state = page.getByRole('button', { name: 'cart order 1: why?' });
  await state.press('Enter');
  const reasons = page.getByRole('region', { name: 'Why: order 1' });
  await shows(/What is possible next/, reasons);
  expect(await state.getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('Tab');
  expect(await isFocused(reasons.getByRole('button', { name: /^Copy/ }))).toBe(true);
  await page.keyboard.press('Escape');
  await reasons.waitFor({ state: 'detached' });
  expect(await isFocused(state)).toBe(true);
});

test('a promotion that does not apply has the fact that lacks, and two clicks go to its date and show what that changes', async () => {
  const { page, shows, click, clicks, read } = await openSale();
  const money = moneyOf(page);
  await money.getByText('3 did not apply').click();
  const idle = money.getByRole('list', { name: 'Did not apply' });
  await shows(/Tents: 40 off[^]*✗\s+not met:\s+items over 300\.00: 163\.90/, idle);
  await shows(/Easter: two or more\s+✗\s+not met:\s+after 2026-04-02/, idle);
  await click(/^Go there Easter/, idle);
  await expect.poll(() => read('clock')).toMatchObject({ now: '2026-04-02T00:00:01+0000' });
  await click(/^Now it would be [\d.]+ EUR order 1/, money);
  const table = money.getByRole('table', { name: 'Order 1 beside Now' });
  await shows(
    /Spring sale: 15 % off with clothing\s+Now:\s+✗\s+not met:\s+before 2026-03-14/,
    table,
  );
  await shows(/Easter: two or more\s+–\s+-\d+\.\d+\s+-\d+\.\d+/, table);
  expect(clicks()).toBe(2);
});

test('the coupon that a promotion lacks is added to the cart by one click, which changes the total', async () => {
  const { page, click, shows, read } = await openSale();
  const money = moneyOf(page);
  await money.getByText('3 did not apply').click();
  await click('Add SPRING10 to order 1', money);
  await expect.poll(() => read('tables/orders/1')).toMatchObject({ coupon_ids: [1] });
  const { total } = await read('orders/1/why');
  expect(total).toBeLessThan(13431);
  await shows(new RegExp(`Total\\s+${(total / 100).toFixed(2)} EUR`), money);
  await shows(/✓\s+met:\s+the coupon SPRING10/, money.getByRole('list', { name: /^Lines/ }));
  await click(/^Undo You added coupon SPRING10/);
  await shows(/Total\s+134\.31 EUR/, money);
});

/** The texts of the cells of each row. */
async function cellsOf(table: Locator): Promise<string[][]> {
  const rows = await table.locator('tbody tr').all();
  const cells = await Promise.all(rows.map((row) => row.getByRole('cell').allInnerTexts()));
  return cells.map((row) => row.map((text) => text.replaceAll(/\s+/g, ' ')));
}

test('two orders are compared by one click, the largest difference first', async () => {
  const { page, click, clicks, shows } = await openSale();
  const money = moneyOf(page);
  await money.getByLabel(/^Compare order 1 with/).fill('3');
  await click('Compare order 1', money);
  const table = money.getByRole('table', { name: 'Order 1 beside Order 3' });
  await table.waitFor();
  expect(clicks()).toBe(1);
  await table.getByRole('columnheader', { name: 'Order 3 less order 1' }).waitFor();
  const cells = await cellsOf(table);
  expect(cells).toContainEqual(['Free delivery in Ireland', '-7.95', '-4.50', '+3.45']);
  expect(cells).toContainEqual([
    'Spring sale: 15 % off with clothing Order 3: ✗ not met: items of Clothing: none',
    '-24.59',
    '–',
    '+24.59',
  ]);
  expect(cells[0]).toEqual(['Summer Quilt', '–', '149.00', '+149.00']);
  expect(cells.at(-1)).toEqual(['Total', '134.31', '129.10', '-5.21']);
  const differences = cells.slice(0, -1).map((row) => Math.abs(minor(row.at(-1) ?? '') || 0));
  expect(differences).toEqual(differences.toSorted((one, other) => other - one));
  await money.getByText(/^\d do not differ/).click();
  await shows(/Tents: 40 off/, money.getByRole('table', { name: 'Lines that do not differ' }));
});

test('an order is compared with itself before a change', async () => {
  const { page, call, click, shows } = await openSale();
  await call('POST /_backlot/orders/1/coupons', { coupon: 'SPRING10' });
  const money = moneyOf(page);
  await shows(/Newsletter 10 %/, money);
  await money.getByLabel(/^Compare order 1 with/).fill('#0');
  await click('Compare order 1', money);
  const table = money.getByRole('table', { name: 'Order 1 beside After #0' });
  await table.waitFor();
  const [[name, now, before] = []] = await cellsOf(table);
  expect(name).toMatch(/^Newsletter 10 %/);
  expect([now, before]).toEqual([expect.stringMatching(/^-\d/), '–']);
});

test('reasons are copied as the text that the program prints', async () => {
  const { click, page } = await openSale();
  await click(/^Copy reasons/, moneyOf(page));
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
  await click(/chose An Post/, page.locator('.touched'));
  await page.getByRole('tab', { name: 'Why' }).click();
  await page.getByText(/^Order 119 had [\d,.]+ EUR after it/).click();
  await shows(
    /\d units? from /,
    page
      .getByRole('region', { name: /^Why: #/ })
      .getByRole('list', { name: 'Lines of the total of order 119' }),
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
  await click(/^#\d+ 400/, page.locator('.windowed'));
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
  await click(/^#\d+ 503/, page.locator('.windowed'));
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
  const money = moneyOf(page);
  await money.getByText('3 did not apply').click();
  await check('the reasons of a total');
  await money.getByLabel(/^Compare order 1 with/).fill('3');
  await click('Compare order 1', money);
  await money.getByRole('table').first().waitFor();
  await click('cart order 1: why?');
  await shows(/What is possible next/);
  await check('the reasons of an order');
  await visitRoute('#/data/stock');
  await page.locator('.ask').first().click();
  await shows(/before the history/);
  await check('the reasons of a stock level');
  await visitRoute('#/activity');
  await click(/^#\d+ 400/, page.locator('.windowed'));
  await shows(/did not apply/);
  await check('the reasons of a refusal');
  expect(found).toEqual([]);
}

test('a row of the list of orders unfolds why its total and its state are as they are', async () => {
  const { page, shows } = await openSale('/_backlot/#/orders');
  const total = page.getByRole('button', { name: /total of order 1: why\?$/ });
  const state = page.getByRole('button', { name: /^cart order 1: why\?$/ });
  await total.click();
  const unfolded = page.locator('tr', { has: total }).locator('+ tr');
  await shows(/Total\s+134\.31 EUR/, unfolded);
  await state.click();
  await shows(/abandon/, unfolded);
  expect(await page.getByRole('region', { name: /^Why:/ }).count()).toBe(1);
  await state.click();
  await page.getByRole('region', { name: /^Why:/ }).waitFor({ state: 'detached' });
  expect(await isFocused(state)).toBe(true);
});

test('a promotion has one name in all that the page of an order shows', async () => {
  const { page, read, visitRoute, shows } = await openStudio({ scenario: 'sale' });
  const { rows } = await read('tables/promotions');
  const { lines } = await read('orders/1/why');
  await visitRoute('#/orders/1');
  const money = moneyOf(page);
  await money.getByText('3 did not apply').click();
  await shows(/Easter/, money);
  const text = await money.innerText();
  const promotions = lines.filter(({ kind }: { readonly kind: string }) => kind === 'promotion');
  expect(promotions).not.toEqual([]);
  for (const { label, promotion } of promotions) {
    expect(rows.find(({ id }: { readonly id: number }) => id === promotion)).toMatchObject({
      name: label,
    });
    expect(text).toContain(label);
  }
});
