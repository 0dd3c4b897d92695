import type { Address } from '../models/address.ts';
import type { definitions, Database, TableName } from '../models/database.ts';
import type { RowOf } from '../store/table.ts';
import type { FieldProblem } from '../lib/problem.ts';

type References = {
  readonly [Name in TableName]?: {
    readonly [Field in keyof RowOf<(typeof definitions)[Name]['schema']>]?: TableName;
  };
};

/** Which fields hold ids of which table, where an id that leads nowhere can only be a mistake. */
const references: References = {
  addresses: { country_id: 'countries', province_id: 'provinces' },
  adjustments: { order_id: 'orders', order_item_id: 'orderItems', shipment_id: 'shipments' },
  channels: {
    currencies: 'currencies',
    locales: 'locales',
    payment_methods: 'paymentMethods',
    shipping_methods: 'shippingMethods',
  },
  coupons: { promotion_id: 'promotions' },
  inventoryUnits: {
    order_id: 'orders',
    order_item_id: 'orderItems',
    variant_id: 'variants',
    shipment_id: 'shipments',
    stock_location_id: 'stockLocations',
  },
  orderItems: { order_id: 'orders', variant_id: 'variants' },
  orders: {
    channel_id: 'channels',
    user_id: 'users',
    shipping_address_id: 'addresses',
    billing_address_id: 'addresses',
    coupon_ids: 'coupons',
  },
  payments: { order_id: 'orders', method_id: 'paymentMethods' },
  products: {
    channels: 'channels',
    taxons: 'taxons',
    tax_category_id: 'taxCategories',
    shipping_category_id: 'shippingCategories',
  },
  provinces: { country_id: 'countries' },
  settlements: { payment_id: 'payments' },
  shipments: {
    order_id: 'orders',
    method_id: 'shippingMethods',
    stock_location_id: 'stockLocations',
  },
  shippingMethods: { zone_id: 'zones', category_id: 'shippingCategories' },
  stockItems: { stock_location_id: 'stockLocations', variant_id: 'variants' },
  stockLocations: { address_id: 'addresses' },
  taxRates: { category_id: 'taxCategories', zone_id: 'zones' },
  variants: { product_id: 'products' },
};

/** The ids among the settings that lead nowhere. */
export function brokenSettings(
  { zones }: Database,
  { defaultTaxZone: zone }: { readonly defaultTaxZone?: number | undefined },
): FieldProblem[] {
  if (zone === undefined || zones.get(zone) !== undefined) return [];
  return [{ path: ['settings', 'defaultTaxZone'], message: `There is no zone ${zone}` }];
}

interface Looked {
  getWithDeleted(id: number): unknown;
  readonly definition: { readonly singular: string };
}

/** The province of an address that is in another country: its link would lead nowhere. */
export function misplacedIn(db: Database, name: TableName, record: object): FieldProblem[] {
  if (name !== 'addresses') return [];
  const { country_id, province_id } = record as Partial<Address>;
  const province = province_id === undefined ? undefined : db.provinces.get(province_id);
  if (province === undefined || province.country_id === country_id) return [];
  const message = `Province ${province.id} is in country ${province.country_id}, not in country ${country_id}`;
  return [{ path: ['province_id'], message }];
}

/** The ids in a record that lead nowhere. */
export function brokenReferences(db: Database, name: TableName, record: object): FieldProblem[] {
  const tables: Readonly<Record<TableName, Looked>> = db;
  return Object.entries(references[name] ?? {}).flatMap(([field, target]) => {
    const value = (record as Readonly<Record<string, unknown>>)[field];
    return [value].flat().flatMap((id): FieldProblem[] => {
      if (typeof id !== 'number' || tables[target].getWithDeleted(id) !== undefined) return [];
      const { singular } = tables[target].definition;
      return [{ path: [field], message: `There is no ${singular} ${id}` }];
    });
  });
}
