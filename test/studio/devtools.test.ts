/** @module-tag chromium */
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { build, createServer } from 'vite';
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { showsText, useBrowser } from '../support/browser.ts';
import { startServer, visit } from '../support/studio.ts';

useBrowser();

let app: string;

/** An app that has the package installed, as far as its devtools need it. */
beforeAll(() => {
  app = mkdtempSync(join(tmpdir(), 'backlot-devtools-'));
  const installed = join(app, 'node_modules/backlot');
  for (const name of ['package.json', 'dist'])
    cpSync(join(inject('program'), '../../..', name), join(installed, name), { recursive: true });
});

afterAll(() => rmSync(app, { recursive: true, force: true }));

/** Writes the app: a page with hostile styles that shows the devtools of a server. */
function writeApp(url: string): void {
  writeFileSync(
    join(app, 'index.html'),
    `<!doctype html><html lang="en"><title>A shop</title>
    <style>* { color: red !important; font-size: 40px !important } div { display: none !important }</style>
    <body><h1>A shop</h1><script type="module" src="./main.js"></script></body></html>`,
  );
  writeFileSync(
    join(app, 'main.js'),
    `import { showDevtools } from 'backlot/devtools';
    window.remove = showDevtools('${url}', { key: 'Ctrl+Shift+Y' });`,
  );
}

/** Opens the app, as the development server of Vite serves it. */
async function openApp(url: string): Promise<Page> {
  writeApp(url);
  const vite = await createServer({
    configFile: false,
    root: app,
    logLevel: 'error',
    server: { port: 0, host: '127.0.0.1' },
  });
  await vite.listen();
  onTestFinished(() => vite.close());
  return visit(vite.resolvedUrls?.local[0] ?? '');
}

test('the panel of a session shows and controls its shop and not the shared one', async () => {
  const { office, url } = await startServer();
  const session = `${url}/s/ada`;
  await fetch(`${session}/api/orders/105`);
  const page = await openApp(session);
  await page.keyboard.press('Control+Shift+Y');
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('link', { name: '105', exact: true }).click();
  await page.getByRole('button', { name: 'cancel order 105' }).click();
  const state = async () => (await (await fetch(`${session}/api/orders/105`)).json()).state;
  await expect.poll(state).toBe('cancelled');
  expect(office.db.orders.get(105)?.state).toBe('confirmed');
});

test('the panel opens by its key in a page with hostile styles, and controls the shop', async () => {
  const server = await startServer();
  const page = await openApp(server.url);
  const opener = page.getByRole('button', { name: 'Backlot' });
  await opener.waitFor();
  expect(await page.locator('.studio').count()).toBe(0);
  await page.keyboard.press('Control+Shift+Y');
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('link', { name: '105', exact: true }).click();
  await page.getByRole('button', { name: 'cancel order 105' }).click();
  await expect.poll(() => server.office.db.orders.get(105)?.state).toBe('cancelled');
  expect(await page.locator('.skip').count()).toBe(0);
  await page.evaluate(() => {
    addEventListener('keydown', ({ key }) => key === 'k' && (document.title += ' found'));
  });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Find/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  expect(await page.title()).toBe('A shop');
  await page.keyboard.press('Control+k');
  expect(await page.title()).toBe('A shop found');
  expect(await page.getByRole('combobox', { name: /^Find/ }).count()).toBe(0);
  await page.evaluate(() => (document.title = 'A shop'));
  const colour = await page.locator('#order-title').evaluate((one) => getComputedStyle(one).color);
  expect(colour).not.toBe('rgb(255, 0, 0)');
  const header = await page.locator('header').evaluate((one) => one.clientHeight);
  expect(header).toBeLessThan(60);
  expect(await page.title()).toBe('A shop');
  expect(new URL(page.url()).hash).toBe('');
  await page.keyboard.press('Control+Shift+Y');
  await expect.poll(() => page.locator('.studio').isVisible()).toBe(false);
  await page.evaluate('window.remove()');
  await expect.poll(() => page.locator('backlot-devtools').count()).toBe(0);
});

test('two panels on a page show and control a shop each', async () => {
  const { office, url } = await startServer();
  await fetch(`${url}/s/ada/api/orders/105`);
  const page = await openApp(url);
  await page.evaluate("window.remove(), document.querySelector('style').remove()");
  await page.addScriptTag({
    type: 'module',
    content: `
      import { showStudio } from ${JSON.stringify(await servedDevtools(page))};
      for (const shop of [${JSON.stringify(url)}, ${JSON.stringify(`${url}/s/ada`)}]) {
        const element = document.createElement('div');
        element.className = 'shop';
        element.style.cssText = 'height: 300px; overflow: auto';
        document.body.append(element);
        showStudio(element, shop, { show: 'orders/105' });
      }`,
  });
  const [shared, own] = [page.locator('.shop').first(), page.locator('.shop').last()];
  await showsText(shared.locator('.who'), 'default');
  await showsText(own.locator('.who'), 'session ada');
  await own.getByRole('button', { name: 'cancel order 105' }).click();
  await expect.poll(() => own.locator('.head .pill').innerText()).toBe('cancelled');
  await own.getByRole('link', { name: 'Faults' }).click();
  await own.getByRole('heading', { name: 'Add a fault' }).waitFor();
  expect(await shared.locator('.head .pill').innerText()).toBe('confirmed');
  await shared.getByRole('button', { name: 'ship order 105' }).click();
  await expect.poll(() => office.db.orders.get(105)?.state).toBe('shipped');
  expect(await own.getByRole('heading', { name: 'Add a fault' }).isVisible()).toBe(true);
});

/** The URL at which Vite serves `backlot/devtools`. */
function servedDevtools(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const text = await (await fetch('./main.js')).text();
    return /from "([^"]+)"/.exec(text)?.[1] ?? '';
  });
}

test('a bundle for production contains none of it', async () => {
  vi.stubEnv('NODE_ENV', 'production');
  onTestFinished(() => void vi.unstubAllEnvs());
  writeApp('/');
  await build({ configFile: false, root: app, logLevel: 'error' });
  const scripts = globSync('dist/**/*.js', { cwd: app });
  const text = scripts.map((path) => readFileSync(join(app, path), 'utf8')).join('');
  expect(scripts.length).toBeGreaterThan(0);
  expect(text).not.toMatch(/backlot-devtools|attachShadow|After #\d/);
});

test('a page loads at most 8 kB of it until it is opened', () => {
  const folder = join(app, 'node_modules/backlot/dist');
  const loaded = new Set(['devtools.js']);
  let size = 0;
  for (const name of loaded) {
    const text = readFileSync(join(folder, name), 'utf8');
    size += gzipSync(text).length;
    for (const [, path = ''] of text.matchAll(/^(?:import|\} from) ?(?:.* from )?"\.\/(.+)";$/gm))
      loaded.add(path);
  }
  expect(size).toBeLessThanOrEqual(8000);
});

test('the panel adds no second main to its page, and Escape closes it unless something in it is open', async () => {
  const { url } = await startServer();
  const page = await openApp(url);
  await page.evaluate(() => {
    document.querySelector('style')?.remove();
    document.body.innerHTML =
      '<header>A shop</header><main><h1>A shop</h1><button id="buy">Buy</button></main>';
    document.body.append(document.createElement('backlot-devtools'));
  });
  await page.locator('backlot-devtools').evaluate((panel, shop) => {
    panel.setAttribute('url', shop);
  }, url);
  await page.locator('#buy').focus();
  await page.keyboard.press('Alt+Shift+B');
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
  expect(await page.getByRole('main').count()).toBe(1);
  expect(await page.getByRole('banner').count()).toBe(1);
  const isOpen = () => page.locator('.studio').isVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Find/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: /^Find/ }).waitFor({ state: 'hidden' });
  expect(await isOpen()).toBe(true);
  await page.getByRole('searchbox', { name: /^Id, number/ }).fill('10');
  await page.keyboard.press('Escape');
  expect(await isOpen()).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(isOpen).toBe(false);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('buy');
});
