import type { Database } from '../models/database.ts';
import type { InventoryUnit } from '../models/order.ts';
import type { ShippingMethod } from '../models/shipment.ts';
import { productOf } from './order-rows.ts';
import { available, isEnabledLocation } from './stock.ts';
import type { Zone } from '../models/lookups.ts';

/** A planned shipment: the units from one stock location, or all units if stock is not tracked. */
export interface Package {
  readonly stock_location_id?: number;
  /** The units that the location has in stock. */
  readonly covered: readonly InventoryUnit[];
  /** Units that are out of stock or not tracked. The first package includes them. */
  readonly others: readonly InventoryUnit[];
}

/** Splits the units of an order by the stock locations that have them, in the order of their ids. */
export function packagesOf(db: Database, order: { readonly id: number }): Package[] {
  const { covered, others } = split(db, db.inventoryUnits.by('order', order.id));
  const locations = [...covered.keys()].toSorted((a, b) => a - b);
  if (locations.length === 0) return [{ covered: [], others }];
  return locations.map((location, position) => ({
    stock_location_id: location,
    covered: covered.get(location) ?? [],
    others: position === 0 ? others : [],
  }));
}

/** All units of a package. */
export function unitsOf({ covered, others }: Package): readonly InventoryUnit[] {
  return others.length === 0 ? covered : [...covered, ...others];
}

/** Returns the methods that can deliver a package to a place. */
export function methodsFor(db: Database, parcel: Package, place: Place): ShippingMethod[] {
  const categories = unitsOf(parcel).map(
    ({ variant_id }) => productOf(db, variant_id)?.shipping_category_id,
  );
  return db.shippingMethods.page(0, db.shippingMethods.count()).filter((method) => {
    const zone = method.enabled ? db.zones.get(method.zone_id) : undefined;
    return zone !== undefined && covers(db, zone, place) && acceptsCategories(method, categories);
  });
}

/** Whether a method accepts items of these shipping categories; without a category it accepts all. */
export function acceptsCategories(
  {
    category_id,
    category_requirement,
  }: Pick<ShippingMethod, 'category_id' | 'category_requirement'>,
  categories: readonly (number | undefined)[],
): boolean {
  if (category_id === undefined) return true;
  const matching = categories.filter((category) => category === category_id).length;
  if (category_requirement === 0) return matching === 0;
  if (category_requirement === 1) return matching > 0;
  return matching === categories.length;
}

function split(db: Database, units: readonly InventoryUnit[]) {
  const covered = new Map<number, InventoryUnit[]>();
  const others: InventoryUnit[] = [];
  for (const [variant, wanted] of Map.groupBy(units, ({ variant_id }) => variant_id)) {
    let left = wanted;
    for (const item of db.stockItems.by('variant', variant)) {
      const assigned = isEnabledLocation(db, item.stock_location_id)
        ? left.slice(0, available(item))
        : [];
      if (assigned.length === 0) continue;
      const own = covered.get(item.stock_location_id);
      if (own === undefined) covered.set(item.stock_location_id, assigned);
      else for (const unit of assigned) own.push(unit);
      left = left.slice(assigned.length);
    }
    for (const unit of left) others.push(unit);
  }
  return { covered, others };
}

/** The fields of an address that zones match. */
export interface Place {
  readonly country_id: number;
  readonly province_id?: number | undefined;
}

/** Whether a zone includes a place: by its provinces, its countries, or the zones that are its members. */
export function covers(db: Database, zone: Zone, place: Place): boolean {
  return reaches(db, zone, place, new Set());
}

/** Returns the most specific zone of a place: by province, then country, then zone of zones; the oldest first. */
export function closestZone(db: Database, place: Place): Zone | undefined {
  for (const type of ['province', 'country', 'zone'] as const) {
    const zone = db.zones.by('type', type).find((one) => covers(db, one, place));
    if (zone !== undefined) return zone;
  }
  return undefined;
}

/** Zones of zones may be circular, so a zone that was seen is skipped. */
function reaches(db: Database, zone: Zone, place: Place, seen: Set<number>): boolean {
  seen.add(zone.id);
  switch (zone.type) {
    case 'province':
      return place.province_id !== undefined && zone.members.includes(place.province_id);
    case 'country':
      return zone.members.includes(place.country_id);
    case 'zone':
      return zone.members.some((id) => {
        const member = seen.has(id) ? undefined : db.zones.get(id);
        return member !== undefined && reaches(db, member, place, seen);
      });
  }
}
