/** @module-tag chromium */
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openStudio, startServer, testPage } from '../support/studio.ts';

useBrowser();

/** Text that hardly compresses. */
const random = (at: number): string => Math.sin(at).toString(36).slice(2, 12);

const context = { permissions: ['clipboard-read', 'clipboard-write'] };

test('a rejected request of a checkout is a test for vitest by three clicks', async () => {
  const { page, click, clicks, shows, call } = await openStudio({ context });
  await call('PUT /api/checkouts/119', { nickname: 'home' });
  await click(/^#1\b[^]*400/, page.locator('.windowed'));
  await shows(/rejected/, page.locator('.detail'));
  await click(/^Share/);
  await click(/^Test of vitest that sends #1/);
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toMatch(/from 'vitest'[^]*\/api\/checkouts\/119[^]*400/);
  expect(clicks()).toBe(3);
});

testPage('a state is shared by a link, which another shop asks before it opens', async () => {
  const { page, click, clicks, call, shows } = await openStudio({ context });
  await call('PATCH /api/users/1', { firstName: 'Grace' });
  await click(/^Share/);
  await shows(
    /File[^]*its 1 entry\. Any browser[^]*Link[^]*without entries\. Only this machine can open 127\.0\.0\.1: send others the file\.[^]*Test[^]*all writes/,
  );
  await click(/^Link/);
  await click(/^Copied/);
  expect(clicks()).toBe(3);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await startServer();
  await page.goto(`${other.url}/_backlot/${new URL(link).hash}`);
  await page.getByRole('heading', { name: 'This link holds the state of a shop' }).waitFor();
  expect(other.office.db.users.get(1)?.first_name).not.toBe('Grace');
  await click('Open it');
  await expect.poll(() => other.office.db.users.get(1)?.first_name).toBe('Grace');
  await expect.poll(() => page.url()).toMatch(/#\/activity$/);
  await click(/^Undo You reset the shop to/);
  await expect.poll(() => other.office.db.users.get(1)?.first_name).not.toBe('Grace');
});

testPage('a state that is too large for a link is offered as a file', async () => {
  const { page, click, clicks, call, shows } = await openStudio();
  for (let id = 1; id <= 12; id++) {
    const firstName = Array.from({ length: 80 }, (_, at) => random(id * 100 + at)).join('');
    await call(`PATCH /_backlot/tables/users/${id}`, { first_name: firstName });
  }
  await click(/^Share/);
  await click(/^Link/);
  const notice = page.getByRole('status').last();
  await shows(/too large for a link: it would have \d+ characters, and 8000 at most/, notice);
  const download = page.waitForEvent('download');
  await click('File', notice);
  expect((await download).suggestedFilename()).toMatch(/^backlot-trace\./);
  expect(clicks()).toBe(3);
});

testPage('a damaged link says so, and changes nothing', async () => {
  const { click, shows, office } = await openStudio({ path: '/_backlot/#state=abc' });
  await click('Open it');
  await shows(/The link is damaged/);
  expect(office.history.entries()).toEqual([]);
});
