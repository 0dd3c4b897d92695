import { controlEndpoints } from '../control/endpoints/index.ts';
import { machineNames } from '../control/endpoints/transitions.ts';
import { controlTokenGuard } from '../control/guard.ts';
import { formatAlternatives } from '../lib/names.ts';
import { storeApi } from '../shop/store-api.ts';
import { tokenGuard } from '../resources/token-guard.ts';
import { views } from '../resources/endpoint.ts';
import { openapiOf, type OpenApiDocument } from '../rest/openapi.ts';
import type { ExampleAnswers } from '../rest/openapi-examples.ts';
import type { Row } from '../rest/openapi-responses.ts';
import { fieldTexts, tokenTexts } from './field-texts.ts';

/** Every endpoint of the store API and the control API. */
export const documentedEndpoints = [...storeApi.endpoints, ...controlEndpoints];

const tags = {
  orders: 'Orders, carts and their items',
  checkouts: 'The steps of the checkout, from addresses to confirmation',
  payments: 'Payments of orders',
  shipments: 'Shipments of orders',
  products: 'Products and their variants',
  promotions: 'Promotions and their coupons',
  promotion: 'Coupons, by the path in the singular',
  users: 'Customers',
  'password-resetting-requests': 'Password resets of customers',
  channels: 'Channels in which orders are placed',
  'stock-locations': 'Places that hold stock',
  countries: 'Countries and their provinces',
  zones: 'Zones of countries and provinces',
  'shipping-methods': 'Methods of shipping',
  'payment-methods': 'Methods of payment',
  oauth: 'Access tokens',
  control:
    'The control API: clock, faults, script, journal, snapshots and sessions of the mock server',
};

/** Descriptions of parameters by name, for those whose schema has none. */
const parameters = {
  machine: `State machine: ${formatAlternatives(machineNames.map((name) => `\`${name}\``))}`,
  coupon: 'Code of the coupon',
  rule_id: 'Id of the script rule',
  page: 'Number of the page, from 1 (default: 1)',
  limit:
    'Maximum number of records in the page (default: 10). Values above the setting `maxLimit` are capped.',
  sorting: 'Sort direction by field: `sorting[id]=desc`. The first field is the first sort key.',
  criteria: 'Filters. A record has to match all of them: `criteria[name]=ada`.',
  channel: 'Id of a channel',
  number: 'Number of an order',
  createdAtFrom: 'Earliest day of creation in UTC: `2026-03-02` or an ISO 8601 date-time',
  createdAtTo: 'Latest day of creation in UTC: `2026-03-02` or an ISO 8601 date-time',
  billingAddress: 'Part of the first or last name in the billing address',
  shippingAddress: 'Part of the first or last name in the shipping address',
  stockLocation: 'Id of a stock location',
  query: 'Part of a name or an email address',
  name: 'Part of the name',
  ...tokenTexts,
  request: 'Method and path of an endpoint or a URL: `PUT /api/checkouts/:order_id`',
  status: 'Status of the response, or its class: `400`, `4xx`',
  step: 'Checkout step of the request',
  reached: 'Whether the request reached an endpoint',
  since: 'Id of a journal entry: only later ones are matched',
};

const info = {
  title: 'Backlot',
  description: `An in-memory mock of the back office of a store. Paths under /api are the store API, those under /_backlot the control API.

Examples were made with the scenario \`default\`. Errors have the documented bodies unless a fault was injected, whose status, headers and body are free.

In a browser, a page of a session that the server has removed has status 410 and is in HTML.`,
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
  contact: { name: 'Backlot', url: 'https://github.com/backlot-dev/backlot/issues' },
};

/** Returns the OpenAPI document of some endpoints. */
export function openapi(
  version: string,
  rows: readonly Row[],
  answers?: ExampleAnswers,
): OpenApiDocument {
  return openapiOf(rows, {
    info: { ...info, version },
    named: views,
    guards: [tokenGuard, controlTokenGuard],
    tags,
    parameters,
    fields: fieldTexts,
    ...(answers !== undefined && { answers }),
  });
}
