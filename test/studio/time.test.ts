/** @module-tag chromium */
import { expect, test } from 'vitest';
import { testServer } from '../support/studio.ts';
import { startSections } from './section.ts';

const visit = startSections();

test('the clock is advanced, set, started and frozen', async () => {
  const { page, read } = await visit('/_backlot/#/time');
  await page.getByRole('button', { name: '+1 h of the clock' }).click();
  await expect.poll(() => read('clock')).toMatchObject({ now: '2026-03-02T10:00:00+0000' });
  await page.getByLabel('Advance by').fill('2 days 3 h');
  await page.keyboard.press('Enter');
  await expect.poll(() => read('clock')).toMatchObject({ now: '2026-03-04T13:00:00+0000' });
  await page.getByLabel('Set to').fill('2026-04-01 08:30');
  await page.keyboard.press('Enter');
  await expect.poll(() => read('clock')).toMatchObject({ now: '2026-04-01T08:30:00+0000' });
  await page.getByRole('button', { name: 'Start the clock' }).click();
  await expect.poll(() => read('clock')).toMatchObject({ mode: 'ticking' });
  await page.getByRole('button', { name: 'Freeze the clock' }).click();
  await expect.poll(() => read('clock')).toMatchObject({ mode: 'frozen' });
});

test('the clock goes to an event, and the event is no longer listed', async () => {
  const { page, read } = await visit('/_backlot/#/time');
  await page.getByText('1 h 17 min').waitFor();
  await page.getByRole('button', { name: /Go there Mon 2 Mar 2026 10:17/ }).click();
  await expect.poll(() => read('tables/orders/106')).toMatchObject({ state: 'abandoned' });
  await page.getByRole('link', { name: 'order 106' }).waitFor({ state: 'detached' });
});

test('a snapshot is taken, restored and deleted, and a scenario is opened', async () => {
  const { page, call, read } = await visit('/_backlot/#/time');
  await page.getByLabel('Take a snapshot').getByLabel('Name').fill('morning');
  await page.keyboard.press('Enter');
  const item = page.getByRole('listitem').filter({ hasText: 'morning' });
  await item.waitFor();
  await call('PUT /_backlot/clock', { advance: 'P1D' });
  await item.getByRole('button', { name: 'Restore snapshot morning' }).click();
  await expect.poll(() => read('clock')).toMatchObject({ now: '2026-03-02T09:00:00+0000' });
  await item.getByRole('button', { name: 'Delete snapshot morning' }).click();
  await expect.poll(() => read('snapshot')).toEqual([]);
  await page.getByRole('combobox', { name: 'Scenario', exact: true }).selectOption('sale');
  await page.getByRole('button', { name: 'Reset to sale' }).click();
  await expect.poll(() => read('health')).toMatchObject({ scenario: 'sale' });
});

testServer('sessions are opened, listed and deleted', async () => {
  const { page, call } = await visit('/_backlot/#/time');
  await page.getByLabel('Open a session').getByLabel('Name').fill('ada');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'ada' }).waitFor();
  await page.getByRole('button', { name: 'Delete session ada' }).click();
  await expect.poll(async () => (await call('GET /_backlot/sessions')).body.sessions).toEqual([]);
});
