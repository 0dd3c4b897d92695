/** @module-tag chromium */
import { expect, onTestFinished } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { company } from '../support/company-api.ts';
import { everyField } from '../support/every-field-api.ts';
import { dropFile } from '../support/drop.ts';
import { openStudio, testPage } from '../support/studio.ts';
import { todoApi } from '../todo/api.ts';
import { uuidShop } from '../support/uuid-api.ts';

useBrowser();

testPage('the studio shows, edits and documents what an extension adds', async () => {
  const { page, read, call, visitRoute } = await openStudio({
    api: company,
    path: '/_backlot/#/data',
  });
  onTestFinished(() => page.close());
  await page.getByRole('link', { name: 'wishlists 1 record' }).click();
  const rows = page.getByRole('region', { name: 'Records: wishlists' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(1);
  await visitRoute('#/data/wishlists/1');
  await page.getByRole('button', { name: 'Edit wishlist 1' }).click();
  await page.getByRole('textbox', { name: 'name', exact: true }).fill('Summer');
  await page.getByRole('button', { name: 'Save wishlist 1' }).click();
  await expect.poll(() => read('tables/wishlists/1')).toMatchObject({ name: 'Summer' });
  await page
    .getByRole('button', { name: /^Undo You changed wishlist 1: name/ })
    .last()
    .click();
  await expect.poll(() => read('tables/wishlists/1')).toMatchObject({ name: 'Spring' });
  await page.goto(page.url().replace(/#.*/, '#/docs'));
  await page.getByRole('searchbox', { name: 'Search operations' }).fill('cart of a wishlist');
  await page.keyboard.press('Enter');
  await page.getByLabel('id', { exact: true }).fill('1');
  await page.getByRole('button', { name: 'Send POST /api/v1/wishlists/1/cart' }).click();
  await page.locator('.response > p b', { hasText: '201' }).waitFor();
  expect((await call('GET /api/v1/orders/121')).body.items).toHaveLength(2);
});

testPage(
  'each room of the studio of an API from nothing is of that API, and asks for nothing that it has not',
  async () => {
    const { page } = await openStudio({ api: todoApi, path: '/_backlot/#/home' });
    onTestFinished(() => page.close());
    const missing: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 404) missing.push(response.url());
    });
    await page.getByText('This is a todo API').waitFor();
    await page.getByRole('button', { name: 'Send it from here' }).click();
    await page.getByRole('heading', { name: 'The todo API is at' }).waitFor();
    const rooms = page.getByRole('navigation').getByRole('link');
    await expect.poll(async () => (await rooms.allInnerTexts()).join(' ')).not.toContain('Orders');
    const names = await rooms.allInnerTexts();
    expect(names.length).toBeGreaterThan(3);
    const storeWords = /\b([Ss]tore|[Ss]tock|[Cc]heckout|[Pp]ayments?|Orders)\b/;
    for (const name of names) {
      await rooms.filter({ hasText: name }).first().click();
      await page.locator('#main h1, #main h2').first().waitFor({ state: 'attached' });
      const main = page.locator('#main');
      await expect.poll(() => main.innerText()).not.toMatch(/^\s*(Loading.*)?$/);
      // Also what is not shown, and hints in fields.
      expect(await main.innerHTML(), name).not.toMatch(storeWords);
    }
    expect(missing).toEqual([]);
  },
);

/** Of each kind of field: its name in records, what is typed or chosen in the form, and what is stored. */
const edits = [
  ['text', 'Chair', 'Chair'],
  ['integer', '9', 9],
  ['decimal', '2.5', 2.5],
  ['money', '750', 750],
  ['flag', 'false', false],
  ['time', '2026-04-01T10:00:00+0000', '2026-04-01T10:00:00+0000'],
  ['colour', 'green', 'green'],
  ['texts', '["two","three"]', ['two', 'three']],
  ['ref', '2', 2],
  ['refs', '[9,7]', [9, 7]],
] as const;

testPage(
  'a record with every kind of field is shown, edited and compared, and its history says who set what',
  async () => {
    const { page, read } = await openStudio({
      api: everyField,
      path: '/_backlot/#/data/gadgets/1',
    });
    onTestFinished(() => page.close());
    const fields = page.getByRole('form', { name: 'Fields of gadget 1' });
    const before = await read('tables/gadgets/1');
    await fields.getByRole('button', { name: 'Edit gadget 1' }).click();
    for (const [name, typed] of edits) {
      const edit = fields.getByLabel(name, { exact: true });
      if (name === 'flag' || name === 'colour') await edit.selectOption(typed);
      else await edit.fill(typed);
    }
    await fields.getByRole('button', { name: 'Save gadget 1' }).click();
    const changed = Object.fromEntries(edits.map(([name, , stored]) => [name, stored]));
    await expect.poll(() => read('tables/gadgets/1')).toMatchObject(changed);
    const { entries } = await read('tables/gadgets/1/history');
    const [{ change }] = entries;
    const differences = edits.map(([field, , after]) => ({ field, before: before[field], after }));
    expect(change.fields).toEqual(expect.arrayContaining(differences));
    await expect
      .poll(() => fields.getByText('set by').count())
      .toBeGreaterThanOrEqual(edits.length);
    await page
      .getByRole('button', { name: /^Undo You changed gadget 1: / })
      .last()
      .click();
    await expect.poll(() => read('tables/gadgets/1')).toEqual(before);
  },
);

testPage('a trace of an extended API opens in a shop of this API, and nowhere else', async () => {
  const { page, call, read, shows } = await openStudio({ api: company });
  onTestFinished(() => page.close());
  await call('PATCH /_backlot/tables/wishlists/1', { name: 'Summer' });
  const trace = await read('trace');
  await call('POST /_backlot/reset');
  expect(await read('tables/wishlists/1')).toMatchObject({ name: 'Spring' });
  await dropFile(page, 'summer.json', trace);
  await shows(/Opened summer\.json/);
  expect(await read('tables/wishlists/1')).toMatchObject({ name: 'Summer' });
  await dropFile(page, 'other.json', { ...trace, api: 'todo' });
  await shows(/This trace has API "todo"; .* can be read/);
});

testPage('the page of an order is found by its UUID, and does its next step', async () => {
  const { page, call, visitRoute } = await openStudio({
    api: uuidShop,
    path: '/_backlot/#/orders',
  });
  onTestFinished(() => page.close());
  const { body } = await call('POST /_backlot/given/anOrder', { awaits: 'payment' });
  await page
    .getByRole('searchbox', { name: 'Id, number, e-mail or name of an order' })
    .fill(body.id);
  await page.keyboard.press('Enter');
  const rows = page.getByRole('region', { name: 'Orders' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(1);
  await rows.getByRole('link').first().click();
  await page.getByText(body.id, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Choose Credit or debit card' }).click();
  const state = async (): Promise<string> =>
    (await call(`GET /api/orders/${body.id}`)).body.checkout_state;
  await expect.poll(state).toBe('payment');
  await visitRoute('#/activity');
  await page.getByText(`/api/orders/${body.id}`).first().waitFor();
});

testPage('the editor of rules offers the kinds of fault of an extension', async () => {
  const { page, read } = await openStudio({
    api: company,
    path: '/_backlot/#/rules?effect=status',
  });
  onTestFinished(() => page.close());
  await page
    .getByRole('combobox', { name: 'Effect', exact: true })
    .selectOption('respond with a page');
  await page.getByRole('textbox', { name: 'maintenance', exact: true }).fill('Monday');
  await page.getByLabel('after the request has written').check();
  await page.getByRole('button', { name: /^Add (fault|script)$/ }).click();
  await page.getByText('maintenance Monday').first().waitFor();
  expect(await read('faults')).toMatchObject([{ maintenance: 'Monday', after: true }]);
  const statusOfUser = () => page.evaluate(async () => (await fetch('/api/v1/users/1')).status);
  expect(await statusOfUser()).toBe(503);
  await page.getByRole('button', { name: 'Edit fault 1' }).click();
  const edited = page.getByRole('form', { name: 'Edit fault 1' });
  await edited.getByRole('textbox', { name: 'maintenance', exact: true }).fill('Tuesday');
  await edited.getByRole('button', { name: /^Save (fault|script)$/ }).click();
  await expect.poll(() => read('faults')).toMatchObject([{ maintenance: 'Tuesday', after: true }]);
});

testPage('the studio of another API shows its requests and its records', async () => {
  const { page, call } = await openStudio({ api: todoApi, path: '/_backlot/#/data' });
  onTestFinished(() => page.close());
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => void errors.push(message));
  await page.getByRole('link', { name: 'todos 2 records' }).click();
  const rows = page.getByRole('region', { name: 'Records: todos' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(2);
  await call('POST /api/todos/', { title: 'S' });
  await page.goto(page.url().replace(/#.*/, '#/home'));
  await page.getByText('What happened last').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Activity', exact: true }).click();
  await page.getByTitle('title: This value is too short.').first().waitFor();
  expect(errors).toEqual([]);
});
