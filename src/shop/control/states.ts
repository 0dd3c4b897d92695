import type {
  ApiDefinition,
  EngineShop,
  MachineRow,
  StepRow,
} from '../../engine/definition/api.ts';
import type { NamedState, OpenedView } from '../../engine/definition/named-state.ts';
import type { NextRequest } from '../../engine/definition/explanation.ts';
import { addressOf } from '../../engine/lib/api-path.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { pathOf } from '../../client.ts';
import { stepsOf } from '../checkout/step.ts';
import { setUpsFor } from '../given/given.ts';
import { transitionsOf } from '../explain/next-transitions.ts';
import type { MachineName } from '../checkout/machines/transition.ts';
import { orderRecords } from '../order-records.ts';
import type { StoreOffice } from '../office/store-office.ts';
import { shownId } from './endpoint.ts';
import { nextOf, orderOf } from './progress.ts';
import { appliedTo, lineOf, recipeOfState, type StateRecipe } from './state-recipes.ts';

/** Returns the states of an order and its records that can be opened by name: one for each step, and one for each state. */
export function namedStates({ steps, machines }: ApiDefinition): readonly NamedState<EngineShop>[] {
  return [...steps.flatMap(stateOfStep), ...machines.flatMap(statesOfMachine)];
}

/** Steps of extensions included. Those that can be taken at any time have no state. */
function stateOfStep({ name, from, optional }: StepRow): NamedState<EngineShop>[] {
  if (from === undefined) return [];
  // An extension may have added the step, so it is not among the names that TypeScript knows.
  const order = { awaits: name } as StateRecipe['order'];
  const about = `An order that ${optional === true ? 'can take' : 'awaits'} the step ${name}.`;
  return [namedState(`order.awaiting-${name}`, about, { order })];
}

function statesOfMachine(machine: MachineRow): NamedState<EngineShop>[] {
  return machine.states.flatMap((state) => {
    const recipe = recipeOfState(machine.name, state);
    const about = `${subjectOf(machine.name)} in the state ${state}, ${wayTo(machine, state)}.`;
    return recipe === undefined ? [] : [namedState(`${machine.name}.${state}`, about, recipe)];
  });
}

/** `inventory_unit` → `An order whose inventory unit is`. */
function subjectOf(machine: string): string {
  return machine === 'order' ? 'An order' : `An order whose ${machine.replaceAll('_', ' ')} is`;
}

function wayTo({ initial, transitions }: MachineRow, state: string): string {
  const names = transitions.filter(({ to }) => to === state).map(({ name }) => name);
  if (state === initial) return 'in which it begins';
  return names.length === 0
    ? 'to which no transition leads'
    : `to which ${names.join(' or ')} leads`;
}

function namedState(name: string, about: string, recipe: StateRecipe): NamedState<EngineShop> {
  const open: NamedState<EngineShop>['open'] = (office) =>
    openRecipe(office as StoreOffice, name, recipe);
  return { name, about, line: lineOf(recipe), open };
}

/**
 * Creates an order, and brings it to the state. The script of the shop does not apply, and none of its counts changes.
 *
 * @throws Problem `refused` if the shop does not allow it
 */
function openRecipe(
  office: StoreOffice,
  name: string,
  recipe: StateRecipe,
): Omit<OpenedView, 'state'> {
  const { shop } = office;
  return shop.transaction.run(() => {
    const { aProduct, anOrder } = setUpsFor(office).store;
    const { id: shown } = withScript(office, recipe.rule, () => {
      const items = recipe.isSoldOut && [{ variant: aProduct({ stock: 0 }).masterVariant.id }];
      const order = anOrder({ ...recipe.order, ...(items && { items }) });
      advance(office, idOf(shop, order.id), recipe);
      return order;
    });
    const id = idOf(shop, shown);
    const part = partIn(office, id, name);
    const { step, request, needsToken } = nextOf(shop, orderOf(office, String(id)));
    return {
      record: 'order',
      id: shownId(shop, 'orders', id),
      part: part && { record: part.record, id: shownId(shop, part.table, part.id) },
      url: addressOf(shop.api.path, pathOf('GET /api/orders/:order_id/', { order_id: shown })),
      awaits: step,
      next: request ?? nextTransition(office, id, part),
      needsToken,
    };
  });
}

function idOf(shop: StoreOffice['shop'], shown: number): number {
  return shop.api.ids?.idOf(shop, 'orders', String(shown)) ?? shown;
}

/** Does work while a rule, or none, is all that the script has. */
function withScript<Result>(
  { script, shop: { db } }: StoreOffice,
  rule: StateRecipe['rule'],
  work: () => Result,
): Result {
  const others = script.list().filter(({ off }) => off !== true);
  for (const { id } of others) db.scriptRules.change(id, { off: true });
  const added = rule && script.add(rule);
  const result = work();
  if (added !== undefined) script.remove(added.id);
  for (const { id } of others) db.scriptRules.change(id, { off: undefined });
  return result;
}

/** Returns the request of the first transition that is possible: of the part that is in the state, or else of the order. */
function nextTransition(
  { shop }: StoreOffice,
  order: number,
  part: Part | undefined,
): NextRequest | undefined {
  const records = [...(part === undefined ? [] : [part]), { record: 'order' as const, id: order }];
  return records
    .flatMap(({ record, id }) => transitionsOf(shop, record, id))
    .find(({ possible }) => possible)?.request;
}

interface Part {
  readonly record: MachineName;
  readonly table: string;
  readonly id: number;
}

/**
 * Returns the record of an order that is in a state, if it is not the order itself.
 *
 * @throws Problem `refused` if there is none: the setup of a shop, such as its stock, may lead elsewhere
 */
function partIn({ checkout, shop }: StoreOffice, order: number, name: string): Part | undefined {
  const [machine = '', state = ''] = name.split('.');
  const at = shop.db.orders.get(order)?.checkout_state;
  const steps = stepsOf(shop).filter(({ from }) => from === at);
  const records = Object.values(checkout.machines)
    .filter((one) => one.name === machine)
    .flatMap((one) =>
      recordsOf(shop, order, one.table).map(({ id }) => ({
        record: one.name,
        table: one.table,
        id,
        state: one.stateOf(shop, id),
      })),
    );
  const reached = [
    ...steps.map((step) => `awaiting-${step.name}`),
    ...records.map((one) => one.state),
  ];
  const part = records.find((one) => one.state === state);
  if (part !== undefined && machine !== 'order') return part;
  if (reached.includes(state)) return undefined;
  throw new Problem(
    'refused',
    `Failed to open ${name}: the order came to ${reached.join(', ')}. The stock or the settings of this shop differ.`,
  );
}

/** Does what a recipe does to its order. */
function advance(
  { checkout, shop }: StoreOffice,
  order: number,
  { order: { awaits }, isSubmitted, transitions = [], shipmentState }: StateRecipe,
): void {
  if (isSubmitted && awaits !== undefined) checkout.submit(order, awaits);
  for (const [machine, name] of transitions.map(appliedTo)) {
    const [record] = recordsOf(shop, order, checkout.machines[machine].table);
    checkout.transition(machine, record?.id ?? 0, name);
  }
  const [shipment] = shop.db.shipments.by('order', order);
  if (shipmentState && shipment) shop.db.shipments.change(shipment.id, { state: shipmentState });
}

/** Returns the order, or its records of another table. */
function recordsOf({ db }: StoreOffice['shop'], order: number, table: string) {
  const records: Readonly<Record<string, readonly { readonly id: number }[]>> = {
    orders: [{ id: order }],
    ...orderRecords(db, order),
  };
  return records[table] ?? [];
}
