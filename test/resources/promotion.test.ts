import { expect, test } from 'vitest';
import { outline } from '../support/outline.ts';
import { openSmallShop } from '../support/small-shop.ts';
import { collection, promotion } from '../support/specification.ts';

const shown = promotion({ action: 'amount', rule: 'count equal' });
const bare = shown.replaceAll(/(actions|rules):\[\{.*?\}\}\]/g, '$1:[]');

test('GET of a promotion returns the fields of the specification, with actions and rules', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('GET /api/promotions/1');
  expect(status).toBe(200);
  expect(outline(body)).toBe(shown);
  expect(body).toEqual({
    id: 1,
    name: 'Newsletter',
    priority: 0,
    exclusive: false,
    coupon_based: true,
    used: 0,
    created_at: '2025-04-01T08:00:00+0000',
    updated_at: '2025-04-01T09:30:00+0000',
    actions: [{ id: 1, type: 'fixed_discount', configuration: { amount: 500 } }],
    rules: [{ id: 1, type: 'item_count', configuration: { count: 1, equal: true } }],
    _links: {
      self: { href: '/api/promotions/1' },
      coupons: { href: '/api/promotions/1/coupons/' },
    },
  });
});

test('promotions are listed by id', async () => {
  const { call } = openSmallShop();
  const { status, body } = await call('GET /api/promotions');
  expect(status).toBe(200);
  expect(outline(body)).toBe(collection(`${shown} | ${bare}`));
  expect(body._embedded.items.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3]);
  expect(body._links.self.href).toBe('/api/promotions/?page=1&limit=10');
});

test('deleting a promotion deletes its coupons', async () => {
  const { call } = openSmallShop();
  const answer = await call('DELETE /api/promotions/1');
  expect(answer).toMatchObject({ status: 204, body: undefined });
  const message = 'Requested promotion does not exist with these criteria: {"id":"1"}.';
  const gone = { status: 404, body: { code: 404, message } };
  expect(await call('GET /api/promotions/1')).toMatchObject(gone);
  expect(await call('DELETE /api/promotions/1')).toMatchObject(gone);
  expect(await call('GET /api/promotions/1/coupons')).toMatchObject(gone);
  expect((await call('GET /api/promotions')).body.total).toBe(2);
  const again = await call('POST /api/promotions/3/coupons/', { code: 'SAVE5', usageLimit: 1 });
  expect(again).toMatchObject({ status: 201, body: { id: 4, code: 'SAVE5', used: 0 } });
});
