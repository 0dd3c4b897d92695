import { expect, test } from 'vitest';
import type { Order } from '../../src/shop/models/order.ts';
import type { ShippingMethod } from '../../src/shop/models/shipment.ts';
import {
  address,
  amounts,
  canada,
  fillCart,
  germany,
  japan,
  ontario,
  openCart,
  openShop,
  problemOf,
  sell,
  type BackOffice,
  stock,
  takeStep,
  takeUntil,
} from '../support/checkout.ts';

function addMethod({ db }: BackOffice, fields: Partial<ShippingMethod> = {}): number {
  return db.shippingMethods.add({
    name: 'Freight',
    enabled: true,
    calculator: 'per_item_rate',
    category_requirement: 0,
    configuration: { amount: 100 },
    zone_id: 1,
    ...fields,
  }).id;
}

function offered(shop: BackOffice, order: Order): number[][] {
  return shop.checkout.proposeShipping(order.id).map(({ methods }) => methods.map(({ id }) => id));
}

function addressed(shop: BackOffice, items: Parameters<typeof fillCart>[1], to = address): Order {
  return takeUntil(shop, fillCart(shop, items), 'addressing', to);
}

test('proposing shipping requires an address', () => {
  const shop = openShop();
  expect(problemOf(() => shop.checkout.proposeShipping(openCart(shop).id))?.kind).toBe('refused');
});

test('without tracked stock there is one shipment, with every method whose zone includes the address', () => {
  const shop = openShop();
  addMethod(shop);
  addMethod(shop, { enabled: false });
  addMethod(shop, { zone_id: 9 });
  expect(shop.checkout.proposeShipping(addressed(shop, [sell(shop), sell(shop)]).id)).toMatchObject(
    [
      {
        shipment: { state: 'checkout', created_at: shop.clock.now() },
        methods: [{ id: 1 }, { id: 2 }],
      },
    ],
  );
});

test('a method is proposed if its zone includes the address, even if a closer zone does too', () => {
  const shop = openShop();
  shop.db.zones.add({ name: 'Ontario', type: 'province', members: [ontario] });
  shop.db.zones.add({ name: 'Europe', type: 'country', members: [germany] });
  shop.db.zones.add({ name: 'Both', type: 'zone', members: [2, 3] });
  for (const zone_id of [2, 3, 4]) addMethod(shop, { zone_id });
  const to = { ...address, country_id: canada, province_id: ontario };
  expect(offered(shop, addressed(shop, [sell(shop)], to))).toEqual([[1, 2, 4]]);
  expect(offered(shop, addressed(shop, [sell(shop)]))).toEqual([[1, 3, 4]]);
  expect(offered(shop, addressed(shop, [sell(shop)], { ...address, country_id: japan }))).toEqual([
    [1],
  ]);
});

test('without a matching method, none is proposed and none is accepted', () => {
  const shop = openShop();
  shop.db.shippingMethods.change(1, { enabled: false });
  const order = addressed(shop, [sell(shop)]);
  expect(offered(shop, order)).toEqual([[]]);
  expect(problemOf(() => shop.checkout.shipping(order.id, new Map([[0, 1]])))?.fields).toEqual([
    { path: ['shipments', '0', 'method'], message: 'This value is not valid.' },
  ]);
});

test.each([
  [1, 0, [2], true],
  [1, 0, [undefined], true],
  [1, 0, [1], false],
  [1, 0, [1, 2], false],
  [1, 1, [1], true],
  [1, 1, [1, 2], true],
  [1, 1, [2, undefined], false],
  [1, 2, [1, 1], true],
  [1, 2, [1, 2], false],
  [1, 2, [1, undefined], false],
  [undefined, 0, [1, undefined], true],
  [undefined, 1, [1, undefined], true],
  [undefined, 2, [1, undefined], true],
])('a method of category %s, requirement %d, accepts items of %j: %s', (...row) => {
  const [category_id, category_requirement, items, fits] = row;
  const shop = openShop();
  for (const name of ['Small', 'Bulky']) shop.db.shippingCategories.add({ name });
  shop.db.shippingMethods.change(1, { category_id, category_requirement });
  const goods = items.map((shipping_category_id) => sell(shop, { shipping_category_id }));
  expect(offered(shop, addressed(shop, goods))).toEqual([fits ? [1] : []]);
});

test('methods are proposed by the categories of the package', () => {
  const shop = openShop();
  for (const name of ['Small', 'Bulky']) shop.db.shippingCategories.add({ name });
  for (const category_requirement of [0, 1, 2]) {
    addMethod(shop, { category_id: 2, category_requirement });
  }
  const bulky = sell(shop, { shipping_category_id: 2 });
  const small = sell(shop, { shipping_category_id: 1 });
  expect(offered(shop, addressed(shop, [small]))).toEqual([[1, 2]]);
  expect(offered(shop, addressed(shop, [small, bulky]))).toEqual([[1, 3]]);
  expect(offered(shop, addressed(shop, [bulky]))).toEqual([[1, 3, 4]]);
});

test('each location ships its stock, in the order of ids, and the first shipment includes the rest', () => {
  const shop = openShop();
  const [teapot, cup, book] = [sell(shop), sell(shop), sell(shop)];
  stock(shop, teapot, 0);
  stock(shop, teapot, 2);
  stock(shop, teapot, 9);
  for (const [place, on_hand, on_hold] of [
    [1, 0, 0],
    [3, 5, 4],
  ] as const) {
    shop.db.stockItems.add({ stock_location_id: place, variant_id: cup.id, on_hand, on_hold });
  }
  const order = addressed(shop, [
    { ...teapot, quantity: 5 },
    { ...cup, quantity: 3 },
    { ...book, quantity: 2 },
  ]);
  expect(shop.checkout.proposeShipping(order.id).map((one) => one.stock_location_id)).toEqual([
    2, 3,
  ]);
  takeStep(shop, order, 'shipping');
  const units = shop.db.inventoryUnits.by('order', order.id);
  const sent = (shipment: number) =>
    units
      .filter((unit) => unit.shipment_id === shipment)
      .map((unit) => [unit.variant_id, unit.stock_location_id]);
  const [t, c, b] = [teapot.id, cup.id, book.id];
  expect(sent(1)).toEqual([
    [t, 2],
    [t, 2],
    [c, undefined],
    [c, undefined],
    [b, undefined],
    [b, undefined],
  ]);
  expect(sent(2)).toEqual([
    [t, 3],
    [t, 3],
    [t, 3],
    [c, 3],
  ]);
});

test('shipments are in the order of their locations, not of the cart', () => {
  const shop = openShop();
  const [teapot, cup] = [sell(shop), sell(shop)];
  stock(shop, cup, 5);
  stock(shop, teapot, 5);
  const order = addressed(shop, [teapot, cup]);
  expect(shop.checkout.proposeShipping(order.id).map((one) => one.stock_location_id)).toEqual([
    1, 2,
  ]);
});

test('a location that is disabled, or whose stock is all on hold, ships nothing', () => {
  const shop = openShop();
  const teapot = sell(shop);
  stock(shop, teapot, 5);
  const second = stock(shop, teapot, 5);
  const third = stock(shop, teapot, 5);
  shop.db.stockLocations.change(1, { enabled: false });
  shop.db.stockItems.change(second, { on_hold: 5 });
  const order = addressed(shop, [teapot]);
  expect(shop.checkout.proposeShipping(order.id).map((one) => one.stock_location_id)).toEqual([
    third,
  ]);
});

test('each shipment is charged by its own method and its own units', () => {
  const shop = openShop();
  const teapot = sell(shop);
  stock(shop, teapot, 2);
  stock(shop, teapot, 9);
  addMethod(shop);
  const order = addressed(shop, [{ ...teapot, quantity: 5 }]);
  const methods = new Map([
    [0, 1],
    [1, 2],
  ]);
  const shipped = shop.checkout.shipping(order.id, methods);
  expect(shipped).toMatchObject({
    checkout_state: 'shipping',
    adjustments_total: 800,
    total: 5800,
  });
  expect(shop.db.shipments.by('order', order.id)).toMatchObject([
    { method_id: 1, stock_location_id: 1, state: 'checkout' },
    { method_id: 2, stock_location_id: 2, state: 'checkout' },
  ]);
  expect(shop.db.adjustments.by('order', order.id)).toMatchObject([
    { label: 'shipping', description: 'Parcel', amount: 500, neutral: false, shipment_id: 1 },
    { label: 'shipping', description: 'Freight', amount: 300, neutral: false, shipment_id: 2 },
  ]);
});

test.each([
  [
    [],
    [
      ['0', 'Please select shipping method.'],
      ['1', 'Please select shipping method.'],
    ],
  ],
  [[[0, 1]], [['1', 'Please select shipping method.']]],
  [
    [
      [0, 9],
      [1, 1],
    ],
    [['0', 'This value is not valid.']],
  ],
  [
    [
      [0, 1],
      [1, 1],
      [2, 1],
    ],
    [['2', 'This value is not valid.']],
  ],
] as const)('two shipments with methods %j are refused', (methods, wrong) => {
  const shop = openShop();
  const teapot = sell(shop);
  stock(shop, teapot, 1);
  stock(shop, teapot, 1);
  const order = addressed(shop, [{ ...teapot, quantity: 2 }]);
  expect(problemOf(() => shop.checkout.shipping(order.id, new Map(methods)))?.fields).toEqual(
    wrong.map(([position, message]) => ({ path: ['shipments', position, 'method'], message })),
  );
});

test('repeating shipping with fewer shipments deletes the others', () => {
  const shop = openShop({ stepBack: true });
  const teapot = sell(shop);
  stock(shop, teapot, 1);
  const second = stock(shop, teapot, 1);
  const order = takeUntil(shop, fillCart(shop, [{ ...teapot, quantity: 2 }]), 'shipping');
  expect(amounts(shop, order, 'shipping')).toEqual([500, 500]);
  shop.db.stockItems.change(second, { on_hand: 0 });
  const again = takeStep(shop, order, 'shipping');
  expect(amounts(shop, again, 'shipping')).toEqual([500]);
  expect(shop.db.shipments.count()).toBe(1);
  const places = shop.db.inventoryUnits.by('shipment', 1).map((unit) => unit.stock_location_id);
  expect(places).toEqual([1, undefined]);
});
