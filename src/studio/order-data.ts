import type { Machine } from './charts.tsx';
import { entryOf, type Entry, type Move } from './entries.ts';
import { namesOrder } from './filter.ts';
import { previewedEntry, type OrderPast, type Row, type Tables } from './past.ts';
import type { Source, Summary } from './source.ts';
import { revision, summaries } from './store.ts';
import { useAsync } from './ui.tsx';

/** The next step of an order. */
export interface Next {
  readonly step?: string;
  readonly request?: {
    readonly method: string;
    readonly url: string;
    readonly body: Readonly<Record<string, unknown>>;
  };
  readonly reason?: string;
}

/** A transition of a record. */
export interface Transition {
  readonly transition: string;
  readonly to: string;
  readonly possible: boolean;
  readonly reason?: string;
}

/** All that the page of an order shows. */
export interface OrderData {
  readonly id: number;
  readonly order: Row;
  readonly tables: Tables;
  /** The way of the states of its records. */
  readonly moves: readonly Move[];
  readonly next: Next;
  readonly machines: readonly Machine[];
  /** By machine and id: `payment 101`. */
  readonly transitions: ReadonlyMap<string, readonly Transition[]>;
  /** The entries that changed the order or a record of it, or that name it, oldest first. */
  readonly touched: readonly Summary[];
  /** Those that changed something, whole. */
  readonly entries: readonly Entry[];
}

/** Machines whose records have transitions of their own, by table. */
const machineOf: Readonly<Record<string, string>> = {
  orders: 'order',
  payments: 'payment',
  shipments: 'shipment',
  inventory_units: 'inventory_unit',
};
/** Maximum number of records of a table whose transitions are loaded. */
const maxRecords = 20;
/** Maximum number of entries whose changes are loaded. */
const maxEntries = 40;

/** Loads an order again when the shop has changed. The former content is shown until then. */
export function useOrder(source: Source, id: number): OrderData | 'missing' | undefined {
  const data = useAsync(
    async () => (await loadOrder(source, id)) ?? 'missing',
    [source, id, revision.value],
  );
  return typeof data === 'object' && data.id !== id ? undefined : data;
}

async function loadOrder(source: Source, id: number): Promise<OrderData | undefined> {
  const load = <Body>(path: string) => read<Body>(source, path);
  const [present, next, machines] = await Promise.all([
    load<OrderPast>(`/_backlot/orders/${id}`),
    load<Next>(`/_backlot/orders/${id}/next`),
    machinesOf(source),
  ]);
  if (present === undefined) return undefined;
  const { order, moves } = present;
  const tables = tablesOf(present);
  const [transitions, touched] = await Promise.all([
    transitionsOf(source, tables),
    touchedOf(source, id, tables),
  ]);
  const writes = touched.filter(({ changed }) => changed > 0).slice(-maxEntries);
  const loaded = await Promise.all(writes.map((entry) => entryOf(source, entry)));
  const entries = loaded.filter((entry) => entry !== undefined);
  return { id, order, tables, moves, next: next ?? {}, machines, transitions, touched, entries };
}

/** @returns undefined for an error */
async function read<Body>(source: Source, path: string): Promise<Body | undefined> {
  const { status, body } = await source.call<Body>(`GET ${path}`);
  return status === 200 ? body : undefined;
}

/** Returns the possible transitions of a record, undefined if they are not loaded. */
export function possibleOf(
  { transitions }: OrderData,
  machine: string,
  id: number,
): readonly Transition[] | undefined {
  return transitions.get(`${machine} ${id}`)?.filter(({ possible }) => possible);
}

const machinesBySource = new WeakMap<Source, Promise<readonly Machine[]>>();

/** The state machines. They never change, so they are loaded once. */
function machinesOf(source: Source): Promise<readonly Machine[]> {
  const known = machinesBySource.get(source);
  if (known !== undefined) return known;
  const loading = read<readonly Machine[]>(source, '/_backlot/machines').then((list) => list ?? []);
  machinesBySource.set(source, loading);
  return loading;
}

async function transitionsOf(
  source: Source,
  tables: Tables,
): Promise<ReadonlyMap<string, readonly Transition[]>> {
  const records = [...tables].flatMap(([table, rows]) => {
    const machine = machineOf[table];
    return machine === undefined
      ? []
      : rows.slice(0, maxRecords).map(({ id }) => ({ machine, id }));
  });
  const lists = await Promise.all(
    records.map(({ machine, id }) =>
      read<{ readonly transitions: readonly Transition[] }>(
        source,
        `/_backlot/transitions/${machine}/${id}`,
      ),
    ),
  );
  return new Map(
    records.map(({ machine, id }, at) => [`${machine} ${id}`, lists[at]?.transitions ?? []]),
  );
}

/** Adjustments and items change together with their order, so its own history has the entries of these. */
async function touchedOf(source: Source, id: number, tables: Tables): Promise<Summary[]> {
  const paths = ['orders', 'payments', 'shipments', 'inventory_units'].flatMap((table) =>
    (tables.get(table) ?? []).slice(0, maxRecords).map((row) => `${table}/${row.id}`),
  );
  const lists = await Promise.all(
    paths.map((path) => read<readonly Summary[]>(source, `/_backlot/tables/${path}/history`)),
  );
  const named = summaries.value.filter(({ title }) => namesOrder(title, id));
  const all = [...named, ...lists.flatMap((list) => list ?? [])];
  const byId = new Map(all.map((entry) => [entry.id, entry]));
  return [...byId.values()].toSorted((one, other) => one.id - other.id);
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
    const body = await read<OrderPast>(source, `/_backlot/orders/${id}?at=${at}`);
    return body ?? 'missing';
  }, [source, id, at]);
  if (at === undefined || past === undefined) return data;
  if (past === 'missing') return past;
  const { order, moves } = past;
  return { ...data, order, tables: tablesOf(past), moves, transitions: new Map(), next: {} };
}
