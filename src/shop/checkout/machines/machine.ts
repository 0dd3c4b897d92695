import * as z from 'zod';
import type { AnyTable } from '../../../engine/store/lazy-tables.ts';
import type { Changes, Row } from '../../../engine/store/row.ts';
import { formatAlternatives } from '../../../engine/lib/names.ts';
import { Problem, invalid, refusedProblem } from '../../../engine/lib/problem.ts';
import type { MachineName, Shop } from '../shop.ts';
import type { MachineRow } from '../../../engine/definition/api.ts';
import { definitions, type Database } from '../../models/database.ts';
import type { InventoryUnit, OrderState } from '../../models/order.ts';

/** The transitions of each state machine. */
export interface TransitionNames {
  readonly order: 'create' | 'release' | 'confirm' | 'ship' | 'abandon' | 'cancel' | 'return';
  readonly payment:
    | 'create'
    | 'process'
    | 'authorize'
    | 'complete'
    | 'fail'
    | 'cancel'
    | 'void'
    | 'refund';
  readonly shipment: 'hold' | 'release' | 'backorder' | 'prepare' | 'ship' | 'cancel' | 'return';
  readonly inventory_unit: 'hold' | 'release' | 'backorder' | 'sell' | 'return';
}

export type { MachineName } from '../shop.ts';

/** Applies a transition to the records for which it is possible. Effects use it to change other records. */
export type Cascade = <Name extends MachineName>(
  machine: Name,
  records: readonly { readonly id: number }[],
  transition: TransitionNames[Name],
) => void;

/** One row of a state machine. */
export interface Transition<R extends Row, State extends string, Name extends string = string> {
  readonly name: Name;
  readonly from: readonly State[];
  readonly to: State;
  /** Returns why the transition is not possible for a record in an allowed state; undefined if it is. */
  readonly guard?: (shop: Shop, record: R) => string | undefined;
  /** Returns the fields that are written together with the state. */
  readonly fields?: (shop: Shop, record: R) => Changes<R>;
  /** Changes other records, once the state is written. */
  readonly effect?: (shop: Shop, record: R, change: TransitionContext<R>) => void;
}

export interface TransitionContext<R> {
  /** The record as it was before. */
  readonly before: R;
  readonly cascade: Cascade;
}

/** The definition of a state machine: where its records are, and its rows. */
export interface MachineDefinition<R extends Row, State extends string> {
  readonly name: MachineName;
  /** The key of the table of its records. */
  readonly table: keyof typeof definitions;
  /** The field with the state. Its schema lists the states. */
  readonly field: keyof R & string;
  /** The state of new records. */
  readonly initial: State;
  /** States that no transition leads to: only imported data, or code outside the machine, sets them. */
  readonly external?: readonly State[];
  readonly transitions: readonly Transition<R, State>[];
  /** The order that a record belongs to. */
  readonly orderOf: (record: R) => number;
}

/** A transition of a record, and the reason if it is not possible. */
export interface ListedTransition {
  readonly transition: string;
  readonly to: string;
  readonly possible: boolean;
  readonly reason?: string;
}

/** A state machine, independent of the type of its records. */
export interface Machine extends MachineRow {
  readonly name: MachineName;
  /** @throws Problem `missing` */
  stateOf(shop: Shop, id: number): string;
  /** @throws Problem `missing` */
  orderOf(shop: Shop, id: number): number;
  /** @throws Problem `missing` */
  listTransitions(shop: Shop, id: number): ListedTransition[];
  /**
   * Returns why a transition is not possible for a record; undefined if it is.
   *
   * @throws Problem `missing`, or `invalid` for a transition that the machine does not have
   */
  blockedBy(shop: Shop, id: number, transition: string): string | undefined;
  /** @throws Problem `refused` with the reason, or as `blockedBy` */
  move(shop: Shop, id: number, transition: string, cascade: Cascade): void;
  /** Like `move`, but does nothing if the transition is not possible or the record has been deleted. */
  moveIfPossible(shop: Shop, id: number, transition: string, cascade: Cascade): void;
}

/** @throws Problem `fault` for inconsistent rows, such as states that are unknown or never reached */
export function createMachine<R extends Row, State extends string>(
  definition: MachineDefinition<R, State>,
): Machine {
  const { name, field, initial, external = [], transitions } = definition;
  const { name: table, schema } = definitions[definition.table];
  const state = Object.entries<z.ZodType>(schema.shape).find(([key]) => key === field)?.[1];
  if (!(state instanceof z.ZodEnum)) throw new Problem('fault', `machine ${name}: no ${field}`);
  const states = state.options.map(String);
  assertMachine({ name, states, initial, external, transitions });
  return {
    name,
    table,
    field,
    schema: state,
    states,
    initial,
    external,
    transitions,
    stateOf: (shop, id) => stateOf(definition, recordOf(definition, shop, id)),
    orderOf: (shop, id) => definition.orderOf(recordOf(definition, shop, id)),
    listTransitions(shop, id) {
      const record = recordOf(definition, shop, id);
      return transitions.map((row) =>
        listedTransition(row, blockedBy(definition, shop, record, row)),
      );
    },
    blockedBy: (shop, id, transition) =>
      blockedBy(definition, shop, recordOf(definition, shop, id), rowOf(definition, transition)),
    move(shop, id, transition, cascade) {
      const record = recordOf(definition, shop, id);
      const row = rowOf(definition, transition);
      const reason = blockedBy(definition, shop, record, row);
      if (reason !== undefined) throw refusedProblem(reason);
      applyRow(definition, shop, record, { row, cascade });
    },
    moveIfPossible(shop, id, transition, cascade) {
      const record = findRecord(definition, shop, id);
      const row = rowOf(definition, transition);
      if (record === undefined || !row.from.includes(stateOf(definition, record))) return;
      if (row.guard?.(shop, record) === undefined)
        applyRow(definition, shop, record, { row, cascade });
    },
  };
}

/** Returns the record of a machine, if it is there. */
function findRecord<R extends Row, State extends string>(
  { table }: MachineDefinition<R, State>,
  { db }: Shop,
  id: number,
): R | undefined {
  return (db[table] as AnyTable).get(id) as R | undefined;
}

function stateOf<R extends Row, State extends string>(
  { field }: MachineDefinition<R, State>,
  record: R,
): State {
  return record[field] as State;
}

function nounOf<R extends Row, State extends string>({ table }: MachineDefinition<R, State>) {
  return definitions[table].singular;
}

function recordOf<R extends Row, State extends string>(
  definition: MachineDefinition<R, State>,
  shop: Shop,
  id: number,
): R {
  const record = findRecord(definition, shop, id);
  if (record === undefined)
    throw new Problem('missing', `There is no ${nounOf(definition)} ${id}.`);
  return record;
}

function rowOf<R extends Row, State extends string>(
  definition: MachineDefinition<R, State>,
  name: string,
): Transition<R, State> {
  const { transitions } = definition;
  const row = transitions.find((one) => one.name === name);
  if (row !== undefined) return row;
  const known = transitions.map((one) => one.name).join(', ');
  throw invalid(
    ['transition'],
    `Transition ${name} of ${nounOf(definition)} not found: must be one of ${known}.`,
  );
}

/** Returns why a transition is not possible for a record; undefined if it is. */
function blockedBy<R extends Row, State extends string>(
  definition: MachineDefinition<R, State>,
  shop: Shop,
  record: R,
  { name, from, guard }: Transition<R, State>,
): string | undefined {
  const state = stateOf(definition, record);
  if (from.includes(state)) return guard?.(shop, record);
  return `Cannot ${name} ${nounOf(definition)} ${record.id}: its state is ${state}, not ${formatAlternatives(from)}.`;
}

function applyRow<R extends Row, State extends string>(
  definition: MachineDefinition<R, State>,
  shop: Shop,
  before: R,
  { row, cascade }: { readonly row: Transition<R, State>; readonly cascade: Cascade },
): void {
  const { name, table, field } = definition;
  const changes = { ...row.fields?.(shop, before), [field]: row.to };
  const record = (shop.db[table] as AnyTable).change(before.id, changes) as R;
  shop.onTransition?.(name, row.name, row.to);
  shop.onMove?.(name, before.id, row);
  row.effect?.(shop, record, { before, cascade });
  shop.onState?.(shop, name, before.id, row.to);
}

function listedTransition(
  { name, to }: { readonly name: string; readonly to: string },
  reason: string | undefined,
): ListedTransition {
  return { transition: name, to, possible: reason === undefined, ...(reason && { reason }) };
}

type Rows = Pick<MachineRow, 'name' | 'states' | 'initial' | 'external' | 'transitions'>;

/** @throws Problem `fault` with every issue of the rows */
export function assertMachine({ name, states, initial, external, transitions }: Rows): void {
  const named = [initial, ...external, ...transitions.flatMap(({ from, to }) => [...from, to])];
  const reached = reachable(initial, transitions);
  const names = transitions.map((row) => row.name);
  const issues = [
    ...named.filter((state) => !states.includes(state)).map((state) => `unknown state ${state}`),
    ...states
      .filter((state) => !reached.has(state) && !external.includes(state))
      .map((state) => `no transition to ${state}`),
    ...external
      .filter((state) => reached.has(state))
      .map((state) => `transition to external state ${state}`),
    ...names
      .filter((one, at) => names.indexOf(one) < at)
      .map((one) => `duplicate transition ${one}`),
  ];
  if (issues.length > 0) throw new Problem('fault', `machine ${name}: ${issues.join('; ')}`);
}

function reachable(initial: string, transitions: Rows['transitions']): ReadonlySet<string> {
  const reached = new Set([initial]);
  for (let size = 0; size < reached.size;) {
    size = reached.size;
    for (const { from, to } of transitions) {
      if (from.some((state) => reached.has(state))) reached.add(to);
    }
  }
  return reached;
}

/** Returns why units and shipments of an order cannot change: those of a cart are rebuilt at each step. */
export function whyNotPlaced(db: Database, order_id: number): string | undefined {
  return db.orders.get(order_id)?.state === 'cart'
    ? `Order ${order_id} is still a cart.`
    : undefined;
}

/** Whether a unit awaits no stock, because it is sold or returned. */
export function isSoldOrReturned({ inventory_state }: InventoryUnit): boolean {
  return inventory_state === 'sold' || inventory_state === 'returned';
}

/** Returns why an order gets no stock: it must be pending, released or confirmed. */
export function whyNotActive(db: Database, order_id: number): string | undefined {
  const order = db.orders.get(order_id);
  if (order === undefined) return `Order ${order_id} is deleted.`;
  return activeStates.includes(order.state)
    ? undefined
    : `Order ${order_id} is in state ${order.state}.`;
}

const activeStates: readonly OrderState[] = ['pending', 'released', 'confirmed'];

/** A state machine as a Mermaid state diagram, drawn from its rows. */
export function diagram({
  initial,
  external,
  transitions,
}: Pick<MachineRow, 'initial' | 'external' | 'transitions'>): string {
  const arrows = transitions.flatMap(({ name, from, to }) =>
    from.map((state) => `  ${state} --> ${to}: ${name}`),
  );
  return [
    'stateDiagram-v2',
    `  [*] --> ${initial}`,
    ...arrows,
    ...external.map((state) => `  ${state}`),
  ].join('\n');
}
