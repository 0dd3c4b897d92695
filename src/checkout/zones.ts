import type { Database } from '../models/database.ts';
import type { Zone } from '../models/lookups.ts';

/** What zones need of an address. */
export interface Place {
  readonly country_id: number;
  readonly province_id?: number | undefined;
}

/** Whether a place lies in a zone: in a province or country that is its member, or in a zone that is. */
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
