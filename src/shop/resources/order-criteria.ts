import type * as z from 'zod';
import type { Database } from '../models/database.ts';
import type { Order } from '../models/order.ts';
import type { FieldIssue } from '../../engine/lib/problem.ts';
import { anyText, reference } from '../../engine/rest/field.ts';
import { notValid } from '../../engine/rest/form.ts';
import { contains } from '../../engine/definition/listing.ts';

/** The filters that payments and shipments share: by their order and by their own date. */
export const orderCriteria = {
  channel: reference('channels').optional(),
  number: anyText().optional(),
  createdAtFrom: anyText().optional(),
  createdAtTo: anyText().optional(),
};

type OrderCriteria = z.output<z.ZodObject<typeof orderCriteria>>;

interface OrderPart {
  readonly order_id: number;
  readonly created_at: string;
}

const bounds = [
  ['createdAtFrom', 'from'],
  ['createdAtTo', 'to'],
] as const;

export function dateIssues(criteria: OrderCriteria | undefined): readonly FieldIssue[] {
  return bounds
    .filter(([name, end]) => {
      const sent = criteria?.[name];
      return sent !== undefined && dateBound(sent, end) === undefined;
    })
    .map(([name]) => ({ path: ['criteria', name], message: notValid }));
}

/**
 * Converts filters to the rows and conditions of a listing. Uses the indexes of orders for a number or a channel.
 *
 * @param addressField the address of the order to search for `name`
 */
export function filterByOrder<Row extends OrderPart>(
  db: Database,
  table: { by(index: 'order', order: number): readonly Row[] },
  criteria: OrderCriteria | undefined,
  addressField: 'billing_address_id' | 'shipping_address_id',
  name: string | undefined,
): { among?: readonly Row[]; where: ((row: Row) => boolean)[] } {
  const orders = ordersMatching(db, criteria);
  const where: ((row: Row) => boolean)[] = [];
  const [from, to] = bounds.map(([field, end]) => dateBound(criteria?.[field] ?? '', end));
  if (from !== undefined) where.push((row) => row.created_at >= from);
  if (to !== undefined) where.push((row) => row.created_at <= to);
  const matches = contains(name);
  if (matches !== undefined) where.push((row) => hasRecipient(db, row, addressField, matches));
  return orders === undefined
    ? { where }
    : { among: orders.flatMap((order) => table.by('order', order.id)), where };
}

function ordersMatching(
  db: Database,
  criteria: OrderCriteria | undefined,
): readonly Order[] | undefined {
  const { number, channel } = criteria ?? {};
  if (number === undefined) {
    return channel === undefined ? undefined : db.orders.by('begun', channel);
  }
  const order = db.orders.findUnique('number', number);
  if (order === undefined) return [];
  return channel === undefined || channel === order.channel_id ? [order] : [];
}

function hasRecipient(
  db: Database,
  row: OrderPart,
  addressField: 'billing_address_id' | 'shipping_address_id',
  matches: (text: string) => boolean,
): boolean {
  const id = db.orders.get(row.order_id)?.[addressField];
  const address = id === undefined ? undefined : db.addresses.get(id);
  return (
    address !== undefined &&
    (matches(address.first_name) ||
      matches(address.last_name) ||
      matches(`${address.first_name} ${address.last_name}`))
  );
}

const dateOrDateTime =
  /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[ +-]\d\d:?\d\d)?)?$/;

/**
 * Returns the first (`from`) or last (`to`) second of the day that a date filter names, as a timestamp in UTC.
 *
 * Only the day of a date-time is used, in UTC. In a query string, an unescaped `+` is decoded as a space, so a space
 * before an offset is read as `+`.
 *
 * @param sent `2026-03-02`, or an ISO 8601 date-time: `2026-03-02T09:00:00+0100`
 * @returns undefined if it is neither
 */
export function dateBound(sent: string, end: 'from' | 'to'): string | undefined {
  const [, day, time = '00:00', offset = 'Z'] = dateOrDateTime.exec(sent) ?? [];
  if (day === undefined) return undefined;
  const zone = offset.replace(' ', '+').replace(/(\d\d)(\d\d)$/, '$1:$2');
  const date = new Date(`${day}T${time}${zone}`);
  const dayExists = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ?? false;
  const [inUtc] = /^\d{4}-\d\d-\d\d/.exec(date.toJSON() ?? '') ?? [];
  if (!dayExists || inUtc === undefined) return undefined;
  return `${inUtc}T${end === 'from' ? '00:00:00' : '23:59:59'}+0000`;
}
