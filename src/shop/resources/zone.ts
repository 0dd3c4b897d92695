import * as z from 'zod';
import { ZoneType, type Zone } from '../models/lookups.ts';
import { Link, pageForm } from '../../engine/rest/page.ts';
import { linkTo, listedRows, defineView } from './endpoint.ts';
import { byId, listing } from '../../engine/definition/listing.ts';

export const ZoneView = defineView('Zone', () => ({
  id: z.int(),
  name: z.string(),
  type: ZoneType,
  members: z.array(z.int()).describe('Ids of countries, provinces or zones, according to `type`'),
  _links: z.strictObject({ self: Link }),
}));
export type ZoneView = z.output<typeof ZoneView>;

export const zoneEndpoints = listedRows({
  path: '/api/zones/',
  recordPath: '/api/zones/:zone_id',
  summary: { one: 'zone' },
  isExtra: true,
  example: { list: '?limit=2' },
  table: ({ db }) => db.zones,
  query: pageForm({ sorting: ['id', 'name', 'type'] }),
  list: (call) => listing(call.shop.db.zones, byId, call),
  view: ZoneView,
  show: zoneView,
});

export function zoneView({ id, name, type, members }: Zone): ZoneView {
  return { id, name, type, members: [...members], _links: { self: linkTo('zones', id) } };
}
