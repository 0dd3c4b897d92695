import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright';

// The scenario `empty` has 60 users, and each story adds some of its own.
const types = { '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json' };

const server = createServer(async ({ url }, response) => {
  const { pathname } = new URL(url, 'http://localhost');
  const path = pathname === '/' ? '/index.html' : pathname;
  try {
    const body = await readFile(join(import.meta.dirname, 'storybook-static', path));
    response.setHeader('content-type', types[extname(path)] ?? 'text/plain');
    response.end(body);
  } catch {
    response.writeHead(404).end('{"message":"Not on the network"}');
  }
});

let browser;
let origin;

before(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  });
});

after(async () => {
  await browser?.close();
  server.close();
  server.closeAllConnections();
});

/** Opens a story or a Docs page in a new browser context, which has no service worker yet. */
async function open(id, viewMode = 'story') {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${origin}/iframe.html?id=${id}&viewMode=${viewMode}`);
  return page;
}

/** Waits until the output of a page or of a frame has a text. */
const shows = (place, text) => place.locator('output', { hasText: text }).first().waitFor();

test('a story shows its own shop, and keeps it while it is mounted', async () => {
  const page = await open('users--shop-3');
  await shows(page, /^63 users$/);
  await page.getByRole('button', { name: 'Add' }).click();
  await shows(page, /^64 users$/);
});

test('a story that is opened after another one in the same page has its own shop', async () => {
  const page = await open('users--shop-3');
  await shows(page, /^63 users$/);
  await page.evaluate(() =>
    window.__STORYBOOK_PREVIEW__.channel.emit('setCurrentStory', { storyId: 'users--shop-5' }),
  );
  await shows(page, /^65 users$/);
});

test('faults, holds and the time of a story apply', async () => {
  await shows(await open('states--failing'), /^Service Unavailable$/);
  await shows(await open('states--at-another-time'), /^2031-05-06T07:08:09\+0000$/);
  await shows(await open('states--released'), /^60 users$/);
  await shows(await open('states--loading'), /^Loading…$/);
  await shows(await open('states--on-the-network'), /^Not on the network$/);
});

test('the story of the docs shows the order that it made', async () => {
  await shows(await open('docs--awaiting-payment'), /^EUR order: shipping$/);
});

test('a story shows a record that given made, by its id', async () => {
  await shows(await open('states--one-order'), /^EUR order: shipping$/);
});

test('a Docs page of twenty stories shows twenty shops', async () => {
  const page = await open('users--docs', 'docs');
  const frame = (number) => page.frameLocator(`iframe[src$="users--shop-${number}"]`).first();
  for (let number = 1; number <= 20; number++) {
    await page.locator(`iframe[src$="users--shop-${number}"]`).first().scrollIntoViewIfNeeded();
    await shows(frame(number), new RegExp(`^${60 + number} users$`));
  }
  await frame(7).getByRole('button', { name: 'Add' }).click();
  await shows(frame(7), /^68 users$/);
  await shows(frame(8), /^68 users$/);
  await frame(8).getByRole('button', { name: 'Add' }).click();
  await shows(frame(8), /^69 users$/);
});

test('inline stories of a Docs page have their own shops with the fetch, base URL or header of their context', async () => {
  const page = await open('inline--docs', 'docs');
  const errors = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  for (const [story, text] of [
    ['own-fetch', /^61 users$/],
    ['own-base-url', /^62 users$/],
    ['own-header', /^63 users$/],
    ['window-fetch', /stories are mounted in this page, so that of GET \/api\/users\/ is unknown/],
  ]) {
    await shows(page.locator(`[id*="inline--${story}"]`), text);
  }
  assert.ok(errors.length === 0 || errors.some((error) => error.includes('inline: false')));
});
