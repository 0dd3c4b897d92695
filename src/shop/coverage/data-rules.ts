import type { ApiEndpoint } from '../../engine/definition/api.ts';
import { operationOf } from '../../engine/coverage/keys.ts';
import type { ValidationRule } from '../../engine/coverage/rules.ts';

const addressing = /^PUT \/api\/checkouts\/:order_id addressing/;
const stockLocations = /^P\w+ \/api\/stock-locations\//;

/** Rules that depend on other records: values that must be unique, and provinces of a country. */
const dataRules: readonly (readonly [rows: RegExp, rule: ValidationRule])[] = [
  [/^P\w+ \/api\/users\//, used('email', 'api@example.com')],
  [/^P\w+ \/api\/channels\//, used('code', 'APP')],
  [stockLocations, used('code', 'DUB')],
  [
    /^POST \/api\/promotions?\/:promotion_id\/coupons\//,
    used('code', 'WELCOME10', 'This coupon already exists.'),
  ],
  [addressing, otherProvince('shippingAddress')],
  [addressing, { ...otherProvince('billingAddress'), beside: ['billingAddress.country', 1] }],
  [stockLocations, { ...otherProvince('address'), beside: ['address.country', 1] }],
];

function used(
  path: string,
  wrong: string,
  message = 'This value is already used.',
): ValidationRule {
  return { part: 'body', path, message, wrong };
}

function otherProvince(block: string): ValidationRule {
  const message = 'Please select proper province.';
  return { part: 'body', path: `${block}.province`, message, wrong: '999999' };
}

/** Returns the rules of an endpoint that no value alone breaks. */
export function dataRulesOf(row: ApiEndpoint): readonly ValidationRule[] {
  const name = `${operationOf(row)} ${row.step ?? ''}`;
  return dataRules.flatMap(([rows, rule]) => (rows.test(name) ? [rule] : []));
}
