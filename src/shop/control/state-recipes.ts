import { isObject } from '../../engine/lib/json-value.ts';
import type { MachineName } from '../checkout/machines/transition.ts';
import { declinedCard } from '../checkout/payment.ts';
import type { ScriptRuleInput } from '../checkout/script-rules.ts';
import type { GivenOrder } from '../given/order.ts';
import { checkoutSteps, confirming, paying } from '../models/order.ts';
import type { PaymentOutcome } from '../models/script-rule.ts';

/** How an order, or one of its records, comes to a state, for states that are opened by name. */
export interface StateRecipe {
  /** A rule of the script, which is added first. */
  readonly rule?: ScriptRuleInput;
  /** Whether the order has one piece of a new product that is out of stock (default: of the first variant). */
  readonly isSoldOut?: true;
  /** The values of `given.anOrder`. */
  readonly order: GivenOrder;
  /** Whether the step that it awaits is submitted then. */
  readonly isSubmitted?: true;
  /** Transitions of the order, or of its first payment or shipment, which are applied then. */
  readonly transitions?: readonly Applied[];
  /** A state of its first shipment that no transition leads to. */
  readonly shipmentState?: 'pending';
}

/** A machine and a transition: `order.ship`. */
export type Applied = `${MachineName}.${string}`;

/** Splits a machine and its transition. */
export function appliedTo(applied: Applied): [machine: MachineName, name: string] {
  const [machine, name = ''] = applied.split('.');
  return [machine as MachineName, name];
}

/** Returns the values of an order whose checkout is in a state. */
function valuesAt(state: string): GivenOrder {
  const next = checkoutSteps.find(({ from }) => from === state);
  return next === undefined ? ({ at: state } as GivenOrder) : { awaits: next.name };
}

/** An order at a state of the checkout, and what is done to it then: `order.ship`. */
const at = (state: string, ...transitions: readonly Applied[]): StateRecipe => ({
  order: valuesAt(state),
  transitions,
});
const submitted = (awaits: typeof confirming | typeof paying): StateRecipe => ({
  order: { awaits },
  isSubmitted: true,
});
/** A purchase whose provider responds otherwise than by approving or declining the card. */
const purchased = (outcome: PaymentOutcome): StateRecipe => ({
  rule: { on: paying, outcome, first: 1 },
  ...submitted(paying),
});

/** The ways of a shop, each with all states in which an order and its records are then. */
const walks: readonly (readonly [states: string, recipe: StateRecipe])[] = [
  ['order.cart', at('cart')],
  ['payment.new shipment.checkout inventory_unit.checkout', at('payment')],
  ['order.abandoned', at('cart', 'order.abandon')],
  ['order.pending shipment.onhold inventory_unit.onhold', submitted(confirming)],
  ['payment.pending', at('finalize', 'payment.create')],
  ['payment.processing', purchased('pending')],
  ['payment.authorized', purchased('authorized')],
  ['payment.failed', { order: { at: 'completed', card: declinedCard } }],
  ['payment.cancelled', purchased('cancelled')],
  ['payment.unknown', purchased('error')],
  ['order.released payment.void', at('finalize', 'order.release')],
  ['order.confirmed payment.completed shipment.ready inventory_unit.sold', submitted(paying)],
  ['shipment.backordered inventory_unit.backordered', { isSoldOut: true, ...submitted(paying) }],
  ['order.cancelled shipment.cancelled', at('completed', 'order.cancel')],
  ['payment.refunded', at('completed', 'order.cancel', 'payment.refund')],
  ['order.shipped shipment.shipped', at('completed', 'order.ship')],
  [
    'order.returned shipment.returned inventory_unit.returned',
    at('completed', 'order.ship', 'order.return'),
  ],
  ['shipment.pending', { order: valuesAt('finalize'), shipmentState: 'pending' }],
];

/** Returns the recipe of a state of a machine, if it has one. */
export function recipeOfState(machine: string, state: string): StateRecipe | undefined {
  return walks.find(([states]) => states.split(' ').includes(`${machine}.${state}`))?.[1];
}

/** The records of machines in an order, as its view has them. */
const parts: Readonly<Partial<Record<string, string>>> = {
  payment: 'payments: [{ id: payment }]',
  shipment: 'shipments: [{ id: shipment }]',
};

/** Returns a recipe as JavaScript, for a back office `office`. The order's id is in `id` then. */
export function lineOf(recipe: StateRecipe): string {
  const { rule, isSoldOut, order, isSubmitted, transitions = [], shipmentState } = recipe;
  const applied = transitions.map(appliedTo);
  const machines = [...applied.map(([machine]) => machine), ...(shipmentState ? ['shipment'] : [])];
  const names = ['id', ...new Set(machines.flatMap((machine) => parts[machine] ?? []))].join(', ');
  const values = [...fieldsOf(order), ...(isSoldOut ? ['items: [{ variant }]'] : [])].join(', ');
  const lines = [
    rule && `office.given.theScript(${literal(rule)});`,
    isSoldOut && 'const { masterVariant: { id: variant } } = office.given.aProduct({ stock: 0 });',
    `const { ${names} } = office.given.anOrder({ ${values} });`,
    isSubmitted && `office.checkout.submit(id, '${order.awaits}');`,
    ...applied.map(
      ([machine, name]) =>
        `office.checkout.transition('${machine}', ${machine in parts ? machine : 'id'}, '${name}');`,
    ),
    shipmentState &&
      `const file = structuredClone(office.export()); file.tables.shipments.rows.find((one) => one.id === shipment).state = '${shipmentState}'; office.import(file);`,
  ];
  return lines.filter((line) => line !== undefined).join(' ');
}

/** Returns a value as JavaScript, whose names are identifiers. */
function literal(value: unknown): string {
  if (isObject(value)) return `{ ${fieldsOf(value).join(', ')} }`;
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function fieldsOf(value: object): string[] {
  return Object.entries(value).map(([name, inner]) => `${name}: ${literal(inner)}`);
}
