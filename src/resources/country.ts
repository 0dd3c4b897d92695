import * as z from 'zod';
import type { Country } from '../models/lookups.ts';
import type { Database } from '../models/database.ts';
import { Link, Page, pageForm } from '../rest/page.ts';
import { endpoint, findOrThrow, pageOf } from './endpoint.ts';
import { listing, type ListOrder } from './listing.ts';
import { provinceView, ProvinceView } from './province.ts';
import { linkTo, views } from './view.ts';

export const CountryView = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    iso_name: z.string(),
    provinces: z.array(ProvinceView),
    _links: z.strictObject({ self: Link }),
  })
  .register(views, { id: 'Country' });
export type CountryView = z.output<typeof CountryView>;

const order: ListOrder<Country, never> = { fields: [['id', 'asc']] };

export const countryEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/countries/',
    summary: 'List countries with their provinces',
    isExtra: true,
    query: pageForm({ sorting: ['id', 'name', 'iso_name'] }),
    status: 200,
    answer: Page(CountryView),
    errors: ['invalid'],
    example: { url: '/api/countries/?limit=2&sorting[name]=asc' },
    handle(call) {
      const { db } = call.shop;
      const countries = listing(db.countries, order, { sorting: call.query.sorting });
      return pageOf(countries, (country) => countryView(db, country), call);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/countries/:country_id',
    summary: 'Read a country with its provinces',
    isExtra: true,
    status: 200,
    answer: CountryView,
    errors: ['missing'],
    example: { url: '/api/countries/1' },
    handle: ({ shop, params }) =>
      countryView(shop.db, findOrThrow(shop.db.countries, params.country_id)),
  }),
];

function countryView(db: Database, { id, name, iso_name }: Country): CountryView {
  return {
    id,
    name,
    iso_name,
    provinces: db.provinces.by('country', id).map(provinceView),
    _links: { self: linkTo('countries', id) },
  };
}
