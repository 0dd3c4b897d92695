/**
 * Builds the site for a path that is not its own, checks its types, and tries it in Chromium: the shop of its front page, and each
 * block that has a *Run*.
 * `npm run test:site`; `npm run test:site -- <folder>` also takes pictures into a folder.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, type Page } from 'playwright';
import { chromiumLaunch } from '../support/chromium.ts';
import { environment, root, run } from '../../tools/run.ts';
import { tryCommands, tryDefinitions, tryPlaces, tryScripts } from './blocks.ts';
import { tryColours, tryKeyboard, tryLinks, tryWidths } from './pages.ts';

const base = '/some/path/';
const built = join(root, 'docs/.vitepress/dist');
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

await run('npm', ['run', '-s', 'site'], root, { ...environment, SITE_BASE: base });

await run('tsc', ['-p', 'docs/tsconfig.json']);

const server = createServer(({ url = '' }, response) => {
  const path = new URL(url, 'http://site').pathname;
  const file = join(built, path.slice(base.length) || 'index.html');
  const isBelow = path.startsWith(base);
  const found = [file, `${file}.html`].find((one) => isBelow && existsSync(one));
  const sent = found ?? join(built, '404.html');
  // Compressed, as static hosts send it.
  response.writeHead(found === undefined ? 404 : 200, {
    'content-type': types[extname(sent)] ?? 'application/octet-stream',
    'content-encoding': 'gzip',
  });
  response.end(gzipSync(readFileSync(sent)));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const browser = await chromium.launch(await chromiumLaunch());
const context = await browser.newContext({ viewport: { width: 1280, height: 1000 } });
const troubles: string[] = [];
const page = await context.newPage();
watch(page);

try {
  const list = readFileSync(join(built, 'llms.txt'), 'utf8');
  assert.match(list, /\/agents\.md\): /);
  assert.match(readFileSync(join(built, 'llms-full.txt'), 'utf8'), /^# For agents and QA$/m);
  await tryFirstVisit();
  await tryMissingPage();
  await tryFrontPage();
  await tryGrid();
  const pages = { page, url: `${origin}${base}`, built };
  await tryCommands(pages);
  await tryScripts(pages);
  await tryDefinitions(pages);
  await tryPlaces(pages);
  await tryLinks(pages);
  await tryWidths(pages);
  await tryColours(pages);
  await tryKeyboard(pages);
  await tryOffline();
  if (process.argv[2] !== undefined) await takePictures(process.argv[2]);
  assert.deepEqual(troubles, []);
} finally {
  await browser.close();
  server.close();
}

/** Notes errors of a page, and requests to other origins. */
function watch(watched: Page): void {
  watched.on('pageerror', (error) => troubles.push(`${watched.url()}: ${error.message}`));
  watched.on('console', (message) => {
    if (message.type() === 'error') troubles.push(`${watched.url()}: ${message.text()}`);
  });
  watched.on('request', (request) => {
    const { protocol } = new URL(request.url());
    if (protocol.startsWith('http') && !request.url().startsWith(origin))
      troubles.push(`${watched.url()} sends a request to ${request.url()}`);
  });
}

/** Opens the front page with an empty cache and the network of a telephone, and goes on to another page. */
async function tryFirstVisit(): Promise<void> {
  const elsewhere = await browser.newContext({ serviceWorkers: 'block' });
  const visited = await elsewhere.newPage();
  watch(visited);
  const network = await elsewhere.newCDPSession(visited);
  const bytesPerSecond = 500_000;
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 40,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  const started = performance.now();
  await visited.goto(`${origin}${base}`);
  await visited
    .locator('.pay')
    .filter({ hasText: /^Pay \d/ })
    .waitFor();
  console.log(
    `measured: first live answer after ${Math.round(performance.now() - started)} ms with 4 Mbit/s`,
  );
  await visited.getByRole('link', { name: 'Docs' }).first().click();
  await visited.waitForURL(`${origin}${base}tools.html`);
  await visited.getByRole('heading', { level: 1 }).waitFor();
  await elsewhere.close();
}

/** Opens an address that no page has, and goes on to a page. */
async function tryMissingPage(): Promise<void> {
  const visited = await context.newPage();
  await visited.goto(`${origin}${base}no/such/page`);
  await visited.getByRole('heading', { name: 'Page not found' }).waitFor();
  await visited.getByRole('main').getByRole('link', { name: 'Errors' }).click();
  await visited.waitForURL(`${origin}${base}errors*`);
  await visited.getByRole('heading', { name: 'Errors', level: 1 }).waitFor();
  await visited.close();
}

async function tryFrontPage(): Promise<void> {
  const started = performance.now();
  await page.goto(`${origin}${base}`);
  const pay = page.locator('.pay');
  await pay.filter({ hasText: /^Pay \d/ }).waitFor();
  console.log(`measured: first live answer after ${Math.round(performance.now() - started)} ms`);
  await page.locator('.studio-frame').getByText('Order 1').first().waitFor();

  await act('Decline the card');
  const before = page.url();
  await pay.click();
  await page.getByText('Card declined. Try another.').waitFor();
  await page.waitForFunction((url) => location.href !== url, before);
  const link = page.url();
  assert.match(link, /#state=[\w-]+$/);
  console.log(`measured: the link of the state has ${link.split('#')[1]?.length} characters`);

  const other = await context.newPage();
  watch(other);
  await other.goto(link);
  await other.locator('.studio-frame').getByText('Order 1').first().waitFor();
  await other
    .locator('.pay')
    .filter({ hasText: /^Pay \d/ })
    .waitFor();
  await other.getByRole('button', { name: 'as a test' }).click();
  await other.locator('.source').waitFor();
  await other.close();

  await page.getByRole('button', { name: 'as a test' }).click();
  await page.locator('.source', { hasText: 'backlot/vitest' }).waitFor();
  await page.getByRole('button', { name: 'code' }).click();
  await page.locator('.source', { hasText: 'readOrder' }).waitFor();
  await page.getByRole('button', { name: 'studio' }).click();

  await act('Rewind');
  await pay.click();
  await page.getByText('Thank you.').waitFor();
  await act('Rewind');
  await act('Sell out');
  await pay.click();
  await page.getByText('Sold out: 2 of your items').waitFor();
  await act('Rewind');
  await act('+1 day');
  await page.getByText('Order abandoned').waitFor();
  await act('Rewind');
  await pay.filter({ hasText: /^Pay \d/ }).waitFor();
}

/** Breaks the page of the grid, and mends it. */
async function tryGrid(): Promise<void> {
  const grid = page.locator('.chaos');
  await grid.scrollIntoViewIfNeeded();
  await grid.getByText('0 of 15 cells are red').waitFor();
  await grid.getByLabel('It says what went wrong').uncheck();
  await grid.getByText('13 of 15 cells are red').waitFor();
  await grid.getByRole('button', { name: 'red, drop after' }).click();
  await grid.getByText('The page says nothing, and shows what is no longer so').waitFor();
  await grid.getByLabel('It says what went wrong').check();
  await grid.getByText('0 of 15 cells are red').waitFor();
  await grid.getByLabel('It shows that it waits').uncheck();
  await grid.getByText('2 of 15 cells are red').waitFor();
}

async function act(name: string): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.waitForFunction(() => location.hash.startsWith('#state='));
}

async function tryOffline(): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await context.setOffline(true);
  await page.goto(`${origin}${base}`);
  await page
    .locator('.pay')
    .filter({ hasText: /^Pay \d/ })
    .waitFor();
  await page.goto(`${origin}${base}five-minutes.html`);
  await page.locator('.run-button').first().click();
  await page.getByText('Run again').waitFor();
  await context.setOffline(false);
}

async function takePictures(folder: string): Promise<void> {
  const looks = [
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
  ] as const;
  for (const [width, scheme] of looks) {
    await page.setViewportSize({ width, height: 1000 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(`${origin}${base}#`);
    await page.reload();
    await page.locator('.studio-frame').getByText('Order 1').first().waitFor();
    await page.screenshot({ path: join(folder, `site-${width}-${scheme}.png`), fullPage: true });
  }
  await page.goto(`${origin}${base}five-minutes.html`);
  await page.screenshot({ path: join(folder, 'site-page.png') });
}
