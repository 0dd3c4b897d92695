import type { Changes, Row } from '../../store/row.ts';
import { Problem } from '../../lib/problem.ts';
import { invalid, refusedProblem } from '../../lib/problem.ts';
import type { Shop } from '../shop.ts';

export type MachineName = 'order' | 'payment' | 'shipment' | 'inventory_unit';

/** Moves those of these records on that can be moved so. That is how an effect reaches other records. */
export type Cascade = (
  machine: MachineName,
  records: readonly { readonly id: number }[],
  transition: string,
) => void;

/** One row of a state machine. */
export interface Transition<R extends Row, State extends string> {
  readonly name: string;
  readonly from: readonly State[];
  readonly to: State;
  /** Why it is not possible for this record, though the state allows it. */
  readonly guard?: (shop: Shop, record: R) => string | undefined;
  /** What is written together with the state. */
  readonly fields?: (shop: Shop, record: R) => Changes<R>;
  /** What else it comes to, once it is written. */
  readonly effect?: (shop: Shop, record: R, change: Moved<R>) => void;
}

export interface Moved<R> {
  /** The record as it was before. */
  readonly before: R;
  readonly cascade: Cascade;
}

/** A state machine as it is written down: what kind of record it moves, and the rows. */
export interface MachineDefinition<R extends Row, State extends string> {
  readonly name: MachineName;
  /** For messages: `inventory unit`. */
  readonly noun: string;
  readonly states: readonly State[];
  /** Where records begin. */
  readonly initial: State;
  /** States that no transition leads to: a record has them from outside. */
  readonly given?: readonly State[];
  readonly transitions: readonly Transition<R, State>[];
  readonly get: (shop: Shop, id: number) => R | undefined;
  readonly stateOf: (record: R) => State;
  /** The order that a record belongs to. */
  readonly orderOf: (record: R) => number;
  readonly write: (shop: Shop, id: number, state: State, fields?: Changes<R>) => R;
}

/** What can happen to a record, or why it can't. */
export interface Possibility {
  readonly transition: string;
  readonly to: string;
  readonly possible: boolean;
  readonly reason?: string;
}

/** A state machine at work, whatever its records are. */
export interface Machine {
  readonly name: MachineName;
  readonly states: readonly string[];
  readonly initial: string;
  readonly given: readonly string[];
  readonly transitions: readonly {
    readonly name: string;
    readonly from: readonly string[];
    readonly to: string;
  }[];
  /** @throws Problem `missing` */
  orderOf(shop: Shop, id: number): number;
  /** @throws Problem `missing` */
  possibilities(shop: Shop, id: number): Possibility[];
  /**
   * Why a record cannot be moved so; undefined if it can.
   *
   * @throws Problem `missing`, or `invalid` for a transition that the machine does not have
   */
  whyNot(shop: Shop, id: number, transition: string): string | undefined;
  /** @throws Problem `refused` with the reason, or as `whyNot` */
  move(shop: Shop, id: number, transition: string, cascade: Cascade): void;
  /** The same where it is possible; otherwise, or where there is no such record any more, nothing happens. */
  moveIfPossible(shop: Shop, id: number, transition: string, cascade: Cascade): void;
}

/** @throws Problem `fault` for rows that make no sense: states that are unknown or never reached */
export function createMachine<R extends Row, State extends string>(
  definition: MachineDefinition<R, State>,
): Machine {
  const { name, states, initial, given = [], transitions } = definition;
  checkMachine({ name, states, initial, given, transitions });
  return {
    name,
    states,
    initial,
    given,
    transitions,
    orderOf: (shop, id) => definition.orderOf(recordOf(definition, shop, id)),
    possibilities(shop, id) {
      const record = recordOf(definition, shop, id);
      return transitions.map((row) => possibility(row, against(definition, shop, record, row)));
    },
    whyNot: (shop, id, transition) =>
      against(definition, shop, recordOf(definition, shop, id), rowOf(definition, transition)),
    move(shop, id, transition, cascade) {
      const record = recordOf(definition, shop, id);
      const row = rowOf(definition, transition);
      const reason = against(definition, shop, record, row);
      if (reason !== undefined) throw refusedProblem(reason);
      take(definition, shop, record, { row, cascade });
    },
    moveIfPossible(shop, id, transition, cascade) {
      const record = definition.get(shop, id);
      const row = rowOf(definition, transition);
      if (record === undefined || against(definition, shop, record, row) !== undefined) return;
      take(definition, shop, record, { row, cascade });
    },
  };
}

function recordOf<R extends Row, State extends string>(
  { get, noun }: MachineDefinition<R, State>,
  shop: Shop,
  id: number,
): R {
  const record = get(shop, id);
  if (record === undefined) throw new Problem('missing', `There is no ${noun} ${id}.`);
  return record;
}

function rowOf<R extends Row, State extends string>(
  { noun, transitions }: MachineDefinition<R, State>,
  name: string,
): Transition<R, State> {
  const row = transitions.find((one) => one.name === name);
  if (row !== undefined) return row;
  const known = transitions.map((one) => one.name).join(', ');
  throw invalid(['transition'], `No ${noun} can ${name}; it can ${known}.`);
}

/** What speaks against a move; undefined if nothing does. */
function against<R extends Row, State extends string>(
  { noun, stateOf }: MachineDefinition<R, State>,
  shop: Shop,
  record: R,
  { name, from, to, guard }: Transition<R, State>,
): string | undefined {
  const state = stateOf(record);
  if (from.includes(state)) return guard?.(shop, record);
  const path = `${name} leads from ${from.join(', ')} to ${to}`;
  return `${capital(noun)} ${record.id} is in state ${state}; ${path}.`;
}

function take<R extends Row, State extends string>(
  { write }: MachineDefinition<R, State>,
  shop: Shop,
  before: R,
  { row, cascade }: { readonly row: Transition<R, State>; readonly cascade: Cascade },
): void {
  const record = write(shop, before.id, row.to, row.fields?.(shop, before));
  row.effect?.(shop, record, { before, cascade });
}

function possibility(
  { name, to }: { readonly name: string; readonly to: string },
  reason: string | undefined,
): Possibility {
  return { transition: name, to, possible: reason === undefined, ...(reason && { reason }) };
}

type Rows = Pick<Machine, 'name' | 'states' | 'initial' | 'given' | 'transitions'>;

/** @throws Problem `fault` that names every mistake */
export function checkMachine({ name, states, initial, given, transitions }: Rows): void {
  const named = [initial, ...given, ...transitions.flatMap(({ from, to }) => [...from, to])];
  const reached = reachable(initial, transitions);
  const names = transitions.map((row) => row.name);
  const mistakes = [
    ...named.filter((state) => !states.includes(state)).map((state) => `no state ${state}`),
    ...states
      .filter((state) => !reached.has(state) && !given.includes(state))
      .map((state) => `nothing leads to ${state}`),
    ...given.filter((state) => reached.has(state)).map((state) => `${state} is reached`),
    ...names.filter((one, at) => names.indexOf(one) < at).map((one) => `two rows ${one}`),
  ];
  if (mistakes.length > 0) throw new Problem('fault', `machine ${name}: ${mistakes.join('; ')}`);
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

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
