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
import { TupleMap, getOrCreate } from './tuple-map.ts';
import { secondsOf } from './seconds.ts';

/** What a shop sells, from where, and how it gets to people. What was asked for once is known. */
export interface Catalogue {
  /** A number that is the same for the same place. */
  placeOf(place: Place): number;
  /** The channels that deliver to a place; all of them where none does. */
  channelsFor(place: Place): readonly Since<Channel>[];
  /** What a channel sells, with how much each of it is wanted. */
  goodsOf(channel: Channel): Goods;
  priceOf(variant: number): number;
  /** Where pieces of a variant come from; none where its stock is not counted. */
  sourceOf(variant: number): StockItem | undefined;
  /** What each location sends, in the order of their ids; what is not counted in stock goes with the first. */
  parcelsOf<L extends Line>(lines: readonly L[]): Contents<L>[];
  /** The methods that can take all parcels of these lines to a place: those of the channel, or others if it has none. */
  methodsFor(lines: readonly Line[], place: Place, channel: Channel): readonly ShippingMethod[];
  /** How one can pay in a channel: the ids of its methods, or of others if it has none. */
  paymentMethodsOf(channel: Channel): readonly number[];
  currencyOf(channel: Channel): string;
}

/** Something, and since when there is such a thing, in seconds since 1970. */
export interface Since<Thing> {
  readonly it: Thing;
  readonly since: number;
}

export interface Goods {
  readonly variants: readonly Since<Variant>[];
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
  const prices = new Map(db.variants.all().map(({ id, price }) => [id, price] as const));
  const sold = db.variants.all().filter((variant) => isSold(db, variant));
  const locationOf = ({ variant_id }: Line): number | undefined =>
    sources.get(variant_id)?.stock_location_id;
  const kindsOf = kindsBy(db, locationOf);
  const placeOf = numberPlaces();
  const channels = new Map<number, readonly Since<Channel>[]>();
  const methods = new TupleMap<readonly ShippingMethod[]>();
  return {
    placeOf,
    channelsFor: (place) => getOrCreate(channels, placeOf(place), () => channelsIn(db, place)),
    goodsOf: byChannel((channel) => goodsIn(db, sold, channel)),
    priceOf: (variant) => prices.get(variant) ?? 0,
    sourceOf: (variant) => sources.get(variant),
    parcelsOf: (lines) => split(lines, locationOf),
    methodsFor: (lines, place, channel) =>
      methods.kept([placeOf(place), channel.id, ...kindsOf(lines)], () => {
        const parcels = split(lines, locationOf).map((parcel) => categoriesIn(db, parcel.lines));
        return methodsIn(db, parcels, place, channel);
      }),
    paymentMethodsOf: byChannel((channel) => paymentMethodsIn(db, channel)),
    currencyOf: byChannel((channel) => currencyIn(db, channel)),
  };
}

/** Knows for each channel what was made for it once. */
function byChannel<Value>(make: (channel: Channel) => Value): (channel: Channel) => Value {
  const known = new Map<number, Value>();
  return (channel) => getOrCreate(known, channel.id, () => make(channel));
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
 * Where lines come from, and which shipping categories they are of: each once. Which methods can take them hangs on
 * nothing else.
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

function channelsIn(db: Database, place: Place): readonly Since<Channel>[] {
  const enabled = db.channels.all().filter((channel) => channel.enabled);
  const delivering = enabled.filter((channel) =>
    channel.shipping_methods.some((id) => {
      const method = db.shippingMethods.get(id);
      return method !== undefined && delivers(db, method, place);
    }),
  );
  const channels = delivering.length > 0 ? delivering : enabled;
  return channels.map((it) => ({ it, since: secondsOf(it.created_at) }));
}

function goodsIn(db: Database, sold: readonly Variant[], channel: Channel): Goods {
  const variants = sold.filter(
    ({ product_id }) => db.products.get(product_id)?.channels.includes(channel.id) === true,
  );
  return {
    variants: variants.map((it) => ({ it, since: secondsOf(it.available_on) })),
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
  channel: Channel,
): readonly ShippingMethod[] {
  const able = db.shippingMethods
    .all()
    .filter(
      (method) =>
        delivers(db, method, place) && parcels.every((categories) => takes(method, categories)),
    );
  const own = able.filter(({ id }) => channel.shipping_methods.includes(id));
  return own.length > 0 ? own : able;
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
