/** @module-tag chromium */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openStudio, testPage, type Studio } from '../support/studio.ts';
import { routes, withFindings } from './axe.ts';

useBrowser();

/** Sends 500 requests a second until it is called, one in ten of them a write. */
function flood({ office }: Pick<Studio, 'office'>): () => void {
  const body = JSON.stringify({ channel: 1, user: 1, currency: 'EUR' });
  const headers = { 'content-type': 'application/json' };
  const start = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (; sent < (performance.now() - start) / 2; sent++)
      office.answer(
        sent % 10 === 0
          ? { method: 'POST', url: '/api/orders/', headers, body }
          : { method: 'GET', url: `/api/orders/${90_000 + sent}`, headers: {} },
      );
  }, 20);
  return () => clearInterval(timer);
}

/** The number of the entry at a point of the page. */
function entryAt(page: Page, x: number, y: number): Promise<string | undefined> {
  return page.evaluate(
    ([left = 0, top = 0]) =>
      document.elementFromPoint(left, top)?.closest<HTMLElement>('[data-entry]')?.dataset['entry'],
    [x, y],
  );
}

async function clickEntries(times: number): Promise<void> {
  const studio = await openStudio();
  const { page, call } = studio;
  for (let id = 1; id <= 40; id++) await call(`GET /api/orders/${8000 + id}`);
  const end = flood(studio);
  const missed: string[] = [];
  try {
    for (let at = 0; at < times; at++) {
      await page.mouse.move(600, 20);
      await page.waitForTimeout(60);
      // Rows are 34 px high, with a line below each.
      const y = 290 + (at % 10) * 34 + (at % 12);
      await page.mouse.move(300, y);
      const seen = await entryAt(page, 300, y);
      expect(seen, `the entry at ${y} px`).toBeDefined();
      await page.waitForTimeout(60);
      await page.mouse.click(300, y);
      const open = page.locator('[data-entry][aria-expanded=true]');
      await open.waitFor();
      const opened = await open.getAttribute('data-entry');
      if (opened !== seen) missed.push(`${seen} was under the pointer, ${opened} opened`);
      await open.press('Enter');
      await open.waitFor({ state: 'detached' });
    }
  } finally {
    end();
  }
  expect(missed).toEqual([]);
}

testPage('at 500 requests a second, a click opens the entry under the pointer', () =>
  clickEntries(10),
);

testPage('100 of 100 clicks open the entry under the pointer', { tags: 'long' }, () =>
  clickEntries(100),
);

/** Presses all buttons of a section by keyboard, and returns those after which nothing has the focus. */
async function pressAll(
  { page, visitRoute, shows }: Studio,
  [route, loaded]: (typeof routes)[number],
): Promise<string[]> {
  const lost: string[] = [];
  const buttons = page.locator('#main').locator('button:visible, summary:visible');
  await visitRoute(route);
  await shows(loaded);
  const count = Math.min(40, await buttons.count());
  expect(count, `buttons of ${route}`).toBeGreaterThan(0);
  for (let at = 0; at < count; at++) {
    await visitRoute('#/docs/nothing');
    await shows(/no operation nothing/i);
    await visitRoute(route);
    await shows(/^(?![^]*no operation nothing)/i, page.locator('#main'));
    const button = buttons.nth(at);
    // What was pressed before may have removed others.
    if ((await buttons.count()) <= at) break;
    const name = (await button.textContent()) ?? '';
    await button.focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('#main [aria-busy=true]') === null);
    await page.waitForTimeout(120);
    const isLost = await page.evaluate(() => document.activeElement === document.body);
    if (isLost) lost.push(`${route}: ${name}`);
    await page.keyboard.press('Escape');
  }
  return lost;
}

async function startAgain({ call, declineOrder }: Studio): Promise<void> {
  await call('POST /_backlot/reset', { scenario: 'default' });
  await call('POST /_backlot/snapshot', { name: 'morning' });
  await call('POST /_backlot/faults', { status: 500, match: { path: '/api/users/:id' } });
  await declineOrder();
}

testPage('the focus stays in the page after each action of an order', async () => {
  const studio = await openStudio();
  await startAgain(studio);
  const order = routes.find(([route]) => route === '#/orders/119');
  expect(await pressAll(studio, order!)).toEqual([]);
});

testPage(
  'the focus stays in the page after each action of all sections',
  { tags: 'long' },
  async () => {
    const studio = await openStudio(withFindings());
    const lost: string[] = [];
    for (const section of routes) {
      await startAgain(studio);
      lost.push(...(await pressAll(studio, section)));
    }
    expect(lost).toEqual([]);
  },
);

const long = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(6).slice(0, 200);
const arabic = 'متجر القهوة والمعدات الخارجية '.repeat(7).slice(0, 200).trim();

/** Gives records of order 119 long names, and names from right to left. */
async function nameRecords({ call, read }: Studio): Promise<void> {
  const order = await read('tables/orders/119');
  const items = await read('tables/order_items?where[order_id]=119');
  const variant = await read(`tables/variants/${items.rows[0].variant_id}`);
  const set = async (line: string, fields: object) =>
    expect((await call(`PATCH /_backlot/tables/${line}`, fields)).status, line).toBe(200);
  await set(`users/${order.user_id}`, { first_name: arabic, last_name: long });
  await set(`products/${variant.product_id}`, { name: `${long} ${arabic}` });
  await set(`variants/${variant.id}`, { sku: long });
  await set(`orders/119`, { email: `${long}@shop.example` });
}

const sizes = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
  // 1280 px at 200 %.
  { width: 640, height: 400 },
];

test('long values, and values from right to left, stay within the page at each width', async () => {
  const studio = await openStudio();
  const { page, declineOrder, visitRoute, shows, call } = studio;
  await nameRecords(studio);
  await declineOrder();
  await call('POST /_backlot/faults', {
    status: 500,
    match: { path: '/api/users/:id' },
    body: { note: long },
  });
  await call(`GET /api/orders/${long}`);
  const found: string[] = [];
  const named = new Set<string>();
  const main = page.locator('#main');
  for (const [route] of routes) {
    await visitRoute(route);
    await shows(/\w/, main);
    await page.waitForTimeout(150);
    if (/Wolfe|متجر/.test(await main.innerText())) named.add(route);
    for (const size of sizes) {
      await page.setViewportSize(size);
      found.push(...(await outside(page)).map((one) => `${size.width} px, ${route}: ${one}`));
    }
  }
  expect(found).toEqual([]);
  expect([...named]).toEqual(
    expect.arrayContaining(['#/activity', '#/orders', '#/orders/119', '#/data/orders/119']),
  );
});

/** The elements of the studio that reach out of it sideways, apart from those inside of what scrolls or cuts. */
function outside(page: Page): Promise<string[]> {
  return page.locator('#main').evaluate(async (main) => {
    // What is shown for a width may be drawn after the first frame of this width.
    for (let frames = 0; frames < 3; frames++)
      await new Promise((resolve) => {
        requestAnimationFrame(resolve);
      });
    const { left, right } = main.getBoundingClientRect();
    const isCut = (one: Element | null): boolean =>
      one !== null &&
      one !== main &&
      (getComputedStyle(one).overflowX !== 'visible' || isCut(one.parentElement));
    return [...main.querySelectorAll('*')]
      .filter((one) => {
        const box = one.getBoundingClientRect();
        const isOut = box.width > 1 && (box.left < left - 1 || box.right > right + 1);
        return isOut && !isCut(one.parentElement) && one.closest('.unseen') === null;
      })
      .slice(0, 3)
      .map((one) => `${one.tagName} .${one.className} ${one.textContent.slice(0, 30)}`);
  });
}
