/** @module-tag chromium */
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { isFocused, openStudio } from '../support/studio.ts';

useBrowser();

test('the parts of an entry are tabs, which the arrow keys choose', async () => {
  const { page, click, shows, declineOrder } = await openStudio();
  await declineOrder();
  await click(/placed order 119/, page.locator('.windowed'));
  const tab = (name: string) => page.getByRole('tab', { name });
  const part = page.getByRole('tabpanel');
  await shows(/order 119[^]*checkout_state/, part);
  await tab('Changes').focus();
  await page.keyboard.press('ArrowRight');
  expect(await isFocused(tab('Why'))).toBe(true);
  await shows(/Why was #4 ok/, part);
  await page.keyboard.press('Home');
  expect(await isFocused(tab('Request'))).toBe(true);
  await page.keyboard.press('ArrowLeft');
  await shows(/Headers of the request[^]*Headers of the response[^]*content-type/, part);
});

test('what a request has changed is marked in its response', async () => {
  const { page, click, declineOrder } = await openStudio();
  await declineOrder();
  await click(/placed order 119/, page.locator('.windowed'));
  await page.getByRole('tab', { name: 'Response 200' }).click();
  const marked = page.locator('.json-line', { has: page.locator('.fact.info') });
  await expect.poll(() => marked.allInnerTexts()).toContainEqual(expect.stringMatching(/"state"/));
  expect((await marked.allInnerTexts()).join()).not.toMatch(/"currency"|"email"/);
});

test('a refused field is marked in the request', async () => {
  const { page, click, shows, call } = await openStudio();
  await call('POST /api/orders/', { channel: 1, user: 'nobody', currency: 'EUR' });
  await click(/^#\d+ 400/);
  await shows(/1 of 3 fields was rejected\. Nothing was changed[^]*Response 400/);
  const body = page.getByLabel('Body of the request', { exact: true });
  await shows(/"user": "nobody"/, body);
  await expect.poll(() => body.locator('.fact.bad').allInnerTexts()).toEqual(['"nobody"']);
});

test('parts of a value of JSON are folded, searched and copied, however long it is', async () => {
  const { page, click, shows, call } = await openStudio({
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  await call('GET /api/orders/?limit=10');
  await click(/GET \/api\/orders/);
  const body = page.getByLabel('Body of the response', { exact: true });
  await shows(/"page": 1/, body);
  expect(await body.locator('.json-line').count()).toBeLessThan(200);
  await body.getByRole('button', { name: /^_embedded.items.0:/ }).click();
  await shows(/"checkout_state"/, body);
  await body.getByRole('button', { name: /^_embedded:/ }).click();
  await expect.poll(() => body.innerText()).not.toContain('checkout_state');
  await page.getByLabel('Search: Body of the response').fill('currency');
  await shows(/\d\d lines/, page.getByRole('tabpanel'));
  await shows(/_embedded[^]*"currency": "EUR"/, body);
  expect(await body.innerText()).not.toContain('"email"');
  await click('Copy Body of the response');
  await click('Copied');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(JSON.parse(copied)).toMatchObject({ page: 1, limit: 10 });
});

test('a response that is too long to be recorded says so', async () => {
  const { page, click, shows, call } = await openStudio();
  await call('GET /api/orders/?limit=200');
  await click(/GET \/api\/orders/);
  await shows(/\d+ characters; at most 65536 are recorded/, page.getByRole('tabpanel'));
});
