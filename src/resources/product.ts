import * as z from 'zod';
import { maxAmount } from '../checkout/order-rows.ts';
import { invalid } from '../lib/problem.ts';
import type { Database } from '../models/database.ts';
import { Timestamp } from '../lib/fields.ts';
import {
  ProductAttribute,
  ProductOption,
  type Product,
  type Variant,
  VariantOption,
} from '../models/product.ts';
import { anyText, decimal, reference, text } from '../rest/field.ts';
import { form, notValid, partialForm, type Form } from '../rest/form.ts';
import { Page, pageForm } from '../rest/page.ts';
import { definedOnly, findOrThrow, minorUnits, pageOf } from '../definition/records.ts';
import { endpoint, type Shop, linkTo, defineView } from './endpoint.ts';
import { contains, listing, type ListOrder } from '../definition/listing.ts';

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

export const ProductView = defineView('Product', () => ({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  short_description: z.string().optional(),
  masterVariant: VariantView,
  created_at: Timestamp,
  updated_at: Timestamp,
}));
export type ProductView = z.output<typeof ProductView>;

/** A product in an order item: with attributes and options. */
export const ProductInOrderView = defineView('ProductInOrder', () => ({
  ...ProductView.omit({ created_at: true, updated_at: true }).shape,
  attributes: z.array(ProductAttribute),
  options: z.array(ProductOption),
  created_at: Timestamp,
  updated_at: Timestamp,
}));
export type ProductInOrderView = z.output<typeof ProductInOrderView>;

const order: ListOrder<Product, 'recent'> = {
  by: 'recent',
  fields: [
    ['created_at', 'desc'],
    ['id', 'desc'],
  ],
};

const fields = {
  name: text({ label: 'Product name', min: 2 }),
  description: anyText({
    label: 'Product description',
    min: 3,
  }),
  price: decimal({
    blank: 'Please enter the price.',
    tooSmall: 'Price must not be negative.',
    max: maxAmount,
  }),
  // A blank value clears the field.
  shortDescription: anyText().nullable().optional(),
  sku: anyText().nullable().optional(),
};
type Fields = z.output<z.ZodObject<typeof fields>>;

export const productEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/products/',
    summary: 'List products, newest first',
    query: pageForm({
      criteria: { channel: reference().optional(), name: anyText().optional() },
      sorting: ['id', 'name', 'description', 'short_description', 'created_at', 'updated_at'],
    }),
    status: 200,
    answer: Page(ProductView),
    errors: ['invalid'],
    example: { url: '/api/products/?criteria[name]=lamp' },
    handle(call) {
      const { db } = call.shop;
      const { criteria } = call.query;
      const where = [soldIn(criteria?.channel), matchesName(criteria?.name)];
      const products = listing(db.products, order, call, { where });
      return pageOf(products, (product) => productView(db, product), call);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/products/:product_id',
    summary: 'Read a product',
    status: 200,
    answer: ProductView,
    errors: ['missing'],
    example: { url: '/api/products/1' },
    handle: ({ shop, params }) =>
      productView(shop.db, findOrThrow(shop.db.products, params.product_id)),
  }),
  endpoint({
    method: 'POST',
    path: '/api/products/',
    summary: 'Create a product with its master variant',
    body: form(fields),
    status: 201,
    answer: ProductView,
    errors: ['invalid'],
    example: {
      url: '/api/products/',
      body: { name: 'Desk lamp', description: 'A lamp for a desk.', price: 2490 },
    },
    handle: ({ shop, body }) => productView(shop.db, addProduct(shop, body)),
    location: ({ id }) => linkTo('products', id).href,
  }),
  updateProduct('PUT', form(fields)),
  updateProduct('PATCH', partialForm(fields)),
  endpoint({
    method: 'DELETE',
    path: '/api/products/:product_id',
    summary: 'Delete a product; existing orders keep it',
    status: 204,
    answer: undefined,
    errors: ['missing'],
    example: { url: '/api/products/48' },
    handle({ shop, params }) {
      shop.db.products.remove(findOrThrow(shop.db.products, params.product_id).id);
    },
  }),
];

function updateProduct(method: 'PUT' | 'PATCH', body: Form<Partial<Fields>>) {
  return endpoint({
    method,
    path: '/api/products/:product_id',
    summary: method === 'PUT' ? 'Update a product' : 'Update some fields of a product',
    body,
    status: 204,
    answer: undefined,
    errors: ['missing', 'invalid'],
    example: {
      url: '/api/products/1',
      body: { name: 'Desk lamp', description: 'A lamp for a desk.', price: 1990 },
    },
    subject: ({ shop, params }) => findOrThrow(shop.db.products, params.product_id),
    handle({ shop, subject, body: sent }) {
      const { name, description, shortDescription, price, sku } = sent;
      // A PUT clears an omitted optional text. The documented form has no `sku`: it is unchanged.
      const isCleared = method === 'PUT' || shortDescription !== undefined;
      shop.db.products.change(subject.id, {
        ...definedOnly({ name, description }),
        ...(isCleared && { short_description: shortDescription ?? undefined }),
      });
      const unit = price === undefined ? undefined : priceOf(shop, price);
      shop.db.variants.change(masterVariant(shop.db, subject).id, {
        ...definedOnly({ price: unit }),
        ...(sku !== undefined && { sku: sku ?? undefined }),
      });
    },
  });
}

function addProduct(shop: Shop, sent: Fields): Product {
  const { db, clock } = shop;
  const product = db.products.add({
    name: sent.name,
    description: sent.description,
    ...definedOnly({ short_description: sent.shortDescription ?? undefined }),
    attributes: [],
    options: [],
    channels: [],
    taxons: [],
  });
  db.variants.add({
    product_id: product.id,
    master: true,
    ...definedOnly({ sku: sent.sku ?? undefined }),
    price: priceOf(shop, sent.price),
    available_on: clock.now(),
    options: [],
  });
  return product;
}

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
  const master = masterVariant(db, product);
  return {
    id: product.id,
    name: product.name,
    description: product.description,
    ...(product.short_description !== undefined && {
      short_description: product.short_description,
    }),
    masterVariant: masterVariantView(master),
    created_at: product.created_at,
    updated_at: product.updated_at,
  };
}

export function productInOrderView(db: Database, product: Product): ProductInOrderView {
  const { created_at, updated_at, ...rest } = productView(db, product);
  return {
    ...rest,
    attributes: product.attributes.map((attribute) => ({ ...attribute })),
    options: product.options.map((option) => ({ ...option })),
    created_at,
    updated_at,
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

function matchesName(name: string | undefined): ((product: Product) => boolean) | undefined {
  const matches = contains(name);
  return matches && ((product) => matches(product.name));
}
