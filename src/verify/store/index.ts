import type { DriftDefinition } from '../../engine/definition/drift.ts';
import { byName, byTime, byUsername } from './filters.ts';
import {
  belongsToOrder,
  itemLinks,
  links,
  paymentMethodLink,
  shipmentMethodLink,
} from './link-rules.ts';
import { orderOfOrders } from './order-reads.ts';
import { canonical, orderParts, orderPayments, orderStates, paidShipments } from './order-rules.ts';
import { checkParts } from './reads.ts';
import { findInWorkflows, findReadSettings } from './settings.ts';
import { itemTotals, orderTotals, taxDescription } from './total-rules.ts';
import { findProbes, otherOutcome, tokenOf } from './writes.ts';

const ofOrder = [orderTotals, orderStates, orderParts, orderPayments, paidShipments];

/** The checks of other servers for the contract of the store. */
export const storeDrift: DriftDefinition = {
  entry: '/api/channels/',
  rules: {
    Order: ofOrder,
    OrderInCheckout: ofOrder,
    OrderItem: [itemTotals, itemLinks],
    InventoryUnit: [belongsToOrder],
    Payment: [belongsToOrder, paymentMethodLink],
    Shipment: [belongsToOrder, shipmentMethodLink],
    Adjustment: [taxDescription],
    User: [canonical],
    UserInOrder: [canonical],
    PasswordResetting: [canonical],
  },
  links,
  lists: {
    orders: { order: orderOfOrders, kinds: ['state', 'checkout_state'], max: 16, isRequired: true },
    payments: { filters: byTime, kinds: ['state'] },
    shipments: { order: orderOfOrders, filters: byTime, kinds: ['state'] },
    products: { order: ['-created_at', '-id'], filters: byName },
    users: { order: ['-id'], filters: byUsername },
    zones: { kinds: ['type'] },
  },
  aliases: { promotion: 'promotions' },
  undeleted: ['items', 'coupons'],
  parts: ['payments', 'shipments'],
  outlived: ['orders', 'products', 'channels', 'shipping-methods', 'payment-methods'],
  dependsOnData: (path, body) =>
    path.includes('password-resetting') && 'username' in body && body.username !== '',
  findSettings: findReadSettings,
  token: tokenOf,
  read: checkParts,
  probes: findProbes,
  afterStep: findInWorkflows,
  otherOutcome,
};
