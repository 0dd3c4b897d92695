import { isObject } from '../../engine/lib/json-value.ts';
import { machines, type MachineName } from '../checkout/machines/transition.ts';
import type { ScriptRuleInput } from '../checkout/script-rules.ts';
import type { GivenOrder } from '../given/order.ts';
import { checkoutSteps, confirming, paying } from '../models/order.ts';

/** How an order, or one of its records, comes to a state: for states that are opened by name, and for hints of coverage. */
export interface StateRecipe {
  /** A rule of the script, which is added first. */
  readonly rule?: ScriptRuleInput;
  /** Whether the order has one piece of a new product that is out of stock (default: of the first variant). */
  readonly isSoldOut?: true;
  /** The values of `given.anOrder`. */
  readonly order: GivenOrder;
  /** What is done to the order then. */
  readonly acts: readonly Act[];
}

/**
 * A step that is submitted, a transition of the order or of its first payment or shipment, or a state of its first shipment
 * that no transition leads to.
 */
export type Act =
  | { readonly submit: string }
  | { readonly machine: MachineName; readonly apply: string }
  | { readonly shipmentState: 'pending' };

/** Returns the values of an order whose checkout is in a state. */
export function valuesAt(state: string): GivenOrder {
  const next = checkoutSteps.find(({ from }) => from === state);
  return next === undefined ? ({ at: state } as GivenOrder) : { awaits: next.name };
}

/** A record at a state of the checkout, and transitions of a machine. */
const at = (state: string, machine: MachineName = 'order', ...names: readonly string[]) => ({
  order: valuesAt(state),
  acts: names.map((apply) => ({ machine, apply })),
});
const submitted = (awaits: typeof confirming | typeof paying): StateRecipe => ({
  order: { awaits },
  acts: [{ submit: awaits }],
});
const backorder: StateRecipe = { isSoldOut: true, ...submitted(paying) };

/** The recipe of each transition, by machine and name. */
const transitionRecipes: Readonly<Record<string, StateRecipe>> = {
  'order.create': submitted(confirming),
  'order.release': at('finalize', 'order', 'release'),
  'order.confirm': submitted(paying),
  'order.ship': at('completed', 'order', 'ship'),
  'order.abandon': at('cart', 'order', 'abandon'),
  'order.cancel': at('completed', 'order', 'cancel'),
  'order.return': at('completed', 'order', 'ship', 'return'),
  'payment.create': at('payment', 'payment', 'create'),
  'payment.process': at('payment', 'payment', 'process'),
  'payment.authorize': at('payment', 'payment', 'authorize'),
  'payment.complete': submitted(paying),
  'payment.fail': at('payment', 'payment', 'fail'),
  'payment.cancel': at('payment', 'payment', 'cancel'),
  'payment.void': at('payment', 'payment', 'void'),
  'payment.refund': at('completed', 'payment', 'refund'),
  'shipment.hold': submitted(confirming),
  'shipment.release': at('finalize', 'shipment', 'release'),
  'shipment.backorder': backorder,
  'shipment.prepare': submitted(paying),
  'shipment.ship': at('completed', 'shipment', 'ship'),
  'shipment.cancel': at('completed', 'shipment', 'cancel'),
  'shipment.return': at('completed', 'shipment', 'ship', 'return'),
  'inventory_unit.hold': submitted(confirming),
  'inventory_unit.release': at('finalize', 'order', 'release'),
  'inventory_unit.backorder': backorder,
  'inventory_unit.sell': submitted(paying),
  'inventory_unit.return': at('completed', 'order', 'ship', 'return'),
};

/** The recipe of each state that no transition leads to. */
const stateRecipes: Readonly<Record<string, StateRecipe>> = {
  'order.cart': at('cart'),
  'payment.new': at('payment'),
  'payment.unknown': {
    rule: { on: paying, outcome: 'error', first: 1 },
    ...submitted(paying),
  },
  'shipment.checkout': at('payment'),
  'shipment.pending': { order: valuesAt('payment'), acts: [{ shipmentState: 'pending' }] },
  'inventory_unit.checkout': at('payment'),
};

/** Returns the recipe of a transition, if it has one. */
export function recipeOfTransition(machine: string, name: string): StateRecipe | undefined {
  return transitionRecipes[`${machine}.${name}`];
}

/** Returns the recipe of a state of a machine, if it has one. */
export function recipeOfState(machine: string, state: string): StateRecipe | undefined {
  const own = stateRecipes[`${machine}.${state}`];
  if (own !== undefined) return own;
  const found = Object.values(machines).find(({ name }) => name === machine);
  const row = found?.transitions.find(({ to }) => to === state);
  return row && recipeOfTransition(machine, row.name);
}

/** The records of machines in an order, as its view has them. */
const parts: Readonly<Partial<Record<MachineName, string>>> = {
  payment: 'payments: [{ id: payment }]',
  shipment: 'shipments: [{ id: shipment }]',
};

/** Returns a recipe as JavaScript, for a back office `office`. The order's id is in `id` then. */
export function lineOf({ rule, isSoldOut, order, acts }: StateRecipe): string {
  const named = acts.flatMap((act) => parts[machineOf(act)] ?? []);
  const names = ['id', ...new Set(named)].join(', ');
  const values = [...fieldsOf(order), ...(isSoldOut === true ? ['items: [{ variant }]'] : [])].join(
    ', ',
  );
  return [
    ...(rule === undefined ? [] : [`office.given.theScript(${literal(rule)});`]),
    ...(isSoldOut === true
      ? ['const { masterVariant: { id: variant } } = office.given.aProduct({ stock: 0 });']
      : []),
    `const { ${names} } = office.given.anOrder({ ${values} });`,
    ...acts.map(actLine),
  ].join(' ');
}

function machineOf(act: Act): MachineName {
  if ('machine' in act) return act.machine;
  return 'submit' in act ? 'order' : 'shipment';
}

function actLine(act: Act): string {
  if ('submit' in act) return `office.checkout.submit(id, '${act.submit}');`;
  if ('shipmentState' in act) {
    return `const file = structuredClone(office.export()); file.tables.shipments.rows.find((one) => one.id === shipment).state = '${act.shipmentState}'; office.import(file);`;
  }
  const { machine, apply } = act;
  const id = machine in parts ? machine : 'id';
  return `office.checkout.transition('${machine}', ${id}, '${apply}');`;
}

/** Returns a value as JavaScript, whose names are identifiers. */
function literal(value: unknown): string {
  if (isObject(value)) return `{ ${fieldsOf(value).join(', ')} }`;
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function fieldsOf(value: object): string[] {
  return Object.entries(value).map(([name, inner]) => `${name}: ${literal(inner)}`);
}
