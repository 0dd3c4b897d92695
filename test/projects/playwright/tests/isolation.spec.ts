import { expect, remoteOffice, test } from 'backlot/playwright';

/** In a shop of its own, the same requests give the same ids and totals in every test. */
const first = { product: 0, order: 0, orders: 0 };

test.beforeAll(async ({ backlotURL }) => {
  const office = remoteOffice({ url: backlotURL, session: `first-${crypto.randomUUID()}` });
  first.orders = (await (await office.fetch('/api/orders/?limit=1')).json()).total;
  first.product = (await office.given.aProduct()).id;
  first.order = (await (await office.fetch('/api/orders/', buy)).json()).id;
  await office.close();
});

const buy = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ channel: 1, user: 3, currency: 'EUR' }),
};

test.describe('with headers and a storage state of its own', () => {
  test.use({ extraHTTPHeaders: { 'x-own': 'yes' }, storageState: 'tests/signed-in.json' });

  test('a test keeps its session, in the page, by cookie and in request', async ({
    office,
    page,
    context,
    request,
  }) => {
    const { id } = await office.given.aProduct();
    await page.goto('/server');
    await expect(page.locator(`#product-${id}`)).toHaveCount(1);
    expect(await request.get(`http://127.0.0.1:4517/api/products/${id}`)).toBeOK();
    const cookies = await context.cookies();
    expect(cookies.map(({ name }) => name).toSorted()).toEqual(['backlot-session', 'user']);
    await expect(office).toHaveReceived('GET /api/products/:product_id', { times: 1 });
    await expect(office).not.toHaveReceived('POST /api/orders/');
  });
});

test.describe('with a start', () => {
  test.use({
    backlot: { scenario: 'empty', now: '2030-01-01T00:00:00Z', given: (given) => given.aUser() },
  });

  test('a test has the scenario, the time and the data of its options', async ({ office }) => {
    expect(await office.clock.now()).toBe('2030-01-01T00:00:00+0000');
    expect((await (await office.fetch('/api/users/')).json()).total).toBe(61);
    const failed = expect(office).toHaveReceived('GET /api/orders/', { timeout: 0 });
    await expect(failed).rejects.toThrow('Expected GET /api/orders/ once or more, but found none.');
  });
});

test('the last try of a test counts for coverage', async ({ office }, { retry }) => {
  await office.fetch('/api/zones/');
  if (retry === 0) await office.fetch('/api/zones/9999');
  expect(retry).toBe(1);
});

for (let number = 1; number <= 200; number += 1) {
  test(`test ${number} sees only its own products and orders`, async ({
    office,
    page,
    request,
    context,
  }, testInfo) => {
    const name = `Mug of test ${number}`;
    const { id } = await office.given.aProduct({ name });
    expect(id).toBe(first.product);
    const bought = number % 3;
    for (let time = 0; time < bought; time += 1) await office.given.anOrder({ at: 'completed' });
    if (number % 4 === 0) await office.faults.add({ match: { method: 'POST' }, status: 503 });

    await page.goto('/');
    await expect(page.locator(`#product-${id}`)).toHaveText(name);
    const count = await page.locator('li').count();
    expect(await page.getByText('Mug of test').allTextContents()).toEqual([name]);

    await page.getByRole('button', { name: 'Buy' }).click();
    await expect(page.getByRole('status')).toHaveText(
      number % 4 === 0 ? 'Failed: status 503' : `Order ${first.order + bought}`,
    );
    await expect(office).toHaveReceived('POST /api/orders/', {
      times: 1,
      body: { user: 3 },
      status: number % 4 === 0 ? 503 : 201,
    });

    await page.goto('/server');
    await expect(page.getByRole('status')).toHaveText(
      `${count} products, ${first.orders + bought} orders`,
    );
    expect(await page.getByText('Mug of test').allTextContents()).toEqual([name]);

    const own = await request.get(`http://127.0.0.1:4517/api/products/${id}`);
    expect((await own.json()).name).toBe(name);

    const entries = await office.journal.entries();
    expect(new Set(entries.map(({ session }) => session))).toEqual(new Set([office.session]));
    expect(entries.map(({ method, endpoint }) => `${method} ${endpoint}`)).toEqual([
      'GET GET /api/products/',
      'POST POST /api/orders/',
      'GET GET /api/products/',
      'GET GET /api/orders/',
      'GET GET /api/products/:product_id',
    ]);
  });
}
