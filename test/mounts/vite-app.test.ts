/** @module-tag chromium */
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { createBackOffice } from '../../src/index.ts';
import { openContext, useBrowser } from '../support/browser.ts';
import { openViteApp, type ViteApp, type ViteAppOptions } from './vite-app.ts';
import { sample } from '../support/runs.ts';

const base = '/shop/front/';
const app = { root: 'browser/app', base };
const user = await (await createBackOffice().fetch('/api/users/1')).text();
let context: BrowserContext;

useBrowser();

beforeEach(async () => {
  context = await openContext();
  // The development server transforms all sources for its first page.
  context.setDefaultTimeout(600_000);
});

async function open(url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

async function shown(page: Page): Promise<string> {
  await page.waitForFunction(() => document.querySelector('output')?.textContent !== '');
  return (await page.textContent('output')) ?? '';
}

/** Returns how the page was loaded: `navigate` or `reload`. */
const loading = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation');
    return (entry as PerformanceNavigationTiming).type;
  });

/** Returns the number of orders in the page, after creating one if `more` is true. */
async function orders(page: Page, { more }: { more: boolean }): Promise<number> {
  return page.evaluate(async (create) => {
    const body = new URLSearchParams({ channel: '1', user: '1', currency: 'EUR' });
    if (create) await fetch('/api/orders/', { method: 'POST', body });
    return window.office.db.orders.count();
  }, more);
}

/** Creates orders, four requests at a time, and returns their ids. */
function createOrders(page: Page, count: number): Promise<number[]> {
  return page.evaluate(async (total) => {
    const body = new URLSearchParams({ channel: '1', user: '1', currency: 'EUR' });
    const create = async (): Promise<number> =>
      (await (await fetch('/api/orders/', { method: 'POST', body })).json()).id;
    const ids: number[] = [];
    while (ids.length < total) ids.push(...(await Promise.all([1, 2, 3, 4].map(create))));
    return ids;
  }, count);
}

const start = (page: Page): Promise<void> => page.evaluate(() => window.start());
const stop = (page: Page): Promise<void> => page.evaluate(() => window.office.stop());

/** Returns the ids of the orders that the back office of a page has, without a request. */
function knownOrders(page: Page): Promise<number[]> {
  return page.evaluate(() => window.office.db.orders.all().map(({ id }) => id));
}

/** Returns what the console of a page shows from now on, of one type. */
function messages(page: Page, type: 'warning' | 'error'): string[] {
  const texts: string[] = [];
  page.on('console', (message) => {
    if (message.type() === type) texts.push(message.text());
  });
  return texts;
}

/** Serves a built page while its tests run. */
function serve(options: ViteAppOptions): () => string {
  let served: ViteApp;
  beforeAll(async () => {
    served = await openViteApp(options);
  });
  afterAll(() => served.close());
  return () => served.url;
}

describe.each(sample(['msw', 'msw2'] as const, 1))('a built page with %s', (msw) => {
  const url = serve({ ...app, built: true, msw });

  test('shows the responses of the back office and resets at each load', async () => {
    const page = await open(url());
    expect(await shown(page)).toBe(user);
    const fresh = await orders(page, { more: false });
    expect(await orders(page, { more: true })).toBe(fresh + 1);
    await page.reload();
    expect(await shown(page)).toBe(user);
    expect(await orders(page, { more: false })).toBe(fresh);
  });

  test('works after a hard reload, which bypasses service workers', async () => {
    const page = await open(url());
    await shown(page);
    const session = await context.newCDPSession(page);
    await session.send('Page.reload', { ignoreCache: true });
    await page.waitForFunction(
      () => 'office' in globalThis && navigator.serviceWorker.controller !== null,
    );
    expect(await shown(page)).toBe(user);
  });

  test(
    'works while another page stops its worker or has stopped it',
    { tags: 'long' },
    async () => {
      let last = await open(url());
      await shown(last);
      for (let time = 0; time < 2; time++) {
        await stop(last);
        const next = await open(url());
        expect(await shown(next)).toBe(user);
        expect(await loading(next)).toBe('navigate');
        await last.close();
        last = await open(`${url()}?idle`);
        await Promise.all([stop(next), start(last)]);
        expect(await shown(last)).toBe(user);
        await next.close();
      }
    },
  );

  test(
    'gives each id once to two tabs that write at once, which then show the same shop',
    { tags: 'long' },
    async () => {
      const tabs = [await open(`${url()}?keep`), await open(`${url()}?keep`)];
      await Promise.all(tabs.map(shown));
      const ids = await Promise.all(tabs.map((tab) => createOrders(tab, 40)));
      expect(new Set(ids.flat()).size).toBe(80);
      await expect.poll(() => knownOrders(tabs[0]!)).toEqual(expect.arrayContaining(ids.flat()));
      await expect.poll(() => knownOrders(tabs[1]!)).toEqual(await knownOrders(tabs[0]!));
    },
  );

  test('restarts in the page that stopped it', { tags: 'long' }, async () => {
    const page = await open(url());
    await shown(page);
    await stop(page);
    await start(page);
    const fresh = await orders(page, { more: false });
    expect(await orders(page, { more: true })).toBe(fresh + 1);
  });
});

describe('a built page', () => {
  const url = serve({ ...app, built: true });

  test('keeps its state over a reload and in another tab', async () => {
    const [one, two] = [await open(`${url()}?keep`), await open(`${url()}?keep`)];
    await Promise.all([shown(one), shown(two)]);
    const before = await orders(one, { more: true });
    await one.reload();
    await shown(one);
    expect(await orders(one, { more: false })).toBe(before);
    await expect.poll(() => orders(two, { more: false })).toBe(before);
    expect(await orders(two, { more: true })).toBe(before + 1);
    await expect.poll(() => orders(one, { more: false })).toBe(before + 1);
  });

  test('is isolated from another tab without keep', async () => {
    const [one, two] = [await open(url()), await open(url())];
    await Promise.all([shown(one), shown(two)]);
    const before = await orders(two, { more: false });
    await orders(one, { more: true });
    expect(await orders(two, { more: false })).toBe(before);
  });

  test('reports a worker script that is missing or out of scope, at every start', async () => {
    const page = await open(`${url()}?worker=/nowhere/worker.js`);
    expect(await shown(page)).toMatch(/worker script .*worker\.js not found: its .*msw init/);
    await page.goto(`${url()}?worker=${base}deep/mockServiceWorker.js`);
    const told = `mockServiceWorker.js serves only pages below ${url()}deep/, not ${url()}`;
    expect(await shown(page)).toContain(told);
    await page.reload();
    expect(await shown(page)).toContain(told);
  });

  test('reports a worker that does not control the page', async () => {
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${url()}?worker=${base}idle.js`);
    const told = async (): Promise<string | null> => {
      await page.clock.runFor(10_000);
      return page.textContent('output');
    };
    await expect
      .poll(told)
      .toContain(`the worker ${url()}idle.js does not control this page. Reload the page`);
  });

  test('names once a request that was sent before the start, and only one of the API', async () => {
    const page = await open(`${url()}?idle`);
    const said = messages(page, 'warning');
    await page.evaluate(async () => {
      for (const path of ['/own/api.json', '/api/orders/3', '/api/orders/4']) await fetch(path);
    });
    await start(page);
    expect(said).toEqual([
      `Backlot: ${new URL('/api/orders/3', url()).href} was requested before startWorker() had finished, so the network answered it. Render the app after \`await startWorker()\`.`,
    ]);
    await stop(page);
    await page.evaluate(() => fetch('/api/orders/5'));
    await start(page);
    expect(said).toHaveLength(1);
    const next = await open(url());
    const others = messages(next, 'warning');
    expect(await shown(next)).toBe(user);
    expect(others).toEqual([]);
  });

  test('reports an insecure page', async () => {
    const page = await open(url().replace('127.0.0.1', 'shop.test'));
    expect(await shown(page)).toContain(
      'a service worker requires a secure page. Open it over https or at http://localhost, not at http://shop.test',
    );
  });
});

describe('a page of the built package', () => {
  const url = serve({ ...app, built: true, module: join(inject('program'), '../../browser.js') });

  test.each([
    ["default-src 'self'", 'the font of the studio', ['Loading the font'], 'error'],
    ["default-src 'self'; font-src 'self' data:", 'nothing', [], 'loaded'],
  ])('with the Content-Security-Policy %s reports %s', async (policy, _, blocked, font) => {
    const page = await context.newPage();
    const errors = messages(page, 'error');
    await page.route(url(), async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), 'content-security-policy': policy };
      await route.fulfill({ response, headers });
    });
    await page.goto(url());
    expect(await shown(page)).toBe(user);
    expect(errors).toEqual([]);
    const fonts = await page.evaluate(async () => {
      const frame = await window.office.openStudio();
      await new Promise((resolve) => {
        frame.addEventListener('load', resolve, { once: true });
      });
      const { fonts: loaded } = frame.contentDocument!;
      await loaded.load('1em Inter').catch(() => undefined);
      return [...loaded].map(({ status }) => status);
    });
    expect(fonts).toEqual([font]);
    expect(errors.map((text) => text.slice(0, 16))).toEqual(blocked);
  });
});

test('a page of the development server works as a built one', { tags: 'long' }, async () => {
  const development = await openViteApp({ ...app, built: false });
  expect(await shown(await open(development.url))).toBe(user);
  await development.close();
});

test('the page of README behaves as described', async () => {
  const readme = await openViteApp({ root: 'readme', built: false });
  const page = await context.newPage();
  const said = page.waitForEvent('console', (message) => message.type() === 'log');
  await page.goto(readme.url);
  const [printed] = (await said).args();
  expect(await printed?.jsonValue()).toEqual(await firstOrder('filled-cart'));
  const now = (): Promise<unknown> =>
    page.evaluate(async () => (await fetch('/api/orders/1')).json());
  await expect.poll(now).toEqual(await firstOrder('sale'));
  await readme.close();
});

async function firstOrder(scenario: 'filled-cart' | 'sale'): Promise<unknown> {
  return (await createBackOffice({ scenario }).fetch('/api/orders/1')).json();
}
