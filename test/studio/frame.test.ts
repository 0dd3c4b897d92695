/** @module-tag chromium */
import type { Locator } from 'playwright';
import { expect, test } from 'vitest';
import { showsText, useBrowser } from '../support/browser.ts';
import { dropFile } from '../support/drop.ts';
import {
  isFocused,
  openStudio,
  scrolled,
  startServer,
  testPage,
  testServer,
  visit,
} from '../support/studio.ts';

useBrowser();

const cart = { channel: 1, user: 1, currency: 'EUR' };

test('the page shows the shop and updates when it changes', async () => {
  const { shows, click, call } = await openStudio();
  await shows(/Mon 2 Mar, 09:00 frozen\s+default\s+Find/);
  await shows(/No requests yet/);
  await call('POST /api/orders/', cart);
  await call('GET /api/orders/99999');
  await shows(/404\s+.*could not read order 99999: not found[^]*201\s+.*added order 121/);
  await call('PUT /_backlot/clock', { advance: 'P1D' });
  await shows(/Tue 3 Mar, 09:00 frozen/);
  await click('Orders');
  await shows(/121\s[^]*0\.00 EUR/);
});

testPage('an event of more than 1 MiB ends the connection, and the page says so', async () => {
  const { page, shows } = await openStudio();
  await page.route('**/_backlot/events', (route) => {
    const body = `id: 1\ndata: ${'x'.repeat(2 ** 20)}`;
    return route.fulfill({ contentType: 'text/event-stream', body });
  });
  await page.reload();
  await shows(/No more events: an event has more than 1048576 characters\./);
});

testPage('the page has its own font, with figures of one width', async () => {
  const { page, shows } = await openStudio();
  await shows(/No requests yet/);
  const fonts = await page.evaluate(async () => {
    await document.fonts.ready;
    const widths = ['1', '8'].map((text) => {
      const part = document.createElement('span');
      part.className = 'num';
      part.style.cssText = 'position: absolute; font-size: 100px';
      part.textContent = text;
      document.body.append(part);
      return part.getBoundingClientRect().width;
    });
    return { statuses: Array.from(document.fonts, (one) => `${one.family} ${one.status}`), widths };
  });
  expect(fonts.statuses).toEqual(['Inter loaded']);
  expect(fonts.widths[0]).toBe(fonts.widths[1]);
});

test('the page sends no requests while the shop does not change', async () => {
  const { page, shows, url } = await openStudio();
  await shows(/No requests yet/);
  await page.waitForLoadState('load');
  await page.waitForTimeout(500);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url().slice(url.length)));
  await page.waitForTimeout(1500);
  expect(sent).toEqual([]);
});

test('an opened request, its focus and its place stay when other requests arrive', async () => {
  const { page, click, shows, call } = await openStudio();
  await call('GET /api/channels/1');
  await click(/GET \/api\/channels\/1/);
  await page.getByRole('tab', { name: 'Response 200' }).click();
  await shows(/"id": 1/);
  const line = page.locator('.line[aria-expanded=true]');
  await line.focus();
  const place = await line.boundingBox();
  await call('GET /api/orders/99999');
  await shows(/Show 1 new entry/);
  expect(await line.boundingBox()).toEqual(place);
  expect(await isFocused(line)).toBe(true);
  await shows(/"id": 1/);
  await click(/Show 1 new entry/);
  await shows(/404\s+.*could not read order 99999/);
  await shows(/"id": 1/);
});

testPage('a link opens an entry, a filter and a section', async () => {
  const { url, call } = await startServer();
  await call('GET /api/channels/1');
  await call('GET /api/orders/99999');
  const page = await visit(`${url}/_backlot/#/activity?filter=is:rejected&open=2`);
  await showsText(page.locator('.detail'), /Response 404/);
  expect(await page.getByLabel('Filter the history').inputValue()).toBe('is:rejected');
  await page.getByRole('link', { name: 'Orders' }).click();
  await expect.poll(() => page.url()).toBe(`${url}/_backlot/#/orders`);
  await page.goBack();
  await showsText(page.locator('.detail'), /Response 404/);
});

test('a deleted history is empty in the page', async () => {
  const { shows, click, call, read } = await openStudio();
  await call('GET /api/channels/1');
  await shows(/channels\/1/);
  await click('Time');
  await click('Delete the history …');
  await click('Delete for ever');
  await shows(/Deleted the history/);
  await click('Activity');
  await shows(/No requests yet/);
  expect((await read('journal')).entries).toEqual([]);
});

test('a new order is first in the list, and the others keep their elements', async () => {
  const { page, shows, call } = await openStudio({ path: '/_backlot/#/orders' });
  const link = page.getByRole('link', { name: '105', exact: true });
  await link.focus();
  await call('POST /api/orders/', cart);
  await shows(/Changed\s+121\s/);
  expect(await isFocused(link)).toBe(true);
  await page.keyboard.press('Enter');
  await shows(/order 105 confirmed/);
});

testServer('the page reports a server that does not respond until it responds again', async () => {
  const { page, shows, click, url } = await openStudio({ path: '/_backlot/#/orders/105' });
  const notices = page.locator('.notices');
  await click(/^ship order 105/);
  await shows(/You shipped order 105/, notices);
  await page.route(`${url}/**`, (route) => route.abort());
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await shows(/^The server does not respond. The page connects again by itself.$/, notices);
  expect(await page.locator('.notice').count()).toBe(1);
  await page.unroute(`${url}/**`);
  await expect.poll(() => notices.innerText()).not.toContain('does not respond');
});

testPage(
  'a page says why its session has ended and begins it anew, and that a demo has no room for another',
  async () => {
    let now = 0;
    const names = ['ada', 'eve', 'kim', 'lea'];
    const { url } = await startServer({
      sessions: 'own',
      newName: () => names.shift() ?? 'zoe',
      maxSessions: 1,
      clientShare: 100,
      sessionLife: 'PT1M',
      milliseconds: () => now,
    });
    const page = await visit(`${url}/_backlot/#/orders/105`);
    await page.getByRole('button', { name: 'cancel order 105' }).click();
    await page.getByText('way taken: confirmed → cancelled').waitFor();
    now = 61_000;
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const ended = page.getByRole('alert');
    await showsText(
      ended,
      /Your shop was removed\s+Reason: its life of PT1M was over\.\s+Begin anew/,
    );
    expect(await page.locator('#main').getByRole('button').count()).toBe(1);
    await page.getByRole('button', { name: 'Begin anew' }).click();
    await page.getByRole('button', { name: 'cancel order 105' }).waitFor();
    await ended.waitFor({ state: 'detached' });
    const other = await visit(`${url}/_backlot/`);
    await showsText(
      other.locator('.notices'),
      /Session limit \(1\) reached\. Retry in \d+ s\. The page connects again by itself\./,
    );
  },
);

testServer(
  'the page asks for the token that the control API requires, and reports a wrong one',
  async () => {
    const { page, click, shows, call } = await openStudio({ controlToken: 'sesame' });
    const field = page.getByLabel('Token of the control API');
    await field.fill('wrong');
    await click('Use token');
    await expect.poll(() => field.isVisible()).toBe(true);
    await shows(/This is not the token of the server/);
    await field.fill('sesame');
    await click('Use token');
    await shows(/Mon 2 Mar, 09:00 frozen/);
    await call('GET /api/channels/1');
    await shows(/200\s+.*read channel 1/);
  },
);

testPage('in a demo, the page controls the shop of its visitor only', async () => {
  const { page, click, shows, call } = await openStudio({
    sessions: 'own',
    newName: () => 'ada-1',
    path: '/_backlot/#/orders/105',
  });
  await shows(/order 105 confirmed/);
  await click(/^cancel order 105/);
  await shows(/order 105 cancelled/);
  expect((await call('GET /api/orders/105')).body.state).toBe('confirmed');
  await showsText(page.locator('.who'), /your shop/);
});

test('the layout does not shift while the page loads again', async () => {
  const { page, shows, call } = await openStudio({ path: '/_backlot/#/orders/105' });
  await shows(/order 105 confirmed/);
  await page.evaluate(() => {
    const moved: string[] = [];
    const watch = new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) moved.push(`${startTime} ms after the start`);
    });
    watch.observe({ type: 'layout-shift' });
    Object.assign(window, { moved });
  });
  await call('GET /api/channels/1');
  await page.waitForTimeout(1000);
  expect(await page.evaluate('moved')).toEqual([]);
});

test('the links of the sections keep their places when another one is chosen', async () => {
  const { page, click } = await openStudio();
  const links = page.locator('nav[aria-label=Sections] a');
  const placesOf = () =>
    links.evaluateAll((all) =>
      all.map((one) => [one.getBoundingClientRect().left, one.getBoundingClientRect().width]),
    );
  await links.last().waitFor();
  const places = await placesOf();
  for (const name of ['Orders', 'Docs']) {
    await click(name);
    await links.and(page.locator('[aria-current]')).getByText(name).waitFor();
    expect(await placesOf()).toEqual(places);
  }
});

testPage(
  'a message stays at the time line while a section is scrolled, and covers nothing that has the focus',
  async () => {
    const { page, shows, click } = await openStudio({
      path: '/_backlot/#/orders/105',
      context: { viewport: { width: 1280, height: 500 } },
    });
    await click(/^ship order 105/);
    await shows(/order 105 shipped/);
    await dropFile(page, 'list.json', []);
    const message = page.locator('.notice');
    await message.waitFor();
    const line = page.locator('.timeline');
    expect(await bottomOf(message)).toBeCloseTo(await bottomOf(line), 0);
    await scrolled(page).evaluate((element) => element.scrollTo({ top: 1e6 }));
    expect(await scrolled(page).evaluate((element) => element.scrollTop)).toBeGreaterThan(100);
    const bottom = await bottomOf(message);
    expect(bottom).toBeCloseTo(await bottomOf(line), 0);
    const link = page.getByRole('link', { name: 'all fields' });
    const excess = (await link.boundingBox())!.y - bottom + 10;
    await scrolled(page).evaluate((element, top) => element.scrollBy({ top }), excess);
    expect((await link.boundingBox())!.y).toBeLessThan(bottom);
    await link.focus();
    expect((await link.boundingBox())!.y).toBeGreaterThanOrEqual(bottom);
  },
);

async function bottomOf(part: Locator): Promise<number> {
  const { y, height } = (await part.boundingBox())!;
  return y + height;
}
