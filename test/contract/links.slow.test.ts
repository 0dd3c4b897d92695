import { expect, test } from 'vitest';
import { contract } from '../../src/shop/resources/index.ts';
import { demoClient, demoUser } from '../../src/shop/resources/oauth.ts';
import { builtInScenarios } from '../../src/shop/store-api.ts';
import { address as addressRow } from '../support/checkout.ts';
import { address, submitStep } from '../support/checkout-steps.ts';
import { crawl, hrefsIn, roots } from '../support/crawl.ts';
import { outline } from '../support/outline.ts';
import { openOffice, type Call, type Office } from '../support/office.ts';
import { openServer } from '../support/server.ts';
import { at, openSmallShop, smallShop } from '../support/small-shop.ts';
import { addressWithProvince } from '../support/specification.ts';

const scenarios = builtInScenarios.filter((name) => name !== 'large');

test.each(scenarios)('every link of the scenario %s can be read', async (scenario) => {
  const office = openOffice({ scenario });
  office.faults.clear();
  const call = await withToken(office);
  const bodies = await everythingIn(office, call);
  const { count, broken } = await crawl((url) => call(`GET ${url}`), bodies);
  expect(broken).toEqual([]);
  expect(count).toBeGreaterThan(150);
});

test.each(contract.map((row) => ({ name: `${row.method} ${row.path}: ${row.summary}`, row })))(
  'every link reached from the response to the example of $name can be read',
  async ({ row }) => {
    const { call } = openOffice();
    const { headers, body } = await call(`${row.method} ${row.example.url}`, row.example.body);
    const { location: href } = headers;
    const { broken } = await crawl((url) => call(`GET ${url}`), [body, href && { href }]);
    expect(broken).toEqual([]);
  },
);

test('links in a session start with its path and can be read', async () => {
  const prefix = '/s/x';
  const { call } = openServer();
  const bodies = roots.map((path) => call(`GET ${prefix}${path}?limit=100`).body);
  const { count, broken } = await crawl((url) => {
    expect(url).toMatch(new RegExp(`^${prefix}/api/`));
    return call(`GET ${url}`);
  }, bodies);
  expect(broken).toEqual([]);
  expect(count).toBeGreaterThan(500);
});

test('links under a base URL start with its path and can be read', async () => {
  const { call } = openOffice({ baseUrl: 'http://shop.test/backend' });
  const bodies = await Promise.all(roots.map((path) => call(`GET /backend${path}?limit=100`)));
  const { count, broken } = await crawl((url) => {
    expect(url).toMatch(/^\/backend\/api\//);
    return call(`GET ${url}`);
  }, bodies);
  expect(broken).toEqual([]);
  expect(count).toBeGreaterThan(500);
});

test('after deletions, only links to the deleted records respond with 404', async () => {
  const office = openSmallShop({ settings: { listCarts: true } });
  const { call } = office;
  const deleted = [
    '/api/users/1',
    `/api/orders/${at.payment}`,
    '/api/channels/1',
    '/api/products/1',
  ];
  for (const path of deleted) expect((await call(`DELETE ${path}`)).status).toBe(204);
  const { broken } = await crawl((url) => call(`GET ${url}`), await everythingIn(office, call));
  expect(broken).toEqual([
    '/api/channels/1: 404 Requested channel does not exist with these criteria: {"id":"1"}.',
    '/api/orders/4: 404 Requested order does not exist with these criteria: {"id":"4"}.',
    '/api/products/1/variants/1: 404 Requested product does not exist with these criteria: {"id":"1"}.',
    '/api/products/1: 404 Requested product does not exist with these criteria: {"id":"1"}.',
  ]);
});

test('an address in a country with provinces links to its province after its country', async () => {
  const { call } = openSmallShop();
  const shippingAddress = { ...address, country: 2, province: 1 };
  const { body } = await submitStep(call, at.cart, 'addressing', { shippingAddress });
  const links = {
    country: { href: '/api/countries/2' },
    province: { href: '/api/countries/2/provinces/1' },
  };
  for (const stored of [body.shipping_address, body.billing_address]) {
    expect(outline(stored)).toBe(addressWithProvince);
    expect(stored._links).toEqual(links);
  }
  const place = { code: 'NORTH', name: 'North', address: shippingAddress };
  const { id } = (await call('POST /api/stock-locations/', place)).body;
  const location = await call(`GET /api/stock-locations/${id}`);
  expect(location.body.address._links).toEqual(links);
  expect((await call(`GET ${links.province.href}`)).body).toMatchObject({ name: 'Ontario' });
});

test('an address that moves to a country without provinces loses its link to a province', async () => {
  const { call } = openSmallShop();
  const place = { code: 'NORTH', name: 'North' };
  const canada = { ...address, country: 2, province: 1 };
  const { id } = (await call('POST /api/stock-locations/', { ...place, address: canada })).body;
  await call(`PUT /api/stock-locations/${id}`, { ...place, address });
  const { body } = await call(`GET /api/stock-locations/${id}`);
  expect(body.address._links).toEqual({ country: { href: '/api/countries/1' } });
});

test('a scenario is rejected if the province of an address is in another country', () => {
  const row = { ...addressRow, id: 1, country_id: 1, province_id: 1 };
  const scenario = { ...smallShop, data: { ...smallShop.data, addresses: [row] } };
  expect(() => openOffice({ scenario })).toThrow(
    'data.addresses.0.province_id: Province 1 is in country 2, not in country 1',
  );
});

/** Returns the bodies of every GET endpoint: each list, each record, each checkout in its state. */
async function everythingIn({ db }: Office, call: Call): Promise<unknown[]> {
  const lists = roots.map((path) => `${path}?limit=100`);
  const orders = db.orders
    .all()
    .flatMap(({ id }) => [`/api/orders/${id}/`, `/api/checkouts/${id}`]);
  const bodies: unknown[] = [];
  for (const url of lists) {
    const { status, body } = await call(`GET ${url}`);
    expect({ url, status }).toEqual({ url, status: 200 });
    bodies.push(body);
  }
  // A cart that awaits its addresses has no proposal.
  for (const url of orders) bodies.push((await call(`GET ${url}`)).body);
  expect(hrefsIn(bodies).length).toBeGreaterThan(20);
  return bodies;
}

/** Sends a token with every request, if the shop requires one. */
async function withToken({ call, settings }: Office): Promise<Call> {
  if (settings.auth === 'none') return call;
  const { body } = await call('POST /oauth/v2/token', {
    client_id: demoClient.id,
    client_secret: demoClient.secret,
    grant_type: 'password',
    ...demoUser,
  });
  const headers = { authorization: `Bearer ${body.access_token}` };
  return (line, sent) => call(line, sent, headers);
}
