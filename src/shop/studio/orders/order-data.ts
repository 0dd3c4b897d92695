import type * as z from 'zod';
import type { NextView } from '../../control/progress.ts';
import type { ChangedRecord } from '../../../engine/journal/entry-filter.ts';
import { listed, readFrom, type Step } from '../../../engine/studio/api-rows.ts';
import type { Machine } from './charts.tsx';
import type { Move } from '../../../engine/studio/entries.ts';
import { namesOrder } from './names-order.ts';
import { previewedEntry, type Row, type Tables } from '../../../engine/studio/past.ts';
import type { Source, Summary } from '../../../engine/studio/source.ts';
import { revision, summaries } from '../../../engine/studio/store.ts';
import { useAsync } from '../../../engine/studio/ui.tsx';

/** An order as it is or was, as `GET /_backlot/orders/:id` has it. */
export interface OrderPast {
  readonly order: Row;
  readonly tables: Readonly<Record<string, readonly Row[]>>;
  readonly moves: readonly Move[];
}

/** A step of the checkout. */
type CheckoutStep = Step & Required<Pick<Step, 'from' | 'to'>>;

/** The next step of an order. */
export type Next = Omit<z.output<typeof NextView>, 'order'>;

/** A possible transition of a record. */
export interface Transition {
  readonly transition: string;
  readonly to: string;
}

/** An entry that changed an order or a record of it, with the names of all records that it changed. */
export interface ChangingEntry extends Summary {
  readonly records: readonly ChangedRecord[];
  /** The states that records of the order came to. */
  readonly moves: readonly Move[];
}

/** All that the page of an order shows. */
export interface OrderData {
  readonly id: number;
  readonly order: Row;
  readonly tables: Tables;
  /** The way of the states of its records. */
  readonly moves: readonly Move[];
  /** Names of records that these refer to: `variants/7`. */
  readonly names: Readonly<Record<string, string>>;
  readonly next: Next;
  readonly machines: readonly Machine[];
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
export function useOrder(source: Source, id: number): OrderData | 'missing' | undefined {
  const data = useAsync(
    async () => (await loadOrder(source, id)) ?? 'missing',
    [source, id, revision.value],
  );
  return typeof data === 'object' && data.id !== id ? undefined : data;
}

/** What `GET /_backlot/orders/:id/view` returns. */
interface OrderView extends OrderPast {
  readonly names: Readonly<Record<string, string>>;
  readonly next: Next;
  readonly transitions: readonly {
    readonly machine: string;
    readonly id: number;
    readonly possible: readonly Transition[];
  }[];
  readonly entries: readonly ChangingEntry[];
}

async function loadOrder(source: Source, id: number): Promise<OrderData | undefined> {
  const [view, machines, steps] = await Promise.all([
    readFrom<OrderView>(source, `/_backlot/orders/${id}/view`),
    listed<Machine>(source, 'machines'),
    listed<Step>(source, 'steps'),
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

function tablesOf({ order, tables }: OrderPast): Tables {
  return new Map([['orders', [order]], ...Object.entries(tables)]);
}

/** Returns an order as it was, or will be, at the previewed position of the time line; `missing` if it was not there. */
export function useShown(source: Source, data: OrderData): OrderData | 'missing' {
  const at = previewedEntry();
  const { id } = data;
  const past = useAsync(async () => {
    if (at === undefined) return undefined;
    const body = await readFrom<OrderPast>(source, `/_backlot/orders/${id}?at=${at}`);
    return body ?? 'missing';
  }, [source, id, at]);
  if (at === undefined || past === undefined) return data;
  if (past === 'missing') return past;
  const { order, moves } = past;
  return { ...data, order, tables: tablesOf(past), moves, transitions: new Map(), next: {} };
}
