/** @module-tag chromium */
import { expect, test } from 'vitest';
import { startSections } from './section.ts';

const visit = startSections();

test('one endpoint is broken with three clicks, and the editor says which requests it would have met', async () => {
  const { page, read, call, clicks } = await visit('/_backlot/');
  for (const id of [101, 102, 103]) await call(`GET /api/orders/${id}`);
  await call('GET /api/users/1');
  await page.getByRole('link', { name: 'Faults', exact: true }).click();
  await page.getByRole('link', { name: 'Answer every request with 503' }).click();
  await page.getByLabel('Endpoint').fill('GET /api/orders/:order_id');
  await page.getByText('Would have met 3 of the last 4').waitFor();
  await page.getByRole('button', { name: /^Add (fault|script)$/ }).click();
  await page.getByRole('button', { name: 'Delete fault 1' }).waitFor();
  expect(await clicks()).toBe(3);
  expect((await call('GET /api/orders/101')).status).toBe(503);
  expect((await call('GET /api/users/1')).status).toBe(200);
  await page.getByText('met 1 ×').waitFor();
  await page.getByRole('button', { name: 'Delete fault 1' }).click();
  await expect.poll(() => read('faults')).toEqual([]);
});

test('an operation of the docs leads to a rule that delays it', async () => {
  const { page, read, clicks } = await visit('/_backlot/#/docs/submitCheckoutStep');
  await page.getByRole('link', { name: 'Break it submitCheckoutStep' }).click();
  await page
    .getByRole('combobox', { name: 'Effect', exact: true })
    .selectOption('delay the response');
  await page.getByRole('textbox', { name: 'Milliseconds', exact: true }).fill('100-300');
  await page.getByRole('combobox', { name: 'Step', exact: true }).selectOption('purchase');
  await page.getByRole('button', { name: /^Add (fault|script)$/ }).click();
  await expect
    .poll(() => read('faults'))
    .toMatchObject([
      {
        match: { method: 'PUT', path: '/api/checkouts/:order_id', step: 'purchase' },
        delay: { from: 100, to: 300 },
      },
    ]);
  expect(await clicks()).toBeLessThanOrEqual(3);
});

test('a card is declined by a rule of the script', async () => {
  const { page, read } = await visit('/_backlot/#/rules?effect=status');
  await page
    .getByRole('combobox', { name: 'Effect', exact: true })
    .selectOption('decide the payment');
  await page.getByRole('textbox', { name: 'Conditions', exact: true }).fill('card=4242');
  await page.getByRole('textbox', { name: 'Reason', exact: true }).fill('Insufficient funds');
  await page
    .getByRole('combobox', { name: 'How often', exact: true })
    .selectOption('only the first …');
  await page.getByRole('button', { name: /^Add (fault|script)$/ }).click();
  await page.getByText('declined, reason Insufficient funds').waitFor();
  expect(await read('script')).toMatchObject([
    { on: 'purchase', match: { card: '4242' }, outcome: 'declined', first: 1 },
  ]);
});

test('a rule that is wrong is explained before it is added', async () => {
  const { page } = await visit('/_backlot/#/rules?effect=status');
  await page.getByRole('textbox', { name: 'Status', exact: true }).fill('9');
  await page.getByText(/status: Too small/).waitFor();
  await page.getByRole('textbox', { name: 'Status', exact: true }).fill('503');
  await page.getByLabel('Endpoint').fill('GET /api/channels/:channel_id');
  await page.getByLabel('Parameters').fill('user=1');
  await page.getByText('user: The endpoint has no such parameter; expected id.').waitFor();
});

test('after a rule is added, the editor shows the step that the next one has', async () => {
  const { page, read } = await visit('/_backlot/#/rules?effect=status');
  await page.getByRole('combobox', { name: 'Effect', exact: true }).selectOption('reject the step');
  const step = page.getByRole('combobox', { name: 'Step', exact: true });
  await step.selectOption('confirm');
  await page.getByRole('button', { name: /^Add (fault|script)$/ }).click();
  await page.getByRole('button', { name: 'Delete script 1' }).waitFor();
  await expect.poll(() => step.inputValue()).toBe('purchase');
  await page.getByRole('button', { name: /^Add (fault|script)$/ }).click();
  await expect.poll(() => read('script')).toMatchObject([{ on: 'confirm' }, { on: 'purchase' }]);
});

test('a rule is switched off and on, and edited in its place', async () => {
  const { page, read, call } = await visit('/_backlot/#/rules?effect=status');
  const match = { method: 'PUT', path: '/api/checkouts/:order_id', step: 'purchase' };
  await call('POST /_backlot/faults', { match, delay: 2000, first: 2 });
  await call('POST /_backlot/faults', { status: 500 });
  await page.getByRole('button', { name: 'Switch off fault 1' }).click();
  await page.getByRole('button', { name: 'Switch on fault 1' }).waitFor();
  expect(await read('faults')).toMatchObject([
    { id: 1, off: true, match, delay: 2000, first: 2 },
    {},
  ]);
  await page.getByRole('button', { name: 'Switch on fault 1' }).click();
  await page.getByRole('button', { name: 'Edit fault 1' }).click();
  await page.getByLabel('Milliseconds').fill('50');
  await page.getByRole('button', { name: /^Save (fault|script)$/ }).click();
  await expect.poll(async () => (await read('faults'))[0].delay).toBe(50);
  const [one, other] = await read('faults');
  expect(one).toEqual({ id: 1, match, delay: 50, first: 2, matched: 0 });
  expect(other).toMatchObject({ id: 2, status: 500 });
});

test('a rule is tried before the one in front of it, and one undo takes that back', async () => {
  const { page, read, call } = await visit('/_backlot/#/rules?effect=status');
  await call('POST /_backlot/faults', { status: 500, first: 3 });
  await call('POST /_backlot/faults', { delay: 20, match: { path: '/api/users/:id' } });
  await call('GET /api/channels/1');
  await page.getByRole('button', { name: 'Earlier fault 2' }).click();
  await expect
    .poll(() => read('faults'))
    .toEqual([
      { id: 1, match: { path: '/api/users/:id' }, delay: 20, matched: 0 },
      { id: 2, match: {}, status: 500, first: 3, matched: 1 },
    ]);
  await page
    .getByRole('button', { name: /^Undo You changed 2 faults/ })
    .last()
    .click();
  await expect.poll(() => read('faults')).toMatchObject([{ status: 500 }, { delay: 20 }]);
  expect((await call('POST /_backlot/faults/9/earlier')).status).toBe(404);
  expect((await call('POST /_backlot/script/1/earlier')).status).toBe(404);
});

/** A fault of each kind, and what the list says of it. */
const kinds = [
  [{ status: 409, body: { code: 409 } }, 'status 409'],
  [{ delay: 20 }, 'delay 20 ms'],
  [{ delay: { from: 10, to: 30 } }, 'delay from 10 to 30 ms'],
  [{ connection: 'drop', after: true }, 'drop the connection writes are kept'],
  [{ corrupt: 'cut-off' }, 'send half of the JSON'],
  [{ hold: 'users' }, 'hold as users'],
  [{ limit: { requests: 3, per: 'PT1H' } }, '3 requests per PT1H, then 429'],
] as const;

test('each kind of fault is listed in words, and saved as it was by the editor', async () => {
  const { page, read, call } = await visit('/_backlot/#/rules?effect=status');
  const match = { path: '/api/users/:id' };
  for (const [effect] of kinds) await call('POST /_backlot/faults', { match, ...effect });
  const before = await read('faults');
  for (const [at, [, text]] of kinds.entries()) {
    const name = `fault ${at + 1}`;
    const row = page.getByRole('listitem').filter({
      has: page.getByRole('button', { name: `Delete ${name}`, exact: true }),
    });
    expect(await row.innerText()).toContain(text);
    await row.getByRole('button', { name: `Edit ${name}` }).click();
    await page.getByRole('button', { name: /^Save (fault|script)$/ }).click();
    await page.getByRole('button', { name: /^Add (fault|script)$/ }).waitFor();
  }
  expect(await read('faults')).toEqual(before);
});

test('weather is chosen by name, shown with what it is, and undone', async () => {
  const { page, read, shows, click } = await visit('/_backlot/#/rules?effect=status');
  await shows(/Weather[^]*No faults\./);
  await page.getByLabel('Weather').selectOption('hotel-wifi');
  await shows(/A shared network: slow at times, and some responses end in the middle\./);
  await expect.poll(() => read('faults')).toHaveLength(2);
  await shows(/every request → delay/);
  await page.getByLabel('Weather').selectOption('payment-outage');
  await shows(/The payment provider is down/);
  await expect
    .poll(() => read('faults'))
    .toMatchObject([{ match: { step: 'purchase' } }, { status: 503 }]);
  await click('Delete fault 3');
  await shows(/No faults\./);
  await click(/^Undo/);
  await shows(/The payment provider is down/);
});
