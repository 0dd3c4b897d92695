import type { OrderPastView, OrderView } from '../../control/order-view.ts';
import type { NextView } from '../../control/progress.ts';
import type { MachineView, StepView } from '../../../engine/control/endpoints/machines.ts';
import { loadMachines, loadSteps } from '../../../engine/studio/calls.ts';
import { namesOrder } from './names-order.ts';
import { previewedEntry, type Row, type Tables } from '../../../engine/studio/past.ts';
import type { Summary } from '../../../engine/studio/source.ts';
import { peek, revision, summaries } from '../../../engine/studio/store.ts';
import { useAsync } from '../../../engine/studio/ui.tsx';

/** A step of the checkout. */
type CheckoutStep = StepView & { readonly from: string };

/** The next step of an order. */
export type Next = Partial<NextView>;

/** A possible transition of a record. */
export type Transition = OrderView['transitions'][number]['possible'][number];

/** An entry that changed an order or a record of it, with the names of all records that it changed. */
export type ChangingEntry = OrderView['entries'][number];

/** All that the page of an order shows. */
export interface OrderData {
  readonly id: number;
  readonly order: Row;
  readonly tables: Tables;
  /** The way of the states of its records. */
  readonly moves: OrderView['moves'];
  /** Names of records that these refer to: `variants/7`. */
  readonly names: Readonly<Record<string, string>>;
  readonly next: Next;
  readonly machines: readonly MachineView[];
  /** The steps of the checkout. */
  readonly steps: readonly CheckoutStep[];
  /** By machine and id: `payment 101`. */
  readonly transitions: ReadonlyMap<string, readonly Transition[]>;
  /** The entries that changed the order or a record of it, or that name it, oldest first. */
  readonly touched: readonly Summary[];
  /** Those that changed something. */
  readonly entries: readonly ChangingEntry[];
}

/** Loads an order again when the shop has changed. The former content is shown until then. */
export function useOrder(id: number): OrderData | 'missing' | undefined {
  const data = useAsync(async () => (await loadOrder(id)) ?? 'missing', [id, revision.value]);
  return typeof data === 'object' && data.id !== id ? undefined : data;
}

async function loadOrder(id: number): Promise<OrderData | undefined> {
  const [view, machines, steps] = await Promise.all([
    peek<OrderView>(`GET /_backlot/orders/${id}/view`),
    loadMachines(),
    loadSteps(),
  ]);
  if (view === undefined) return undefined;
  const { order, moves, names, next, entries } = view;
  const transitions = new Map(
    view.transitions.map((one) => [`${one.machine} ${one.id}`, one.possible]),
  );
  const named = summaries.value.filter(({ title }) =>
    namesOrder(title, names[`orders/${id}`] ?? id),
  );
  const byId = new Map([...named, ...entries].map((entry) => [entry.id, entry]));
  const touched = [...byId.values()].toSorted((one, other) => one.id - other.id);
  return {
    id,
    order,
    tables: tablesOf(view),
    moves,
    names,
    next,
    machines,
    steps: steps.filter((step): step is CheckoutStep => step.from !== undefined),
    transitions,
    touched,
    entries,
  };
}

/** Returns the possible transitions of a record, undefined if they are not loaded. */
export function possibleOf(
  { transitions }: OrderData,
  machine: string,
  id: number,
): readonly Transition[] | undefined {
  return transitions.get(`${machine} ${id}`);
}

function tablesOf({ order, tables }: OrderPastView): Tables {
  return new Map([['orders', [order]], ...Object.entries(tables)]);
}

/** Returns an order as it was, or will be, at the previewed position of the time line; `missing` if it was not there. */
export function useShown(data: OrderData): OrderData | 'missing' {
  const at = previewedEntry();
  const { id } = data;
  const past = useAsync(async () => {
    if (at === undefined) return undefined;
    const body = await peek<OrderPastView>(`GET /_backlot/orders/${id}?at=${at}`);
    return body ?? 'missing';
  }, [id, at]);
  if (at === undefined || past === undefined) return data;
  if (past === 'missing') return past;
  const { order, moves } = past;
  return { ...data, order, tables: tablesOf(past), moves, transitions: new Map(), next: {} };
}
