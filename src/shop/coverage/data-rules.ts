import type { ApiEndpoint } from '../../engine/definition/api.ts';
import { operationOf } from '../../engine/coverage/keys.ts';
import type { ValidationRule } from '../../engine/coverage/rules.ts';

const used = 'This value is already used.';
const wrongProvince = 'Please select proper province.';

/** Rules that depend on other records: values that must be unique, and provinces of a country. */
const dataRules: readonly {
  readonly rows: RegExp;
  readonly rule: ValidationRule;
}[] = [
  {
    rows: /^P\w+ \/api\/users\//,
    rule: { part: 'body', path: 'email', message: used, wrong: 'api@example.com' },
  },
  {
    rows: /^P\w+ \/api\/channels\//,
    rule: { part: 'body', path: 'code', message: used, wrong: 'APP' },
  },
  {
    rows: /^P\w+ \/api\/stock-locations\//,
    rule: { part: 'body', path: 'code', message: used, wrong: 'DUB' },
  },
  {
    rows: /^POST \/api\/promotions?\/:promotion_id\/coupons\//,
    rule: {
      part: 'body',
      path: 'code',
      message: 'This coupon already exists.',
      wrong: 'WELCOME10',
    },
  },
  {
    rows: /^PUT \/api\/checkouts\/:order_id addressing/,
    rule: {
      part: 'body',
      path: 'shippingAddress.province',
      message: wrongProvince,
      wrong: '999999',
    },
  },
  {
    rows: /^PUT \/api\/checkouts\/:order_id addressing/,
    rule: {
      part: 'body',
      path: 'billingAddress.province',
      message: wrongProvince,
      wrong: '999999',
      beside: ['billingAddress.country', 1],
    },
  },
  {
    rows: /^P\w+ \/api\/stock-locations\//,
    rule: {
      part: 'body',
      path: 'address.province',
      message: wrongProvince,
      wrong: '999999',
      beside: ['address.country', 1],
    },
  },
];

/** Returns the rules of an endpoint that no value alone breaks. */
export function dataRulesOf(row: ApiEndpoint): readonly ValidationRule[] {
  const name = `${operationOf(row)} ${row.step ?? ''}`;
  return dataRules.filter(({ rows }) => rows.test(name)).map(({ rule }) => rule);
}
