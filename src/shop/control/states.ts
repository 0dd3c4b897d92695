import type {
  ApiDefinition,
  EngineShop,
  MachineRow,
  StepRow,
} from '../../engine/definition/api.ts';
import type { NamedState, OpenedRecord } from '../../engine/definition/named-state.ts';
import { addressOf } from '../../engine/lib/api-path.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { pathOf } from '../../client.ts';
import { stepsOf } from '../checkout/step.ts';
import { setUpsFor } from '../given/given.ts';
import { orderRecords } from '../order-records.ts';
import type { StoreOffice } from '../store-office.ts';
import { shownId } from './endpoint.ts';
import { nextOf, orderOf } from './progress.ts';
import { lineOf, recipeOfState, type Act, type StateRecipe } from './state-recipes.ts';

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
  return [namedState(`order.awaiting-${name}`, about, { order, acts: [] })];
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

/** Creates an order, and brings it to the state. @throws Problem `refused` if the shop does not allow it */
function openRecipe(
  office: StoreOffice,
  name: string,
  { rule, isSoldOut, order: values, acts }: StateRecipe,
): OpenedRecord {
  const { shop } = office;
  return shop.transaction.run(() => {
    const { aProduct, anOrder } = setUpsFor(office).store;
    if (rule !== undefined) office.script.add(rule);
    const items =
      isSoldOut === true ? [{ variant: aProduct({ stock: 0 }).masterVariant.id }] : undefined;
    const { id: shown } = anOrder({ ...values, ...(items && { items }) });
    const id = shop.api.ids?.idOf(shop, 'orders', String(shown)) ?? shown;
    for (const act of acts) perform(office, id, act);
    const { step, request } = nextOf(shop, orderOf(office, String(id)));
    return {
      record: 'order',
      id: shownId(shop, 'orders', id),
      part: partIn(office, id, name),
      url: addressOf(shop.api.path, pathOf('GET /api/orders/:order_id/', { order_id: shown })),
      awaits: step,
      next: request,
    };
  });
}

/**
 * Returns the record of an order that is in a state, if it is not the order itself.
 *
 * @throws Problem `refused` if there is none: the setup of a shop, such as its script and its stock, may lead elsewhere
 */
function partIn(
  { checkout, shop }: StoreOffice,
  order: number,
  name: string,
): OpenedRecord['part'] {
  const [machine = '', state = ''] = name.split('.');
  const at = shop.db.orders.get(order)?.checkout_state;
  const steps = stepsOf(shop).filter(({ from }) => from === at);
  const records = Object.values(checkout.machines)
    .filter((one) => one.name === machine)
    .flatMap((one) =>
      recordsOf(shop, order, one.table).map(({ id }) => ({
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
  if (part !== undefined && machine !== 'order')
    return { record: machine, id: shownId(shop, part.table, part.id) };
  if (reached.includes(state)) return undefined;
  throw new Problem(
    'refused',
    `Failed to open ${name}: the order came to ${reached.join(', ')}. The script, the stock or the settings of this shop differ.`,
  );
}

function perform({ checkout, shop }: StoreOffice, order: number, act: Act): void {
  if ('submit' in act) {
    checkout.submit(order, act.submit);
    return;
  }
  const { name, table } = checkout.machines['machine' in act ? act.machine : 'shipment'];
  const id = recordsOf(shop, order, table)[0]?.id ?? 0;
  if ('apply' in act) checkout.transition(name, id, act.apply);
  else shop.db.shipments.change(id, { state: act.shipmentState });
}

/** Returns the order, or its records of another table. */
function recordsOf({ db }: StoreOffice['shop'], order: number, table: string) {
  const records: Readonly<Record<string, readonly { readonly id: number }[]>> = {
    orders: [{ id: order }],
    ...orderRecords(db, order),
  };
  return records[table] ?? [];
}
