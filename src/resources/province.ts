import * as z from 'zod';
import type { Province } from '../models/lookups.ts';
import { Link, Page, pageForm } from '../rest/page.ts';
import { endpoint, findOrThrow, findChildOrThrow, pageOf } from './endpoint.ts';
import { listingOf, sortRows } from './listing.ts';
import { linkTo, views } from './view.ts';

export const ProvinceView = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    _links: z.strictObject({ self: Link, country: Link }),
  })
  .register(views, { id: 'Province' });
export type ProvinceView = z.output<typeof ProvinceView>;

export const provinceEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/countries/:country_id/provinces/',
    summary: 'List the provinces of a country',
    isExtra: true,
    query: pageForm({ sorting: ['id', 'name'] }),
    status: 200,
    answer: Page(ProvinceView),
    errors: ['missing', 'invalid'],
    example: { url: '/api/countries/16/provinces/' },
    subject: ({ shop, params }) => findOrThrow(shop.db.countries, params.country_id),
    handle(call) {
      const provinces = call.shop.db.provinces.by('country', call.subject.id);
      return pageOf(
        listingOf(sortRows(provinces, call.query.sorting, [['id', 'asc']])),
        provinceView,
        call,
      );
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/countries/:country_id/provinces/:province_id',
    summary: 'Read a province',
    isExtra: true,
    status: 200,
    answer: ProvinceView,
    errors: ['missing'],
    example: { url: '/api/countries/16/provinces/1' },
    handle({ shop: { db }, params }) {
      const { id } = findOrThrow(db.countries, params.country_id);
      return provinceView(
        findChildOrThrow(db.provinces, params.province_id, ({ country_id }) => country_id === id),
      );
    },
  }),
];

export function provinceView({ id, country_id, name }: Province): ProvinceView {
  return {
    id,
    name,
    _links: {
      self: linkTo('countries', country_id, 'provinces', id),
      country: linkTo('countries', country_id),
    },
  };
}
