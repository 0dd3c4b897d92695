import * as z from 'zod';
import { Channel, channelFields } from '../models/lookups.ts';
import type { Database } from '../models/database.ts';
import { Timestamp } from '../../engine/lib/fields.ts';
import { listOf, reference } from '../../engine/rest/field.ts';
import { form, partialForm } from '../../engine/rest/form.ts';
import { Link, pageForm } from '../../engine/rest/page.ts';
import { asStored, mustBeUnique, mustExist } from '../../engine/definition/records.ts';
import { resourceRows, type Shop, linkTo, defineView } from './endpoint.ts';
import { shownFields, stampsOf } from '../../engine/definition/shown-fields.ts';
import { byId, listing } from '../../engine/definition/listing.ts';
import { paymentMethodView, PaymentMethodView } from './payment.ts';
import { shippingMethodView, ShippingMethodView } from './shipment.ts';

const CodeView = z.strictObject({ id: z.int(), code: z.string() });

const shown = shownFields(Channel, ...channelFields.names);

export const ChannelView = defineView('Channel', () =>
  shown.shape({
    color: z.string(),
    currencies: z.array(CodeView),
    locales: z.array(CodeView),
    payment_methods: z.array(PaymentMethodView),
    shipping_methods: z.array(ShippingMethodView),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
);
export type ChannelView = z.output<typeof ChannelView>;

/** A channel in an order: without its arrays. */
export const ChannelInOrderView = defineView('ChannelInOrder', () =>
  shown.shape({ color: z.string(), created_at: Timestamp, updated_at: Timestamp }),
);
export type ChannelInOrderView = z.output<typeof ChannelInOrderView>;

/** A channel in a checkout response: with a link. */
export const ChannelInCheckoutView = defineView('ChannelInCheckout', () => ({
  ...ChannelInOrderView.shape,
  _links: z.strictObject({ self: Link }),
}));
export type ChannelInCheckoutView = z.output<typeof ChannelInCheckoutView>;

const fields = {
  ...channelFields.body,
  locales: listOf(reference('locales')).optional(),
  currencies: listOf(reference('currencies')).optional(),
  paymentMethods: listOf(reference('paymentMethods')).optional(),
  shippingMethods: listOf(reference('shippingMethods')).optional(),
};
type Fields = z.output<z.ZodObject<typeof fields>>;

export const channelEndpoints = resourceRows({
  path: '/api/channels/',
  recordPath: '/api/channels/:id',
  summary: { one: 'channel', delete: 'Delete a channel; existing orders keep it' },
  example: {
    create: { code: 'outlet', color: 'orange', currencies: [1], locales: [1] },
    change: { code: 'web', color: 'green' },
    deleted: 4,
  },
  table: ({ db }) => db.channels,
  query: pageForm({ sorting: [...shown.names, 'created_at', 'updated_at'] }),
  list: (call) => listing(call.shop.db.channels, byId, call),
  view: ChannelView,
  show: (channel, { db }) => channelView(db, channel),
  forms: { POST: form(fields), PUT: form(fields), PATCH: partialForm(fields) },
  created: ChannelView,
  check: ({ shop, body }, self) => issuesIn(shop, body, self),
  create({ shop: { db }, body }) {
    const channel = db.channels.add({
      name: body.code,
      type: 'web',
      enabled: true,
      ...noLists,
      ...asStored(body),
    });
    return channelView(db, channel);
  },
  change({ shop: { db }, subject, body }, method) {
    // A PUT clears omitted lists. The documented form has no `name` and no `type`: both are unchanged.
    const cleared = { ...(method === 'PUT' && noLists), ...channelFields.cleared(method) };
    db.channels.change(subject.id, { ...cleared, ...asStored(body) });
  },
});

const noLists = { locales: [], currencies: [], payment_methods: [], shipping_methods: [] };

function issuesIn({ db }: Shop, sent: Partial<Fields>, self?: Channel) {
  const owner = sent.code === undefined ? undefined : db.channels.findUnique('code', sent.code);
  return [
    mustBeUnique('code', owner, self),
    mustExist('locales', db.locales, sent.locales),
    mustExist('currencies', db.currencies, sent.currencies),
    mustExist('paymentMethods', db.paymentMethods, sent.paymentMethods),
    mustExist('shippingMethods', db.shippingMethods, sent.shippingMethods),
  ];
}

export function channelView(db: Database, channel: Channel): ChannelView {
  return {
    ...shown.of(channel),
    currencies: rowsOf(db.currencies, channel.currencies).map(({ id, code }) => ({ id, code })),
    locales: rowsOf(db.locales, channel.locales).map(({ id, code }) => ({ id, code })),
    payment_methods: rowsOf(db.paymentMethods, channel.payment_methods).map(paymentMethodView),
    shipping_methods: rowsOf(db.shippingMethods, channel.shipping_methods).map(shippingMethodView),
    ...stampsOf(channel),
  };
}

export function channelInOrderView(channel: Channel): ChannelInOrderView {
  return { ...shown.of(channel), ...stampsOf(channel) };
}

export function channelInCheckoutView(channel: Channel): ChannelInCheckoutView {
  return {
    ...channelInOrderView(channel),
    _links: { self: linkTo('channels', channel.id) },
  };
}

function rowsOf<Row>(
  table: { get(id: number): Row | undefined },
  ids: readonly number[],
): readonly Row[] {
  return ids.map((id) => table.get(id)).filter((row) => row !== undefined);
}
