import { productOf } from '../../checkout/goods.ts';
import { takes } from '../../checkout/packages.ts';
import { available, isOpen } from '../../checkout/stock.ts';
import { covers, type Place } from '../../checkout/zones.ts';
import type { Channel } from '../../models/channel.ts';
import type { Database } from '../../models/database.ts';
import type { ShippingMethod } from '../../models/shipping-method.ts';
import type { StockItem } from '../../models/stock-item.ts';
import type { Variant } from '../../models/variant.ts';
import { oddsOf, type Odds } from './chance.ts';

/** What a shop sells, from where, and how it gets to people. */
export interface Catalogue {
  /** The channels that deliver to a place; all of them where none does. */
  channelsFor(place: Place): readonly Channel[];
  /** What a channel sells, with how much each of it is wanted. */
  goodsOf(channel: Channel): Goods;
  /** Where pieces of a variant come from; none where its stock is not counted. */
  sourceOf(variant: number): StockItem | undefined;
  /** What each location sends, in the order of their ids; what is not counted in stock goes with the first. */
  parcelsOf<L extends Line>(lines: readonly L[]): Contents<L>[];
  /** The methods that can take all parcels of these lines to a place. */
  methodsFor(lines: readonly Line[], place: Place): readonly ShippingMethod[];
}

export interface Goods {
  readonly variants: readonly Variant[];
  readonly odds: Odds;
}

interface Line {
  readonly variant_id: number;
}

export interface Contents<L> {
  readonly location: number | undefined;
  readonly lines: readonly L[];
}

/** Some things sell again and again, most of them now and then. */
const popularity = [8, 1, 3, 2, 5, 1, 2, 4, 1, 1, 6, 2, 1, 3];

export function catalogueOf(db: Database): Catalogue {
  const sources = new Map(db.variants.all().map(({ id }) => [id, sourceIn(db, id)] as const));
  const sold = db.variants.all().filter((variant) => isSold(db, variant));
  const channels = new Map<string, readonly Channel[]>();
  const goods = new Map<number, Goods>();
  const methods = new Map<string, readonly ShippingMethod[]>();
  const locationOf = ({ variant_id }: Line): number | undefined =>
    sources.get(variant_id)?.stock_location_id;
  return {
    channelsFor: (place) => kept(channels, keyOf(place), () => channelsIn(db, place)),
    goodsOf: (channel) => kept(goods, channel.id, () => goodsIn(db, sold, channel)),
    sourceOf: (variant) => sources.get(variant),
    parcelsOf: (lines) => split(lines, locationOf),
    methodsFor(lines, place) {
      const variants = lines.map(({ variant_id }) => variant_id).join();
      return kept(methods, `${keyOf(place)} ${variants}`, () => {
        const parcels = split(lines, locationOf).map((parcel) => categoriesIn(db, parcel.lines));
        const key = `${keyOf(place)} of ${parcels.map((parcel) => parcel.join()).join('/')}`;
        return kept(methods, key, () => methodsIn(db, parcels, place));
      });
    },
  };
}

/** What is kept under a key, or is made and kept now. */
export function kept<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

function keyOf({ country_id, province_id }: Place): string {
  return `${country_id} ${province_id}`;
}

/** The variant itself where it is the only one of its product, or else not the master; and there has to be some of it. */
function isSold(db: Database, { id, product_id, master }: Variant): boolean {
  if (db.products.get(product_id) === undefined) return false;
  if (master && db.variants.countBy('product', product_id) > 1) return false;
  const stock = db.stockItems.by('variant', id);
  return stock.length === 0 || stock.some((item) => hasSome(db, item));
}

function hasSome(db: Database, item: StockItem): boolean {
  return isOpen(db, item.stock_location_id) && available(item) > 0;
}

/** The first location that has some, or the first that could. */
function sourceIn(db: Database, variant: number): StockItem | undefined {
  const stock = db.stockItems.by('variant', variant);
  return stock.find((item) => hasSome(db, item)) ?? stock[0];
}

function delivers(db: Database, { enabled, zone_id }: ShippingMethod, place: Place): boolean {
  const zone = enabled ? db.zones.get(zone_id) : undefined;
  return zone !== undefined && covers(db, zone, place);
}

function channelsIn(db: Database, place: Place): readonly Channel[] {
  const enabled = db.channels.all().filter((channel) => channel.enabled);
  const delivering = enabled.filter((channel) =>
    channel.shipping_methods.some((id) => {
      const method = db.shippingMethods.get(id);
      return method !== undefined && delivers(db, method, place);
    }),
  );
  return delivering.length > 0 ? delivering : enabled;
}

function goodsIn(db: Database, sold: readonly Variant[], channel: Channel): Goods {
  const variants = sold.filter(
    ({ product_id }) => db.products.get(product_id)?.channels.includes(channel.id) === true,
  );
  return {
    variants,
    odds: oddsOf(variants.map(({ product_id }) => popularity[product_id % popularity.length]!)),
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
): ShippingMethod[] {
  return db.shippingMethods
    .all()
    .filter(
      (method) =>
        delivers(db, method, place) && parcels.every((categories) => takes(method, categories)),
    );
}
