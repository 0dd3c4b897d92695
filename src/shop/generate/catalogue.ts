import { productOf } from '../checkout/order-rows.ts';
import { acceptsCategories, covers, type Place } from '../checkout/packages.ts';
import { available, isEnabledLocation } from '../checkout/stock.ts';
import type { Channel } from '../models/lookups.ts';
import type { Database } from '../models/database.ts';
import type { ShippingMethod } from '../models/shipment.ts';
import type { StockItem } from '../models/stock.ts';
import type { Variant } from '../models/product.ts';
import { cumulate, type CumulativeWeights } from './random.ts';
import { TupleMap, getOrCreate } from '../../engine/lib/maps.ts';
import { secondsOf } from './timestamps.ts';

/** The goods of a shop, with the sources of their stock and the methods of shipping and payment. Memoized. */
export interface Catalogue {
  /** Returns a number for a place, the same one for equal places. */
  placeOf(place: Place): number;
  /** Returns the channels that deliver to a place, or all channels if none does. */
  channelsFor(place: Place): readonly Available<Channel>[];
  /** Returns the variants that a channel sells, with weights for their popularity. */
  goodsOf(channel: Channel): Goods;
  priceOf(variant: number): number;
  /** Returns the stock item of a variant, or undefined if its stock is not tracked. */
  sourceOf(variant: number): StockItem | undefined;
  /** Splits lines by stock location, sorted by id. Lines whose stock is not tracked are in the first parcel. */
  parcelsOf<L extends Line>(lines: readonly L[]): Contents<L>[];
  /** Returns the shipping methods for all parcels of these lines: those of the channel, or others if it has none. */
  methodsFor(lines: readonly Line[], place: Place, channel: Channel): readonly ShippingMethod[];
  /** Returns the ids of the payment methods of a channel, or of others if it has none. */
  paymentMethodsOf(channel: Channel): readonly number[];
  currencyOf(channel: Channel): string;
}

/** An item with the time from which it is available, in seconds since 1970. */
export interface Available<Item> {
  readonly item: Item;
  readonly since: number;
}

export interface Goods {
  readonly variants: readonly Available<Variant>[];
  readonly weights: CumulativeWeights;
}

interface Line {
  readonly variant_id: number;
}

export interface Contents<L> {
  readonly location: number | undefined;
  readonly lines: readonly L[];
}

/** Weights of products: few sell often, most sell rarely. */
const popularity = [8, 1, 3, 2, 5, 1, 2, 4, 1, 1, 6, 2, 1, 3];

export function catalogueOf(db: Database): Catalogue {
  const sources = new Map(db.variants.all().map(({ id }) => [id, sourceIn(db, id)] as const));
  const prices = new Map(db.variants.all().map(({ id, price }) => [id, price] as const));
  const sold = db.variants.all().filter((variant) => isSold(db, variant));
  const locationOf = ({ variant_id }: Line): number | undefined =>
    sources.get(variant_id)?.stock_location_id;
  const kindsOf = kindsBy(db, locationOf);
  const placeOf = numberPlaces();
  const channels = new Map<number, readonly Available<Channel>[]>();
  const methods = new TupleMap<readonly ShippingMethod[]>();
  return {
    placeOf,
    channelsFor: (place) => getOrCreate(channels, placeOf(place), () => channelsIn(db, place)),
    goodsOf: memoizeByChannel((channel) => goodsIn(db, sold, channel)),
    priceOf: (variant) => prices.get(variant) ?? 0,
    sourceOf: (variant) => sources.get(variant),
    parcelsOf: (lines) => split(lines, locationOf),
    methodsFor: (lines, place, channel) =>
      methods.getOrCreate([placeOf(place), channel.id, ...kindsOf(lines)], () => {
        const parcels = split(lines, locationOf).map((parcel) => categoriesIn(db, parcel.lines));
        return methodsIn(db, parcels, place, channel);
      }),
    paymentMethodsOf: memoizeByChannel((channel) => paymentMethodsIn(db, channel)),
    currencyOf: memoizeByChannel((channel) => currencyIn(db, channel)),
  };
}

/** Memoizes a function of a channel. */
function memoizeByChannel<Value>(create: (channel: Channel) => Value): (channel: Channel) => Value {
  const cache = new Map<number, Value>();
  return (channel) => getOrCreate(cache, channel.id, () => create(channel));
}

function numberPlaces(): (place: Place) => number {
  const countries = new Map<number, Map<number, number>>();
  let next = 0;
  return ({ country_id, province_id = 0 }) => {
    const provinces = getOrCreate(countries, country_id, () => new Map<number, number>());
    return getOrCreate(provinces, province_id, () => next++);
  };
}

/**
 * Returns a function that numbers the distinct pairs of stock location and shipping category of some lines. The shipping
 * methods for these lines depend on nothing else.
 */
function kindsBy(
  db: Database,
  locationOf: (line: Line) => number | undefined,
): (lines: readonly Line[]) => readonly number[] {
  const names = new Map<string, number>();
  const kinds = new Map<number, number>();
  const kindOf = (line: Line): number =>
    getOrCreate(kinds, line.variant_id, () => {
      const name = `${locationOf(line)}/${categoriesIn(db, [line]).join()}`;
      return getOrCreate(names, name, () => names.size);
    });
  return (lines) =>
    lines.length === 1
      ? [kindOf(lines[0]!)]
      : [...new Set(lines.map(kindOf))].toSorted((a, b) => a - b);
}

/** Whether a variant is available, and not the master of a product with other variants. */
function isSold(db: Database, { id, product_id, master }: Variant): boolean {
  if (db.products.get(product_id) === undefined) return false;
  if (master && db.variants.countBy('product', product_id) > 1) return false;
  const stock = db.stockItems.by('variant', id);
  return stock.length === 0 || stock.some((item) => hasStock(db, item));
}

function hasStock(db: Database, item: StockItem): boolean {
  return isEnabledLocation(db, item.stock_location_id) && available(item) > 0;
}

/** Returns the first stock item with available stock, or the first one if none has any. */
function sourceIn(db: Database, variant: number): StockItem | undefined {
  const stock = db.stockItems.by('variant', variant);
  return stock.find((item) => hasStock(db, item)) ?? stock[0];
}

function delivers(db: Database, { enabled, zone_id }: ShippingMethod, place: Place): boolean {
  const zone = enabled ? db.zones.get(zone_id) : undefined;
  return zone !== undefined && covers(db, zone, place);
}

function channelsIn(db: Database, place: Place): readonly Available<Channel>[] {
  const enabled = db.channels.all().filter((channel) => channel.enabled);
  const delivering = enabled.filter((channel) =>
    channel.shipping_methods.some((id) => {
      const method = db.shippingMethods.get(id);
      return method !== undefined && delivers(db, method, place);
    }),
  );
  const channels = delivering.length > 0 ? delivering : enabled;
  return channels.map((item) => ({ item, since: secondsOf(item.created_at) }));
}

function goodsIn(db: Database, sold: readonly Variant[], channel: Channel): Goods {
  const variants = sold.filter(
    ({ product_id }) => db.products.get(product_id)?.channels.includes(channel.id) === true,
  );
  return {
    variants: variants.map((item) => ({ item, since: secondsOf(item.available_on) })),
    weights: cumulate(
      variants.map(({ product_id }) => popularity[product_id % popularity.length]!),
    ),
  };
}

function split<L extends Line>(
  lines: readonly L[],
  locationOf: (line: L) => number | undefined,
): Contents<L>[] {
  const first = locationOf(lines[0]!);
  if (lines.every((line) => locationOf(line) === first)) return [{ location: first, lines }];
  const locations = [...new Set(lines.map(locationOf))]
    .filter((location) => location !== undefined)
    .toSorted((a, b) => a - b);
  return locations.map((location) => ({
    location,
    lines: lines.filter((line) => (locationOf(line) ?? locations[0]) === location),
  }));
}

function categoriesIn(db: Database, lines: readonly Line[]): (number | undefined)[] {
  return lines
    .map(({ variant_id }) => productOf(db, variant_id)?.shipping_category_id)
    .toSorted((a = 0, b = 0) => a - b);
}

function methodsIn(
  db: Database,
  parcels: readonly (number | undefined)[][],
  place: Place,
  channel: Channel,
): readonly ShippingMethod[] {
  const suitable = db.shippingMethods
    .all()
    .filter(
      (method) =>
        delivers(db, method, place) &&
        parcels.every((categories) => acceptsCategories(method, categories)),
    );
  const own = suitable.filter(({ id }) => channel.shipping_methods.includes(id));
  return own.length > 0 ? own : suitable;
}

function paymentMethodsIn(db: Database, channel: Channel): number[] {
  const enabled = db.paymentMethods.all().filter((method) => method.enabled);
  const own = enabled.filter(({ id }) => channel.payment_methods.includes(id));
  return (own.length > 0 ? own : enabled).map(({ id }) => id);
}

function currencyIn(db: Database, channel: Channel): string {
  const currency = db.currencies.get(channel.currencies[0] ?? 0) ?? db.currencies.page(0, 1)[0];
  return currency?.code ?? 'EUR';
}
