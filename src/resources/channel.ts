import * as z from 'zod';
import { type Channel, ChannelType } from '../models/lookups.ts';
import type { Database } from '../models/database.ts';
import { Timestamp } from '../lib/fields.ts';
import { anyText, flag, listOf, oneOf, reference } from '../rest/field.ts';
import { form, partialForm, type Form } from '../rest/form.ts';
import { Link, Page, pageForm } from '../rest/page.ts';
import {
  definedOnly,
  findOrThrow,
  mustBeUnique,
  mustExist,
  pageOf,
} from '../definition/records.ts';
import { endpoint, type Shop, linkTo, defineView } from './endpoint.ts';
import { byId, listing } from '../definition/listing.ts';
import { paymentMethodView, PaymentMethodView } from './payment.ts';
import { shippingMethodView, ShippingMethodView } from './shipment.ts';

const CodeView = z.strictObject({ id: z.int(), code: z.string() });

export const ChannelView = defineView('Channel', () => ({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  type: ChannelType,
  color: z.string(),
  enabled: z.boolean(),
  currencies: z.array(CodeView),
  locales: z.array(CodeView),
  payment_methods: z.array(PaymentMethodView),
  shipping_methods: z.array(ShippingMethodView),
  created_at: Timestamp,
  updated_at: Timestamp,
}));
export type ChannelView = z.output<typeof ChannelView>;

/** A channel in an order: without its arrays. */
export const ChannelInOrderView = defineView(
  'ChannelInOrder',
  () =>
    ChannelView.omit({
      currencies: true,
      locales: true,
      payment_methods: true,
      shipping_methods: true,
    }).shape,
);
export type ChannelInOrderView = z.output<typeof ChannelInOrderView>;

/** A channel in a checkout response: with a link. */
export const ChannelInCheckoutView = defineView('ChannelInCheckout', () => ({
  ...ChannelInOrderView.shape,
  _links: z.strictObject({ self: Link }),
}));
export type ChannelInCheckoutView = z.output<typeof ChannelInCheckoutView>;

const fields = {
  code: anyText(),
  name: anyText().optional(),
  type: oneOf(ChannelType.options).optional(),
  color: anyText(),
  enabled: flag().optional(),
  locales: listOf(reference()).optional(),
  currencies: listOf(reference()).optional(),
  paymentMethods: listOf(reference()).optional(),
  shippingMethods: listOf(reference()).optional(),
};
type Fields = z.output<z.ZodObject<typeof fields>>;

export const channelEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/channels/',
    summary: 'List channels',
    query: pageForm({
      sorting: ['id', 'code', 'name', 'type', 'color', 'enabled', 'created_at', 'updated_at'],
    }),
    status: 200,
    answer: Page(ChannelView),
    errors: ['invalid'],
    example: { url: '/api/channels/' },
    handle(call) {
      const { db } = call.shop;
      const channels = listing(db.channels, byId, call);
      return pageOf(channels, (channel) => channelView(db, channel), call);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/channels/:id',
    summary: 'Read a channel',
    status: 200,
    answer: ChannelView,
    errors: ['missing'],
    example: { url: '/api/channels/1' },
    handle: ({ shop, params }) => channelView(shop.db, findOrThrow(shop.db.channels, params.id)),
  }),
  endpoint({
    method: 'POST',
    path: '/api/channels/',
    summary: 'Create a channel',
    body: form(fields),
    status: 201,
    answer: ChannelView,
    errors: ['invalid'],
    example: {
      url: '/api/channels/',
      body: { code: 'outlet', color: 'orange', currencies: [1], locales: [1] },
    },
    check: ({ shop, body }) => issuesIn(shop, body),
    handle({ shop: { db }, body }) {
      const channel = db.channels.add({
        name: body.code,
        type: 'web',
        enabled: true,
        locales: [],
        currencies: [],
        payment_methods: [],
        shipping_methods: [],
        ...channelFields(body),
        code: body.code,
        color: body.color,
      });
      return channelView(db, channel);
    },
    location: ({ id }) => linkTo('channels', id).href,
  }),
  updateChannel('PUT', form(fields)),
  updateChannel('PATCH', partialForm(fields)),
  endpoint({
    method: 'DELETE',
    path: '/api/channels/:id',
    summary: 'Delete a channel; existing orders keep it',
    status: 204,
    answer: undefined,
    errors: ['missing'],
    example: { url: '/api/channels/4' },
    handle({ shop, params }) {
      shop.db.channels.remove(findOrThrow(shop.db.channels, params.id).id);
    },
  }),
];

/** A PUT clears omitted lists. The documented form has no `name` and no `type`: both are unchanged. */
const noLists = { locales: [], currencies: [], paymentMethods: [], shippingMethods: [] };

function updateChannel(method: 'PUT' | 'PATCH', body: Form<Partial<Fields>>) {
  return endpoint({
    method,
    path: '/api/channels/:id',
    summary: method === 'PUT' ? 'Update a channel' : 'Update some fields of a channel',
    body,
    status: 204,
    answer: undefined,
    errors: ['missing', 'invalid'],
    example: { url: '/api/channels/1', body: { code: 'web', color: 'green' } },
    subject: ({ shop, params }) => findOrThrow(shop.db.channels, params.id),
    check: ({ shop, subject, body: sent }) => issuesIn(shop, sent, subject),
    handle({ shop, subject, body: sent }) {
      const values = method === 'PUT' ? { ...noLists, ...definedOnly(sent) } : sent;
      shop.db.channels.change(subject.id, channelFields(values));
    },
  });
}

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

/** Converts parameters to the fields of a record. Fields of omitted parameters are unchanged. */
function channelFields({ paymentMethods, shippingMethods, ...sent }: Partial<Fields>) {
  return definedOnly({
    ...sent,
    payment_methods: paymentMethods,
    shipping_methods: shippingMethods,
  });
}

export function channelView(db: Database, channel: Channel): ChannelView {
  const { created_at, updated_at, ...rest } = channelInOrderView(channel);
  return {
    ...rest,
    currencies: rowsOf(db.currencies, channel.currencies).map(({ id, code }) => ({ id, code })),
    locales: rowsOf(db.locales, channel.locales).map(({ id, code }) => ({ id, code })),
    payment_methods: rowsOf(db.paymentMethods, channel.payment_methods).map(paymentMethodView),
    shipping_methods: rowsOf(db.shippingMethods, channel.shipping_methods).map(shippingMethodView),
    created_at,
    updated_at,
  };
}

export function channelInOrderView(channel: Channel): ChannelInOrderView {
  return {
    id: channel.id,
    code: channel.code,
    name: channel.name,
    type: channel.type,
    color: channel.color,
    enabled: channel.enabled,
    created_at: channel.created_at,
    updated_at: channel.updated_at,
  };
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
