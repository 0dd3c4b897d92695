import { chargesOf } from '../checkout/order-rows.ts';
import { covers, type Place } from '../checkout/packages.ts';
import type { Shop } from '../checkout/shop.ts';
import { shippingOf } from '../checkout/shipping.ts';
import { taxesOn, taxZone } from '../checkout/tax.ts';
import type { Fact } from '../../engine/definition/explanation.ts';
import { formatCount } from '../../engine/lib/problem.ts';
import type { Zone } from '../models/lookups.ts';
import type { Adjustment, OrderItem } from '../models/order.ts';
import { adjustmentPart, limitPart, piecesOf, plain, sumOf, type Part } from './part.ts';
import { itemRef, money, termsInWords } from './words.ts';

/** An item, then its own adjustments, which only records of a scenario and clients of the library can add. */
export function itemParts(shop: Shop, item: OrderItem, adjustments: readonly Adjustment[]): Part[] {
  const { id, variant_id, unit_price } = item;
  const price = shop.db.variants.get(variant_id)?.price ?? unit_price;
  const { label, detail, amount } = piecesOf(shop, item);
  const own = adjustments.filter(({ order_item_id }) => order_item_id === id);
  const parts: Part[] = [
    {
      ...plain,
      of: item,
      kind: 'item',
      label,
      detail: `${detail}${price === unit_price ? '' : `, sold at ${money(price)} now`}`,
      amount,
      record: itemRef(item),
    },
    ...own.map((row) => ({ ...adjustmentPart(shop, row), kind: 'adjustment' as const })),
  ];
  return [...parts, ...limitPart('The total of an item is at least 0', sumOf(parts), own)];
}

export function taxParts(
  shop: Shop,
  items: readonly OrderItem[],
  place: Place,
  adjustments: readonly Adjustment[],
): Part[] {
  const { db } = shop;
  const stored = chargesOf(adjustments, 'tax');
  const zone = zoneFacts(shop, place, db.zones.get(taxZone(shop, place) ?? 0));
  return taxesOn(shop, items, place).map(({ description, amount, neutral, taxes }): Part => {
    const included = neutral ? ', included in prices' : '';
    return {
      ...plain,
      of: stored.find((row) => row.description === description && row.neutral === neutral),
      kind: 'tax',
      label: description,
      detail: `${taxes.map(({ tax }) => money(tax)).join(' + ')}${included}`,
      amount,
      counts: !neutral,
      because: [
        ...zone,
        ...Array.from(new Set(taxes.map(({ rate }) => rate)), ({ id, category_id }) => ({
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
  return chargesOf(adjustments, 'shipping').map((row): Part => {
    const shipment = db.shipments.get(row.shipment_id ?? 0);
    const method = db.shippingMethods.getWithDeleted(shipment?.method_id ?? 0);
    if (shipment === undefined || method === undefined) return adjustmentPart(shop, row);
    const units = db.inventoryUnits.by('shipment', shipment.id);
    const { description, amount, terms } = shippingOf(shop, units, method);
    const from = db.stockLocations.getWithDeleted(shipment.stock_location_id ?? 0)?.name;
    const count = `${formatCount(units.length)} unit${units.length === 1 ? '' : 's'}`;
    return {
      ...plain,
      of: row,
      kind: 'shipping',
      label: description,
      detail: `${method.calculator.replace('_', ' ')} ${termsInWords(terms)}, ${count}${from === undefined ? '' : ` from ${from}`}`,
      amount,
      record: { table: 'shipments', id: shipment.id },
      because: place === undefined ? [] : zoneFacts(shop, place, db.zones.get(method.zone_id)),
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
