import type { Database } from '../models/database.ts';
import type { Zone } from '../models/lookups.ts';

/** Where something goes, as far as zones care. */
export interface Place {
  readonly country_id: number;
  readonly province_id?: number | undefined;
}

/** Whether a place lies in a zone: in a province or country that is its member, or in a zone that is. */
export function covers(db: Database, zone: Zone, place: Place): boolean {
  return reaches(db, zone, place, new Set());
}

/** The zone that fits a place most closely: by province, then by country, then a zone of zones; of equals the oldest. */
export function closestZone(db: Database, place: Place): Zone | undefined {
  for (const type of ['province', 'country', 'zone'] as const) {
    const zone = db.zones.by('type', type).find((one) => covers(db, one, place));
    if (zone !== undefined) return zone;
  }
  return undefined;
}

/** Zones of zones may go round in a circle; one that was seen is not looked at again. */
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
