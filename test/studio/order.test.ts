/** @module-tag chromium */
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import {
  hasServer,
  isFocused,
  openStudio,
  scrolled,
  startServer,
  testPage,
  testServer,
  visit,
} from '../support/studio.ts';

useBrowser();

test('the page of an order loads it, with the reasons of its total, by one request', async () => {
  const { page, shows, visitRoute } = await openStudio({ path: '/_backlot/#/time' });
  await shows(/What comes next/);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  await visitRoute('#/orders/1');
  await shows(/VAT \(/);
  const loads = sent.filter((path) => /_backlot\/(orders|tables|transitions)/.test(path));
  // A back office in the page answers without a request.
  expect(loads).toEqual(hasServer ? ['/_backlot/orders/1/view'] : []);
});

testPage('an order is shown by 3 requests, and by 2 after a change', async () => {
  const { page, url, call, visitRoute, shows } = await openStudio({ path: '/_backlot/#/orders' });
  await shows(/Changed\s+\d/);
  await page.waitForTimeout(500);
  let sent: string[] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('.js')) sent.push(request.url().slice(url.length));
  });
  await visitRoute('#/orders/119');
  await shows(/Ship to Cork/);
  await page.waitForTimeout(500);
  expect(sent.length, sent.join()).toBeLessThanOrEqual(3);
  sent = [];
  await call('POST /api/orders/119/items/', { variant: 7, unitPrice: 1450, quantity: 1 });
  await shows(/CF-INB|Espresso/);
  await page.waitForTimeout(500);
  expect(sent.length, sent.join()).toBeLessThanOrEqual(2);
});

test('the focus stays near a button that its action removes', async () => {
  const { page, shows, call, click } = await openStudio({ path: '/_backlot/#/orders/119' });
  await shows(/Ship to Cork/);
  const press = async (name: string): Promise<void> => {
    await page.getByRole('button', { name }).focus();
    await page.keyboard.press('Enter');
  };
  await press('Ship to Cork');
  await shows(/Choose An Post/);
  await expect.poll(() => isInSection(page)).toBe(true);
  await press('More of order 119');
  await press('Do all that are left');
  await shows(/order 119 confirmed/);
  await expect.poll(() => isInSection(page)).toBe(true);
  await press('cancel order 119');
  await shows(/order 119 cancelled/);
  await expect.poll(() => isInSection(page)).toBe(true);
  for (const status of [503, 500, 502]) await call('POST /_backlot/faults', { status });
  await click('Faults');
  await press('Delete fault 2');
  await page.getByRole('button', { name: 'Delete fault 2' }).waitFor({ state: 'detached' });
  const next = page.getByRole('button', { name: /^\S+ fault 3/ }).first();
  await expect.poll(() => isFocused(next)).toBe(true);
  await press('Delete fault 3');
  await press('Delete fault 1');
  await shows(/None/);
  await expect.poll(() => isInSection(page)).toBe(true);
});

/** Whether the focus is in the section, and not lost to the body of the page. */
function isInSection(page: Awaited<ReturnType<typeof openStudio>>['page']): Promise<boolean> {
  return page.locator('#main').evaluate((main) => {
    const root = main.getRootNode() as Document | ShadowRoot;
    return main.contains(root.activeElement);
  });
}

test('long words and texts from right to left push out no button and move no amount', async () => {
  const { page, call, visitRoute, shows } = await openStudio({
    context: { viewport: { width: 360, height: 800 } },
  });
  const word = 'Incomprehensibilities'.repeat(7);
  const { order_items: items } = (await call('GET /_backlot/orders/105/view')).body.tables;
  const { variant_id: variant } = items[0];
  await call('PATCH /_backlot/tables/orders/105', { email: `${word}@example.com` });
  await call(`PATCH /_backlot/tables/variants/${variant}`, { sku: word });
  await call('PATCH /_backlot/tables/stock_locations/1', { name: word });
  for (const [route, loaded] of [
    ['#/orders/105', /Parcels/],
    [`#/data/variants/${variant}`, /On hand/],
  ] as const) {
    await visitRoute(route);
    await shows(loaded);
    await shows(word);
    const buttons = await page
      .locator('#main button')
      .evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).filter(({ right }) => right > 360),
      );
    expect(buttons, route).toEqual([]);
    expect(await scrolled(page).evaluate((one) => one.scrollWidth)).toBeLessThanOrEqual(360);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await call('PATCH /_backlot/tables/orders/105', { email: 'شركة@مثال.إختبار' });
  await visitRoute('#/orders/105');
  await shows(/87\.70 GBP[^]*إختبار/);
  const places = await page.locator('.figure button').evaluate((button) => {
    const amount = button.firstChild!;
    const text = amount.textContent ?? '';
    const leftOf = (part: string) => {
      const range = document.createRange();
      range.setStart(amount, text.indexOf(part));
      range.setEnd(amount, text.indexOf(part) + part.length);
      return range.getBoundingClientRect().left;
    };
    return [leftOf('87'), leftOf('70'), leftOf('GBP')];
  });
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  const customer = await page.locator('.about-order div').first().boundingBox();
  const next = await page.locator('.about-order div').nth(1).boundingBox();
  expect(customer!.x + customer!.width).toBeLessThanOrEqual(next!.x);
});

test('a purchase is sent again with a test card in place of what the journal masks, and a delay is told', async () => {
  const { page, shows, call, declineOrder, visitRoute, read } = await openStudio();
  await declineOrder();
  await call('POST /_backlot/faults', { delay: 20, match: { step: 'purchase' } });
  await page.locator('.line', { hasText: 'could not pay' }).first().click();
  await page.getByRole('button', { name: /^Send again/ }).click();
  await shows(/Secrets are not recorded/);
  await page.getByRole('button', { name: /^Send PUT/ }).click();
  // A request to the store API would be an entry itself, perhaps before that of the page.
  await expect.poll(() => read('tables/orders/119')).toMatchObject({ state: 'confirmed' });
  await visitRoute('#/activity?open=7');
  await shows(/delayed by 20 ms/);
});

test('the menu of the step that pays declines its card, and a notice says so', async () => {
  const { page, call, click } = await openStudio({ path: '/_backlot/#/orders/88' });
  await page.getByRole('button', { name: /^Pay \d+\.\d\d EUR of order 88$/ }).waitFor();
  await page.getByRole('button', { name: 'More of order 88' }).click();
  await click('Pay with a declined card of order 88');
  await page.getByText('Order 88: payment failed. “What touched it” says why.').first().waitFor();
  const { payments } = (await call('GET /api/orders/88')).body;
  expect(payments.at(-1).state).toBe('failed');
});

testServer(
  'the composer has a field for the token that the store API requires, and steps need no request without it',
  async () => {
    const { page, shows, call, visitRoute, click } = await openStudio({
      scenario: 'authenticated',
      path: '/_backlot/#/docs/listChannels',
    });
    await page.getByRole('button', { name: /^Send GET/ }).click();
    const field = page.getByLabel('Token of the store API');
    await field.waitFor();
    const client = { client_id: 'demo_client', client_secret: 'secret_demo_client' };
    const user = { grant_type: 'password', username: 'api@example.com', password: 'api' };
    const { body } = await call('POST /oauth/v2/token', { ...client, ...user });
    await field.fill(body.access_token);
    await page.getByRole('button', { name: /^Send GET/ }).click();
    await shows(/200 in/);
    await visitRoute('#/orders/119');
    await click(/^Ship to Cork/);
    await shows(/Choose An Post/);
    const { summaries } = (await call('GET /_backlot/journal?view=summary')).body;
    expect(summaries.filter(({ title }: { title: string }) => title.startsWith('PUT'))).toEqual([]);
  },
);

testPage(
  'a session that the URL names and nobody has begun is begun only if it is asked for',
  async () => {
    const { url, call } = await startServer();
    const page = await visit(`${url}/s/typo/_backlot/`);
    await page.getByRole('heading', { name: 'There is no session typo' }).waitFor();
    expect((await call('GET /_backlot/sessions')).body.sessions).toEqual([]);
    await page.getByRole('button', { name: 'Begin it' }).click();
    await page
      .getByRole('heading', { name: 'Home' })
      .or(page.getByText('Waiting for the first request'))
      .first()
      .waitFor();
    expect((await call('GET /_backlot/sessions')).body.sessions).toMatchObject([{ name: 'typo' }]);
  },
);

test('with forced colours, a chart differs in more than its colours, and what is chosen has an outline', async () => {
  const { page, shows, click } = await openStudio({
    path: '/_backlot/#/orders/105',
    context: { forcedColors: 'active' },
  });
  await shows(/order 105 confirmed/);
  await click('Chart of order 105');
  const fillOf = (kind: string) =>
    page
      .locator(`.${kind} rect`)
      .first()
      .evaluate((box) => getComputedStyle(box).fill);
  const strokeOf = (kind: string) =>
    page
      .locator(`.${kind} rect`)
      .first()
      .evaluate((box) => getComputedStyle(box).stroke);
  expect(await fillOf('present')).not.toBe(await fillOf('other'));
  expect(await strokeOf('next')).not.toBe(await strokeOf('other'));
  const chosen = page.getByRole('link', { name: 'Orders', exact: true });
  expect(await chosen.evaluate((link) => getComputedStyle(link).outlineStyle)).toBe('solid');
  await page.keyboard.press('Control+k');
  const option = page.locator('[role=option][aria-selected=true]');
  expect(await option.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('solid');
});
