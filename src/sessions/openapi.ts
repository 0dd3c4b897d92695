import { controlEndpoints } from '../control/endpoints/index.ts';
import { controlTokenGuard } from '../control/guard.ts';
import { endpoints } from '../office/open-back-office.ts';
import { tokenGuard } from '../resources/oauth.ts';
import { views } from '../resources/endpoint.ts';
import { openapiOf, type OpenApiDocument } from '../rest/openapi.ts';
import type { ExampleAnswers } from '../rest/openapi-examples.ts';
import type { Row } from '../rest/openapi-responses.ts';

/** Every endpoint of the store API and the control API. */
export const documentedEndpoints = [...endpoints, ...controlEndpoints];

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

const info = {
  title: 'Backlot',
  description: `An in-memory mock of the back office of a store. Paths under /api are the store API, those under /_backlot the control API.

Examples were made with the scenario \`default\`. Errors have the documented bodies unless a fault was injected, whose status, headers and body are free.`,
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
    ...(answers !== undefined && { answers }),
  });
}
