import { expect, test } from 'vitest';
import type { ScriptMatch } from '../../src/shop/models/script-rule.ts';
import { card, declinedCard } from '../support/checkout-steps.ts';
import {
  address,
  addUser,
  everything,
  fillCart,
  japan,
  now,
  openShop,
  problemOf,
  sell,
  type BackOffice,
  takeStep,
  takeUntil,
} from '../support/checkout.ts';

type ScriptRule = Parameters<BackOffice['script']['add']>[0];

/** Returns the payment state after a purchase of 1500 EUR by customer 1, with a new order each time. */
function buy(shop: BackOffice, number = card.number): string | undefined {
  const order = takeUntil(shop, fillCart(shop, [{ id: 1, price: 1000 }]), 'confirm');
  shop.checkout.purchase(order.id, { ...card, number });
  return shop.db.payments.by('order', order.id).at(-1)?.state;
}

function shopWith(...rules: ScriptRule[]): BackOffice {
  const shop = openShop();
  sell(shop);
  for (const rule of rules) shop.script.add(rule);
  return shop;
}

test('the first matching rule applies', () => {
  const shop = shopWith(
    { on: 'purchase', match: { user: 9 }, outcome: 'cancelled' },
    { on: 'purchase', outcome: 'declined', reason: 'too rich' },
    { on: 'purchase', outcome: 'authorized' },
  );
  expect(buy(shop)).toBe('failed');
  expect(shop.db.payments.first('order', 1)?.reason).toBe('too rich');
});

test('a rule overrides the outcome of the card number, which applies if no rule matches', () => {
  const shop = shopWith({ on: 'purchase', match: { totalFrom: 9999 }, outcome: 'approved' });
  expect(buy(shop, declinedCard.number)).toBe('failed');
  shop.script.add({ on: 'purchase', outcome: 'approved' });
  expect(buy(shop, declinedCard.number)).toBe('completed');
});

test('a rule with only a delay leaves the outcome to the card number', () => {
  const shop = shopWith({ on: 'purchase', delay: 2000 });
  expect(buy(shop, declinedCard.number)).toBe('failed');
  expect(shop.script.list()).toMatchObject([{ delay: 2000, matched: 1 }]);
});

test.each([
  [{ order: 1 }, true],
  [{ order: 2 }, false],
  [{ user: 1 }, true],
  [{ user: 2 }, false],
  [{ channel: 1 }, true],
  [{ channel: 2 }, false],
  [{ currency: 'EUR' }, true],
  [{ currency: 'CAD' }, false],
  [{ country: 1 }, true],
  [{ country: 2 }, false],
  [{ card: card.number }, true],
  [{ card: '4242' }, true],
  [{ card: '4444' }, false],
  [{ totalFrom: 1500 }, true],
  [{ totalFrom: 1501 }, false],
  [{ totalTo: 1500 }, true],
  [{ totalTo: 1499 }, false],
  [{ user: 1, totalFrom: 1500, totalTo: 1500, card: '4242' }, true],
  [{ user: 1, totalFrom: 1500, totalTo: 1500, card: '0002' }, false],
] as [ScriptMatch, boolean][])('a rule for %j fits: %s', (match, fits) => {
  expect(buy(shopWith({ on: 'purchase', match, outcome: 'declined' }))).toBe(
    fits ? 'failed' : 'completed',
  );
});

test('a rule matches a card number with spaces', () => {
  const shop = shopWith({
    on: 'purchase',
    match: { card: card.number },
    outcome: 'declined',
  });
  expect(buy(shop, '4242 4242 4242 4242')).toBe('failed');
});

test('nth limits a rule to its n-th match, first to its first n matches', () => {
  const shop = shopWith({ on: 'purchase', match: { user: 1 }, nth: 2, outcome: 'declined' });
  expect([buy(shop), buy(shop), buy(shop)]).toEqual(['completed', 'failed', 'completed']);
  const other = shopWith({ on: 'purchase', first: 2, outcome: 'declined' });
  expect([buy(other), buy(other), buy(other)]).toEqual(['failed', 'failed', 'completed']);
});

test('every matching rule counts, even if another rule applies', () => {
  const shop = shopWith(
    { on: 'purchase', nth: 1, outcome: 'declined' },
    { on: 'purchase', nth: 2, outcome: 'authorized' },
    { on: 'purchase', match: { card: '4444' }, first: 1, outcome: 'cancelled' },
  );
  const states = [buy(shop), buy(shop, '5555555555554444'), buy(shop, '5555555555554444')];
  // The third rule was met by the second purchase already, though another rule applied.
  expect(states).toEqual(['failed', 'authorized', 'completed']);
  expect(shop.script.list().map(({ matched }) => matched)).toEqual([3, 3, 2]);
});

test('rules can be added, listed and removed at run time', () => {
  const shop = shopWith({ on: 'purchase', outcome: 'declined' });
  const { id } = shop.script.add({ on: 'confirm', delay: 5 });
  expect(shop.script.list()).toMatchObject([
    { id: 1, on: 'purchase', match: {}, matched: 0 },
    { id: 2, on: 'confirm', delay: 5 },
  ]);
  shop.script.remove(1);
  expect(buy(shop)).toBe('completed');
  expect(shop.script.list().map((rule) => rule.id)).toEqual([id]);
  expect(problemOf(() => shop.script.remove(1))?.kind).toBe('missing');
});

test.each(['addressing', 'shipping', 'payment', 'confirm', 'purchase'] as const)(
  'a rule rejects the step %s with its message',
  (step) => {
    const refuse = { message: 'We do not deliver to islands.', path: ['shippingAddress', 'city'] };
    const shop = shopWith({ on: step, refuse });
    const { steps } = shop.checkout;
    const cart = fillCart(shop, [{ id: 1, price: 1000 }]);
    const earlier = steps.slice(0, steps.indexOf(step));
    const order = earlier.reduce((current, one) => takeStep(shop, current, one), cart);
    const before = everything(shop);
    const problem = problemOf(() => takeStep(shop, order, step));
    expect(problem).toMatchObject({
      kind: 'invalid',
      fields: [{ path: refuse.path, message: refuse.message }],
    });
    const counted = [{ matched: 1 }];
    expect(everything(shop)).toMatchObject({ ...before, scriptRules: counted });
  },
);

test('a rule can reject a new cart or a new item', () => {
  const shop = shopWith({
    on: 'create',
    match: { user: 2 },
    refuse: { message: 'No more carts.' },
  });
  const fields = { channel_id: 1, user_id: addUser(shop), currency: 'EUR' };
  expect(problemOf(() => shop.checkout.createOrder(fields))?.fields).toEqual([
    { path: [], message: 'No more carts.' },
  ]);
  shop.script.add({ on: 'item', match: { channel: 1 }, refuse: { message: 'Sold out.' } });
  expect(problemOf(() => fillCart(shop, [{ id: 1, price: 1 }]))?.message).toBe('Sold out.');
});

test('a rule on addressing matches the country of the new address', () => {
  const shop = shopWith({
    on: 'addressing',
    match: { country: japan },
    refuse: { message: 'Not there.', path: ['shippingAddress', 'country'] },
  });
  const order = fillCart(shop, [{ id: 1, price: 1000 }]);
  const shipping = { ...address, country_id: japan };
  expect(problemOf(() => shop.checkout.addressing(order.id, { shipping }))?.message).toBe(
    'Not there.',
  );
  expect(shop.checkout.addressing(order.id, { shipping: address }).checkout_state).toBe(
    'addressing',
  );
});

test('a rule can reject a transition', () => {
  const shop = shopWith({
    on: 'shipment.ship',
    match: { user: 1 },
    first: 1,
    refuse: { message: 'The van has broken down.' },
  });
  takeUntil(shop, fillCart(shop, [{ id: 1, price: 1000 }]), 'purchase');
  const ship = () => shop.checkout.transition('shipment', 1, 'ship');
  expect(problemOf(ship)).toMatchObject({
    kind: 'refused',
    message: 'The van has broken down.',
  });
  ship();
  expect(now(shop, 1).state).toBe('shipped');
});

test.each([
  { on: 'order.cancel', machine: 'order', name: 'cancel' },
  { on: 'payment.refund', machine: 'payment', name: 'refund' },
  { on: 'inventory_unit.return', machine: 'inventory_unit', name: 'return' },
] as const)(
  'a rule for its customer rejects a transition of a record: $on',
  ({ on, machine, name }) => {
    const shop = shopWith(
      { on, match: { user: 2 }, refuse: { message: 'Not yours.' } },
      { on, match: { user: 1 }, refuse: { message: 'Not today.' } },
    );
    takeUntil(shop, fillCart(shop, [{ id: 1, price: 1000 }]), 'purchase');
    const move = () => shop.checkout.transition(machine, 1, name);
    expect(problemOf(move)).toMatchObject({ kind: 'refused', message: 'Not today.' });
  },
);

test('a rejection counts although its request is rolled back', () => {
  const shop = shopWith({ on: 'confirm', first: 2, refuse: { message: 'Try again.' } });
  const order = takeUntil(shop, fillCart(shop, [{ id: 1, price: 1000 }]), 'payment');
  const confirm = () => {
    const problem = problemOf(() => takeUntil(shop, now(shop, order.id), 'confirm'));
    return problem?.message;
  };
  expect([confirm(), confirm(), confirm()]).toEqual(['Try again.', 'Try again.', undefined]);
  expect(shop.script.list()).toMatchObject([{ matched: 3 }]);
});

test('counts of removed rules are discarded', () => {
  const shop = shopWith({ on: 'confirm', refuse: { message: 'Try again.' } });
  const order = takeUntil(shop, fillCart(shop, [{ id: 1, price: 1000 }]), 'payment');
  problemOf(() => takeUntil(shop, order, 'confirm'));
  shop.script.remove(1);
  expect(shop.script.list()).toEqual([]);
});

test.each([
  [{ on: 'lunch', delay: 1 }, ['on']],
  [{ on: 'shipment.fly', delay: 1 }, ['on']],
  [{ on: 'purchase' }, ['outcome']],
  [{ on: 'confirm', outcome: 'declined' }, ['outcome']],
  [{ on: 'purchase', outcome: 'lucky' }, ['outcome']],
  [{ on: 'purchase', outcome: 'approved', settle: settled('PT1H') }, ['settle']],
  [{ on: 'purchase', outcome: 'pending', settle: settled('soon') }, ['settle', 'after']],
  [{ on: 'purchase', outcome: 'pending', settle: settled('-PT1H') }, ['settle', 'after']],
  [{ on: 'purchase', outcome: 'pending', settle: settled('P9000Y') }, ['settle', 'after']],
  [{ on: 'purchase', outcome: 'declined', refuse: { message: 'No.' } }, ['refuse']],
  [{ on: 'purchase', delay: 1, reason: 'Because' }, ['reason']],
  [{ on: 'confirm', delay: 1, match: { card: '4242' } }, ['match', 'card']],
  [{ on: 'purchase', delay: 1, match: { card: '42' } }, ['match', 'card']],
  [{ on: 'purchase', delay: 1, match: { card: '4242424242424241' } }, ['match', 'card']],
  [{ on: 'purchase', delay: 1, match: { card: '4242 4242 4242 4242' } }, ['match', 'card']],
  [{ on: 'confirm', delay: 1, match: { moon: 'full' } }, ['match']],
  [{ on: 'confirm', delay: 1, match: { totalFrom: 2, totalTo: 1 } }, ['match', 'totalFrom']],
  [{ on: 'confirm', delay: 1, nth: 0 }, ['nth']],
  [{ on: 'confirm', delay: 1, nth: 1, first: 1 }, ['nth']],
  [{ on: 'confirm', delay: -1 }, ['delay']],
])('a rule %j is invalid at %j', (rule, path) => {
  const shop = openShop();
  const problem = problemOf(() => shop.script.add(rule as ScriptRule));
  expect(problem?.kind).toBe('invalid');
  expect(problem?.fields.map((field) => field.path)).toEqual([path]);
  expect(shop.script.list()).toEqual([]);
});

function settled(after: string) {
  return { after, outcome: 'approved' };
}
