import type { EnumPoint } from '../../engine/coverage/enums.ts';
import { brokenBody, exampleCall, json } from '../../engine/coverage/hints.ts';
import type { Item } from '../../engine/coverage/measures.ts';
import { rulesOf } from '../../engine/coverage/rules.ts';
import { once } from '../../engine/lib/memoized.ts';
import { approvedCard, declinedCard } from '../checkout/payment.ts';
import { machines } from '../checkout/machines/transition.ts';
import { checkoutSteps, confirming, paying } from '../models/order.ts';
import { contract } from '../resources/index.ts';

/** Returns lines for what no change of an endpoint's example meets. */
export function storeHint({ id, measure, subject }: Item): string | undefined {
  const special = specialHints()[`${measure}: ${id}`];
  if (special !== undefined || 'rule' in subject || 'status' in subject) return special;
  if ('transition' in subject) return transitionHint(id);
  if ('state' in subject) return stateHint(subject.machine, subject.state);
  return enumHint(subject.point, subject.value);
}

/** Sets up an order in a state of the checkout, as `id`. */
function orderAt(state: string, more = ''): string {
  return `const { id } = office.given.anOrder({ ${inState(state)}${more} });`;
}

/** Sets up an order that awaits a step, as `id`. */
function awaiting(step: string, more = ''): string {
  return `const { id } = office.given.anOrder({ awaits: '${step}'${more} });`;
}

/** Submits a step of an order, as `id`. */
function submitted(step: string, more = ''): string {
  return `${awaiting(step, more)} office.checkout.submit(id, '${step}');`;
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

function rowOf(step: string) {
  const row = contract.find((one) => one.step === step);
  if (row === undefined) throw new Error(`no step ${step}`);
  return row;
}

const card = (number: string): string => JSON.stringify({ ...rowOf(paying).example.body, number });

/** Returns a body that a step rejects. */
function invalidBody(step: string): string {
  const row = rowOf(step);
  const rule = rulesOf(row).find(({ part }) => part === 'body');
  return rule === undefined ? '' : JSON.stringify(brokenBody(row, rule));
}

function declined(): string {
  return `office.reset(undefined, { settings: { declinedStatus: 402 } }); ${awaiting(paying)} ${put(card(declinedCard))}`;
}

/** Returns lines for items that no change of the row's example meets, by measure and id. */
const specialHints = once((): Readonly<Record<string, string>> => ({
  'statuses: POST /api/password-resetting-requests/ 404': `await office.fetch('/api/password-resetting-requests/', { method: 'POST', ${json}, body: '{"username":"nobody@example.com"}' });`,
  'statuses: GET /api/checkouts/:order_id 405': `${orderAt('cart')} ${readCheckout}`,
  'statuses: PUT /api/checkouts/:order_id 402': declined(),
  [`steps: ${paying} 402`]: declined(),
  'steps: create 400 invalid': `await office.fetch('/api/orders/', { method: 'POST' });`,
  'steps: item 400 invalid': `${orderAt('cart')} ${postItem('{}')}`,
  'steps: item 400 refused': `${orderAt('completed')} ${postItem('{"variant":1,"quantity":1,"unitPrice":100}')}`,
  ...Object.fromEntries(
    checkoutSteps.flatMap(({ name, from }, at) => [
      [`steps: ${name} 400 invalid`, `${orderAt(from)} ${put(invalidBody(name))}`],
      [
        `steps: ${name} 400 refused`,
        `${orderAt(at === 0 ? 'completed' : 'cart')} ${put(JSON.stringify(rowOf(name).example.body ?? {}))}`,
      ],
    ]),
  ),
}));

/** Applies transitions to a record, whose id is in a constant. */
function apply(machine: string, constant: string, ...names: readonly string[]): string {
  return names
    .map((name) => `office.checkout.transition('${machine}', ${constant}, '${name}');`)
    .join(' ');
}

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
const backorder = submitted(paying, ', items: [{ variant: 1, quantity: 9999 }]');

/** Lines that make each transition, and leave the order's id in `id`. */
const transitionLines: Readonly<Record<string, string>> = {
  'order.create': submitted(confirming),
  'order.release': `${orderAt('finalize')} ${apply('order', 'id', 'release')}`,
  'order.confirm': submitted(paying),
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
  'payment.complete': submitted(paying),
  'payment.refund': `${partOf.payment('completed')} ${apply('payment', 'payment', 'refund')}`,
  'shipment.hold': submitted(confirming),
  'shipment.release': ofShipment('finalize', 'release'),
  'shipment.backorder': backorder,
  'shipment.prepare': submitted(paying),
  'shipment.ship': ofShipment('completed', 'ship'),
  'shipment.cancel': ofShipment('completed', 'cancel'),
  'shipment.return': ofShipment('completed', 'ship', 'return'),
  'inventory_unit.hold': submitted(confirming),
  'inventory_unit.release': `${orderAt('finalize')} ${apply('order', 'id', 'release')}`,
  'inventory_unit.backorder': backorder,
  'inventory_unit.sell': submitted(paying),
  'inventory_unit.return': `${orderAt('completed')} ${apply('order', 'id', 'ship', 'return')}`,
};

/** Lines that bring a record into a state that no transition leads to. */
const stateLines: Readonly<Record<string, string>> = {
  'order.cart': orderAt('cart'),
  'payment.new': orderAt('payment'),
  'payment.unknown': `office.given.theScript({ on: '${paying}', outcome: 'error' }); ${awaiting(paying)} await office.fetch(\`/api/checkouts/\${id}\`, { method: 'PUT', ${json}, body: '${card(approvedCard)}' });`,
  'shipment.checkout': orderAt('payment'),
  'shipment.pending': `${partOf.shipment('payment')} const file = structuredClone(office.export()); file.tables.shipments.rows.find((one) => one.id === shipment).state = 'pending'; office.import(file);`,
  'inventory_unit.checkout': orderAt('payment'),
};

function transitionHint(id: string): string {
  return transitionLines[id] ?? '';
}

function stateHint(machine: string, state: string): string {
  return `${linesTo(machine, state)} ${readOrder}`;
}

function linesTo(machine: string, state: string): string {
  const lines = stateLines[`${machine}.${state}`];
  if (lines !== undefined) return lines;
  const { transitions } = Object.values(machines).find(({ name }) => name === machine)!;
  const row = transitions.find(({ to }) => to === state);
  return transitionHint(`${machine}.${row?.name ?? ''}`);
}

/** Returns a line after which a response shows a value of an enum. */
function enumHint({ name: point, machine }: EnumPoint, value: string): string {
  const isCheckout = point.includes('InCheckout');
  const read = isCheckout ? readCheckout : readOrder;
  // A GET of a checkout may show the choices of the next step. The response to each step shows the order.
  const step = checkoutSteps.find(({ from, to }) =>
    point.endsWith('.checkout_state') ? to === value : from === value,
  );
  if (isCheckout && step !== undefined) return exampleCall(rowOf(step.name));
  if (point.endsWith('.checkout_state')) return `${orderAt(value)} ${read}`;
  if (machine !== undefined) return `${linesTo(machine, value)} ${read}`;
  const channel = value === 'mobile' ? ', channel: 4' : '';
  if (point === 'Zone.type') return `await office.fetch('/api/zones/?limit=100');`;
  if (point === 'Channel.type') return `await office.fetch('/api/channels/?limit=100');`;
  return `${orderAt('completed', channel)} ${read}`;
}
