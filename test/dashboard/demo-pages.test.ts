/** @module-tag chromium */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { openContext, showsText, useBrowser } from '../support/browser.ts';
import { startServer } from '../support/command.ts';

useBrowser();

/** Opens a page of a new visitor. The test fails for every error in it and for what its policy blocks. */
async function newPage(): Promise<Page> {
  const failures: string[] = [];
  onTestFinished(() => expect(failures).toEqual([]));
  const page = await (await openContext()).newPage();
  page.on('pageerror', (error) => failures.push(String(error)));
  page.on('console', (message) => {
    if (/Content.Security.Policy|Trusted.?Type/i.test(message.text()))
      failures.push(message.text());
  });
  return page;
}

const looks = [1280, 360].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** Expects that the page fits its window and has the colours of its scheme. */
async function expectLooks(page: Page, name: string): Promise<void> {
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 700 });
    await page.emulateMedia({ colorScheme });
    const { scrollWidth, background } = await page.evaluate(() => ({
      scrollWidth: document.documentElement.scrollWidth,
      background: getComputedStyle(document.documentElement).backgroundColor,
    }));
    expect(scrollWidth, `${name} at ${width} px`).toBeLessThanOrEqual(width);
    const folder = process.env['SHOTS'];
    if (folder !== undefined) {
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` });
    }
    if (name !== 'banner') {
      expect(background).toBe(colorScheme === 'dark' ? 'rgb(14, 16, 18)' : 'rgb(247, 247, 245)');
    }
  }
}

test('a visitor of a demo is led to its orders', async () => {
  const { url } = await startServer('--demo', '--quiet');
  for (const path of ['/', '/_backlot/begin?scenario=sale']) {
    const page = await newPage();
    await page.goto(`${url}${path}`);
    expect(page.url()).toBe(`${url}/_backlot/#/orders`);
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    await page.locator('#main a[href^="#/orders/"]').first().waitFor();
  }
});

test('a visitor of a demo whose control API requires a token is led to operations that can be tried without it', async () => {
  const { url } = await startServer('--demo', '--quiet', '--control-token', 'owner');
  for (const path of ['/', '/_backlot/begin?scenario=sale']) {
    const page = await newPage();
    await page.goto(`${url}${path}`);
    expect(page.url()).toBe(`${url}/_backlot/#/docs`);
    await page.locator('#main').getByText('List orders, newest first').first().click();
    expect(await page.getByText('requires a token').count()).toBe(0);
    await page.getByRole('button', { name: /^Send/ }).first().click();
    await page.getByText('"page": 1').first().waitFor();
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByRole('heading', { name: /requires a token/ }).waitFor();
    await page.getByRole('link', { name: 'The documents' }).click();
    await page.locator('#main').getByText('List orders, newest first').first().waitFor();
  }
});

test('a visitor of a demo is welcomed: whose shop it is, how long it lasts, and how to begin again', async () => {
  const { url } = await startServer('--demo', '--quiet');
  const page = await newPage();
  await page.goto(`${url}/_backlot/begin`);
  const welcome = page.getByRole('region', { name: 'Welcome' });
  await showsText(
    welcome,
    /This shop is yours\. Only you see what you change\. It ends after 30 min without use\./,
  );
  expect(await page.locator('.who').innerText()).toMatch(/your shop$/);
  await page.goto(`${url}/_backlot/#/orders/105`);
  await page.getByRole('button', { name: 'cancel order 105' }).click();
  await page.getByRole('button', { name: 'ship order 105' }).waitFor({ state: 'detached' });
  await welcome.getByRole('button', { name: 'Begin again' }).click();
  await page.getByRole('button', { name: 'ship order 105' }).waitFor();
  await page
    .getByRole('button', { name: /^Undo You reset the shop to/ })
    .last()
    .waitFor();
  await welcome.getByRole('button', { name: /^Close/ }).click();
  await page.reload();
  await page.getByRole('button', { name: 'ship order 105' }).waitFor();
  expect(await welcome.count()).toBe(0);
});

test('a full server and an ended session show pages, and the link of each leads on', async () => {
  const { url } = await startServer(
    '--demo',
    '--quiet',
    '--max-sessions=1',
    '--client-share=100',
    '--session-life=PT4S',
  );
  const first = await newPage();
  await first.goto(`${url}/_backlot/begin?scenario=sale`);
  await showsText(first.locator('.who'), 'sale');
  const second = await newPage();
  const full = await second.goto(`${url}/_backlot/begin`);
  expect(full?.status()).toBe(429);
  await expectLooks(second, 'full');
  // The page tries again by itself, too, until the session of the first visitor has ended.
  await second.getByRole('link', { name: 'Try again' }).click();
  await second.getByRole('navigation').getByRole('link', { name: 'Activity' }).waitFor();
  await showsText(first.getByRole('alert'), 'Your shop was removed');
  expect((await first.goto(`${url}/_backlot/`))?.status()).toBe(410);
  await expectLooks(first, 'ended');
  await first.getByRole('link', { name: 'Begin anew' }).click();
  await first.getByRole('navigation').getByRole('link', { name: 'Activity' }).waitFor();
});

test('the banner tells a page of another origin whose shop it uses, and resets it', async () => {
  let script = '';
  const demo = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Shop</title>
<meta name="viewport" content="width=device-width"><h1>Shop</h1><script src="${script}" defer></script>`);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void demo.close());
  await once(demo, 'listening');
  const origin = `http://127.0.0.1:${(demo.address() as AddressInfo).port}`;
  const { url } = await startServer(
    '--demo',
    '--quiet',
    '--cors-origin',
    origin,
    '--session-life',
    'PT20M',
  );
  script = `${url}/_backlot/banner.js`;
  const page = await newPage();
  await page.goto(origin);
  const banner = page.locator('backlot-banner');
  const says = banner.getByRole('status');
  await showsText(says, 'What you change is in a copy');
  await page.goto(`${url}/_backlot/begin?scenario=sale&to=${encodeURIComponent(`${origin}/`)}`);
  expect(page.url()).toBe(`${origin}/`);
  await showsText(says, /^Your own demo shop, “sale”, until .*, used or not\.$/);
  await expectLooks(page, 'banner');
  const cart = (path: string, init?: RequestInit) =>
    page.evaluate(
      async ([to, options]) =>
        (await fetch(to, { credentials: 'include', ...(options as object) })).status,
      [`${url}${path}`, init] as const,
    );
  const body = JSON.stringify({ channel: 1, user: 1, currency: 'EUR' });
  const headers = { 'content-type': 'application/json' };
  expect(await cart('/api/orders/', { method: 'POST', body, headers })).toBe(201);
  expect(await cart('/api/orders/5')).toBe(200);
  await Promise.all([page.waitForEvent('load'), banner.getByRole('button').click()]);
  await expect.poll(() => cart('/api/orders/5')).toBe(404);
});
