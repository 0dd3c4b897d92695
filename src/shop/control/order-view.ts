import * as z from 'zod';
import { shownRecord } from '../../engine/control/endpoints/tables.ts';
import { redactRecord } from '../../engine/journal/redaction.ts';
import { ChangesFrom, NextTransitionView } from '../../engine/definition/explanation-view.ts';
import { transitionsOf } from '../explain/next-transitions.ts';
import type { Order } from '../models/order.ts';
import type { StoreOffice } from '../office/store-office.ts';
import { Move } from '../../engine/office/changes.ts';
import { orderRecords } from '../order-records.ts';
import { definitionsByName } from '../../engine/store/database.ts';
import type { Row } from '../../engine/store/row.ts';
import { Timestamp } from '../../engine/lib/fields.ts';
import { parseId } from '../../engine/lib/names.ts';
import type { RecordPast } from '../../engine/office/history-api.ts';
import { integer } from '../../engine/rest/field.ts';
import type { Immutable } from '../../engine/rest/endpoint.ts';
import { form } from '../../engine/rest/form.ts';
import { endpoint, shownId } from './endpoint.ts';
import { SummaryView } from '../../engine/office/history-view.ts';
import { OrderExplanationView } from '../office/explanation-view.ts';
import { nextOf, NextView, orderOf } from './progress.ts';
import { machineNames } from './transitions.ts';

const Record = z.looseObject({ id: z.int() });
const Names = z.record(z.string(), z.string());

const Records = z.record(z.string(), z.array(Record));

const OrderPastView = z.strictObject({
  order: Record,
  now: Timestamp.describe('Time by the clock of the back office'),
  changesFrom: ChangesFrom,
  tables: Records.describe('Its records: `order_items`, `payments`, `shipments`, …'),
  moves: z.array(Move).describe('The way of their states, since `changesFrom`'),
  names: Names.describe('Names of the records that these refer to, as `names` of the view'),
});
export type OrderPastView = z.output<typeof OrderPastView>;

const OrderView = z.strictObject({
  ...OrderPastView.shape,
  tables: Records.describe('Its records by table: `order_items`, `payments`; at most 200 of each'),
  names: Names.describe(
    'Names of the records that these refer to: `variants/7` and `variants/7/product`, `users/3`, `coupons/2`',
  ),
  why: OrderExplanationView.describe('Why its total is what it is'),
  next: NextView,
  transitions: z.array(
    z.strictObject({
      machine: z.enum(machineNames),
      id: z.int(),
      possible: z.array(NextTransitionView.required({ request: true }).omit({ possible: true })),
    }),
  ),
  entries: z
    .array(
      z.strictObject({
        ...SummaryView.shape,
        records: z.array(z.strictObject({ table: z.string(), id: z.int() })),
        moves: z
          .array(Move)
          .describe('The way of its records in it; empty for a restore or a reset'),
      }),
    )
    .describe(
      'What changed its records since `changesFrom`, oldest first, with all records that each entry changed; the last 200',
    ),
});
export type OrderView = z.output<typeof OrderView>;

/** Maximum number of records of a table, of those whose transitions and history are shown, and of entries. */
const [maxRecords, maxFollowed, maxEntries] = [200, 20, 200];

export const orderViewEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/orders/:order_id',
    operationId: 'getOrderPast',
    summary: 'Get an order with its records as they were after an entry of the history',
    query: form({
      at: integer({ min: 0 })
        .optional()
        .describe('Id of the entry; 0: before the first one (default: the last one)'),
    }),
    answer: OrderPastView,
    errors: ['missing', 'invalid', 'refused'],
    example: { url: '/_backlot/orders/109' },
    handle({ office, params, query: { at } }) {
      const { history } = office();
      const past = history.past('orders', parseId('order', params.order_id), at);
      return at === undefined
        ? pastView(office(), past)
        : history.within(at, () => pastView(office(), past));
    },
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/orders/:order_id/view',
    operationId: 'getOrderView',
    summary:
      'Get an order with its records, its next step, their transitions and what changed them',
    answer: OrderView,
    example: { url: '/_backlot/orders/109/view' },
    handle({ office, params }) {
      const backOffice = office();
      const order = orderOf(backOffice, params.order_id);
      const tables = orderRecords(backOffice.shop.db, order.id);
      const { moves } = backOffice.history.past('orders', order.id);
      return {
        ...pastView(backOffice, { record: order, tables, moves }, maxRecords),
        why: backOffice.explain.order(order.id),
        next: nextOf(backOffice.shop, order),
        transitions: possibleNext(backOffice, order, tables),
        entries: entriesOf(backOffice, order, tables),
      };
    },
  }),
];

/** Returns records by table, at most some of each. */
function shownTables(
  { shop }: StoreOffice,
  tables: Readonly<Record<string, readonly Row[]>>,
  max = Infinity,
) {
  const entries = Object.entries(tables);
  return Object.fromEntries(
    entries.map(([name, rows]) => [
      name,
      rows
        .slice(0, max)
        .map((row) =>
          shownRecord({ definition: definitionsByName(shop.api.tables).get(name)?.[1] ?? {} }, row),
        ),
    ]),
  );
}

type Tables = ReturnType<typeof orderRecords>;

/** Deleted records keep their names. An order has one if clients know it by another id. */
function namesOf({ db, shop }: StoreOffice, order: Order, tables: Tables): OrderView['names'] {
  const known = shownId(shop, 'orders', order.id);
  const names: Record<string, string> =
    known === order.id ? {} : { [`orders/${order.id}`]: String(known) };
  const user = db.users.getWithDeleted(order.user_id ?? 0);
  if (user !== undefined) names[`users/${user.id}`] = `${user.first_name} ${user.last_name}`;
  const address = db.addresses.getWithDeleted(order.shipping_address_id ?? 0);
  if (address !== undefined) {
    const country = db.countries.getWithDeleted(address.country_id)?.name;
    names[`addresses/${address.id}`] = [address.city, country ?? []].flat().join(', ');
  }
  for (const { variant_id: id } of [...tables.order_items, ...tables.inventory_units]) {
    const { sku, product_id: product = 0 } = db.variants.getWithDeleted(id) ?? {};
    if (sku !== undefined) names[`variants/${id}`] = sku;
    const name = db.products.getWithDeleted(product)?.name;
    if (name !== undefined) names[`variants/${id}/product`] = name;
  }
  for (const id of order.coupon_ids) {
    const code = db.coupons.getWithDeleted(id)?.code;
    if (code !== undefined) names[`coupons/${id}`] = code;
  }
  for (const { promotion_id: id = 0 } of tables.adjustments) {
    const name = db.promotions.getWithDeleted(id)?.name;
    if (name !== undefined) names[`promotions/${id}`] = name;
  }
  for (const { stock_location_id: location, method_id: method } of tables.shipments) {
    const at = location === undefined ? undefined : db.stockLocations.getWithDeleted(location);
    const by = method === undefined ? undefined : db.shippingMethods.getWithDeleted(method);
    if (at !== undefined) names[`stock_locations/${at.id}`] = at.name;
    if (by !== undefined) names[`shipping_methods/${by.id}`] = by.name;
  }
  return Names.parse(redactRecord(names));
}

function possibleNext(office: StoreOffice, order: Row, tables: Tables): OrderView['transitions'] {
  return followedBy(office, order, tables).flatMap(({ machine, rows }) =>
    rows.map(({ id }) => ({
      machine,
      id,
      possible: transitionsOf(office.shop, machine, id).flatMap(({ transition, to, request }) =>
        request === undefined ? [] : [{ transition, to, request }],
      ),
    })),
  );
}

/** Returns the records with a state machine, by machine. */
function followedBy({ checkout }: StoreOffice, order: Row, tables: Tables) {
  const all: Readonly<Record<string, readonly Row[]>> = { orders: [order], ...tables };
  return Object.values(checkout.machines).map(({ name, table }) => ({
    machine: name,
    table,
    rows: (all[table] ?? []).slice(0, maxFollowed),
  }));
}

/** Adjustments and items change together with their order, so its own history has the entries of these. */
function entriesOf(office: StoreOffice, order: Row, tables: Tables): OrderView['entries'] {
  const { history } = office;
  const followed = followedBy(office, order, tables);
  const ids = followed.flatMap(({ table, rows }) =>
    rows.flatMap(({ id }) => history.of(table, id).map((entry) => entry.id)),
  );
  const own = new Set(
    followed.flatMap(({ machine, rows }) => rows.map(({ id }) => `${machine} ${id}`)),
  );
  return [...new Set(ids)]
    .toSorted((one, other) => one - other)
    .slice(-maxEntries)
    .map((id) => {
      const { exchange: _, rewindable: __, moves, changes, ...summary } = history.entry(id);
      const isWay = summary.by !== 'restore' && summary.by !== 'reset';
      return {
        ...summary,
        records: changes.map((one) => ({ table: one.table, id: one.id })),
        moves: isWay ? moves.filter((one) => own.has(`${one.machine} ${one.id}`)) : [],
      };
    });
}

function pastView(
  office: StoreOffice,
  { record, tables, moves }: RecordPast,
  max?: number,
): Immutable<OrderPastView> {
  const order = shownRecord(office.shop.db.orders, record);
  return {
    order,
    now: office.clock.now(),
    changesFrom: office.history.reach.changesFrom,
    tables: shownTables(office, tables, max),
    moves,
    names: namesOf(office, record as Order, tables as Tables),
  };
}
