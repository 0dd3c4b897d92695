import { machines } from './checkout/machines/transition.ts';
import type { ApiDocuments } from '../engine/definition/api.ts';
import { formatAlternatives } from '../engine/lib/names.ts';
import { tokenGuard } from './resources/token-guard.ts';
import { controlTexts, documentTexts } from './document-texts.ts';
import { fieldTexts, tokenTexts } from './field-texts.ts';

const machineNames = Object.values(machines).map(({ name }) => name);

/** The texts of the store API in documents, in addition to those of its rows. */
export const storeDocuments: ApiDocuments = {
  description: 'An in-memory mock of the back office of a store.',
  guards: [tokenGuard],
  tags: {
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
  },
  parameters: {
    machine: `State machine: ${formatAlternatives(machineNames.map((name) => `\`${name}\``))}`,
    coupon: 'Code of the coupon',
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
  },
  fields: fieldTexts,
  texts: documentTexts,
  control: controlTexts,
  preparations: [
    ['POST', '/_backlot/script', { on: 'purchase', outcome: 'declined' }],
    ['POST', '/_backlot/orders/120/coupons', { coupon: 'WELCOME10' }],
    ['GET', '/api/orders/1'],
    ['POST', '/api/orders/', { channel: 1, user: 1, currency: 'EUR' }],
    ['PUT', '/api/checkouts/107', { paymentMethod: 1 }],
  ],
};
