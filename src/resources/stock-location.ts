import * as z from 'zod';
import { Timestamp } from '../lib/fields.ts';
import type { StockLocation } from '../models/stock.ts';
import type { PartiallyValid } from '../rest/endpoint.ts';
import { anyText, flag } from '../rest/field.ts';
import { form, partialForm, type Form } from '../rest/form.ts';
import { lazyStrictObject } from '../lib/lazy-object.ts';
import { Link, Page, pageForm } from '../rest/page.ts';
import { AddressBlock, addressFields, addressView, AddressView, placeIssues } from './address.ts';
import { definedOnly, findOrThrow, mustBeUnique, pageOf } from '../definition/records.ts';
import { endpoint, type Shop, linkTo, defineView } from './endpoint.ts';
import { byId, listing } from '../definition/listing.ts';

export const StockLocationCreatedView = lazyStrictObject(() => ({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
  _links: z.strictObject({ self: Link }),
}));
export type StockLocationCreatedView = z.output<typeof StockLocationCreatedView>;

export const StockLocationView = defineView('StockLocation', () => ({
  ...StockLocationCreatedView.shape,
  address: AddressView.optional(),
}));
export type StockLocationView = z.output<typeof StockLocationView>;

const fields = {
  code: anyText(),
  name: anyText(),
  enabled: flag().optional(),
  address: AddressBlock.optional(),
};

export const stockLocationEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/stock-locations/',
    summary: 'List stock locations',
    query: pageForm({ sorting: ['id', 'code', 'name', 'enabled', 'created_at', 'updated_at'] }),
    status: 200,
    answer: Page(StockLocationView),
    errors: ['invalid'],
    example: { url: '/api/stock-locations/' },
    handle(call) {
      const { db } = call.shop;
      const locations = listing(db.stockLocations, byId, call);
      return pageOf(locations, (location) => stockLocationView(call.shop, location), call);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/stock-locations/:id',
    summary: 'Read a stock location',
    status: 200,
    answer: StockLocationView,
    errors: ['missing'],
    example: { url: '/api/stock-locations/1' },
    handle: ({ shop, params }) =>
      stockLocationView(shop, findOrThrow(shop.db.stockLocations, params.id)),
  }),
  endpoint({
    method: 'POST',
    path: '/api/stock-locations/',
    summary: 'Create a stock location',
    body: form(fields),
    status: 201,
    answer: StockLocationCreatedView,
    errors: ['invalid'],
    example: { url: '/api/stock-locations/', body: { code: 'north', name: 'Warehouse North' } },
    check: ({ shop, body }) => issuesIn(shop, body),
    handle({ shop, body }) {
      const { address, code, name, enabled = true } = body;
      const address_id = address && shop.db.addresses.add(addressFields(address)).id;
      return createdView(
        shop.db.stockLocations.add({
          code,
          name,
          enabled,
          ...(address_id !== undefined && { address_id }),
        }),
      );
    },
    location: ({ _links }) => _links.self.href,
  }),
  updateStockLocation('PUT', form(fields)),
  updateStockLocation('PATCH', partialForm(fields)),
  endpoint({
    method: 'DELETE',
    path: '/api/stock-locations/:id',
    summary: 'Delete a stock location and its stock',
    status: 204,
    answer: undefined,
    errors: ['missing'],
    example: { url: '/api/stock-locations/3' },
    handle({ shop: { db }, params }) {
      const location = findOrThrow(db.stockLocations, params.id);
      for (const item of db.stockItems.by('location', location.id)) db.stockItems.remove(item.id);
      if (location.address_id !== undefined) db.addresses.remove(location.address_id);
      db.stockLocations.remove(location.id);
    },
  }),
];

type Fields = z.output<z.ZodObject<typeof fields>>;

function updateStockLocation(method: 'PUT' | 'PATCH', body: Form<Partial<Fields>>) {
  return endpoint({
    method,
    path: '/api/stock-locations/:id',
    summary:
      method === 'PUT' ? 'Update a stock location' : 'Update some fields of a stock location',
    body,
    status: 204,
    answer: undefined,
    errors: ['missing', 'invalid'],
    example: { url: '/api/stock-locations/1', body: { code: 'main', name: 'Main warehouse' } },
    subject: ({ shop, params }) => findOrThrow(shop.db.stockLocations, params.id),
    check: ({ shop, subject, body: sent }) => issuesIn(shop, sent, subject),
    handle({ shop: { db }, subject, body: { address, ...sent } }) {
      const place = address && addressFields(address);
      if (place !== undefined && subject.address_id !== undefined) {
        db.addresses.change(subject.address_id, { province_id: undefined, ...place });
      }
      const added = place !== undefined && subject.address_id === undefined;
      db.stockLocations.change(subject.id, {
        ...definedOnly(sent),
        ...(added && { address_id: db.addresses.add(place).id }),
      });
    },
  });
}

function issuesIn(shop: Shop, sent: PartiallyValid<Fields>, self?: StockLocation) {
  const { code, address } = sent;
  return [
    mustBeUnique(
      'code',
      code === undefined ? undefined : shop.db.stockLocations.findUnique('code', code),
      self,
    ),
    ...placeIssues(shop.db, address, 'address'),
  ];
}

export function stockLocationView(shop: Shop, location: StockLocation): StockLocationView {
  const { _links, created_at, updated_at, ...rest } = createdView(location);
  const address =
    location.address_id === undefined ? undefined : shop.db.addresses.get(location.address_id);
  return {
    ...rest,
    ...(address !== undefined && { address: addressView(address) }),
    created_at,
    updated_at,
    _links,
  };
}

function createdView(location: StockLocation): StockLocationCreatedView {
  return {
    id: location.id,
    code: location.code,
    name: location.name,
    enabled: location.enabled,
    created_at: location.created_at,
    updated_at: location.updated_at,
    _links: { self: linkTo('stock-locations', location.id) },
  };
}
