import type { Database } from '../models/database.ts';
import {
  invalidFields,
  notValid,
  refusedProblem,
  type FieldIssue,
} from '../../engine/lib/problem.ts';
import { replaceAdjustments } from './order-rows.ts';
import { removeBonusItems } from './promotions.ts';
import type { Step } from './step.ts';
import { recalculate } from './totals.ts';
import type { Place } from './packages.ts';

/** An address as input. `addressIssues` validates its country and province. */
export interface AddressInput {
  readonly first_name: string;
  readonly last_name: string;
  readonly street: string;
  readonly city: string;
  readonly postcode: string;
  readonly country_id: number;
  readonly province_id?: number | undefined;
}

/** The addresses of an order. The billing address defaults to the shipping address. */
export interface Addresses {
  readonly shipping: AddressInput;
  readonly billing?: AddressInput | undefined;
}

/** The first step: stores both addresses, then calculates taxes and promotions. */
export const addressingStep: Step<Addresses> = {
  prepare({ db }, order, addresses) {
    if (db.orderItems.countBy('order', order.id) === 0)
      throw refusedProblem('Order cannot be empty!');
    const { shipping, billing } = addresses;
    const issues = [
      ...addressIssues(db, shipping, ['shippingAddress']),
      ...(billing === undefined ? [] : addressIssues(db, billing, ['billingAddress'])),
    ];
    if (issues.length > 0) throw invalidFields(issues);
    return addresses;
  },
  facts: ({ shipping }) => ({ country: shipping.country_id }),
  submit(shop, order, { shipping, billing = shipping }) {
    const { db } = shop;
    const calculated = { taxes: true, promotions: true, place: shipping };
    return recalculate(shop, order, calculated, {
      shipping_address_id: storeAddress(db, order.shipping_address_id, shipping),
      billing_address_id: storeAddress(db, order.billing_address_id, billing),
      checkout_state: 'addressing',
    });
  },
  undo(shop, order) {
    replaceAdjustments(shop.db, order, 'tax', []);
    replaceAdjustments(shop.db, order, 'promotion', []);
    removeBonusItems(shop, order);
  },
  defaultInput: ({ db }) => ({
    shipping: {
      first_name: 'Ada',
      last_name: 'Novak',
      street: 'Long Lane 4',
      city: 'Cork',
      postcode: 'T12 VY4N',
      country_id: countryWithoutProvinces(db),
    },
  }),
};

/** Returns the issues of an address's country and province; none if no country is given. */
export function addressIssues(
  db: Database,
  { country_id, province_id }: Partial<Record<keyof Place, number | undefined>>,
  path: readonly string[],
): FieldIssue[] {
  if (country_id === undefined) return [];
  if (db.countries.get(country_id) === undefined) {
    return [{ path: [...path, 'country'], message: notValid }];
  }
  const issue = provinceIssue(db, { country_id, province_id }, path);
  return issue === undefined ? [] : [issue];
}

/** Returns the first country without provinces, whose addresses need the fewest fields; else the first country. */
function countryWithoutProvinces(db: Database): number {
  const countries = db.countries.all();
  const plain = countries.find(({ id }) => db.provinces.countBy('country', id) === 0);
  const { id } = plain ?? countries[0] ?? {};
  if (id === undefined) throw refusedProblem('This shop has no country.');
  return id;
}

/** An address requires a province of its country if there are any, and none otherwise. */
function provinceIssue(
  db: Database,
  { country_id, province_id }: Place,
  path: readonly string[],
): FieldIssue | undefined {
  const isValid =
    province_id === undefined
      ? db.provinces.countBy('country', country_id) === 0
      : db.provinces.get(province_id)?.country_id === country_id;
  return isValid
    ? undefined
    : { path: [...path, 'province'], message: 'Please select proper province.' };
}

/** Repeated addressing reuses the address rows of the cart. */
function storeAddress(db: Database, id: number | undefined, address: AddressInput): number {
  const known = id === undefined ? undefined : db.addresses.get(id);
  const fields = { ...address, province_id: address.province_id };
  return known === undefined
    ? db.addresses.add(fields).id
    : db.addresses.change(known.id, fields).id;
}
