import fc from 'fast-check';
import type { FaultRuleInput } from '../../src/index.ts';
import { getOrCreate } from '../../src/engine/lib/maps.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import type { StoreOffice } from '../../src/shop/office/store-office.ts';
import { address, card, checkoutOf } from './checkout-steps.ts';
import type { Calls } from './office.ts';

type Office = StoreOffice & Calls;

/** Something that changes a shop, or tries to. */
export type Act = (office: Office) => unknown;

/** The order, the user, … of a request, some of which do not exist. */
const id = fc.integer({ min: 110, max: 124 });
const few = fc.integer({ min: 1, max: 4 });

/** Sends a request. A failed property prints it. */
export function request(line: fc.Arbitrary<string>, body?: unknown): fc.Arbitrary<Act> {
  return line.map((one) => {
    const run: Act = (office) => office.call(one, body);
    return Object.assign(run, { [fc.toStringMethod]: () => `${one} ${JSON.stringify(body)}` });
  });
}

/** Steps of orders, some of which await them. */
export const checkoutActs = {
  addressing: request(id.map(checkoutOf), { shippingAddress: { ...address, country: 2 } }),
  purchase: request(fc.integer({ min: 92, max: 104 }).map(checkoutOf), card),
};

/** What can change a shop, by every way in. */
export const act: fc.Arbitrary<Act> = fc.oneof(
  request(fc.constant('POST /api/orders/'), { channel: 1, user: 1, currency: 'EUR' }),
  request(
    id.map((one) => `POST /api/orders/${one}/items/`),
    { variant: 1, quantity: 2 },
  ),
  request(
    id.map((one) => `DELETE /api/orders/${one}`),
    undefined,
  ),
  request(
    few.map((one) => `DELETE /api/users/${one + 20}`),
    undefined,
  ),
  request(
    few.map((one) => `DELETE /api/products/${one}`),
    undefined,
  ),
  request(
    few.map((one) => `PATCH /api/users/${one}`),
    { firstName: 'Grace', plainPassword: 'secret-word' },
  ),
  checkoutActs.addressing,
  checkoutActs.purchase,
  request(fc.constant('GET /api/orders/?page=1')),
  request(fc.constant('POST /api/orders/'), { currency: 'none' }),
  request(fc.constant('POST /_backlot/given/anOrder'), { at: 'completed' }),
  request(fc.constant('POST /_backlot/script'), { on: 'purchase', outcome: 'declined', first: 2 }),
  fc
    .constantFrom<FaultRuleInput>(
      { status: 503, first: 1 },
      { status: 500, after: true, first: 2 },
      { connection: 'drop', first: 1 },
      { connection: 'drop', after: true, first: 1 },
      { match: { step: 'create' }, limit: { requests: 1, per: 'PT1H' }, status: 429 },
    )
    .map<Act>((fault) => (office) => office.faults.add(fault)),
  fc
    .constantFrom('PT1H', 'P1D', '-PT2H')
    .map<Act>((time) => (office) => office.clock.advance(time)),
  fc.constant<Act>((office) => office.clock.tick()),
  fc.constant<Act>((office) => office.clock.freeze()),
  fc.constant<Act>((office) => office.db.currencies.clear()),
  fc.constant<Act>((office) => office.db.zones.delete((query) => query.where({ id: 1 }))),
  request(
    fc
      .constantFrom(70, 81, 104, 106)
      .map((shipment) => `POST /_backlot/transitions/shipment/${shipment}`),
    { transition: 'ship' },
  ),
  request(
    fc
      .constantFrom(33, 70, 81, 104, 105)
      .map((order) => `POST /_backlot/transitions/order/${order}`),
    { transition: 'cancel' },
  ),
  request(fc.constant('POST /_backlot/transitions/order/3'), { transition: 'return' }),
  // Several moves of one record, some of them by no transition.
  fc.constantFrom(104, 105, 70).map<Act>((order) => async (office) => {
    for (const state of ['confirmed', 'cart', 'pending', 'confirmed', 'shipped'] as const)
      await office.db.orders.update((query) => query.where({ id: order }), {
        data: (row) => void (row.state = state),
      });
    office.checkout.transition('order', order, 'return');
  }),
  fc.constantFrom('cart', 'pending', 'confirmed').chain((state) =>
    request(
      id.map((order) => `PATCH /_backlot/tables/orders/${order}`),
      { state },
    ),
  ),
  request(
    fc.constantFrom(94, 96, 99).map((one) => `POST /_backlot/transitions/payment/${one}`),
    { transition: 'complete' },
  ),
  request(
    fc.constantFrom(81, 84, 96).map((one) => `POST /_backlot/transitions/payment/${one}`),
    { transition: 'refund' },
  ),
  request(
    id.map((one) => `POST /_backlot/orders/${one}/next`),
    {},
  ),
  request(
    few.map(() => 'PUT /_backlot/stock'),
    { stockLocation: 1, variant: 7, onHand: 3 },
  ),
  request(fc.constant('POST /_backlot/orders/120/coupons'), { coupon: 'WELCOME10' }),
  request(fc.constant('DELETE /_backlot/orders/120/coupons/WELCOME10')),
  request(
    few.map((one) => `PATCH /_backlot/tables/users/${one}`),
    { first_name: 'Ada', last_login: '2026-01-01T00:00:00+0000' },
  ),
  request(
    few.map((one) => `PATCH /_backlot/tables/users/${one}`),
    { last_login: null },
  ),
  request(fc.constant('DELETE /_backlot/faults')),
  request(fc.constant('DELETE /_backlot/script')),
  fc.constant<Act>((office) => office.db.currencies.create({ code: 'JPY', exponent: 0 } as never)),
  few.map<Act>(
    (one) => (office) =>
      office.db.users.update((query) => query.where({ id: one }), {
        data: (user) => void (user.first_name = 'Mary'),
      }),
  ),
  fc.constant<Act>((office) => office.db.users.delete((query) => query.where({ id: 3 }))),
  fc.constant<Act>((office) => office.import(other(office).export())),
  fc.constant<Act>((office) => office.restore(other(office).snapshot())),
  fc.constant<Act>((office) => office.snapshot('one')),
  fc.constant<Act>((office) => office.restore('one')),
  fc.constant<Act>((office) => office.reset()),
  fc.constant<Act>((office) => office.reset('filled-cart')),
  fc.constant<Act>((office) => office.import(office.export())),
  fc.integer({ min: 1, max: 12 }).map<Act>((back) => (office) => {
    const all = office.history.entries();
    return office.rewind(all[Math.max(0, all.length - back)]?.id ?? 0, 'before');
  }),
);

/** Returns a back office of the same API in which records were added, changed and deleted. */
function other({ shop: { api } }: Office): StoreOffice {
  return getOrCreate(others, api, () => {
    const another = openStoreOffice({ api, scenario: 'filled-cart' });
    another.db.users.delete((query) => query.where({ id: 2 }));
    another.db.zones.delete((query) => query.where({ id: 1 }));
    another.clock.advance('P2D');
    return another;
  });
}

const others = new Map<Office['shop']['api'], StoreOffice>();
