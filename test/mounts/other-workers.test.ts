/** @module-tag chromium */
import type { ConsoleMessage, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openContext, useBrowser } from '../support/browser.ts';
import { sample } from '../support/runs.ts';
import { openViteApp, type ViteApp } from './vite-app.ts';

const base = '/shop/front/';
const mockScript = `${base}mockServiceWorker.js`;
const ways = (script: string, mock = mockScript): string =>
  `register ${script} only where startWorker is not called, or begin it with importScripts('${mock}') and call startWorker({ workerUrl: '${script}' })`;

useBrowser();

describe.each(sample(['msw', 'msw2'] as const, 1))('beside a worker of the app, with %s', (msw) => {
  let app: ViteApp;
  let page: Page;
  let warned: string[];

  beforeAll(async () => {
    app = await openViteApp({ root: 'browser/app', base, built: true, msw });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    page = await (await openContext()).newPage();
    warned = [];
    page.on('console', (message: ConsoleMessage) => {
      if (message.type() === 'warning') warned.push(message.text());
    });
  });

  /** Opens the page, which waits for `start`. */
  async function open(path = '', worker = mockScript): Promise<void> {
    await page.goto(`${app.url}${path}?idle&worker=${worker}`);
  }

  /** Starts the shop. Returns what the page shows: a user of it, or the message of the error. */
  async function start(): Promise<string> {
    await page.evaluate(() => window.start());
    return (await page.textContent('output')) ?? '';
  }

  /** Registers a worker, and waits until it is active. */
  function register(script: string, scope?: string): Promise<void> {
    return page.evaluate(
      async ([url, of]) => {
        const options = of === undefined ? {} : { scope: of };
        const { installing, waiting, active } = await navigator.serviceWorker.register(
          url,
          options,
        );
        const worker = installing ?? waiting ?? active!;
        while (worker.state !== 'activated')
          await new Promise((resolve) => {
            worker.addEventListener('statechange', resolve, { once: true });
          });
      },
      [`${base}${script}`, scope] as const,
    );
  }

  const isMocked = (): Promise<boolean> =>
    page.evaluate(async () => {
      const { headers } = await fetch('/api/users/1');
      return headers.get('content-type') === 'application/json';
    });

  test('a start takes the page from it, and says so once', async () => {
    await open();
    await register('pwa.js');
    expect(await start()).toContain('"id":1');
    expect(warned).toEqual([expect.stringContaining(ways(`${base}pwa.js`))]);
    expect(warned[0]).toContain(`taken this page from the worker ${app.url}pwa.js`);
    await page.reload();
    expect(await start()).toContain('"id":1');
    expect(warned).toHaveLength(1);
  });

  test('a start takes the page from one that was registered but controls nothing yet', async () => {
    await open();
    await register('idle.js');
    expect(await start()).toContain('"id":1');
    expect(warned).toEqual([expect.stringContaining(ways(`${base}idle.js`))]);
  });

  test('one that takes the page later is named, and the next start takes it back', async () => {
    await open();
    await start();
    await register('pwa.js');
    await expect.poll(() => warned).toEqual([expect.stringContaining(ways(`${base}pwa.js`))]);
    expect(warned[0]).toContain('Backlot no longer answers requests');
    expect(await isMocked()).toBe(false);
    await page.evaluate(() => window.office.stop());
    expect(await start()).toContain('"id":1');
    expect(await isMocked()).toBe(true);
  });

  test('a start in a page of its narrower scope fails, before and after a reload', async () => {
    await open('deep/');
    await register('pwa.js', `${base}deep/`);
    const told = `the worker ${app.url}pwa.js controls this page, not ${app.url}mockServiceWorker.js`;
    expect(await start()).toContain(told);
    await page.reload();
    expect(await start()).toContain(ways(`${base}pwa.js`));
  });

  test('a start of a narrower scope takes the page from it, which keeps others', async () => {
    const mock = `${base}deep/mockServiceWorker.js`;
    await open('deep/', mock);
    await register('pwa.js');
    expect(await start()).toContain('"id":1');
    expect(warned).toEqual([expect.stringContaining(ways(`${base}pwa.js`, mock))]);
    await page.reload();
    expect(await start()).toContain('"id":1');
    expect(warned).toHaveLength(1);
  });

  test('one of a narrower scope that takes the page later is named', async () => {
    await open('deep/');
    await start();
    await register('pwa.js', `${base}deep/`);
    await expect.poll(() => warned).toEqual([expect.stringContaining(ways(`${base}pwa.js`))]);
    await page.evaluate(() => window.office.stop());
  });

  test('one registered while the shop starts is named', async () => {
    await open();
    await start();
    await page.reload();
    await page.evaluate((url) => {
      void navigator.serviceWorker.register(url);
      return window.start();
    }, `${base}pwa.js`);
    const said = async (): Promise<string> =>
      `${warned.join()} ${await page.textContent('output')}`;
    await expect.poll(said).toContain(ways(`${base}pwa.js`));
  });

  test('a script that begins with that of MSW serves the app and the shop', async () => {
    await open('', `${base}merged.js`);
    await register('merged.js');
    expect(await start()).toContain('"id":1');
    await page.reload();
    expect(await start()).toContain('"id":1');
    await page.evaluate(() => window.office.stop());
    expect(await isMocked()).toBe(false);
    expect(warned).toEqual([]);
  });
});
