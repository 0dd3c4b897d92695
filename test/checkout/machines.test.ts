import { expect, test } from 'vitest';
import { diagram } from '../../tools/state-diagram.ts';
import { everything, openShop, problemOf, type MachineName } from '../support/checkout.ts';
import { orderAt } from './order-at.ts';

const { machines } = openShop().checkout;

const tables: Readonly<Record<MachineName, string>> = {
  order:
    'create: cart→pending; release: pending→released; confirm: cart, pending, released→confirmed; ' +
    'ship: confirmed→shipped; abandon: cart, pending→abandoned; cancel: confirmed→cancelled; return: shipped→returned',
  inventory_unit:
    'hold: checkout→onhold; release: onhold→checkout; backorder: checkout, onhold→backordered; ' +
    'sell: checkout, onhold, backordered→sold; return: sold→returned',
  shipment:
    'hold: checkout→onhold; release: onhold→checkout; backorder: checkout, onhold→backordered; ' +
    'prepare: checkout, onhold, backordered→ready; ship: ready→shipped; ' +
    'cancel: checkout, onhold, ready, backordered→cancelled; return: shipped→returned',
  payment:
    'create: new→pending; process: new, pending→processing; authorize: new, pending, processing→authorized; ' +
    'complete: new, pending, processing, authorized→completed; fail: new, pending, processing→failed; ' +
    'cancel: new, pending, processing, authorized→cancelled; void: new, pending→void; refund: completed→refunded',
};

test.each(Object.values(machines))('the transitions of $name are those of its table', (machine) => {
  const rows = machine.transitions.map(({ name, from, to }) => `${name}: ${from.join(', ')}→${to}`);
  expect(rows.toSorted()).toEqual(tables[machine.name].split('; ').toSorted());
});

test.each(Object.values(machines))(
  'the transitions of $name lead to each of its states but the external ones',
  ({ states, initial, external, transitions }) => {
    const reached = new Set([initial, ...transitions.map(({ to }) => to)]);
    expect([...reached, ...external].toSorted()).toEqual(states.toSorted());
    expect(states).toEqual(expect.arrayContaining(transitions.flatMap(({ from }) => from)));
    expect(new Set(transitions.map(({ name }) => name)).size).toBe(transitions.length);
  },
);

test('a diagram has an arrow for each transition', () => {
  const machine = {
    initial: 'new',
    external: ['lost'],
    transitions: [{ name: 'end', from: ['new', 'old'], to: 'done' }],
  };
  expect(diagram(machine)).toBe(
    [
      'stateDiagram-v2',
      '  [*] --> new',
      '  new --> done: end',
      '  old --> done: end',
      '  lost',
    ].join('\n'),
  );
});

test('listTransitions returns every transition, with the reason for those that are not possible', () => {
  const { shop } = orderAt('confirm');
  expect(shop.checkout.listTransitions('order', 1)).toEqual([
    {
      transition: 'create',
      to: 'pending',
      possible: false,
      reason: 'Cannot create order 1: its state is pending, not cart.',
    },
    { transition: 'release', to: 'released', possible: true },
    {
      transition: 'confirm',
      to: 'confirmed',
      possible: false,
      reason: 'Order 1 is not paid in full: 0 of 3000 EUR (minor units).',
    },
    {
      transition: 'ship',
      to: 'shipped',
      possible: false,
      reason: 'Cannot ship order 1: its state is pending, not confirmed.',
    },
    { transition: 'abandon', to: 'abandoned', possible: true },
    {
      transition: 'cancel',
      to: 'cancelled',
      possible: false,
      reason: 'Cannot cancel order 1: its state is pending, not confirmed.',
    },
    {
      transition: 'return',
      to: 'returned',
      possible: false,
      reason: 'Cannot return order 1: its state is pending, not shipped.',
    },
  ]);
});

test('an unknown record is missing, an unknown transition is invalid, and neither changes data', () => {
  const { shop } = orderAt('confirm');
  const before = everything(shop);
  expect(problemOf(() => shop.checkout.transition('inventory_unit', 99, 'sell'))).toMatchObject({
    kind: 'missing',
    message: 'There is no inventory unit 99.',
  });
  expect(problemOf(() => shop.checkout.transition('payment', 1, 'fly'))).toMatchObject({
    kind: 'invalid',
    message:
      'transition: Transition fly of payment not found: must be one of create, process, authorize, complete, fail, cancel, void, refund.',
  });
  expect(everything(shop)).toEqual(before);
});
