import * as z from 'zod';
import { ZoneType, type Zone } from '../models/lookups.ts';
import { Link, Page, pageForm } from '../rest/page.ts';
import { findOrThrow, pageOf } from '../definition/records.ts';
import { endpoint, linkTo, defineView } from './endpoint.ts';
import { byId, listing } from '../definition/listing.ts';

export const ZoneView = defineView('Zone', () => ({
  id: z.int(),
  name: z.string(),
  type: ZoneType,
  members: z.array(z.int()).describe('Ids of countries, provinces or zones, according to `type`'),
  _links: z.strictObject({ self: Link }),
}));
export type ZoneView = z.output<typeof ZoneView>;

export const zoneEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/zones/',
    summary: 'List zones',
    isExtra: true,
    query: pageForm({ sorting: ['id', 'name', 'type'] }),
    status: 200,
    answer: Page(ZoneView),
    errors: ['invalid'],
    example: { url: '/api/zones/?limit=2' },
    handle(call) {
      return pageOf(listing(call.shop.db.zones, byId, call), zoneView, call);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/zones/:zone_id',
    summary: 'Read a zone',
    isExtra: true,
    status: 200,
    answer: ZoneView,
    errors: ['missing'],
    example: { url: '/api/zones/1' },
    handle: ({ shop, params }) => zoneView(findOrThrow(shop.db.zones, params.zone_id)),
  }),
];

export function zoneView({ id, name, type, members }: Zone): ZoneView {
  return { id, name, type, members: [...members], _links: { self: linkTo('zones', id) } };
}
