import type { EnumPoint } from '../../engine/coverage/enums.ts';
import { brokenBody, exampleCall, json } from '../../engine/coverage/hints.ts';
import type { Item } from '../../engine/coverage/measures.ts';
import { rulesOf } from '../../engine/coverage/rules.ts';
import { once } from '../../engine/lib/memoized.ts';
import { declinedCard } from '../checkout/payment.ts';
import { lineOf, recipeOfState, recipeOfTransition, valuesAt } from '../control/state-recipes.ts';
import type { GivenOrder } from '../given/order.ts';
import { checkoutSteps, paying, type StepName } from '../models/order.ts';
import { contract } from '../resources/index.ts';

/** Returns lines for what no change of an endpoint's example meets. */
export function storeHint({ id, measure, subject }: Item): string | undefined {
  const special = specialHints()[`${measure}: ${id}`];
  if (special !== undefined || 'rule' in subject || 'status' in subject) return special;
  if ('transition' in subject) return transitionHint(subject.machine, subject.transition);
  if ('state' in subject) return stateHint(subject.machine, subject.state);
  return enumHint(subject.point, subject.value);
}

/** Sets up an order in a state of the checkout, as `id`. */
function orderAt(state: string, more?: GivenOrder): string {
  return lineOf({ order: { ...valuesAt(state), ...more }, acts: [] });
}

/** Sets up an order that awaits a step, as `id`. */
function awaiting(awaits: StepName): string {
  return lineOf({ order: { awaits }, acts: [] });
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

function transitionHint(machine: string, transition: string): string {
  const recipe = recipeOfTransition(machine, transition);
  return recipe === undefined ? '' : lineOf(recipe);
}

function stateHint(machine: string, state: string): string {
  return `${linesTo(machine, state)} ${readOrder}`;
}

function linesTo(machine: string, state: string): string {
  const recipe = recipeOfState(machine, state);
  return recipe === undefined ? '' : lineOf(recipe);
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
  const channel = value === 'mobile' ? { channel: 4 } : {};
  if (point === 'Zone.type') return `await office.fetch('/api/zones/?limit=100');`;
  if (point === 'Channel.type') return `await office.fetch('/api/channels/?limit=100');`;
  return `${orderAt('completed', channel)} ${read}`;
}
