/** @module-tag chromium */
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openStudio, ownsCookies, testServer } from '../support/studio.ts';

useBrowser();

const hold = { hold: 'one', match: { path: '/api/users/:id' } };

test('a request has its row while its response is held, which one click releases', async () => {
  const { page, call, click, clicks, shows } = await openStudio();
  await call('POST /_backlot/faults', hold);
  const held = call('GET /api/users/1');
  const row = page.locator('.entry', { hasText: '/api/users/1' });
  await shows(/^#2\s+…\s+.*waits to read user 1, held by fault 1 · \d+ s/s, row);
  const nav = page.getByRole('link', { name: /^Activity/ });
  await shows(/1\s+not sent yet/, nav);
  if (ownsCookies) {
    expect(await page.title()).toMatch(/^\(1\) /);
    const icon = page.locator('link[rel=icon]');
    expect(decodeURIComponent((await icon.getAttribute('href'))!)).toMatch(/>1<\/text><\/svg>$/);
  }
  await click('Release GET /api/users/1');
  expect((await held).status).toBe(200);
  await shows(/^#2\s+200\s+.*read user 1/, row);
  await expect.poll(() => nav.innerText()).toBe('Activity');
  expect(await row.getByRole('button').count()).toBe(1);
  expect(clicks()).toBe(1);
});

testServer('the row of a request says that its client left', async () => {
  const { page, call, url, shows } = await openStudio();
  await call('POST /_backlot/faults', { ...hold, delay: 60_000, hold: undefined });
  const client = new AbortController();
  const sent = fetch(`${url}/api/users/1`, { signal: client.signal });
  const row = page.locator('.entry', { hasText: '/api/users/1' });
  await shows(/waits to read user 1, \+60 s by fault 1 · \d+ s/, row);
  client.abort();
  await expect(sent).rejects.toThrow();
  await shows(/left before it could read user 1, \+60 s/, row);
  await expect
    .poll(() => page.getByRole('link', { name: /^Activity/ }).innerText())
    .toBe('Activity');
});

test('an open entry shows the response once it is released', async () => {
  const { page, call, click, shows } = await openStudio();
  await call('POST /_backlot/faults', hold);
  const held = call('GET /api/users/1');
  await click(/waits to read/, page.locator('.windowed'));
  const detail = page.locator('.detail');
  await shows(/held/, detail);
  await call('POST /_backlot/holds/one/release');
  await held;
  await shows(/Response 200/, detail);
});
