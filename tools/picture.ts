import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright';
import type { ChaosFindings } from '../src/engine/control/chaos-findings.ts';
import { chromiumLaunch } from '../test/support/chromium.ts';
import { openPictureShop, playCheckout, type PictureShop } from '../test/support/picture-shop.ts';
import { animatedWebp, type Frame } from './animated-webp.ts';
import { pack } from './packed.ts';
import { root, run } from './run.ts';
import { install } from './try-folders.ts';

/**
 * Takes the pictures of README and of the documents, in light and in dark, as wide as README is on GitHub, at twice the size: the studio of a shop after
 * several requests, of the built package. The first one moves, and the last one is of the findings in an example with a bug.
 */
const folder = join(root, 'docs/pictures');
const [width, height, scale] = [880, 800, 2];
mkdirSync(folder, { recursive: true });
const panel = await panelScript();
const findings = await findBug();
const browser = await chromium.launch(await chromiumLaunch());
for (const scheme of ['light', 'dark'] as const) {
  await takeMoving(scheme);
  const shop = await openPictureShop('default');
  await playCheckout(shop);
  const page = await openPage(browser, scheme);
  await show(page, shop, 'orders/119', /confirmed/);
  await take(page, `order-${scheme}`);
  await show(page, shop, 'activity?open=11', /Would be accepted/);
  await take(page, `refused-${scheme}`);
  await show(page, shop, 'orders/119', /confirmed/);
  await dragTo(page, 4);
  await take(page, `time-line-${scheme}`);
  await show(page, shop, 'rules', /status 503/);
  await take(page, `rule-${scheme}`);
  await openPanel(page, shop);
  await take(page, `panel-${scheme}`);
  shop.close();
  await takeFindings(page, scheme);
}
await browser.close();

function openPage(of: Browser, colorScheme: 'light' | 'dark'): Promise<Page> {
  const viewport = { width, height };
  return of.newPage({
    viewport,
    colorScheme,
    deviceScaleFactor: scale,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  });
}

async function show(page: Page, { url }: PictureShop, route: string, text: RegExp): Promise<void> {
  await page.goto(`${url}/_backlot/#/${route}`);
  await page.reload();
  await page.getByText(text).first().waitFor();
  await page.waitForTimeout(500);
}

/** Shows the shop as it was, while the time line is dragged. */
async function dragTo(page: Page, stop: number): Promise<void> {
  await page.locator('#timeline').evaluate((input: HTMLInputElement, value) => {
    input.value = String(value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, stop);
  await page.waitForTimeout(500);
}

async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(640, 799);
  const session = await page.context().newCDPSession(page);
  writeFileSync(join(folder, `${name}.webp`), await webpOf(session, 80));
}

/** Takes a picture of what the page shows. Playwright takes no WebP. */
async function webpOf(session: CDPSession, quality: number): Promise<Buffer> {
  const { cssVisualViewport } = await session.send('Page.getLayoutMetrics');
  const clip = { x: 0, y: cssVisualViewport.pageY, width, height, scale };
  const options = { format: 'webp', quality, clip, optimizeForSpeed: false } as const;
  const { data } = await session.send('Page.captureScreenshot', options);
  return Buffer.from(data, 'base64');
}

/** The tape is dragged back and forth, the order follows, and its total says why. */
async function takeMoving(scheme: 'light' | 'dark'): Promise<void> {
  const shop = await openPictureShop('sale');
  await shop.send('GET /api/orders/1');
  await shop.send('POST /api/orders/1/items/', { variant: 7, unitPrice: 1450, quantity: 1 });
  await shop.submit(1, 3);
  await shop.send('GET /api/orders/1');
  await shop.submit(1, 1, { number: '4000000000000002' });
  await shop.submit(1, 1);
  const page = await openPage(browser, scheme);
  await show(page, shop, 'orders/1', /What touched it/);
  const stops = Number(await page.locator('#timeline').getAttribute('max'));
  const session = await page.context().newCDPSession(page);
  const frames: Frame[] = [];
  const add = async (duration: number) => {
    const whole = { x: 0, y: 0, width: width * scale, height: height * scale };
    frames.push({ webp: await webpOf(session, 55), ...whole, duration });
  };
  await page.mouse.move(640, 799);
  await add(1600);
  for (let stop = stops - 1; stop >= 0; stop--) {
    await dragTo(page, stop);
    await add(stop === 0 ? 1200 : 600);
  }
  await dragTo(page, stops);
  await page.locator('#timeline').dispatchEvent('change');
  await page.waitForTimeout(500);
  await add(900);
  await page.getByRole('button', { name: /total of order 1: why/ }).click();
  await page.waitForTimeout(500);
  await add(4000);
  writeFileSync(
    join(folder, `studio-${scheme}.webp`),
    animatedWebp(frames, width * scale, height * scale),
  );
  await page.close();
  shop.close();
}

/** Runs `backlot chaos` on a test of the example of an admin in which nobody catches what fetch rejects with. */
async function findBug(): Promise<ChaosFindings> {
  const work = mkdtempSync(join(tmpdir(), 'backlot-picture-'));
  try {
    const admin = join(work, 'admin');
    cpSync(join(root, 'examples/admin'), admin, { recursive: true });
    await run('git', ['apply', join(import.meta.dirname, 'uncaught-fetch.patch')], admin);
    await install(admin, await pack(root, work));
    // It fails, because it finds the bug.
    const command = ['backlot', 'chaos', '--test', 'a chosen payment', '--', 'vitest', 'run'];
    const ended = await run('npx', command, admin).catch((error: unknown) => error);
    const file = join(admin, '.backlot/chaos.json');
    if (!existsSync(file)) throw new Error('No findings', { cause: ended });
    const report: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return { exist: () => true, read: () => report, readTrace: () => undefined };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Takes a picture of the findings, one of which is open. */
async function takeFindings(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  const shop = await openPictureShop('default', findings);
  await show(page, shop, 'chaos', /What the pages survive/);
  await page.getByRole('button', { name: 'red, drop after' }).first().click();
  await page.waitForTimeout(500);
  await take(page, `chaos-${scheme}`);
  shop.close();
}

async function panelScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'dist/devtools.js')],
    bundle: true,
    format: 'iife',
    globalName: 'backlot',
    target: 'es2023',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** Opens the studio as a panel in a page of an app. */
async function openPanel(page: Page, { url }: PictureShop): Promise<void> {
  const body = `<!doctype html><html lang="en"><title>Your shop</title>
    <style>:root { color-scheme: light dark } body { font: 17px/1.6 Georgia, serif; margin: 2.5rem 4rem }</style>
    <h1>Thank you, Freja</h1><p>Order 000000095 is confirmed. Your parcel is packed at the moment.</p></html>`;
  await page.route(`${url}/thank-you`, (route) =>
    route.fulfill({ body, contentType: 'text/html' }),
  );
  await page.goto(`${url}/thank-you`);
  await page.addScriptTag({ content: `${panel}; backlot.showDevtools('${url}', { open: true });` });
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('link', { name: '119', exact: true }).click();
  await page.getByText('What touched it').waitFor();
  await page.waitForTimeout(500);
}
