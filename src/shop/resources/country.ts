import * as z from 'zod';
import type { Province, Country } from '../models/lookups.ts';
import { Link, Page, pageForm } from '../../engine/rest/page.ts';
import { findOrThrow, pageOf } from '../../engine/definition/records.ts';
import { endpoint, linkTo, listedRows, defineView } from './endpoint.ts';
import { byId, listing } from '../../engine/definition/listing.ts';
import type { Database } from '../models/database.ts';

export const ProvinceView = defineView('Province', () => ({
  id: z.int(),
  name: z.string(),
  _links: z.strictObject({ self: Link, country: Link }),
}));
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
      const { provinces } = call.shop.db;
      const among = provinces.by('country', call.subject.id);
      return pageOf(listing(provinces, byId, call, { among }), provinceView, call);
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
        findOrThrow(db.provinces, params.province_id, ({ country_id }) => country_id === id),
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

export const CountryView = defineView('Country', () => ({
  id: z.int(),
  name: z.string(),
  iso_name: z.string(),
  provinces: z.array(ProvinceView),
  _links: z.strictObject({ self: Link }),
}));
export type CountryView = z.output<typeof CountryView>;

export const countryEndpoints = listedRows({
  path: '/api/countries/',
  recordPath: '/api/countries/:country_id',
  isExtra: true,
  summary: {
    one: 'country',
    list: 'List countries with their provinces',
    read: 'Read a country with its provinces',
  },
  example: { list: '?limit=2&sorting[name]=asc' },
  table: ({ db }) => db.countries,
  query: pageForm({ sorting: ['id', 'name', 'iso_name'] }),
  list: (call) => listing(call.shop.db.countries, byId, call),
  view: CountryView,
  show: (country, { db }) => countryView(db, country),
});

export function countryView(db: Database, { id, name, iso_name }: Country): CountryView {
  return {
    id,
    name,
    iso_name,
    provinces: db.provinces.by('country', id).map(provinceView),
    _links: { self: linkTo('countries', id) },
  };
}
