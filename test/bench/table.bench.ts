import * as z from 'zod';
import { TableCollection } from '../../src/engine/store/msw-data/table-collection.ts';
import { defineTable, Table } from '../../src/engine/store/table.ts';
import { Transaction } from '../../src/engine/store/transaction.ts';
import { line, type Figure } from './report.ts';

const Sale = z.object({
  id: z.int().positive(),
  number: z.string(),
  user_id: z.int(),
  channel_id: z.int(),
  state: z.string(),
  currency: z.string(),
  email: z.string(),
  items_total: z.int(),
  total: z.int(),
  confirmed: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});

const sales = defineTable({
  name: 'sales',
  singular: 'sale',
  schema: Sale,
  unique: { number: (row) => row.number },
  indexes: {
    user: { by: ['user_id'] },
    placed: { by: ['created_at'] },
    channel: { by: ['channel_id', 'state'] },
  },
});

const [few, many] = [100, 100_000];
const now = '2026-03-02T09:00:00+0000';

/** An operation and its limit in microseconds. A write is a transaction, as in a request. */
interface Operation {
  readonly name: string;
  readonly limit?: number;
  work(filled: Filled, at: number): unknown;
}

const operations: readonly Operation[] = [
  { name: 'get by id', limit: 0.2, work: ({ table, idAt }, at) => table.get(idAt(at)) },
  { name: 'page of 10 by id', work: ({ table, idAt }, at) => table.page(idAt(at), 10) },
  {
    name: 'page of 10 by an index, newest first',
    work: ({ table, idAt }, at) => table.page(idAt(at), 10, { by: 'placed', descending: true }),
  },
  { name: 'count by an index', work: ({ table }, at) => table.countBy('user', at % 5000) },
  { name: 'rows by an index', work: ({ table }, at) => table.by('user', at % 5000) },
  {
    name: 'row by a unique key',
    work: ({ table, idAt }, at) => table.findUnique('number', numberOf(idAt(at))),
  },
  {
    name: "the library's findFirst by id",
    work: ({ collection, idAt }, at) => collection.findFirst((q) => q.where({ id: idAt(at) })),
  },
  {
    name: 'change',
    limit: 3,
    work: ({ table, transaction, idAt }, at) =>
      transaction.run(() => table.change(idAt(at), { total: at })),
  },
  {
    name: 'change of an index key',
    work: ({ table, transaction, idAt }, at) =>
      transaction.run(() => table.change(idAt(at), { user_id: at % 5000 })),
  },
  {
    name: 'change and rollback',
    work: ({ table, transaction, idAt }, at) => {
      const mark = transaction.mark();
      table.change(idAt(at), { total: at });
      transaction.rollback(mark);
      transaction.release(mark);
    },
  },
  {
    name: 'add and remove',
    work: ({ table, transaction }, at) =>
      transaction.run(() => table.remove(table.add(saleOf(at + 1_000_000)).id)),
  },
  { name: 'state and restore', work: ({ table }) => table.restore(table.state) },
];

type Filled = ReturnType<typeof filledSales>;

/**
 * CPU time of the storage at 100,000 rows, and relative to 100 rows. Reads go all over the table, so much of the time is
 * spent on memory access, as the figure for a plain Map shows.
 */
export function tableFigures(): Figure[] {
  const [small, large] = [filledSales(few), filledSales(many)];
  const plain = new Map(large.table.all().map((row) => [row.id, row]));
  const mapGet = cost((at) => plain.get(large.idAt(at))?.total);
  return [
    { name: 'load of 100,000 rows, 3 indexes', value: loading(), unit: 'ms', limit: 600 },
    { name: 'get of a plain Map of 100,000', value: mapGet, unit: 'µs' },
    ...operations.map((operation) => figure(operation, small, large)),
  ];
}

function figure({ name, limit, work }: Operation, small: Filled, large: Filled): Figure {
  const near = cost((at) => work(small, at));
  const far = cost((at) => work(large, at));
  const detail = `${(far / near).toFixed(1)} x the same at 100`;
  return {
    name: `${name} at 100,000`,
    value: far,
    unit: 'µs',
    detail,
    ...(limit !== undefined && { limit }),
  };
}

function openSales() {
  const transaction = new Transaction();
  return { transaction, table: new Table(sales, { clock: { now: () => now }, transaction }) };
}

function filledSales(count: number) {
  const { table, transaction } = openSales();
  table.load(salesOf(count));
  /** An id somewhere in the table. */
  const idAt = (at: number): number => 1 + ((at * 104_729) % count);
  return { table, collection: new TableCollection(table), transaction, idAt };
}

function salesOf(count: number) {
  return Array.from({ length: count }, (_, at) => ({ id: at + 1, ...saleOf(at) }));
}

function saleOf(at: number) {
  return {
    number: numberOf(at + 1),
    user_id: (at * 7919) % 5000,
    channel_id: at % 4,
    state: at % 3 === 0 ? 'cart' : 'confirmed',
    currency: 'EUR',
    email: 'someone@example.com',
    items_total: at * 10,
    total: at * 10 + 500,
    confirmed: true,
    created_at: `2026-03-02T${String(at % 24).padStart(2, '0')}:00:00+0000`,
    updated_at: now,
  };
}

function numberOf(id: number): string {
  return String(id).padStart(9, '0');
}

/** Returns the milliseconds of a load: the minimum of several. */
function loading(): number {
  const records = salesOf(many);
  return best(5, () => {
    const { table } = openSales();
    table.load(records);
    // An index is made when it is first asked for.
    for (const index of ['user', 'placed', 'channel'] as const) table.countBy(index);
  });
}

/** Returns the microseconds of an operation: the minimum of several rounds, each long enough for the clock. */
function cost(work: (at: number) => unknown): number {
  const round = (times: number) => (): void => {
    for (let at = 0; at < times; at++) work(at);
  };
  let times = 2000;
  while (best(2, round(times)) < 25) times *= 2;
  return (best(5, round(times)) * 1000) / times;
}

/** Returns milliseconds of CPU time in the fastest round. */
function best(rounds: number, work: () => void): number {
  const costs = Array.from({ length: rounds }, () => {
    const start = process.cpuUsage();
    work();
    return process.cpuUsage(start).user / 1000;
  });
  return Math.min(...costs);
}

if (import.meta.main) for (const one of tableFigures()) console.log(line(one));
