import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium, type Page } from 'playwright';
import { createHttpServer } from '../src/mounts/http/server.ts';
import { openStoreOffice } from '../src/shop/open-store-office.ts';
import { openSessions } from '../src/engine/sessions/server.ts';
import { chromiumLaunch } from '../test/support/chromium.ts';
import { root } from './bundle-parts.ts';
import { panelInstances } from './panel-instances.ts';

/** Takes the pictures of README: the studio of a shop after several requests. */
const folder = join(root, 'docs/pictures');
mkdirSync(folder, { recursive: true });
const office = openStoreOffice({ history: true, milliseconds: () => performance.now() });
const server = createHttpServer(openSessions(office)).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const browser = await chromium.launch(await chromiumLaunch());

await send('GET', '/api/orders/119');
await submitSteps(['addressing', 'shipping', 'payment', 'confirm']);
await submitSteps(['purchase'], { cardholderName: 'Ada' });
await submitSteps(['purchase'], { number: '4000000000000002' });
await submitSteps(['purchase']);

const page = await browser.newPage({
  viewport: { width: 1280, height: 800 },
  reducedMotion: 'reduce',
});
await show('orders/119', 'confirmed');
await take('order');
await show('activity', 'cardholderName');
await page.locator('.line', { hasText: 'cardholderName' }).click();
await page.locator('.detail', { hasText: 'Refused' }).waitFor();
await take('refused');
await dragBack();
await addRule();
await openPanel();

await browser.close();
server.close();
server.closeAllConnections();

async function show(route: string, text: string): Promise<void> {
  await page.goto(`${url}/_backlot/#/${route}`);
  await page.getByText(text).first().waitFor();
  await page.waitForTimeout(400);
}

async function take(name: string, of: Page = page): Promise<void> {
  await of.mouse.move(640, 799);
  await of.screenshot({ path: join(folder, `${name}.png`) });
}

/** The order as it was before its purchase, while the time line is dragged. */
async function dragBack(): Promise<void> {
  await show('orders/119', 'confirmed');
  const slider = page.locator('#timeline');
  await slider.evaluate((input: HTMLInputElement) => {
    input.value = '4';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await page.getByText('Let go to take back').waitFor();
  await page.screenshot({ path: join(folder, 'time-line.png') });
}

/** A rule for one endpoint. */
async function addRule(): Promise<void> {
  await send('POST', '/_backlot/faults', {
    match: { method: 'PUT', path: '/api/checkouts/:order_id', step: 'purchase' },
    probability: 0.3,
    status: 503,
  });
  await page.reload();
  await show('rules', 'Rules');
  await take('rule');
}

/** The studio as a panel in a page of an app. */
async function openPanel(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'src/mounts/devtools.ts')],
    bundle: true,
    format: 'iife',
    globalName: 'backlot',
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    write: false,
    plugins: [panelInstances],
  });
  const script = `${outputFiles[0]?.text ?? ''}; backlot.showDevtools('${url}', { open: true });`;
  const app = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  });
  const body = `<!doctype html><html lang="en"><title>Your shop</title>
    <style>body { font: 17px/1.6 Georgia, serif; margin: 2.5rem 4rem; color: #333 }</style>
    <h1>Thank you, Freja</h1><p>Order 000000095 is confirmed. Your parcel is packed at the moment.</p></html>`;
  await app.route(`${url}/thank-you`, (route) => route.fulfill({ body, contentType: 'text/html' }));
  await app.goto(`${url}/thank-you`);
  await app.addScriptTag({ content: script });
  await app.getByRole('link', { name: 'Orders' }).click();
  await app.getByRole('link', { name: '119', exact: true }).click();
  await app.getByText('What touched it').waitFor();
  await app.waitForTimeout(400);
  await take('panel', app);
}

/** Submits steps of an order as an app does. */
async function submitSteps(steps: readonly string[], changes: object = {}): Promise<void> {
  for (const _ of steps) {
    const response = await fetch(`${url}/_backlot/orders/119/next`);
    const { request } = (await response.json()) as {
      request: { method: string; url: string; body: object };
    };
    await send(request.method, request.url, { ...request.body, ...changes });
  }
}

async function send(method: string, path: string, body?: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}${path}`, {
    method,
    ...(body !== undefined && { headers, body: JSON.stringify(body) }),
  });
}
