import * as z from 'zod';
import { maxAmount } from '../checkout/order-rows.ts';
import { invalid } from '../../engine/lib/problem.ts';
import type { Database } from '../models/database.ts';
import { Timestamp } from '../../engine/lib/fields.ts';
import {
  ProductAttribute,
  ProductOption,
  Product,
  productFields,
  type Variant,
  VariantOption,
} from '../models/product.ts';
import { anyText, decimal, reference } from '../../engine/rest/field.ts';
import { form, notValid, partialForm } from '../../engine/rest/form.ts';
import { pageForm } from '../../engine/rest/page.ts';
import { asStored, minorUnits } from '../../engine/definition/records.ts';
import { resourceRows, type Shop, defineView } from './endpoint.ts';
import { shownFields, stampsOf } from '../../engine/definition/shown-fields.ts';
import { listing, type ListOrder } from '../../engine/definition/listing.ts';

export const VariantView = defineView('Variant', () => ({
  id: z.int(),
  master: z.boolean(),
  sku: z.string().optional(),
  available_on: Timestamp,
  options: z.array(VariantOption),
  created_at: Timestamp,
  updated_at: Timestamp,
}));
export type VariantView = z.output<typeof VariantView>;

const shown = shownFields(Product, ...productFields.names);

export const ProductView = defineView('Product', () =>
  shown.shape({
    masterVariant: VariantView,
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
);
export type ProductView = z.output<typeof ProductView>;

/** A product in an order item: with attributes and options. */
export const ProductInOrderView = defineView('ProductInOrder', () =>
  shown.shape({
    masterVariant: VariantView,
    attributes: z.array(ProductAttribute),
    options: z.array(ProductOption),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
);
export type ProductInOrderView = z.output<typeof ProductInOrderView>;

const order: ListOrder<Product, 'recent'> = {
  by: 'recent',
  fields: [
    ['created_at', 'desc'],
    ['id', 'desc'],
  ],
};

const { name, description, ...others } = productFields.body;
const fields = {
  name,
  description,
  price: decimal({
    blank: 'Please enter the price.',
    tooSmall: 'Price must not be negative.',
    max: maxAmount,
  }),
  ...others,
  // A blank value clears it.
  sku: anyText().nullable().optional(),
};

export const productEndpoints = resourceRows({
  path: '/api/products/',
  recordPath: '/api/products/:product_id',
  summary: {
    one: 'product',
    list: 'List products, newest first',
    create: 'Create a product with its master variant',
    delete: 'Delete a product; existing orders keep it',
  },
  example: {
    list: '?criteria[name]=lamp',
    create: { name: 'Desk lamp', description: 'A lamp for a desk.', price: 2490 },
    change: { name: 'Desk lamp', description: 'A lamp for a desk.', price: 1990 },
    deleted: 48,
  },
  table: ({ db }) => db.products,
  query: pageForm({
    criteria: { channel: reference('channels').optional(), ...productFields.criteria },
    sorting: [...shown.names, 'created_at', 'updated_at'],
  }),
  list(call) {
    const { criteria } = call.query;
    const where = [soldIn(criteria?.channel), productFields.filter(criteria)];
    return listing(call.shop.db.products, order, call, { where });
  },
  view: ProductView,
  show: (product, { db }) => productView(db, product),
  forms: { POST: form(fields), PUT: form(fields), PATCH: partialForm(fields) },
  created: ProductView,
  create({ shop, body: { sku, price, ...sent } }) {
    const { db, clock } = shop;
    const product = db.products.add({
      ...asStored(sent),
      attributes: [],
      options: [],
      channels: [],
      taxons: [],
    });
    db.variants.add({
      product_id: product.id,
      master: true,
      ...asStored({ sku }),
      price: priceOf(shop, price),
      available_on: clock.now(),
      options: [],
    });
    return productView(db, product);
  },
  change({ shop, subject, body: { sku, price, ...sent } }, method) {
    shop.db.products.change(subject.id, { ...productFields.cleared(method), ...asStored(sent) });
    // The documented form has no `sku`: a PUT that omits it leaves it unchanged.
    const unit = price === undefined ? undefined : priceOf(shop, price);
    shop.db.variants.change(masterVariant(shop.db, subject).id, asStored({ price: unit, sku }));
  },
});

/**
 * Converts a price to minor units.
 *
 * @throws Problem `invalid` if a price in major units exceeds the maximum after the conversion
 */
function priceOf({ settings }: Shop, sent: number): number {
  const price = minorUnits(settings, sent);
  if (price > maxAmount) throw invalid(['price'], notValid);
  return price;
}

export function productView(db: Database, product: Product): ProductView {
  return {
    ...shown.of(product),
    masterVariant: masterVariantView(masterVariant(db, product)),
    ...stampsOf(product),
  };
}

export function productInOrderView(db: Database, product: Product): ProductInOrderView {
  return {
    ...shown.of(product),
    masterVariant: masterVariantView(masterVariant(db, product)),
    attributes: product.attributes.map((attribute) => ({ ...attribute })),
    options: product.options.map((option) => ({ ...option })),
    ...stampsOf(product),
  };
}

/** Returns the view of a master variant, with its fields in the order of the specification. */
function masterVariantView(variant: Variant): VariantView {
  const { id, master, sku, available_on, options, created_at, updated_at } = variantView(variant);
  const named = sku === undefined ? {} : { sku };
  return { id, master, options, available_on, ...named, created_at, updated_at };
}

export function variantView(variant: Variant): VariantView {
  return {
    id: variant.id,
    master: variant.master,
    ...(variant.sku !== undefined && { sku: variant.sku }),
    available_on: variant.available_on,
    options: variant.options.map(({ id, value }) => ({ id, value })),
    created_at: variant.created_at,
    updated_at: variant.updated_at,
  };
}

export function masterVariant(db: Database, product: Product): Variant {
  const master = db.variants.first('product', product.id);
  if (master === undefined) throw new Error(`product ${product.id} has no master variant`);
  return master;
}

function soldIn(channel: number | undefined): ((product: Product) => boolean) | undefined {
  return channel === undefined ? undefined : (product) => product.channels.includes(channel);
}
