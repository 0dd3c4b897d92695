import * as z from 'zod';
import { Timestamp } from '../../engine/lib/fields.ts';
import { StockLocation, stockLocationFields } from '../models/stock.ts';
import type { PartiallyValid } from '../../engine/rest/endpoint.ts';
import { form, partialForm } from '../../engine/rest/form.ts';
import { definedOnly } from '../../engine/lib/json-value.ts';
import { lazyStrictObject } from '../../engine/lib/lazy-object.ts';
import { Link, pageForm } from '../../engine/rest/page.ts';
import { AddressBlock, addressFields, addressView, AddressView, placeIssues } from './address.ts';
import { asStored, mustBeUnique } from '../../engine/definition/records.ts';
import { resourceRows, type Shop, linkTo, defineView } from './endpoint.ts';
import { shownFields, stampsOf } from '../../engine/definition/shown-fields.ts';
import { byId, listing } from '../../engine/definition/listing.ts';

const shown = shownFields(StockLocation, ...stockLocationFields.names);

export const StockLocationCreatedView = lazyStrictObject(() =>
  shown.shape({
    created_at: Timestamp,
    updated_at: Timestamp,
    _links: z.strictObject({ self: Link }),
  }),
);
export type StockLocationCreatedView = z.output<typeof StockLocationCreatedView>;

export const StockLocationView = defineView('StockLocation', () => ({
  ...StockLocationCreatedView.shape,
  address: AddressView.optional(),
}));
export type StockLocationView = z.output<typeof StockLocationView>;

const fields = { ...stockLocationFields.body, address: AddressBlock.optional() };

export const stockLocationEndpoints = resourceRows({
  path: '/api/stock-locations/',
  recordPath: '/api/stock-locations/:id',
  summary: { one: 'stock location', delete: 'Delete a stock location and its stock' },
  example: {
    create: { code: 'north', name: 'Warehouse North' },
    change: { code: 'main', name: 'Main warehouse' },
    deleted: 3,
  },
  table: ({ db }) => db.stockLocations,
  query: pageForm({ sorting: [...shown.names, 'created_at', 'updated_at'] }),
  list: (call) => listing(call.shop.db.stockLocations, byId, call),
  view: StockLocationView,
  show: stockLocationView,
  forms: { POST: form(fields), PUT: form(fields), PATCH: partialForm(fields) },
  created: StockLocationCreatedView,
  check: ({ shop, body }, self) => issuesIn(shop, body, self),
  create({ shop: { db }, body: { address, enabled = true, ...sent } }) {
    const address_id = address && db.addresses.add(addressFields(address)).id;
    const location = { ...asStored(sent), enabled, ...definedOnly({ address_id }) };
    return createdView(db.stockLocations.add(location));
  },
  change({ shop: { db }, subject, body: { address, ...sent } }, method) {
    const place = address && addressFields(address);
    if (place !== undefined && subject.address_id !== undefined) {
      db.addresses.change(subject.address_id, { province_id: undefined, ...place });
    }
    const added = place !== undefined && subject.address_id === undefined;
    db.stockLocations.change(subject.id, {
      ...stockLocationFields.cleared(method),
      ...asStored(sent),
      ...(added && { address_id: db.addresses.add(place).id }),
    });
  },
  beforeDelete({ id, address_id }, { db }) {
    for (const item of db.stockItems.by('location', id)) db.stockItems.remove(item.id);
    if (address_id !== undefined) db.addresses.remove(address_id);
  },
});

type Fields = z.output<z.ZodObject<typeof fields>>;

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

export function stockLocationView(location: StockLocation, { db }: Shop): StockLocationView {
  const { address_id } = location;
  const address = address_id === undefined ? undefined : db.addresses.get(address_id);
  return {
    ...shown.of(location),
    ...(address !== undefined && { address: addressView(address) }),
    ...stampsAndLink(location),
  };
}

function createdView(location: StockLocation): StockLocationCreatedView {
  return { ...shown.of(location), ...stampsAndLink(location) };
}

function stampsAndLink(location: StockLocation) {
  return { ...stampsOf(location), _links: { self: linkTo('stock-locations', location.id) } };
}
