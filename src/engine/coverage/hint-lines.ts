import { machines } from '../../shop/checkout/machines/transition.ts';
import type { EnumPoint } from './enums.ts';
import { checkoutSteps, type StepName } from '../../shop/models/order.ts';

export const json = `headers: { 'content-type': 'application/json' }`;

/** Sets up an order in a state of the checkout, as `id`. */
function orderAt(state: string, more = ''): string {
  return `const { id } = office.given.anOrder({ ${inState(state)}${more} });`;
}

function inState(state: string): string {
  const next = checkoutSteps.find(({ from }) => from === state);
  return next === undefined ? `at: '${state}'` : `awaits: '${next.name}'`;
}

function put(body: string): string {
  return `await office.fetch(\`/api/checkouts/\${id}\`, { method: 'PUT', ${json}, body: '${body}' });`;
}

const readOrder = 'await office.fetch(`/api/orders/${id}/`);';
const readCheckout = 'await office.fetch(`/api/checkouts/${id}`);';
const postItem = (body: string): string =>
  `await office.fetch(\`/api/orders/\${id}/items/\`, { method: 'POST', ${json}, body: '${body}' });`;

const card = (number: string): string =>
  JSON.stringify({
    type: 'visa',
    cardholderName: 'Ada Novak',
    number,
    securityCode: '123',
    expiryMonth: 12,
    expiryYear: 2030,
  });

/** An invalid body of each step. */
const invalidBodies: Readonly<Record<StepName, string>> = {
  addressing: '{"shippingAddress":{}}',
  shipping: '{"shipments":""}',
  payment: '{"paymentMethod":""}',
  confirm: '{"nothing":1}',
  purchase: '{"number":"1"}',
};

const declined = `office.reset(undefined, { settings: { declinedStatus: 402 } }); ${orderAt('finalize')} ${put(card('4000000000000002'))}`;

/** Items that no change of the row's example meets, by measure and id. */
export const specialHints: Readonly<Record<string, string>> = {
  'statuses: POST /api/password-resetting-requests/ 404': `await office.fetch('/api/password-resetting-requests/', { method: 'POST', ${json}, body: '{"username":"nobody@example.com"}' });`,
  'statuses: GET /api/checkouts/:order_id 405': `${orderAt('cart')} ${readCheckout}`,
  'statuses: PUT /api/checkouts/:order_id 402': declined,
  'steps: purchase 402': declined,
  'steps: create 400 invalid': `await office.fetch('/api/orders/', { method: 'POST' });`,
  'steps: item 400 invalid': `${orderAt('cart')} ${postItem('{}')}`,
  'steps: item 400 refused': `${orderAt('completed')} ${postItem('{"variant":1,"quantity":1,"unitPrice":100}')}`,
  ...Object.fromEntries(
    checkoutSteps.flatMap(({ name, from }) => [
      [`steps: ${name} 400 invalid`, `${orderAt(from)} ${put(invalidBodies[name])}`],
      [
        `steps: ${name} 400 refused`,
        `${orderAt(name === 'addressing' ? 'completed' : 'cart')} ${put(name === 'confirm' ? '' : invalidBodies[name])}`,
      ],
    ]),
  ),
};

/** Applies transitions to a record, whose id is in a constant. */
function apply(machine: string, constant: string, ...names: readonly string[]): string {
  return names
    .map((name) => `office.checkout.transition('${machine}', ${constant}, '${name}');`)
    .join(' ');
}

const submit = (step: string): string => `office.checkout.submit(id, '${step}');`;

/** Sets up an order with its payment, its shipment or its inventory unit in a constant of its own. */
const partOf = {
  payment: (state: string) =>
    `const { id, payments: [{ id: payment }] } = office.given.anOrder({ ${inState(state)} });`,
  shipment: (state: string) =>
    `const { id, shipments: [{ id: shipment }] } = office.given.anOrder({ ${inState(state)} });`,
};

const fromNew = (name: string): string =>
  `${partOf.payment('payment')} ${apply('payment', 'payment', name)}`;
const ofShipment = (state: string, ...names: readonly string[]): string =>
  `${partOf.shipment(state)} ${apply('shipment', 'shipment', ...names)}`;
const backorder = `${orderAt('finalize', ', items: [{ variant: 1, quantity: 9999 }]')} ${submit('purchase')}`;

/** Lines that make each transition, and leave the order's id in `id`. */
const transitionLines: Readonly<Record<string, string>> = {
  'order.create': `${orderAt('payment')} ${submit('confirm')}`,
  'order.release': `${orderAt('finalize')} ${apply('order', 'id', 'release')}`,
  'order.confirm': `${orderAt('finalize')} ${submit('purchase')}`,
  'order.ship': `${orderAt('completed')} ${apply('order', 'id', 'ship')}`,
  'order.abandon': `${orderAt('cart')} ${apply('order', 'id', 'abandon')}`,
  'order.cancel': `${orderAt('completed')} ${apply('order', 'id', 'cancel')}`,
  'order.return': `${orderAt('completed')} ${apply('order', 'id', 'ship', 'return')}`,
  ...Object.fromEntries(
    ['create', 'process', 'authorize', 'complete', 'fail', 'cancel', 'void'].map((name) => [
      `payment.${name}`,
      fromNew(name),
    ]),
  ),
  'payment.complete': `${orderAt('finalize')} ${submit('purchase')}`,
  'payment.refund': `${partOf.payment('completed')} ${apply('payment', 'payment', 'refund')}`,
  'shipment.hold': `${orderAt('payment')} ${submit('confirm')}`,
  'shipment.release': ofShipment('finalize', 'release'),
  'shipment.backorder': backorder,
  'shipment.prepare': `${orderAt('finalize')} ${submit('purchase')}`,
  'shipment.ship': ofShipment('completed', 'ship'),
  'shipment.cancel': ofShipment('completed', 'cancel'),
  'shipment.return': ofShipment('completed', 'ship', 'return'),
  'inventory_unit.hold': `${orderAt('payment')} ${submit('confirm')}`,
  'inventory_unit.release': `${orderAt('finalize')} ${apply('order', 'id', 'release')}`,
  'inventory_unit.backorder': backorder,
  'inventory_unit.sell': `${orderAt('finalize')} ${submit('purchase')}`,
  'inventory_unit.return': `${orderAt('completed')} ${apply('order', 'id', 'ship', 'return')}`,
};

/** Lines that bring a record into a state that no transition leads to. */
const stateLines: Readonly<Record<string, string>> = {
  'order.cart': orderAt('cart'),
  'payment.new': orderAt('payment'),
  'payment.unknown': `office.given.theScript({ on: 'purchase', outcome: 'error' }); ${orderAt('finalize')} await office.fetch(\`/api/checkouts/\${id}\`, { method: 'PUT', ${json}, body: '${card('4242424242424242')}' });`,
  'shipment.checkout': orderAt('payment'),
  'shipment.pending': `${partOf.shipment('payment')} const file = structuredClone(office.export()); file.tables.shipments.rows.find((one) => one.id === shipment).state = 'pending'; office.import(file);`,
  'inventory_unit.checkout': orderAt('payment'),
};

export function transitionHint(id: string): string {
  return transitionLines[id] ?? '';
}

export function stateHint(machine: string, state: string): string {
  return `${linesTo(machine, state)} ${readOrder}`;
}

function linesTo(machine: string, state: string): string {
  const lines = stateLines[`${machine}.${state}`];
  if (lines !== undefined) return lines;
  const { transitions } = Object.values(machines).find(({ name }) => name === machine)!;
  const row = transitions.find(({ to }) => to === state);
  return transitionHint(`${machine}.${row?.name ?? ''}`);
}

const address = JSON.stringify({
  shippingAddress: {
    firstName: 'Ada',
    lastName: 'Novak',
    street: 'Long Lane 4',
    city: 'Bristol',
    postcode: 'BS1 4ST',
    country: 1,
  },
});

/** States that only the response to a step shows, because a GET of the checkout shows the choices of the next one. */
const answers: Readonly<Record<string, string>> = {
  cart: `${orderAt('cart')} ${put(address)}`,
  addressing: `${orderAt('cart')} ${put(address)}`,
  shipping: `await office.fetch('/api/checkouts/112', { method: 'PUT', ${json}, body: '{"shipments":{"0":{"method":6}}}' });`,
};

/** Returns a line after which a response shows a value of an enum. */
export function enumHint({ name: point, machine }: EnumPoint, value: string): string {
  const isCheckout = point.includes('InCheckout');
  const read = isCheckout ? readCheckout : readOrder;
  const submitted = isCheckout ? answers[value] : undefined;
  if (submitted !== undefined) return submitted;
  if (point.endsWith('.checkout_state')) return `${orderAt(value)} ${read}`;
  if (machine !== undefined) return `${linesTo(machine, value)} ${read}`;
  const channel = value === 'mobile' ? ', channel: 4' : '';
  if (point === 'Zone.type') return `await office.fetch('/api/zones/?limit=100');`;
  if (point === 'Channel.type') return `await office.fetch('/api/channels/?limit=100');`;
  return `${orderAt('completed', channel)} ${read}`;
}
