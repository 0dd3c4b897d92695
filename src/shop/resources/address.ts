import * as z from 'zod';
import { addressIssues, type AddressInput } from '../checkout/addressing.ts';
import type { Address } from '../models/user.ts';
import type { Database } from '../models/database.ts';
import { Timestamp } from '../../engine/lib/fields.ts';
import type { FieldIssue } from '../../engine/lib/problem.ts';
import { reference, text } from '../../engine/rest/field.ts';
import { notValid } from '../../engine/rest/form.ts';
import { Link } from '../../engine/rest/page.ts';
import { linkTo, defineView } from './endpoint.ts';

export const AddressView = defineView('Address', () => ({
  id: z.int(),
  first_name: z.string(),
  last_name: z.string(),
  city: z.string(),
  postcode: z.string(),
  street: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
  _links: z.strictObject({ country: Link, province: Link.optional() }),
}));
export type AddressView = z.output<typeof AddressView>;

/** The parameters of an address. */
export const AddressBlock = z.object(
  {
    firstName: text({ label: 'First name', min: 2 }),
    lastName: text({ label: 'Last name', min: 2 }),
    city: text({ label: 'City', min: 2 }),
    postcode: text({ label: 'Postcode', min: 2 }),
    street: text({ label: 'Street', min: 2 }),
    country: reference('countries', 'Please select country.'),
    province: reference('provinces').optional(),
  },
  { error: notValid },
);
export type AddressBlock = z.output<typeof AddressBlock>;

/** Converts the fields of an address to parameters: the inverse of `addressFields`. */
export function addressBlock(fields: AddressInput): AddressBlock {
  return {
    firstName: fields.first_name,
    lastName: fields.last_name,
    street: fields.street,
    city: fields.city,
    postcode: fields.postcode,
    country: fields.country_id,
    ...(fields.province_id !== undefined && { province: fields.province_id }),
  };
}

/** Converts the parameters to the fields of a record. */
export function addressFields(block: AddressBlock) {
  return {
    first_name: block.firstName,
    last_name: block.lastName,
    street: block.street,
    city: block.city,
    postcode: block.postcode,
    country_id: block.country,
    ...(block.province !== undefined && { province_id: block.province }),
  };
}

/** Returns the issues of an address's country and province. Parameters that are no valid ids are checked by the form. */
export function placeIssues(
  db: Database,
  block: Partial<AddressBlock> | undefined,
  name: string,
): FieldIssue[] {
  if (block === undefined) return [];
  return addressIssues(db, { country_id: block.country, province_id: block.province }, [name]);
}

export function addressView(address: Address): AddressView {
  return {
    id: address.id,
    first_name: address.first_name,
    last_name: address.last_name,
    city: address.city,
    postcode: address.postcode,
    street: address.street,
    created_at: address.created_at,
    updated_at: address.updated_at,
    _links: {
      country: linkTo('countries', address.country_id),
      ...(address.province_id !== undefined && {
        province: linkTo('countries', address.country_id, 'provinces', address.province_id),
      }),
    },
  };
}
