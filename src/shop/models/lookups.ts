import * as z from 'zod';
import { baseFields } from '../../engine/extend/base-fields.ts';
import { schemaField, textField } from '../../engine/extend/field.ts';
import { anyText, flag, oneOf } from '../../engine/rest/field.ts';
import { lazyObject } from '../../engine/lib/lazy-object.ts';
import type { RowOf } from '../../engine/store/row.ts';
import { defineTable } from '../../engine/store/table-definition.ts';
import { Id, stamps } from '../../engine/lib/fields.ts';
import { CurrencyCode } from './currency-code.ts';

// Lookup tables: records that others refer to by id, without states of their own.

export const Country = lazyObject(() => ({
  id: Id,
  name: z.string(),
  iso_name: z.string().describe('ISO 3166-1 alpha-2'),
}));
export type Country = RowOf<typeof Country>;

export const countries = defineTable({
  name: 'countries',
  singular: 'country',
  schema: Country,
  texts: { name: 'code', iso_name: 'code' },
});

export const Province = z.object({ id: Id, country_id: Id, name: z.string() });
export type Province = RowOf<typeof Province>;

export const provinces = defineTable({
  name: 'provinces',
  singular: 'province',
  schema: Province,
  texts: { name: 'code' },
  references: { country_id: 'countries' },
  indexes: { country: (row) => [row.country_id] },
});

export const ZoneType = z.enum(['country', 'province', 'zone']);

export const Zone = lazyObject(() => ({
  id: Id,
  name: z.string(),
  type: ZoneType.describe('Kind of its members'),
  members: z.array(Id),
}));
export type Zone = RowOf<typeof Zone>;

export const zones = defineTable({
  name: 'zones',
  singular: 'zone',
  schema: Zone,
  texts: { name: 'code' },
  indexes: { type: (row) => [row.type] },
});

export const Currency = z.object({ id: Id, code: CurrencyCode });
export type Currency = RowOf<typeof Currency>;

export const currencies = defineTable({
  name: 'currencies',
  singular: 'currency',
  schema: Currency,
  texts: { code: 'code' },
  unique: { code: (row) => row.code },
});

export const Locale = z.object({ id: Id, code: z.string() });
export type Locale = RowOf<typeof Locale>;

export const locales = defineTable({
  name: 'locales',
  singular: 'locale',
  schema: Locale,
  texts: { code: 'code' },
  unique: { code: (row) => row.code },
});

/** A category of the catalogue. Promotion rules of type `taxonomy` refer to it. */
export const Taxon = z.object({ id: Id, name: z.string() });
export type Taxon = RowOf<typeof Taxon>;

export const taxons = defineTable({
  name: 'taxons',
  singular: 'taxon',
  schema: Taxon,
  texts: { name: 'public' },
});

export const TaxCategory = z.object({ id: Id, name: z.string() });
export type TaxCategory = RowOf<typeof TaxCategory>;

export const taxCategories = defineTable({
  name: 'tax_categories',
  singular: 'tax category',
  schema: TaxCategory,
  texts: { name: 'public' },
});

export const TaxRate = lazyObject(() => ({
  id: Id,
  category_id: Id,
  zone_id: Id,
  name: z.string(),
  amount: z.number().min(0).describe('0.23 is 23 %'),
  included_in_price: z.boolean(),
}));
export type TaxRate = RowOf<typeof TaxRate>;

export const taxRates = defineTable({
  name: 'tax_rates',
  singular: 'tax rate',
  schema: TaxRate,
  texts: { name: 'public' },
  references: { category_id: 'taxCategories', zone_id: 'zones' },
  indexes: { category: (row) => [row.category_id, row.zone_id] },
});

export const ShippingCategory = z.object({ id: Id, name: z.string() });
export type ShippingCategory = RowOf<typeof ShippingCategory>;

export const shippingCategories = defineTable({
  name: 'shipping_categories',
  singular: 'shipping category',
  schema: ShippingCategory,
  texts: { name: 'public' },
});

export const ChannelType = z.enum(['web', 'mobile']);

/** The fields that clients send and get as they are stored. */
export const channelFields = baseFields({
  code: textField({ max: Infinity }),
  name: schemaField(z.string(), anyText().optional()),
  type: schemaField(ChannelType, oneOf(ChannelType.options).optional()),
  color: schemaField(z.string().describe('Its colour in the back office'), anyText()),
  enabled: schemaField(z.boolean(), flag().optional()),
});

export const Channel = lazyObject(() => ({
  id: Id,
  ...channelFields.record(),
  currencies: z.array(Id),
  locales: z.array(Id),
  payment_methods: z.array(Id),
  shipping_methods: z.array(Id),
  ...stamps,
}));
export type Channel = RowOf<typeof Channel>;

export const channels = defineTable({
  name: 'channels',
  singular: 'channel',
  schema: Channel,
  texts: { code: 'code', name: 'public', color: 'public' },
  references: {
    currencies: 'currencies',
    locales: 'locales',
    payment_methods: 'paymentMethods',
    shipping_methods: 'shippingMethods',
  },
  unique: { code: (row) => row.code },
  softDelete: true,
});
