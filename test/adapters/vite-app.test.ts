import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { msw } from 'msw/vite';
import { chromium, type Browser, type Page } from 'playwright';
import { build, createServer, preview, type InlineConfig } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBackOffice } from '../../src/index.ts';
import { chromiumLaunch } from '../support/chromium.ts';

const root = join(import.meta.dirname, '../browser/app');
const base = '/shop/front/';
let folder: string;
let browser: Browser;
const closing: (() => Promise<void>)[] = [];
const urls: Record<string, string> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backlot-app-'));
  const launch = await chromiumLaunch();
  const args = [...launch.args, '--host-resolver-rules=MAP shop.test 127.0.0.1'];
  browser = await chromium.launch({ ...launch, args });
  const config: InlineConfig = {
    configFile: false,
    root,
    base,
    cacheDir: join(folder, 'cache'),
    logLevel: 'error',
    plugins: [msw({ mode: 'worker-only' })],
    build: { outDir: join(folder, 'dist'), target: 'esnext' },
    server: { host: '127.0.0.1', port: 0, watch: null },
    preview: { host: '127.0.0.1', port: 0, allowedHosts: ['shop.test'] },
  };
  const server = await (await createServer(config)).listen();
  closing.push(() => server.close());
  await build(config);
  const built = await preview(config);
  closing.push(() => built.close());
  urls['the development server'] = server.resolvedUrls?.local[0] ?? '';
  urls['the built page'] = built.resolvedUrls?.local[0] ?? '';
});

afterAll(async () => {
  await browser.close();
  for (const close of closing) await close();
  await rm(folder, { recursive: true, force: true });
});

async function shown(page: Page): Promise<string> {
  await page.waitForFunction(() => document.querySelector('output')?.textContent !== '');
  return (await page.textContent('output')) ?? '';
}

/** How many orders the page has, after it made one. */
async function orders(page: Page, { more }: { more: boolean }): Promise<number> {
  return page.evaluate(async (create) => {
    const body = new URLSearchParams({ channel: '1', user: '1', currency: 'EUR' });
    if (create) await fetch('/api/orders/', { method: 'POST', body });
    // oxlint-disable-next-line typescript/no-explicit-any -- what the page put there
    return (globalThis as any).office.db.orders.count();
  }, more);
}

test.each(['the development server', 'the built page'])(
  '%s shows what the back office answers',
  async (name) => {
    const page = await browser.newPage();
    await page.goto(urls[name] ?? '');
    const user = await (await createBackOffice().fetch('/api/users/1')).text();
    expect(await shown(page)).toBe(user);
    const fresh = await orders(page, { more: false });
    expect(await orders(page, { more: true })).toBe(fresh + 1);
    await page.reload();
    expect(await shown(page)).toBe(user);
    expect(await orders(page, { more: false })).toBe(fresh);
    await page.close();
  },
);

test('a hard reload, which goes past service workers, is survived', async () => {
  const page = await browser.newPage();
  await page.goto(urls['the built page'] ?? '');
  const user = await shown(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Page.reload', { ignoreCache: true });
  await page.waitForFunction(
    () => 'office' in globalThis && navigator.serviceWorker.controller !== null,
  );
  expect(await shown(page)).toBe(user);
  await page.close();
});

test('what is kept is there after a reload, and in another tab', async () => {
  const context = await browser.newContext();
  const url = `${urls['the built page']}?keep`;
  const [one, two] = [await context.newPage(), await context.newPage()];
  await one.goto(url);
  await two.goto(url);
  await Promise.all([shown(one), shown(two)]);
  const before = await orders(one, { more: true });
  await one.reload();
  await shown(one);
  expect(await orders(one, { more: false })).toBe(before);
  await expect.poll(() => orders(two, { more: false })).toBe(before);
  expect(await orders(two, { more: true })).toBe(before + 1);
  await expect.poll(() => orders(one, { more: false })).toBe(before + 1);
  await context.close();
});

test('two tabs that keep nothing do not see each other', async () => {
  const context = await browser.newContext();
  const [one, two] = [await context.newPage(), await context.newPage()];
  await one.goto(urls['the built page'] ?? '');
  await two.goto(urls['the built page'] ?? '');
  await Promise.all([shown(one), shown(two)]);
  const before = await orders(two, { more: false });
  await orders(one, { more: true });
  expect(await orders(two, { more: false })).toBe(before);
  await context.close();
});

test('a worker script that is not there, or too deep, and an insecure page are told of', async () => {
  const page = await browser.newPage();
  const url = urls['the development server'] ?? '';
  await page.goto(`${url}?worker=/nowhere/worker.js`);
  expect(await shown(page)).toMatch(
    /there is no worker script at .*worker\.js: it answers .*msw init/,
  );
  const { port } = new URL(urls['the built page'] ?? '');
  await page.goto(`http://shop.test:${port}${base}`);
  expect(await shown(page)).toContain('a service worker needs a secure page, and http://shop.test');
  await page.close();
});
