/** @module-tag chromium */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hasServer, testPage } from '../support/studio.ts';
import { startSections } from './section.ts';

const visit = startSections();
const copied = { permissions: ['clipboard-read', 'clipboard-write'] };

test('an operation is found, filled in, sent and copied as curl with three clicks', async () => {
  const { page, call, clicks, showsRoute } = await visit('/_backlot/#/docs', copied);
  await page.getByRole('searchbox', { name: 'Search operations' }).fill('add item cart');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Add an item to a cart', exact: true }).waitFor();
  await showsRoute('#/docs/addOrderItem');
  await page.getByLabel('order_id').fill('120');
  await page.getByLabel(/^Body/).fill('{ "variant": 1, "unitPrice": 1990, "quantity": 3 }');
  await page.getByRole('button', { name: 'Send POST /api/orders/120/items/' }).click();
  await page.locator('.response > p b', { hasText: '201' }).waitFor();
  expect(await page.getByRole('group', { name: 'Body of the response' }).innerText()).toContain(
    '"quantity": 3',
  );
  expect((await call('GET /api/orders/120')).body.items).toHaveLength(1);
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await clicks()).toBeLessThanOrEqual(3);
  const curl = await page.evaluate(() => navigator.clipboard.readText());
  if (!hasServer) {
    expect(curl).toContain('/api/orders/120/items/');
    return;
  }
  const { stdout } = await promisify(execFile)('sh', ['-c', `${curl} -s`]);
  expect(JSON.parse(stdout)).toMatchObject({ quantity: 3 });
});

/** The links of operations, by paths of a document. */
function hrefsOf(paths: [path: string, methods: Record<string, { operationId: string }>][]) {
  return new Set(
    paths.flatMap(([, methods]) =>
      Object.values(methods).map(({ operationId }) => `#/docs/${operationId}`),
    ),
  );
}

testPage(
  'every operation has a link, its example fills the form, and Docs opens at /_backlot/docs',
  async () => {
    const { page, call } = await visit('/_backlot/docs');
    const { paths } = (await call('GET /_backlot/openapi.json')).body;
    const all = Object.entries<Record<string, { operationId: string }>>(paths);
    const own = all.filter(([path]) => path.startsWith('/api/'));
    const list = page.getByRole('navigation', { name: 'Operations' });
    await list.waitFor();
    expect(page.url()).toMatch(/\/_backlot\/docs#\/docs$/);
    const listed = async () =>
      new Set(
        await list
          .getByRole('link')
          .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
      );
    expect(await listed()).toEqual(hrefsOf(own));
    await page.getByRole('button', { name: 'Show the control API' }).click();
    await expect.poll(listed).toEqual(hrefsOf(all));
    await page.getByRole('link', { name: /List orders, newest/ }).click();
    await page.getByRole('button', { name: /^Send/ }).click();
    await page.locator('.response > p b', { hasText: '200' }).waitFor();
    expect(await page.locator('.sent-line').innerText()).toBe(
      'GET /api/orders/?limit=2&sorting[total]=desc',
    );
  },
);

testPage(
  'the docs of a session name its address, and a response that is an error is shown',
  async () => {
    const { page, url } = await visit('/s/ada/_backlot/docs');
    await page.getByText(`All paths start with ${url}/s/ada`).waitFor();
    await page.goto(`${url}/s/ada/_backlot/#/docs/getOrder`);
    await page.getByLabel('order_id').fill('999');
    await page.getByRole('button', { name: 'Send GET /api/orders/999' }).click();
    await page.locator('.response > p b', { hasText: '404' }).waitFor();
  },
);

test('the docs show parameters, the fields of each form of a body, and the secrets of the demo client', async () => {
  const { page, visitRoute } = await visit('/_backlot/#/docs/submitCheckoutStep');
  await page.getByText('shippingAddress.postcode').first().waitFor();
  await page
    .getByRole('combobox', { name: 'Example', exact: true })
    .selectOption('Purchase: pay by card');
  expect(await page.getByLabel(/^Body/).inputValue()).toContain('"number": "4242424242424242"');
  await visitRoute('#/docs/authentication');
  await page.getByText('secret_demo_client').waitFor();
});

test('the docs list the fields of a response, with those of lists and of inner records', async () => {
  const { page, shows, visitRoute } = await visit('/_backlot/#/docs/listOrders');
  await page.locator('summary', { hasText: 'List orders, newest first' }).click();
  const fields = page.getByLabel(/^Fields of Response 200/);
  await shows(/_embedded\.items\[\]\.checkout_state\s+cart \| addressing/, fields);
  await shows(/pages\s+integer/, fields);
  await visitRoute('#/docs/getOrder');
  await page.locator('summary', { hasText: 'Read an order or a cart' }).click();
  await shows(/items\[\]\.quantity\s+integer/, fields);
});

testPage(
  'the docs say by one click which operations the app uses, which only failed, and which it never called',
  async () => {
    const { page, call, clicks, shows } = await visit('/_backlot/#/activity');
    await call('GET /api/orders/105');
    await call('GET /api/orders/999');
    await call('GET /api/users/999');
    await shows(/999/);
    await page.getByRole('link', { name: 'Docs', exact: true }).click();
    const { paths } = (await call('GET /_backlot/openapi.json')).body as {
      readonly paths: Readonly<Record<string, object>>;
    };
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      /^\/(_backlot|oauth)\//.test(path) ? [] : Object.keys(methods),
    ).length;
    await page.getByRole('heading', { name: `Your app uses 2 of ${documented}` }).waitFor();
    const listed = (name: string) =>
      page.getByRole('list', { name, exact: true }).getByRole('listitem');
    expect(await listed('Only failed').allInnerTexts()).toEqual([
      expect.stringMatching(/users[^]*1 ×: 404/),
    ]);
    expect(await listed('Called').allInnerTexts()).toEqual([
      expect.stringMatching(/orders[^]*2 ×: 200, 404/),
    ]);
    expect(await listed('Never called').count()).toBe(documented - 2);
    expect(await clicks()).toBe(1);
    await page.getByRole('searchbox', { name: 'Search operations' }).fill('delete');
    const list = page.getByRole('navigation', { name: 'Operations' });
    await list.getByRole('link', { name: /Delete a payment/ }).click();
    await shows(/Your app has not used it\.\s+Break it/);
  },
);
