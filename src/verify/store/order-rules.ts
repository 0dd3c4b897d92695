import type { Facts, ViewNode, ViewReport } from '../../engine/definition/drift.ts';
import { unixSeconds } from '../drift/finding.ts';
import type { OrderView } from '../../shop/resources/order.ts';

/** Returns the states of the checkout, in order. */
function statesOf({ steps }: Facts): readonly string[] {
  return ['cart', ...steps.flatMap(({ to }) => to ?? [])];
}

/** Returns the states of the checkout that an order of a state can be at. */
function checkoutStatesOf(state: string, known: Facts): readonly string[] | undefined {
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

export function orderStates(
  { value: { state, checkout_state, items } }: ViewNode<OrderView>,
  { report }: ViewReport,
  known: Facts,
): void {
  const possible = checkoutStatesOf(state, known);
  if (possible !== undefined && !possible.includes(checkout_state))
    report('transition', 'checkout_state', `${possible.join(' or ')} in state ${state}`);
  if (statesOf(known).indexOf(checkout_state) > 0 && items.length === 0 && state !== 'cart')
    report('transition', 'items', `items in an order that is ${state}`);
}

/** States that a paid order's shipments and units can no longer have. */
const untilPaid = new Set(['checkout', 'pending', 'onhold']);

export function orderParts(
  { value: order }: ViewNode<OrderView>,
  { report }: ViewReport,
  known: Facts,
): void {
  const isPlaced = order.state !== 'cart' && order.state !== 'abandoned';
  for (const name of ['number', 'completed_at'] as const) {
    const isThere = order[name] !== undefined;
    if (isPlaced && !isThere) report('shape', name, `set in state ${order.state}`);
    if (order.state === 'cart' && isThere) report('shape', name, 'nothing in a cart');
  }
  if (order.number !== undefined && !/^\d{9}$/.test(order.number))
    report('value', 'number', 'nine digits');
  for (const name of ['user', 'channel'] as const)
    if (order[name] === undefined) report('shape', name, 'set in every order');
  if (!/^[A-Z]{3}$/.test(order.currency)) report('value', 'currency', 'a code like EUR');
  const step = statesOf(known).indexOf(order.checkout_state);
  for (const name of ['shipping_address', 'billing_address'] as const)
    if (step > 0 && order[name] === undefined) report('shape', name, 'set from addressing on');
  if (unixSeconds(order.expires_at) < unixSeconds(order.created_at))
    report('value', 'expires_at', `after created_at, ${order.created_at}`);
}

/** The payments of an order have its currency, and a new one has its total. */
export function orderPayments({ value: order }: ViewNode<OrderView>, { equal }: ViewReport): void {
  for (const [index, { state }] of order.payments.entries()) {
    const place = ['payments', index];
    equal('value', [...place, 'currency'], order.currency, 'the currency of its order');
    if (state === 'new' && order.state === 'cart')
      equal('total', [...place, 'amount'], order.total, 'the total of its order');
  }
}

/** The shipments of a paid order are no longer on hold. */
export function paidShipments({ value: order }: ViewNode<OrderView>, { report }: ViewReport): void {
  if (order.state !== 'confirmed' && order.state !== 'shipped') return;
  for (const [index, { state }] of order.shipments.entries()) {
    const expected = `another state in an order that is ${order.state}`;
    if (untilPaid.has(state)) report('transition', ['shipments', index, 'state'], expected);
  }
}

export function canonical({ value }: ViewNode, { equal }: ViewReport): void {
  for (const name of ['username', 'email']) {
    const expected = String(value[name]).toLowerCase();
    equal('value', `${name}_canonical`, expected, `${name} in lower case`);
  }
}
