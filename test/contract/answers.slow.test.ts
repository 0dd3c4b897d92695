import { describe, expect, test } from 'vitest';
import { contract } from '../../src/shop/resources/index.ts';
import { builtInScenarios } from '../../src/shop/store-api.ts';
import { openOffice } from '../support/office.ts';

const reads = contract.filter(({ method, path }) => method === 'GET' && path.startsWith('/api/'));
describe.each(builtInScenarios)('in the scenario %s', (scenario) => {
  const shop = openOffice({ scenario, settings: { auth: 'none' } });
  shop.faults.clear();

  test('every GET returns every record by its schema', async () => {
    for (const { path, answer } of reads) {
      for (const url of urlsOf(path)) {
        const { status, body } = await shop.call(`GET ${url}`);
        if (path.startsWith('/api/checkouts/') && hasNoChoices(status)) continue;
        expect({ url, status }).toEqual({ url, status: 200 });
        expect(answer?.parse(body)).toEqual(body);
      }
    }
  });

  /** Returns the URLs of a path in this shop: one for each record, up to a limit. */
  function urlsOf(path: string): string[] {
    const [parameter, inner] = path.match(/:\w+/g) ?? [];
    if (parameter === undefined) return [`${path}?limit=100`];
    const { db } = shop;
    if (inner !== undefined) return nestedUrls(path, parameter, inner);
    const tables: Record<string, { all(): { id: number }[] }> = {
      promotions: db.promotions,
      payments: db.payments,
      shipments: db.shipments,
      users: db.users,
      orders: db.orders,
      'stock-locations': db.stockLocations,
      channels: db.channels,
      products: db.products,
      checkouts: db.orders,
      countries: db.countries,
      zones: db.zones,
      'shipping-methods': db.shippingMethods,
      'payment-methods': db.paymentMethods,
    };
    const records = tables[path.split('/')[2] ?? '']?.all() ?? [];
    return records.slice(-40).map(({ id }) => path.replace(parameter, String(id)));
  }

  function nestedUrls(path: string, outer: string, inner: string): string[] {
    const { db } = shop;
    const pairs: Record<string, (readonly [outer: number, inner: number])[]> = {
      coupons: db.coupons.all().map(({ promotion_id, id }) => [promotion_id, id]),
      provinces: db.provinces.all().map(({ country_id, id }) => [country_id, id]),
      variants: db.variants.all().map(({ product_id, id }) => [product_id, id]),
    };
    const found = pairs[path.split('/')[4] ?? ''] ?? [];
    expect({ path, found: found.length }).not.toEqual({ path, found: 0 });
    return found
      .slice(-40)
      .map(([one, other]) => path.replace(outer, String(one)).replace(inner, String(other)));
  }
});

/** GET of a checkout responds with 405 before addressing, and with 400 for an abandoned cart. */
function hasNoChoices(status: number): boolean {
  return status === 405 || status === 400;
}
