import { getOrCreate } from '../../engine/lib/maps.ts';
import { covers, type Place } from '../checkout/packages.ts';
import { available, isEnabledLocation } from '../checkout/stock.ts';
import type { Database } from '../models/database.ts';
import type { Channel } from '../models/lookups.ts';
import type { Variant } from '../models/product.ts';
import { cumulate, type Random } from './random.ts';

/** Returns the choices of the customers of a shop. Memoized. */
export interface Catalogue {
  /** Draws a channel that exists at a time and delivers to a place, or another one if there is none. */
  drawChannel(random: Random, place: Place, at: string): Channel;
  /** Draws a variant that a channel sells at a time, more often a popular one. Undefined if it sells none. */
  drawVariant(random: Random, channel: Channel, at: string): Variant | undefined;
  /** Draws one of the payment methods of a channel, or of others if it has none. */
  drawPayment(random: Random, channel: Channel): number | undefined;
  /** Returns the code of the first currency of a channel. */
  currencyOf(channel: Channel): string;
}

/** Weights of products: few sell often, most sell rarely. */
const popularity = [8, 1, 3, 2, 5, 1, 2, 4, 1, 1, 6, 2, 1, 3];

/** Weights of the methods on offer: most customers choose the first one. */
export const choiceWeights = cumulate([6, 3, 1]);

export function catalogueOf(db: Database): Catalogue {
  const sold = db.variants.all().filter((variant) => isSold(db, variant));
  const channels = new Map<string, readonly Channel[]>();
  const variants = new Map<number, readonly Variant[]>();
  const payments = new Map<number, readonly number[]>();
  return {
    drawChannel(random, place, at) {
      const key = `${place.country_id} ${place.province_id}`;
      const delivering = getOrCreate(channels, key, () => channelsTo(db, place));
      const open = delivering.filter(({ created_at }) => created_at <= at);
      return random.pick(open.length > 0 ? open : delivering);
    },
    drawVariant(random, channel, at) {
      const all = getOrCreate(variants, channel.id, () => sold.filter(soldIn(db, channel)));
      const offered = all.filter(({ available_on }) => available_on <= at);
      const weights = offered.map(({ product_id: id }) => popularity[id % popularity.length] ?? 1);
      return offered[random.draw(cumulate(weights))];
    },
    drawPayment(random, channel) {
      const all = getOrCreate(payments, channel.id, () => paymentMethodsIn(db, channel));
      return all[Math.min(random.draw(choiceWeights), all.length - 1)];
    },
    currencyOf({ currencies: [first = 0] }) {
      return (db.currencies.get(first) ?? db.currencies.page(0, 1)[0])?.code ?? 'EUR';
    },
  };
}

/** Whether a variant is in stock, and not the master of a product with other variants. */
function isSold(db: Database, { id, product_id, master }: Variant): boolean {
  if (db.products.get(product_id) === undefined) return false;
  if (master && db.variants.countBy('product', product_id) > 1) return false;
  const stock = db.stockItems.by('variant', id);
  return (
    stock.length === 0 ||
    stock.some((item) => isEnabledLocation(db, item.stock_location_id) && available(item) > 0)
  );
}

function soldIn(db: Database, channel: Channel): (variant: Variant) => boolean {
  return ({ product_id }) => db.products.get(product_id)?.channels.includes(channel.id) === true;
}

function channelsTo(db: Database, place: Place): readonly Channel[] {
  const enabled = db.channels.all().filter((channel) => channel.enabled);
  const delivering = enabled.filter(({ shipping_methods: methods }) =>
    methods.some((id) => {
      const method = db.shippingMethods.get(id);
      const zone = method?.enabled === true ? db.zones.get(method.zone_id) : undefined;
      return zone !== undefined && covers(db, zone, place);
    }),
  );
  return delivering.length > 0 ? delivering : enabled;
}

function paymentMethodsIn(db: Database, channel: Channel): readonly number[] {
  const enabled = db.paymentMethods.all().filter((method) => method.enabled);
  const own = enabled.filter(({ id }) => channel.payment_methods.includes(id));
  return (own.length > 0 ? own : enabled).map(({ id }) => id);
}
