import type { Known, Report, Viewed } from '../../engine/definition/drift.ts';
import { unixSeconds } from '../../engine/drift/finding.ts';
import { at, expectEqual } from '../../engine/drift/rule.ts';
import type { OrderView } from '../resources/order.ts';

/** Returns the states of the checkout, in order. */
function statesOf({ steps }: Known): readonly string[] {
  return ['cart', ...steps.flatMap(({ to }) => to ?? [])];
}

/** Returns the states of the checkout that an order of a state can be at. */
function checkoutStatesOf(state: string, known: Known): readonly string[] | undefined {
  const all = statesOf(known);
  // What the last two steps lead to: `confirm` places an order, `purchase` completes it.
  const [placed, done] = [all.slice(-2, -1), all.slice(-1)];
  const states: Readonly<Record<string, readonly string[]>> = {
    cart: all.slice(0, -2),
    pending: placed,
    released: placed,
    confirmed: done,
    shipped: done,
    cancelled: done,
    returned: done,
  };
  return states[state];
}

export function orderStates(viewed: Viewed<OrderView>, report: Report, known: Known): void {
  const { state, checkout_state, items } = viewed.value;
  const possible = checkoutStatesOf(state, known);
  if (possible !== undefined && !possible.includes(checkout_state)) {
    const expected = `${possible.join(' or ')} in state ${state}`;
    report('transition', at(viewed, 'checkout_state'), expected, checkout_state);
  }
  if (statesOf(known).indexOf(checkout_state) > 0 && items.length === 0 && state !== 'cart') {
    report('transition', at(viewed, 'items'), `items in an order that is ${state}`, items);
  }
}

/** What a paid order's shipments and units can no longer be. */
const untilPaid = new Set(['checkout', 'pending', 'onhold']);

export function orderParts(viewed: Viewed<OrderView>, report: Report, known: Known): void {
  const order = viewed.value;
  const isPlaced = order.state !== 'cart' && order.state !== 'abandoned';
  for (const name of ['number', 'completed_at'] as const) {
    const isThere = order[name] !== undefined;
    if (isPlaced && !isThere)
      report('shape', at(viewed, name), `set in state ${order.state}`, order[name]);
    if (order.state === 'cart' && isThere)
      report('shape', at(viewed, name), 'nothing in a cart', order[name]);
  }
  if (order.number !== undefined && !/^\d{9}$/.test(order.number)) {
    report('value', at(viewed, 'number'), 'nine digits', order.number);
  }
  for (const name of ['user', 'channel'] as const) {
    if (order[name] === undefined)
      report('shape', at(viewed, name), 'set in every order', undefined);
  }
  if (!/^[A-Z]{3}$/.test(order.currency)) {
    report('value', at(viewed, 'currency'), 'a code like EUR', order.currency);
  }
  const step = statesOf(known).indexOf(order.checkout_state);
  for (const name of ['shipping_address', 'billing_address'] as const) {
    const isThere = order[name] !== undefined;
    if (step > 0 && !isThere)
      report('shape', at(viewed, name), 'set from addressing on', undefined);
  }
  if (unixSeconds(order.expires_at) < unixSeconds(order.created_at)) {
    report(
      'value',
      at(viewed, 'expires_at'),
      `after created_at, ${order.created_at}`,
      order.expires_at,
    );
  }
}

/** The payments of an order have its currency, and a new one has its total. */
export function orderPayments(viewed: Viewed<OrderView>, report: Report): void {
  const order = viewed.value;
  for (const [index, payment] of order.payments.entries()) {
    const place = at(viewed, 'payments', index, 'currency');
    expectEqual(
      report,
      'value',
      place,
      order.currency,
      'the currency of its order',
      payment.currency,
    );
    if (payment.state === 'new' && order.state === 'cart') {
      const amount = at(viewed, 'payments', index, 'amount');
      expectEqual(report, 'total', amount, order.total, 'the total of its order', payment.amount);
    }
  }
}

/** The shipments of a paid order are no longer on hold. */
export function paidShipments(viewed: Viewed<OrderView>, report: Report): void {
  const order = viewed.value;
  if (order.state === 'confirmed' || order.state === 'shipped') {
    for (const [index, { state }] of order.shipments.entries()) {
      if (!untilPaid.has(state)) continue;
      const expected = `another state in an order that is ${order.state}`;
      report('transition', at(viewed, 'shipments', index, 'state'), expected, state);
    }
  }
}

export function canonical(viewed: Viewed, report: Report): void {
  for (const name of ['username', 'email']) {
    const place = at(viewed, `${name}_canonical`);
    const expected = String(viewed.value[name]).toLowerCase();
    expectEqual(
      report,
      'value',
      place,
      expected,
      `${name} in lower case`,
      viewed.value[`${name}_canonical`],
    );
  }
}
