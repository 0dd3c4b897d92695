import { covers, type Place } from '../checkout/packages.ts';
import { availableOf, isTracked } from '../checkout/stock.ts';
import type { Database } from '../models/database.ts';
import type { Channel } from '../models/lookups.ts';
import type { Variant } from '../models/product.ts';

/** What customers can order in a channel. */
export interface Offer {
  readonly channel: Channel;
  /** A currency code. */
  readonly currency: string;
  readonly variants: readonly Variant[];
  /** Ids of payment methods. */
  readonly payments: readonly number[];
}

/** Returns the offers of the channels that deliver to a place, or of all channels if none does. */
export function offersTo(db: Database, place: Place): readonly Offer[] {
  const all = db.channels.all();
  const delivering = all.filter(({ enabled, shipping_methods: methods }) => {
    return enabled && methods.some((id) => delivers(db, id, place));
  });
  const sold = db.variants.all().filter((variant) => isSold(db, variant));
  return (delivering.length > 0 ? delivering : all).map((channel) => offerOf(db, channel, sold));
}

function delivers(db: Database, method: number, place: Place): boolean {
  const { enabled = false, zone_id = 0 } = db.shippingMethods.get(method) ?? {};
  const zone = db.zones.get(zone_id);
  return enabled && zone !== undefined && covers(db, zone, place);
}

/** Whether a variant is in stock, and not the master of a product with other variants. */
function isSold(db: Database, { id, product_id, master }: Variant): boolean {
  if (master && db.variants.countBy('product', product_id) > 1) return false;
  return !isTracked(db, id) || availableOf(db, id) > 0;
}

function offerOf(db: Database, channel: Channel, sold: readonly Variant[]): Offer {
  const [currency = 0] = channel.currencies;
  const payments = db.paymentMethods.all().filter(({ enabled }) => enabled);
  const own = payments.filter(({ id }) => channel.payment_methods.includes(id));
  return {
    channel,
    currency: (db.currencies.get(currency) ?? db.currencies.page(0, 1)[0])?.code ?? 'EUR',
    variants: sold.filter(({ product_id }) =>
      db.products.get(product_id)?.channels.includes(channel.id),
    ),
    payments: (own.length > 0 ? own : payments).map(({ id }) => id),
  };
}
