import { shippingTerms } from '../checkout/calculators.ts';
import { covers, type Place } from '../checkout/packages.ts';
import type { Shop } from '../checkout/shop.ts';
import { costOf, measuredUnits } from '../checkout/shipping.ts';
import { itemTaxes, taxDescription, taxesOn, taxZone } from '../checkout/tax.ts';
import type { Fact } from '../../engine/definition/explanation.ts';
import { formatCount } from '../../engine/lib/problem.ts';
import type { Zone } from '../models/lookups.ts';
import type { Adjustment, OrderItem } from '../models/order.ts';
import {
  adjustmentPart,
  giftKey,
  limitPart,
  noAddress,
  plain,
  shippingKey,
  sumOf,
  taxKey,
  type Part,
} from './part.ts';
import { itemRef, money, termsInWords, variantName } from './words.ts';

/**
 * An item, then its own adjustments, which only records of a scenario and clients of the library can add.
 *
 * @param counts whether it counts: under the setting `totals: at-steps`, from addressing on
 */
export function itemParts(
  shop: Shop,
  item: OrderItem,
  adjustments: readonly Adjustment[],
  counts: boolean,
): Part[] {
  const { id, variant_id, quantity, unit_price } = item;
  const price = shop.db.variants.get(variant_id)?.price ?? unit_price;
  const own = adjustments
    .filter(({ order_item_id }) => order_item_id === id)
    .map((row) => adjustmentPart(shop, row));
  const parts: Part[] = [
    {
      ...plain,
      key: `item ${id}`,
      kind: 'item',
      label: variantName(shop, variant_id),
      detail: `${quantity} × ${money(unit_price)}${price === unit_price ? '' : `, sold at ${money(price)} now`}`,
      amount: quantity * unit_price,
      record: itemRef(item),
    },
    ...own.map((part) => ({ ...part, kind: 'adjustment' as const })),
  ];
  const limit = limitPart(`limit ${id}`, 'The total of an item is at least 0', sumOf(parts));
  const all = limit === undefined ? parts : [...parts, limit];
  return counts ? all : all.map((part) => ({ ...part, counts: false, because: [noAddress] }));
}

/** Returns an item that a promotion added; undefined for other items. */
export function storedGift(shop: Shop, item: OrderItem): Part | undefined {
  const { promotion_id, variant_id, quantity, unit_price } = item;
  if (promotion_id === undefined) return undefined;
  return {
    ...plain,
    key: giftKey(item),
    kind: 'gift',
    label: variantName(shop, variant_id),
    detail: `${quantity} × ${money(unit_price)}`,
    amount: quantity * unit_price,
    promotion: promotion_id,
    record: itemRef(item),
  };
}

export function taxParts(shop: Shop, items: readonly OrderItem[], place: Place): Part[] {
  const { db } = shop;
  const taxes = Map.groupBy(itemTaxes(shop, items, place), ({ rate }) =>
    taxKey(taxDescription(rate), rate.included_in_price),
  );
  const zone = zoneFacts(shop, place, db.zones.get(taxZone(shop, place) ?? 0));
  return taxesOn(shop, items, place).map(({ description, amount, neutral }): Part => {
    const key = taxKey(description, neutral);
    const parts = taxes.get(key) ?? [];
    const rates = new Set(parts.map(({ rate }) => rate));
    const included = neutral ? ', included in prices' : '';
    return {
      ...plain,
      key,
      kind: 'tax',
      label: description,
      detail: `${parts.map(({ tax }) => money(tax)).join(' + ')}${included}`,
      amount,
      counts: !neutral,
      because: [
        ...zone,
        ...Array.from(rates, ({ id, category_id }) => ({
          wanted: `a rate for ${db.taxCategories.get(category_id)?.name ?? `tax category ${category_id}`}`,
          actual: description,
          met: true,
          record: { table: 'tax_rates', id },
        })),
      ],
    };
  });
}

/** The charge of each shipment, as its method calculates it now. That of a deleted shipment stays. */
export function shippingParts(
  shop: Shop,
  adjustments: readonly Adjustment[],
  place: Place | undefined,
): Part[] {
  const { db } = shop;
  return adjustments
    .filter(({ label, locked }) => label === 'shipping' && !locked)
    .map((row): Part => {
      const shipment = db.shipments.get(row.shipment_id ?? 0);
      const method = db.shippingMethods.getWithDeleted(shipment?.method_id ?? 0);
      const key = shippingKey(row);
      if (shipment === undefined || method === undefined)
        return { ...adjustmentPart(shop, row), key };
      const { calculator, configuration, zone_id } = method;
      const units = db.inventoryUnits.by('shipment', shipment.id);
      const { description, amount } = costOf(shop, units, method);
      const terms = shippingTerms(calculator, configuration, measuredUnits(shop, units));
      const from = db.stockLocations.getWithDeleted(shipment.stock_location_id ?? 0)?.name;
      const count = `${formatCount(units.length)} unit${units.length === 1 ? '' : 's'}`;
      return {
        ...plain,
        key,
        kind: 'shipping',
        label: description,
        detail: `${calculator.replace('_', ' ')} ${termsInWords(terms)}, ${count}${from === undefined ? '' : ` from ${from}`}`,
        amount,
        record: { table: 'shipments', id: shipment.id },
        because: place === undefined ? [] : zoneFacts(shop, place, db.zones.get(zone_id)),
      };
    });
}

/** A tax zone that does not include the place is the default one. */
function zoneFacts(
  { db }: Shop,
  place: Place & { readonly city?: string },
  zone: Zone | undefined,
): Fact[] {
  if (zone === undefined) return [];
  const country = db.countries.get(place.country_id)?.name ?? `country ${place.country_id}`;
  return [
    {
      wanted: `a zone with ${place.city === undefined ? country : `${place.city}, ${country}`}`,
      actual: covers(db, zone, place) ? zone.name : `none; ${zone.name} is the default`,
      met: true,
      record: { table: 'zones', id: zone.id },
    },
  ];
}
