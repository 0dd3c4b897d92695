import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import react from '@vitejs/plugin-react';
import { chromium } from 'playwright';
import { createServer } from 'vite';

const mocks = new URL('./src/mocks.js', import.meta.url);
const source = readFileSync(mocks, 'utf8');
let browser;

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH || undefined,
    args: ['--no-sandbox', '--disable-gpu'],
  });
});

after(async () => {
  writeFileSync(mocks, source);
  await browser.close();
});

/** Starts the development server with one of the installed versions of MSW. */
async function serve(msw) {
  mkdirSync('public', { recursive: true });
  const worker = createRequire(import.meta.url).resolve(`${msw}/mockServiceWorker.js`);
  copyFileSync(worker, 'public/mockServiceWorker.js');
  const server = await createServer({
    cacheDir: `node_modules/.vite-${msw}`,
    logLevel: 'error',
    plugins: [react()],
    resolve: { alias: [{ find: /^msw(?=\/|$)/, replacement: msw }] },
    server: { host: '127.0.0.1', port: 0 },
  });
  await server.listen();
  return server;
}

/** Waits until the page is answered from a scenario. Vite may load the page again when it finds another dependency. */
async function answersFrom(page, scenario) {
  for (let left = 100; left > 0; left--) {
    const health = await page.evaluate(status).catch(() => undefined);
    if (health?.scenario === scenario) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  assert.fail(`The page is not answered from ${scenario}.`);
}

const total = async () => (await (await fetch('/api/orders/')).json()).total;
const status = async () => (await fetch('/_backlot/health')).json();

for (const msw of ['msw', 'msw2']) {
  test(`StrictMode and hot reloads leave the page on the last mock (${msw})`, async () => {
    const server = await serve(msw);
    const context = await browser.newContext();
    try {
      const [url] = server.resolvedUrls.local;
      const page = await context.newPage();
      await page.goto(`${url}?effect`);
      await page.waitForFunction(() => document.querySelector('output')?.textContent === 'cart');
      assert.equal(await page.evaluate(() => window.effects), 2);
      assert.equal((await page.evaluate(status)).scenario, 'filled-cart');

      // Before it is connected, Vite sends no hot reloads.
      const connected = page.waitForEvent('console', (message) =>
        message.text().includes('[vite] connected'),
      );
      await page.goto(url);
      await page.waitForFunction(() => window.starts === 1 && window.ready);
      await connected;
      assert.equal((await page.evaluate(status)).scenario, 'default');
      assert.notEqual(await page.evaluate(total), 0);
      const edits = ['empty', 'filled-cart', 'empty'];
      for (const scenario of edits) {
        writeFileSync(mocks, source.replace("'default'", `'${scenario}'`));
        await answersFrom(page, scenario);
      }
      assert.equal(await page.evaluate(total), 0);
    } finally {
      writeFileSync(mocks, source);
      await context.close();
      await server.close();
    }
  });
}
