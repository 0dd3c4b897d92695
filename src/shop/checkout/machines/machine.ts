import { hintOf } from '../../../engine/lib/unknown-keys.ts';
import * as z from 'zod';
import type { Changes, Row } from '../../../engine/store/row.ts';
import { formatAlternatives } from '../../../engine/lib/names.ts';
import { Problem, invalid, refusedProblem } from '../../../engine/lib/problem.ts';
import type { MachineName, Shop } from '../shop.ts';
import type { MachineRow } from '../../../engine/definition/api.ts';
import type { Database } from '../../models/database.ts';
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
export interface MachineDefinition<
  R extends Row,
  State extends string,
  Name extends MachineName = MachineName,
> {
  readonly name: Name;
  /** The table of its records. */
  readonly table: {
    readonly name: string;
    readonly singular: string;
    readonly schema: z.ZodObject;
  };
  /** The field with the state. Its schema lists the states. */
  readonly field: keyof R & string;
  /** The state of new records. */
  readonly initial: State;
  /** States that no transition leads to: only imported data, or code outside the machine, sets them. */
  readonly external?: readonly State[];
  readonly transitions: readonly Transition<R, State, TransitionNames[Name]>[];
  /** Returns the record with an id. */
  readonly get: (db: Database, id: number) => R | undefined;
  readonly stateOf: (record: R) => State;
  /** Writes the state of a record, with other fields. */
  readonly write: (db: Database, id: number, state: State, fields?: Changes<R>) => R;
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

/** @throws Problem `fault` if the schema of the records does not list the states */
export function createMachine<R extends Row, State extends string, Name extends MachineName>(
  definition: MachineDefinition<R, State, Name>,
): Machine {
  const { name, table, field, initial, external = [], transitions, stateOf } = definition;
  const schema: unknown = table.schema.shape[field];
  if (!(schema instanceof z.ZodEnum)) throw new Problem('fault', `machine ${name}: no ${field}`);
  const recordOf = ({ db }: Shop, id: number): R => {
    const record = definition.get(db, id);
    if (record === undefined) throw new Problem('missing', `There is no ${table.singular} ${id}.`);
    return record;
  };
  const blockedBy = (shop: Shop, record: R, row: Transition<R, State>): string | undefined => {
    const state = stateOf(record);
    if (row.from.includes(state)) return row.guard?.(shop, record);
    return `Cannot ${row.name} ${table.singular} ${record.id}: its state is ${state}, not ${formatAlternatives(row.from)}.`;
  };
  const rowOf = (transition: string) => findRow(definition, transition);
  return {
    name,
    table: table.name,
    field,
    schema,
    states: schema.options.map(String),
    initial,
    external,
    transitions,
    stateOf: (shop, id) => stateOf(recordOf(shop, id)),
    orderOf: (shop, id) => definition.orderOf(recordOf(shop, id)),
    listTransitions(shop, id) {
      const record = recordOf(shop, id);
      return transitions.map((row) => listedTransition(row, blockedBy(shop, record, row)));
    },
    blockedBy: (shop, id, transition) => blockedBy(shop, recordOf(shop, id), rowOf(transition)),
    move(shop, id, transition, cascade) {
      const record = recordOf(shop, id);
      const row = rowOf(transition);
      const reason = blockedBy(shop, record, row);
      if (reason !== undefined) throw refusedProblem(reason);
      applyRow(definition, shop, record, { row, cascade });
    },
    moveIfPossible(shop, id, transition, cascade) {
      const record = definition.get(shop.db, id);
      const row = rowOf(transition);
      if (record === undefined || !row.from.includes(stateOf(record))) return;
      if (row.guard?.(shop, record) === undefined)
        applyRow(definition, shop, record, { row, cascade });
    },
  };
}

function findRow<R extends Row, State extends string>(
  { table, transitions }: MachineDefinition<R, State>,
  name: string,
): Transition<R, State> {
  const row = transitions.find((one) => one.name === name);
  if (row !== undefined) return row;
  const known = transitions.map((one) => one.name);
  throw invalid(
    ['transition'],
    `Transition ${name} of ${table.singular} not found: must be one of ${known.join(', ')}.${hintOf(name, known)}`,
  );
}

function applyRow<R extends Row, State extends string>(
  { name, write }: MachineDefinition<R, State>,
  shop: Shop,
  before: R,
  { row, cascade }: { readonly row: Transition<R, State>; readonly cascade: Cascade },
): void {
  const record = write(shop.db, before.id, row.to, row.fields?.(shop, before));
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
