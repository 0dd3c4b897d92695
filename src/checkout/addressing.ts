import type { Database } from '../models/database.ts';
import type { Order } from '../models/order.ts';
import type { FieldProblem } from '../lib/problem.ts';
import { invalidFields, notValid, refusedProblem } from './refusal.ts';
import { factsOf, applyScript } from './script.ts';
import type { Shop } from './shop.ts';
import { rollBackTo } from './step-back.ts';
import { assertStep } from './steps.ts';
import { valueAll } from './valuation.ts';
import type { Place } from './zones.ts';

/** An address as a customer gives it, checked for everything but what the shop knows of countries. */
export interface AddressInput {
  readonly first_name: string;
  readonly last_name: string;
  readonly street: string;
  readonly city: string;
  readonly postcode: string;
  readonly country_id: number;
  readonly province_id?: number | undefined;
}

/** Where an order goes, and who pays if that is someone else. */
export interface Addresses {
  readonly shipping: AddressInput;
  readonly billing?: AddressInput | undefined;
}

/**
 * The first step: stores both addresses, then works out taxes and promotions.
 *
 * @throws Problem `refused` for an order that is empty or awaits something else, `invalid` for an unknown country or
 *   province, or by the script
 */
export function submitAddressing(shop: Shop, order: Order, addresses: Addresses): Order {
  const { db } = shop;
  assertStep(shop, order, 'addressing');
  if (db.orderItems.countBy('order', order.id) === 0)
    throw refusedProblem('Order cannot be empty!');
  const { shipping, billing = shipping } = addresses;
  const problems = [
    ...addressProblems(db, shipping, ['shippingAddress']),
    ...(addresses.billing === undefined ? [] : addressProblems(db, billing, ['billingAddress'])),
  ];
  if (problems.length > 0) throw invalidFields(problems);
  applyScript(shop, 'addressing', () => factsOf(shop, order, { country: shipping.country_id }));
  rollBackTo(shop, order, 'addressing');
  return valueAll(shop, order, shipping, {
    shipping_address_id: storeAddress(db, order.shipping_address_id, shipping),
    billing_address_id: storeAddress(db, order.billing_address_id, billing),
    checkout_state: 'addressing',
  });
}

/** What is wrong with the country or the province of an address; nothing can be said while there is no country. */
export function addressProblems(
  db: Database,
  { country_id, province_id }: Partial<Record<keyof Place, number | undefined>>,
  path: readonly string[],
): FieldProblem[] {
  if (country_id === undefined) return [];
  if (db.countries.get(country_id) === undefined) {
    return [{ path: [...path, 'country'], message: notValid }];
  }
  const problem = provinceProblem(db, { country_id, province_id }, path);
  return problem === undefined ? [] : [problem];
}

/** A country that has provinces wants one of them; another country's province is no province of it. */
function provinceProblem(
  db: Database,
  { country_id, province_id }: Place,
  path: readonly string[],
): FieldProblem | undefined {
  const fits =
    province_id === undefined
      ? db.provinces.countBy('country', country_id) === 0
      : db.provinces.get(province_id)?.country_id === country_id;
  return fits
    ? undefined
    : { path: [...path, 'province'], message: 'Please select proper province.' };
}

/** A cart that is addressed again keeps its records, with other contents. */
function storeAddress(db: Database, id: number | undefined, address: AddressInput): number {
  const known = id === undefined ? undefined : db.addresses.get(id);
  const fields = { ...address, province_id: address.province_id };
  return known === undefined
    ? db.addresses.add(fields).id
    : db.addresses.change(known.id, fields).id;
}
