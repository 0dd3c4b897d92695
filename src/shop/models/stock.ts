import * as z from 'zod';
import { baseFields } from '../../engine/extend/base-fields.ts';
import { schemaField, textField } from '../../engine/extend/field.ts';
import { flag } from '../../engine/rest/field.ts';
import { lazyObject } from '../../engine/lib/lazy-object.ts';
import { Id, stamps } from '../../engine/lib/fields.ts';
import type { RowOf } from '../../engine/store/row.ts';
import { defineTable } from '../../engine/store/table-definition.ts';

/** The fields that clients send and get as they are stored. */
export const stockLocationFields = baseFields({
  code: textField({ max: Infinity }),
  name: textField({ max: Infinity }),
  enabled: schemaField(z.boolean(), flag().optional()),
});

export const StockLocation = lazyObject(() => ({
  id: Id,
  ...stockLocationFields.record(),
  address_id: Id.optional(),
  ...stamps,
}));
export type StockLocation = RowOf<typeof StockLocation>;

export const stockLocations = defineTable({
  name: 'stock_locations',
  singular: 'stock location',
  schema: StockLocation,
  texts: { code: 'code', name: 'public' },
  references: { address_id: 'addresses' },
  unique: { code: (row) => row.code },
});

/** Stock of a variant at a location. The stock of variants without stock items is not tracked. */
export const StockItem = lazyObject(() => ({
  id: Id,
  stock_location_id: Id,
  variant_id: Id,
  on_hand: z.int().min(0),
  on_hold: z.int().min(0).describe('Part of `on_hand` that is reserved for confirmed orders'),
}));
export type StockItem = RowOf<typeof StockItem>;

export const stockItems = defineTable({
  name: 'stock_items',
  singular: 'stock item',
  schema: StockItem,
  references: { stock_location_id: 'stockLocations', variant_id: 'variants' },
  unique: { place: (row) => `${row.variant_id} at ${row.stock_location_id}` },
  indexes: {
    variant: (row) => [row.variant_id, row.stock_location_id],
    location: (row) => [row.stock_location_id],
  },
});
